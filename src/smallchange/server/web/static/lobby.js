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

// The table comes in place of this page, and its board grows from where it was pressed. It can be played on meanwhile.
const GROWTH = { id: "slide", duration: 250, easing: "ease-out" }; // pieces may move meanwhile
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
  if (isBegun || isStill || parent !== window) return;
  isBegun = true;
  event.preventDefault();
  const { submitter } = event;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(start, submitter)));
  const answer = await fetch(start.action, { method: "POST", body }).catch(() => null);
  if (!answer?.ok) return start.requestSubmit(submitter);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [had, has] = [document, fresh].map(sheetsOf);
  const sheets = [...has.values()].filter((sheet) => !had.has(sheet.href));
  for (const sheet of sheets) sheet.media = "not all"; // until the page is here that it is of
  const loaded = sheets.map((sheet) => new Promise((done) => (sheet.onload = sheet.onerror = done)));
  document.head.append(...sheets);
  await Promise.all(loaded);
  const small = /** @type {Element} */ ($("svg", start)).getBoundingClientRect();
  history.pushState(null, "", answer.url);
  document.title = fresh.title;
  document.body.replaceWith(fresh.body);
  for (const sheet of sheets) sheet.removeAttribute("media");
  for (const [href, sheet] of had) if (!has.has(href)) sheet.remove();
  scrollTo({ top: 0, behavior: "instant" });
  const board = /** @type {SVGElement} */ (byId("board").firstElementChild);
  const large = board.getBoundingClientRect();
  const [x, y] = [small.x - large.x, small.y - large.y];
  const from = `translate(${x}px, ${y}px) scale(${small.width / large.width}, ${small.height / large.height})`;
  const growth = board.animate({ transform: [from, "none"], transformOrigin: ["0 0", "0 0"] }, GROWTH);
  const stage = board.closest(".stage");
  stage?.classList.add("held"); // above what stands where it comes from
  growth.finished.then(() => stage?.classList.remove("held"));
  for (const { src } of /** @type {HTMLScriptElement[]} */ ($$("script[src]", fresh))) import(src);
  byId("main").tabIndex = -1;
  byId("main").focus({ preventScroll: true });
  addEventListener("popstate", () => location.reload());
});
