// A guided first game. Every step is a link; here its page is fetched and put in place, so that pieces slide.
import { $, SITE, byId, focus, patch } from "./dom.js";

const ANSWER_DELAY_MS = 600; // until others and chance answer one's own move
const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)");
let latest = 0;

/** @param {string} path @returns {Promise<Document | null>} */
async function fetchLesson(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** @param {Document} page */
function show(page) {
  patch(byId("main"), page.getElementById("main"));
}

const focusNext = () => {
  /** @type {HTMLElement | null} */
  const next = $(".learn .area a[href], .lesson-next");
  if (next) focus(next);
};

/** @param {string} path */
async function go(path) {
  const mine = ++latest;
  const moves = byId("main").hasAttribute("data-answers") && !path.includes("pick=");
  const forward =
    Number(new URL(path, location.href).searchParams.get("step")) > Number(byId("main").dataset.step);
  const asked = moves && forward && !reducesMotion.matches ? fetchLesson(`${path}&answered=0`) : null;
  const whole = fetchLesson(path);
  const middle = await asked;
  if (mine !== latest) return;
  if (middle) {
    show(middle);
    await new Promise((done) => setTimeout(done, ANSWER_DELAY_MS));
  }
  const page = await whole;
  if (mine !== latest) return;
  if (!page) return location.assign(path);
  show(page);
  history.replaceState(null, "", path);
  focusNext();
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = /** @type {Element} */ (event.target).closest(`#main a[href^='${SITE}/learn/']`);
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "");
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = /** @type {Element} */ (event.target);
  if (event.key === "Escape") byId("skip-lessons").click();
  else if (event.key === "ArrowRight") $("a.lesson-next")?.click();
  else if (event.key === "ArrowLeft") $(".lesson-back")?.click();
  else if (event.key === " " && target.matches("#main a")) {
    event.preventDefault();
    target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
});
