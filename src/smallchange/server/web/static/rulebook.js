// The rulebook or the reference sheet beside the board, open where the game is: the page that the link leads to.
import { $, $$, SITE, byId } from "./dom.js";

/** @type {HTMLDialogElement} */
const dialog = byId("book");
const content = byId("book-text");
const isNarrow = matchMedia("(max-width: 699px)");
/** @type {string | undefined} the path of the page that is shown */
let shownPath;
/** @type {string | null} the path of the page that was asked for last */
let wantedPath = null;
/** @type {Element | null} what gets the focus back */
let opener = null;
/** @type {Promise<unknown> | undefined} the style sheet of documents, which only this needs at a table */
let styled;

// Load the style sheet, below the sheet of other media. Throw without a connection.
async function style() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("documents.css", import.meta.url).href;
  const loaded = new Promise((done, fail) => Object.assign(sheet, { onload: done, onerror: fail }));
  $("link[href$='media.css']")?.before(sheet);
  await loaded.catch((why) => {
    sheet.remove();
    throw why;
  });
}

/**
 * Fetch a page and show it, unless it is no longer wanted when it comes. Throw without a connection.
 * @param {string} path
 * @param {() => boolean} isWanted
 */
async function load(path, isWanted) {
  const answer = await fetch(`${path}?lang=${document.documentElement.lang}`);
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!isWanted()) return false;
  for (const el of $$("[id]", page)) el.id = `book-${el.id}`; // the table has a #board too
  for (const link of $$("a[href^='#']", page))
    link.setAttribute("href", `#book-${link.getAttribute("href")?.slice(1)}`);
  content.replaceChildren(...$$(".contents, .rulebook", page));
  shownPath = path;
  return true;
}

/** Scroll to a heading and focus it; without one, to the beginning. @param {string} [anchor] */
function goTo(anchor) {
  const heading = anchor ? document.getElementById(`book-${anchor}`) : null;
  for (const el of $$(".here", content)) el.classList.remove("here");
  if (heading) {
    heading.classList.add("here");
    heading.tabIndex = -1;
  }
  (heading ?? content).focus({ preventScroll: true });
  if (heading) heading.scrollIntoView({ block: "start" });
  else content.scrollTop = 0;
}

/** Open what a link leads to. Throw without a connection. @param {HTMLAnchorElement} link */
export async function openRulebook(link) {
  const [path, anchor] = (link.getAttribute("href") ?? "").split("#");
  wantedPath = path;
  styled ??= style().catch((why) => {
    styled = undefined;
    throw why;
  });
  await styled;
  const isOutdated = shownPath !== path || link.id === "to-reference";
  if (isOutdated && !(await load(path, () => path === wantedPath))) return;
  dialog.ariaLabel = link.textContent;
  /** @type {HTMLAnchorElement} */
  const ownPage = byId("book-apart");
  ownPage.href = link.href;
  if (!dialog.open) {
    opener = document.activeElement;
    dialog.style.setProperty("--board", `${byId("board").getBoundingClientRect().bottom}px`);
    if (isNarrow.matches) dialog.showModal();
    else dialog.show();
  }
  goTo(anchor);
}

// Fetch a reference sheet again: the game went on.
export async function refreshRulebook() {
  const path = shownPath;
  if (!dialog.open || !path?.startsWith(`${SITE}/m/`)) return;
  const { scrollTop } = content;
  const isFresh = await load(path, () => path === shownPath).catch(() => false); // without a connection, after the next step
  if (isFresh) content.scrollTop = scrollTop;
}

// Close it. Return whether it was open.
export function closeRulebook() {
  const wasOpen = dialog.open;
  wantedPath = null;
  dialog.close();
  return wasOpen;
}

dialog.addEventListener("close", () => {
  const back = opener?.isConnected && opener !== document.body ? opener : byId("to-rules");
  /** @type {HTMLElement} */ (back).focus({ preventScroll: true });
});
// The focused element must be visible: if the dialog covers it, the dialog closes.
document.addEventListener("focusin", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!dialog.open || dialog.contains(target)) return;
  const { x, y, width, height } = target.getBoundingClientRect();
  if (!dialog.contains(document.elementFromPoint(x + width / 2, y + height / 2))) return;
  opener = target;
  closeRulebook();
});
dialog.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  /** @type {HTMLAnchorElement | null} */
  const link = target.closest("a[href^='#book-']");
  if (link) {
    event.preventDefault();
    goTo(link.hash.slice("#book-".length));
  } else if (target.closest("#book-shut")) closeRulebook();
});
