// The lists of the lobby, fetched again every few seconds while somebody looks. And the first move, on its board.
import { $, $$, SITE, byId, patch } from "./dom.js";
import { writeLocalTimes } from "./page.js";

const INTERVAL_MS = 5000;

/** @param {boolean} isBack has somebody just come back to this tab? */
async function refresh(isBack) {
  if (document.hidden || !$("#running")) return;
  const answer = await fetch(`${SITE}/lists?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  writeLocalTimes(fresh.content, document.documentElement.lang);
  const running = byId("running");
  const { height } = running.getBoundingClientRect();
  for (const part of [...fresh.content.children]) {
    const old = $(`#${part.id}`);
    if (old) patch(old, part); // a page without a server has no open tables
  }
  if (isBack) return;
  // What comes and goes above the cards moves none of them under the finger.
  running.style.minHeight = `${height}px`;
  scrollBy({ top: running.getBoundingClientRect().height - height, behavior: "instant" });
}
setInterval(() => refresh(false), INTERVAL_MS);
document.addEventListener("visibilitychange", () => refresh(true));

// The table comes in place of this page, and the board grows from where it was pressed to where it is played on.
/** @type {HTMLFormElement | null} */
const start = $("#start");
let isBegun = false;
/** @param {Document} page @returns {Map<string, HTMLLinkElement>} its style sheets by address */
const sheetsOf = (page) =>
  new Map(
    /** @type {any} */ ($$("link[rel=stylesheet]", page)).map((/** @type {any} */ one) => [one.href, one]),
  );
start?.addEventListener("submit", async (event) => {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isBegun || isStill || !document.startViewTransition || parent !== window) return;
  isBegun = true;
  event.preventDefault();
  const { submitter } = event;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(start, submitter)));
  const answer = await fetch(start.action, { method: "POST", body }).catch(() => null);
  if (!answer?.ok) return start.requestSubmit(submitter);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const board = /** @type {SVGElement} */ ($("#board > svg", fresh));
  board.style.viewTransitionName = "board";
  const scripts = /** @type {HTMLScriptElement[]} */ ($$("script[src]", fresh));
  const [had, has] = [document, fresh].map(sheetsOf);
  const sheets = [...has.values()].filter((sheet) => !had.has(sheet.href));
  const loaded = sheets.map((sheet) => new Promise((done) => (sheet.onload = sheet.onerror = done)));
  const growth = document.startViewTransition(async () => {
    history.pushState(null, "", answer.url);
    document.title = fresh.title;
    document.head.append(...sheets);
    document.body.replaceWith(fresh.body);
    await Promise.all(loaded);
    for (const [href, sheet] of had) if (!has.has(href)) sheet.remove();
  });
  growth.finished.then(() => board.removeAttribute("style"));
  await growth.updateCallbackDone;
  for (const { src } of scripts) import(src);
  byId("main").tabIndex = -1;
  byId("main").focus();
  addEventListener("popstate", () => location.reload());
});
