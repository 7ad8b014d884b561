// How far a review is, asked for again until it is done; then it takes the page's place.
import { $ } from "./dom.js";

const EVERY = 1000; // milliseconds

async function ask() {
  const text = await fetch(location.href).then((answer) => answer.text()).catch(() => "");
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("#main");
  const going = fresh?.querySelector("#going");
  if (going) $("#going").value = going.value;
  if (going || !fresh) return setTimeout(ask, EVERY);
  $("#main").replaceWith(fresh);
  fresh.tabIndex = -1;
  fresh.focus(); // who waited hears it from its beginning
}
setTimeout(ask, EVERY);
