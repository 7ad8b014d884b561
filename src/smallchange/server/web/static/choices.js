// The choices on the board. The buttons of the panel list every legal move, with its path of pieces. This module
// marks the pieces, turns touches into moves, and shows hints and refusals.
import { $, $$, byId, focus, setAttribute } from "./dom.js";
import { fitStatus } from "./reserved_room.js";
import { continuations, startsWith, touch as decide } from "./selection.js";

const main = byId("main");
const refusal = byId("refusal");
const hint = byId("hint");
const preview = byId("touch-preview");
/** @type {string[]} the ids touched so far */
let selected = [];
/** @type {(string | undefined)[]} the ids and tokens that a hint marks */
let hinted = [];
/** @type {Hint[]} the steps of the hint that are not shown yet */
let hintSteps = [];
let stepCount = 0; // of the hint, after the first
let isGuess = false; // the hint that is shown
let waiting = false; // for the answer to a command: nothing can be touched meanwhile
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waitTimer;
const WAIT_SEEN_MS = 60; // an answer that comes sooner changes the pieces once
/** @type {string[] | null} what had the focus when a command was sent: it gets it back, once it exists again */
let focusBefore = null;

/** @returns {HTMLButtonElement[]} */
const moveButtons = () => $$("#actions [data-path]:not(#matching-moves *)");
/** @param {HTMLElement} button */
const pathOf = (button) => (button.dataset.path ?? "").split(" ");
export const paths = () => moveButtons().map(pathOf);
export const hasSelection = () => selected.length > 0;
export const selection = () => selected;

/** Touch the piece or place of this id. @param {string} id */
export function touch(id) {
  if (main.classList.contains("sent")) return;
  const buttons = moveButtons();
  const effect = decide(buttons.map(pathOf), selected, id);
  if (!effect) refuse();
  else if ("play" in effect) buttons[effect.play].click();
  else select(effect.select);
}

/** @param {string[]} path */
export function select(path) {
  selected = path;
  refusal.textContent = "";
  refresh();
  showPreview();
}

// Forget a selection, if no legal move begins with it any more.
export function dropStaleSelection() {
  if (!paths().some((path) => startsWith(path, selected))) selected = [];
}
export function clearSelection() {
  selected = [];
}

// Say why something cannot be touched. What is selected stays so, for the rings to show where it can go.
export function refuse() {
  preview.textContent = "";
  const { why, notThere } = byId("actions").dataset;
  showRefusal((selected.length ? notThere : why) ?? "");
}
/** @param {string} text */
export function showRefusal(text) {
  refusal.textContent = text;
}

/**
 * A hint in three steps: what to touch first, the move, and why. `text` alone is a note.
 * A guess is followed by the best bot's hint, which is shown as far as the guess was.
 * @typedef {{text?: string, marks?: string[], token?: string, nudge?: string, first?: string[], why?: string,
 *   guess?: boolean}} Hint
 */

/** Show the first step of a hint, in words and on the pieces; without arguments, remove it. @param {Hint} [advice] */
export function showHint(advice = {}) {
  const { text = "", nudge = "", first = [] } = advice;
  const steps = isGuess && nudge ? stepCount - hintSteps.length : 0;
  isGuess = advice.guess ?? false;
  const reason = advice.why ? [{ text: advice.why, marks: advice.marks, token: advice.token }] : [];
  hintSteps = nudge ? [advice, ...reason] : [];
  stepCount = hintSteps.length;
  sayHint(nudge || text, first);
  if (nudge) offerHint("move");
  for (let step = 0; step < steps; step++) showNextHint();
}

/** Show the next step of the hint. Return whether there is a hint. */
export function showNextHint() {
  const step = hintSteps.shift();
  if (!step) return hinted.length > 0;
  sayHint(step.text ?? "", step.marks ?? [], step.token);
  if (hintSteps.length) offerHint("why");
  return true;
}

/** @param {string} text @param {string[]} marks @param {string} [token] */
function sayHint(text, marks, token) {
  hint.textContent = text;
  if (text) refusal.textContent = "";
  hinted = token === undefined ? marks : [...marks, token];
}

/** Add the button of the next step. @param {"move" | "why"} step */
function offerHint(step) {
  const button = document.createElement("button");
  button.className = "next-hint";
  button.setAttribute("form", "command-form");
  button.setAttribute("formaction", $("#ask-hint")?.getAttribute("formaction") ?? "hint");
  button.textContent = hint.dataset[step] ?? "";
  hint.append(" ", button);
}

/**
 * Show the effect of touching this element, or else of the selection. It is for the eye only: the names of the
 * elements say the same.
 * @param {Element} [el]
 */
export function showPreview(el) {
  /** @type {SVGElement | null | undefined} */
  const target = el?.closest("a.live[data-goal]");
  const isFree = !refusal.textContent && !hint.textContent;
  const fitting =
    isFree && selected.length ? moveButtons().filter((button) => startsWith(pathOf(button), selected)) : [];
  const effect = target?.dataset.goal ?? (fitting.length === 1 ? fitting[0].textContent : "");
  preview.textContent = effect && `${preview.dataset.lead} ${effect}`; // not to be taken for what has happened
}

/** Take no touch while the answer to a command is awaited; show it, unless it comes at once. @param {boolean} isWaiting */
export function setWaiting(isWaiting) {
  clearTimeout(waitTimer);
  main.classList.toggle("sent", isWaiting);
  if (!isWaiting) waiting = false;
  else waitTimer = setTimeout(showWaiting, WAIT_SEEN_MS);
  if (isWaiting) for (const el of $$("a.picked, :is(#board, #trays) a:focus")) leave(el);
}
function showWaiting() {
  waiting = true;
  refresh();
}
/** @param {HTMLElement} el */
function leave(el) {
  el.classList.remove("picked");
  delete el.dataset.mark;
  el.blur();
}

// Remember what has the focus by the keyboard, as a command is sent.
export function rememberFocus() {
  const focused = $("#board a:focus-visible, #trays a:focus-visible, #move-details :focus-visible");
  if (focused) focusBefore = [...selected.map((id) => `p-${id}`), focused.id || "all-moves"];
}

// Let the keyboard scroll the status where it is longer than its place.
function refreshStatus() {
  const slot = $(".status-slot");
  if (slot) fitStatus(slot);
  for (const el of $$(".status-text, .status-slot")) {
    const isCut = el.scrollHeight > el.clientHeight && getComputedStyle(el).overflowY === "auto";
    setAttribute(el, "tabindex", isCut ? 0 : null);
  }
}
const statusSizes = new ResizeObserver(refreshStatus); // letters that arrive late change them, and what is beside it
const observed = new WeakSet();

// Fit the status with the next frame, for which the page is laid out anyway, and follow the sizes of its lines.
let isStatusStale = false;
function fitStatusSoon() {
  if (isStatusStale) return;
  isStatusStale = true;
  requestAnimationFrame(() => {
    isStatusStale = false;
    refreshStatus();
    for (const el of $$(".status-slot, .status-text, .status-text > *, #rule, #tip")) {
      if (!observed.has(el)) statusSizes.observe(el);
      observed.add(el);
    }
  });
}

/** @type {(el: Element) => string} */
const placeOf = (el) => `${el.closest("[id]:not(a, g)")?.id} ${el.getAttribute("transform")}`;

// Mark everything by the listed moves, the selection and the hint.
export function refresh() {
  main.toggleAttribute("data-waits", waiting);
  main.classList.toggle("planning", $("#ahead") !== null);
  const buttons = moveButtons();
  const all = buttons.map(pathOf);
  const firsts = new Set(all.map(([first]) => first));
  const possible = waiting ? [] : all;
  /** @type {SVGAElement[]} */
  const touchable = $$("#board a, #trays a");
  for (const el of touchable) {
    const { next, move } = continuations(possible, selected, el.id.slice(2));
    markTouchable(el, next.length > 0, firsts, move === null ? null : buttons[move].textContent);
  }
  const told = new Set(touchable.filter((el) => el.matches("[role=button][id^=p-]")).map(placeOf));
  for (const el of touchable) {
    if (el.matches("[role=img][id^=s-]"))
      setAttribute(el, "aria-hidden", told.has(placeOf(el)) ? "true" : null);
  } // a pile is told once: by its piece that can be touched, else by its place
  const planned = byId("notice").querySelector("#plan")?.getAttribute("data-marks")?.split(" ") ?? [];
  for (const el of touchable) el.classList.toggle("planned", planned.includes(el.id.slice(2)));
  if (focusBefore && !waiting) restoreFocus();
  /** @type {HTMLInputElement[]} */
  const marked = $$("#actions .die-choice, #actions [name=token]");
  for (const el of marked) el.classList.toggle("hinted", hinted.includes(el.value ?? el.id.slice(2)));
  const complete = buttons.filter(
    (button, i) =>
      selected.length && possible[i]?.length === selected.length && startsWith(possible[i], selected),
  );
  $("#matching-moves")?.replaceChildren(...complete.map((button) => button.cloneNode(true)));
  /** @type {HTMLAnchorElement | null} */
  const invitation = $("#invite-link");
  if (invitation) invitation.textContent = invitation.href;
  refreshMarkButton();
  fitStatusSoon();
}

/**
 * @param {SVGAElement} el
 * @param {boolean} isLive can it be touched next?
 * @param {Set<string>} firsts the ids that a move begins with
 * @param {string | null} move the move that it completes, in words
 */
function markTouchable(el, isLive, firsts, move) {
  const id = el.id.slice(2);
  const isSelected = selected.includes(id);
  const isHinted = hinted.includes(id);
  const mark = [isLive, isSelected, isHinted, firsts.has(id), !selected.length, move].join();
  if (el.dataset.mark === mark) return; // an element that is patched loses it
  el.dataset.mark = mark;
  el.dataset.said ??= el.getAttribute("aria-label") ?? "";
  el.classList.add("later");
  el.classList.toggle("live", isLive);
  el.classList.toggle("dim", firsts.has(id) && !isLive);
  el.classList.toggle("picked", isSelected);
  el.classList.toggle("hinted", isHinted);
  const role = isLive || isSelected ? "button" : el.dataset.said ? "img" : null;
  const name = (role === "button" && el.dataset.name) || el.dataset.said;
  const begins = isLive && !selected.length && main.dataset.choose;
  setAttribute(el, "data-goal", move);
  el.setAttribute("aria-label", move ?? (begins ? begins.replace("{said}", name) : name));
  el.removeAttribute("href"); // it is for browsers without script
  setAttribute(el, "role", role);
  setAttribute(el, "tabindex", role === "button" ? 0 : null);
  setAttribute(el, "aria-pressed", isSelected || null);
  setAttribute(el, "aria-hidden", role ? null : "true");
}

// Label the button for marks with the effect of the present marks.
function refreshMarkButton() {
  /** @type {HTMLButtonElement | null} */
  const button = $("#marked");
  if (!button) return;
  /** @type {HTMLInputElement[]} */
  const boxes = $$("input[name=marks]:checked");
  const marks = boxes
    .map((box) => box.value)
    .sort()
    .join();
  const set = $$(".sets li").find((li) => li.dataset.marks?.split(" ").sort().join() === marks);
  const words = $(".sets")?.dataset;
  button.disabled = !set;
  button.textContent = set?.textContent ?? (marks ? words?.not : words?.none) ?? "";
  if (set) button.value = set.dataset.token ?? "";
}

function restoreFocus() {
  const active = document.activeElement;
  const board = byId("board");
  const isLost = active === document.body || active === board;
  const before = focusBefore
    ?.map((id) => document.getElementById(id))
    .find((el) => el?.matches(".live, #all-moves"));
  const target = before ?? $("a.live, .result");
  if (isLost) focus(target ?? board);
  if (target || !isLost) focusBefore = null; // while it is another's turn it is remembered
}
