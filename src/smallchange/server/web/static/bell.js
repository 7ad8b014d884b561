// The bell: the number of unread notifications, asked for now and then while somebody looks.
import { $, SITE } from "./dom.js";

const INTERVAL_MS = 30_000;
/** @type {HTMLElement | null} */
const onPage = $("#bell");
const [, kind, about] = location.pathname.slice(SITE.length).match(/^\/(m|tournaments)\/([^/]+)$/) ?? [];

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
  if (document.hidden || !onPage) return;
  const at = about ? `?at=${encodeURIComponent(about)}` : "";
  const answer = await fetch(`${SITE}/notifications/count${at}`).catch(() => null);
  if (answer?.ok) show(onPage, (await answer.json()).unread);
}
if (onPage) {
  setInterval(ask, INTERVAL_MS);
  document.addEventListener("visibilitychange", ask);
  navigator.serviceWorker?.addEventListener("message", ask); // a message came by web push while this page is in view
}
