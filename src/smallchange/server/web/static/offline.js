// The page of offline play: keep the games in this browser, and bring those that are over to the server.
import { $, SITE, byId } from "./dom.js";
import { dropFinished, finishedGames } from "./offline_records.js";

const CACHE = `${SITE}/offline`;
const VERSION = `${SITE}/offline version`; // of the games that are kept

/** @type {HTMLButtonElement | null} */
const keep = $("#keep");
if (keep && "caches" in window && "serviceWorker" in navigator) {
  keep.hidden = false;
  const { files = "[]", wait = "", done = "", failed = "", version = "" } = keep.dataset;
  const fetchGames = async () => {
    keep.disabled = true;
    byId("kept").textContent = wait;
    try {
      await navigator.serviceWorker.ready;
      const cache = await caches.open(CACHE);
      await cache.addAll(JSON.parse(files).map((/** @type {string} */ path) => SITE + path)); // all of them, or none
      localStorage.setItem(VERSION, version);
      byId("kept").textContent = done;
    } catch {
      byId("kept").textContent = failed;
    }
    keep.disabled = false;
  };
  keep.addEventListener("click", fetchGames);
  const kept = localStorage.getItem(VERSION);
  if (kept && kept !== version && navigator.onLine) fetchGames(); // the site is newer
}
byId("cut-off").hidden = navigator.onLine;

const finished = $("#finished");
const template = /** @type {HTMLTemplateElement | null} */ ($("#finished template"));
if (finished && template) {
  for (const { game, at, record } of finishedGames()) {
    const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const time = new Date(at);
    /** @param {string} selector @returns {any} */
    const part = (selector) => row.querySelector(selector);
    part("b").textContent = game;
    part("time").dateTime = time.toISOString();
    part("time").textContent = time.toLocaleString(document.documentElement.lang);
    part("[name=record]").value = record;
    part("form").addEventListener("submit", (/** @type {SubmitEvent} */ event) => bring(event, record));
    $("ul", finished)?.append(row);
    finished.hidden = false;
  }
}

/**
 * Send a record to the server, and go to the table that it has become. A record that is refused stays.
 * @param {SubmitEvent} event
 * @param {string} record
 */
async function bring(event, record) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const answer = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(/** @type {any} */ (new FormData(form))),
  }).catch(() => null);
  if (answer?.ok) {
    dropFinished(record);
    location.assign(answer.url);
    return;
  }
  const text = answer ? await answer.text() : "";
  const wrong = new DOMParser().parseFromString(text, "text/html").querySelector("[role=alert]");
  byId("kept").textContent = wrong?.textContent ?? byId("cut-off").textContent;
}
