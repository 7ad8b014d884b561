// The odds of a variant, which the server measures: one question at a time, and none about what is no longer chosen.
import { fetchPage } from "./dom.js";

const SLOW_MS = 500; // without an answer, before the page says that it is being measured
/** @type {Promise<Document> | undefined} */
let measuring;

/**
 * Show the odds in their place on the page, while they are those of the chosen variant.
 * @param {HTMLElement} place
 * @param {string} path
 * @param {() => boolean} isChosen
 */
export async function showOdds(place, path, isChosen) {
  const slow = setTimeout(() => {
    if (isChosen()) place.textContent = place.dataset.wait ?? "";
  }, SLOW_MS);
  await measuring;
  await ask(place, path, isChosen);
  clearTimeout(slow);
}

/** @param {HTMLElement} place @param {string} path @param {() => boolean} isChosen */
async function ask(place, path, isChosen) {
  if (!isChosen()) return;
  measuring = fetchPage(path);
  const found = await measuring;
  if (!isChosen()) return;
  const odds = found.getElementById("difficulty");
  place.replaceChildren(...((odds ?? found.querySelector("main p"))?.childNodes ?? [])); // or the reason for a refusal
  if (odds?.dataset.waits !== undefined) await ask(place, path, isChosen); // the server waited before it said so
}
