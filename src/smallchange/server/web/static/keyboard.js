// The keyboard: letter keys, arrow keys over what can be touched and through the log, Enter and Space.
import { touch } from "./choices.js";
import { $, $$ } from "./dom.js";
import { isHeldBack, keyName } from "./key_names.js";
import { finishMotion } from "./motion.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIN_ADVANCE_PX = 4; // in the arrow's direction, for a thing to lie there
const SIDEWAYS_WEIGHT = 2.5; // of a pixel aside against one ahead
const hasLetterKeys = !/(^|; )letters=off/.test(document.cookie); // speech input may set them off

/** @param {Element} el */
function centre(el) {
  const { x, y, width, height } = el.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

/**
 * Find the nearest element in the direction of an arrow.
 * @param {Element} from
 * @param {SVGElement[]} elements
 * @param {[number, number]} direction
 */
function nearest(from, elements, [dx, dy]) {
  const [x, y] = centre(from);
  /** @param {Element} el */
  const distance = (el) => {
    const [a, b] = centre(el);
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy + (b - y) * dx);
    return ahead < MIN_ADVANCE_PX ? Infinity : ahead + SIDEWAYS_WEIGHT * aside;
  };
  const ahead = elements.filter((el) => el !== from && distance(el) < Infinity);
  return ahead.sort((a, b) => distance(a) - distance(b))[0];
}

/**
 * From what was chosen in a tray, Tab goes to where it can go, though the board stands before the tray.
 * @type {(event: KeyboardEvent, target: Element) => void}
 */
function onTab(event, target) {
  const chosen = $("#trays .picked"),
    first = $("#board .live");
  if (!chosen || !first || target !== (event.shiftKey ? first : chosen)) return;
  event.preventDefault();
  (event.shiftKey ? chosen : first).focus();
}

/**
 * Listen to keys.
 * @param {object} actions
 * @param {() => void} actions.escape
 * @param {() => void} actions.openRules
 * @param {() => void} actions.askForHint
 * @param {() => void} actions.undo
 * @param {(by: number) => void} actions.step through the log
 */
export function listenToKeys({ escape, openRules, askForHint, undo, step }) {
  /** @type {Record<string, () => void>} */
  const everywhere = { Escape: escape, "?": openRules, r: openRules };
  /** @type {Record<string, () => void>} */
  const atTheTable = { h: askForHint, u: undo };
  let hasTouched = false; // by the key that is down

  document.addEventListener("keydown", (event) => {
    finishMotion();
    if (event.isComposing) return; // an input method puts a word together
    const key = keyName(event);
    const target = /** @type {Element} */ (event.target);
    const isTyping = target.matches("input:not([type=checkbox]), textarea, select");
    if (isHeldBack(key, event.repeat)) {
      // neither a button that Enter presses again nor a page that Space scrolls after its touch
      if (key === "Enter" || (key === " " && hasTouched)) event.preventDefault();
      return;
    }
    hasTouched = false;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    if (key === "Tab") return onTab(event, target);
    if (key.length === 1 && key !== " " && !hasLetterKeys) return;
    if (everywhere[key]) return everywhere[key]();
    if (target.closest("dialog")) return;
    if (atTheTable[key]) return atTheTable[key]();
    if ((key === "Enter" || key === " ") && target.matches("a.live, a.picked")) {
      event.preventDefault();
      hasTouched = true;
      touch(target.id.slice(2));
    } else if (ARROWS[key]) onArrow(event, target, ARROWS[key]);
  });

  /** @type {(event: KeyboardEvent, target: Element, direction: [number, number]) => void} */
  function onArrow(event, target, [dx, dy]) {
    /** @type {SVGElement[]} */
    const live = $$(".live");
    const isOnBoard = target.closest("#board a, #trays a");
    if (target.closest(".log") || (dx && !(isOnBoard && live.length))) {
      event.preventDefault();
      step(dx || -dy);
    } else if (live.length) {
      event.preventDefault();
      (isOnBoard ? nearest(target, live, [dx, dy]) : live[0])?.focus();
    }
  }
}
