// The odds of what a form chooses, measured once their fold is opened. Without script, a button leads to them.
import { byId, fetchPage } from "./dom.js";

const SLOW_MS = 500; // without an answer, before the page says that it is being measured
/** @type {HTMLDetailsElement} */
const fold = byId("odds");
/** @type {HTMLFormElement} */
const form = byId("setup");
const place = byId("difficulty");
/** @type {HTMLButtonElement} */
const button = byId("measure");
const path = button.getAttribute("formaction");
let measured = ""; // the query whose odds stand there, or are being measured
/** @type {Promise<unknown> | undefined} */
let measuring;
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
  const slow = setTimeout(() => {
    if (query === measured) place.textContent = place.dataset.wait ?? "";
  }, SLOW_MS);
  await measuring; // one question at a time, and none about what is no longer chosen
  await showMeasured(query);
  clearTimeout(slow);
}

/** @param {string} query */
async function showMeasured(query) {
  if (query !== measured) return;
  const answer = fetchPage(`${path}?${query}&lang=${document.documentElement.lang}`);
  measuring = answer;
  const found = await answer;
  if (query !== measured) return;
  const odds = found.getElementById("difficulty");
  place.replaceChildren(...((odds ?? found.querySelector("main p"))?.childNodes ?? []));
  if (odds?.dataset.waits !== undefined) await showMeasured(query); // the server waited before it said so
}

fold.addEventListener("toggle", () => measureOdds(usable));
