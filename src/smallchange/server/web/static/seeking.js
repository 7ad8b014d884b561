// A page that waits for an opponent, or for the answer to a challenge: it follows the server's events and goes where
// they lead. Without script the page asks by refreshing.
import { SITE } from "./dom.js";
import { followEvents } from "./events.js";

const SECOND_MS = 1000;
const lang = new URLSearchParams(location.search).get("lang");
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const waited = document.getElementById("waited");
const offers = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".bot-offer"));
const began = performance.now() - Number(waited?.dataset.waited ?? 0);

if (main.dataset.news)
  followEvents(main.dataset.news, ({ to }) => {
    if (to) location.assign(`${SITE}${to}${lang ? `?lang=${lang}` : ""}`);
    return Boolean(to);
  });

/** @param {number} ms */
function digits(ms) {
  const seconds = Math.floor(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

if (waited)
  setInterval(() => {
    const passed = performance.now() - began;
    waited.textContent = digits(passed);
    for (const offer of offers) if (passed >= Number(offer.dataset.after)) offer.hidden = false;
  }, SECOND_MS);
