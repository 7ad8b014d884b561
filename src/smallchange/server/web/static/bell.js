// The bell: the number of unread notifications, asked for now and then while somebody looks. While a game is played, it
// is asked for often, in the background too: a game elsewhere may wait for a move.
import { $, SITE } from "./dom.js";

const INTERVAL_MS = 30_000;
const PLAYING_INTERVAL_MS = 3000;
const PLAYING_FOR_MS = 300_000; // since a game or tournament was last known to go on
const PLAYED_AT = "played-at";
/** @type {HTMLElement | null} */
const onPage = $("#bell");
const [, kind, about] = location.pathname.slice(SITE.length).match(/^\/(m|tournaments)\/([^/]+)$/) ?? [];
let isAwaited = false;

const isPlaying = () => Date.now() - Number(localStorage.getItem(PLAYED_AT) ?? 0) < PLAYING_FOR_MS;
/** Note for all pages that a game is played, or the next one of a tournament is to begin. */
export const notePlaying = () => localStorage.setItem(PLAYED_AT, String(Date.now()));

/**
 * Show the number of unread notifications: at the bell, in the title, and on the icon of an installed page.
 * @param {HTMLElement} bell
 * @param {number} unread
 */
export function show(bell, unread) {
  /** @type {HTMLElement} */ ($(".bell-count", bell)).textContent = unread ? String(unread) : "";
  bell.setAttribute(
    "aria-label",
    unread ? (bell.dataset.some ?? "").replace("0", String(unread)) : (bell.dataset.none ?? ""),
  );
  // a table's title says whose turn it is
  if (kind !== "m") document.title = (unread ? `(${unread}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  navigator.setAppBadge?.(unread).catch(() => {});
}

async function ask() {
  if (!onPage || (document.hidden && !isPlaying())) return;
  const query = new URLSearchParams({ lang: document.documentElement.lang });
  if (about) query.set("at", about);
  if (document.hidden) query.set("hidden", "1");
  const answer = await fetch(`${SITE}/notifications/count?${query}`).catch(() => null);
  if (!answer?.ok) return;
  const { unread, live, awaited = null } = await answer.json();
  if (live) notePlaying();
  show(onPage, unread);
  if (!awaited && !isAwaited) return;
  isAwaited = awaited !== null;
  (await import("./awaited.js")).showAwaited(awaited);
}
async function goOn() {
  await ask();
  setTimeout(goOn, isPlaying() ? PLAYING_INTERVAL_MS : INTERVAL_MS);
}
// It brings messages by web push, and keeps the static files of an installed page. A private window may refuse it.
navigator.serviceWorker?.register(`${SITE}/service_worker.js`).catch(() => {});
if (onPage) {
  setTimeout(goOn, isPlaying() ? 0 : INTERVAL_MS);
  document.addEventListener("visibilitychange", ask);
  navigator.serviceWorker?.addEventListener("message", ask); // a message came by web push while this page is in view
}
