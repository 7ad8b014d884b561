// How far a review is, asked for again until it is done; then it takes the page's place.
import { $, page } from "./dom.js";

const EVERY = 1000; // milliseconds

async function ask() {
  const fresh = $("#main", await page(location.href));
  const going = fresh?.querySelector("#going");
  if (going) ($("#going").value = going.value), ($("#how-far").textContent = $("#how-far", fresh).textContent);
  if (going || !fresh) return setTimeout(ask, EVERY);
  $("#main").replaceWith(fresh);
  fresh.tabIndex = -1;
  fresh.focus(); // who waited hears it from its beginning
}
setTimeout(ask, EVERY);
