// The review: its progress, fetched again until it is done, and then the choice that is looked at.
import "./by_hand.js";
import { $, $$, byId, fetchPage, patch, setAttribute } from "./dom.js";

const INTERVAL_MS = 1000;
const KEYS = { ArrowLeft: "choice-before", ArrowRight: "choice-after" };

async function refresh() {
  const fresh = $("#main", await fetchPage(location.href));
  /** @type {HTMLProgressElement | null} */
  const progress = fresh && $("#going", fresh);
  if (progress && fresh) {
    /** @type {HTMLProgressElement} */
    const shown = byId("going");
    shown.value = progress.value;
    byId("how-far").textContent = $("#how-far", fresh)?.textContent ?? "";
    const soFar = $("#so-far", fresh);
    if (soFar) patch(byId("so-far"), soFar);
  }
  if (progress || !fresh) return setTimeout(refresh, INTERVAL_MS);
  byId("main").replaceWith(fresh);
  fresh.tabIndex = -1;
  return fresh.focus(); // so that a screen reader begins at its beginning
}
if ($("#going")) setTimeout(refresh, INTERVAL_MS);

let asked = "";

/** Show the board before a choice, without leaving the page. @param {string} href */
async function show(href) {
  asked = href;
  const page = await fetchPage(href);
  if (asked !== href) return; // another one was asked for meanwhile
  const fresh = $("#shown", page);
  if (!fresh) return location.assign(href);
  const focused = document.activeElement?.id;
  const moves = byId("shown-moves");
  const words = $("#shown-moves", fresh);
  words?.replaceWith(moves); // it stays, so that a screen reader says what it says now
  byId("shown").replaceChildren(...fresh.childNodes);
  if (words) moves.replaceChildren(...words.childNodes);
  $("#shown-line")?.replaceWith($("#shown-line", page) ?? "");
  const current = $("[aria-current][data-choice]", page)?.dataset.choice;
  for (const link of $$("[data-choice]")) {
    if (!link.closest("#shown, svg"))
      setAttribute(link, "aria-current", link.dataset.choice === current || null);
  }
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  history.replaceState(null, "", href);
  const { top, bottom } = byId("shown").getBoundingClientRect();
  if (top > innerHeight - 200 || bottom < 200) byId("shown").scrollIntoView({ block: "start" });
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[data-choice]");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!link || !plain) return;
  event.preventDefault();
  show(link.getAttribute("href") ?? "");
});
document.addEventListener("keydown", (event) => {
  const id = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
  if (id && !event.ctrlKey && !event.metaKey && !event.altKey) document.getElementById(id)?.click();
});
