// The odds of what a form chooses, measured once their fold is opened. Without script, a button leads to them.
import { byId } from "./dom.js";
import { showOdds } from "./measured_odds.js";

/** @type {HTMLDetailsElement} */
const fold = byId("odds");
/** @type {HTMLFormElement} */
const form = byId("setup");
const place = byId("difficulty");
/** @type {HTMLButtonElement} */
const button = byId("measure");
const path = button.getAttribute("formaction");
let measured = ""; // the query whose odds stand there, or are being measured
let usable = true;
button.hidden = true;

/** Measure the odds of what is chosen, if the fold is open. @param {boolean} possible whether they can be measured */
export async function measureOdds(possible = true) {
  usable = possible;
  const query = `${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`;
  if (query === measured && usable) return;
  measured = "";
  place.replaceChildren();
  if (!fold.open || !usable) return;
  measured = query;
  await showOdds(place, `${path}?${query}&lang=${document.documentElement.lang}`, () => query === measured);
}

fold.addEventListener("toggle", () => measureOdds(usable));
if (fold.open) measureOdds(); // it was opened before this script had come
