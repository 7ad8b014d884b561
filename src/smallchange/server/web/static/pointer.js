// The mouse and fingers on the board: clicks, dragging, and touches beside what is small.
import { paths, refuse, select, touch } from "./choices.js";
import { $, $$ } from "./dom.js";
import { finishMotion } from "./motion.js";

const FINGERTIP_PX = 44;
const DRAG_THRESHOLD_PX = 8;
const BOARD = "#board, #trays";

/** @typedef {{el: SVGAElement, id: string, x: number, y: number, isMoving: boolean, unit: number, lifted: SVGElement[], putBack: () => void}} Drag */
/** @type {Drag | null} */
let drag = null;
let hasJustDropped = false; // the click that ends a drag is not a click
/** @type {{el: SVGAElement, x: number, y: number} | null} what was pressed, and where */
let press = null;

/** @param {Element} target @returns {SVGAElement | null} */
const touchableAt = (target) =>
  target.closest?.("#board a.live, #trays a.live, #board a.dim, #trays a.dim, a.picked");

/**
 * Measure how far a point lies outside a stretch that is widened to a fingertip; negative inside.
 * @param {number} at
 * @param {number} from
 * @param {number} to
 */
const distanceOutside = (at, from, to) =>
  Math.max(from - at, at - to) - Math.max(0, FINGERTIP_PX - (to - from)) / 2;

/**
 * Find the nearest thing smaller than a fingertip, for a finger that touched nothing.
 * @param {PointerEvent} event
 */
function touchableNear({ pointerType, clientX, clientY }) {
  if (pointerType !== "touch") return null;
  /** @param {Element} el */
  const distance = (el) => {
    const { left, right, top, bottom } = ($(".hit", el) ?? el).getBoundingClientRect();
    return Math.max(distanceOutside(clientX, left, right), distanceOutside(clientY, top, bottom));
  };
  /** @type {SVGAElement[]} */
  const live = $$("#board a.live, #trays a.live");
  const [nearest] = live.sort((a, b) => distance(a) - distance(b));
  return nearest && distance(nearest) <= 0 ? nearest : null;
}

/**
 * Lift pieces above everything. Return the function that puts them back. The elements stay where they are among
 * the others, which go below them: a touch ends where its element is moved.
 * @param {SVGElement[]} pieces
 * @param {SVGSVGElement} svg
 */
function lift(pieces, svg) {
  if (!pieces.length) return () => {};
  /** @type {SVGElement[]} */
  const all = $$(".pieces > a", svg);
  const above = all.slice(all.indexOf(pieces[0]) + 1).filter((el) => !pieces.includes(el));
  const places = above.map((el) => /** @type {const} */ ([el, el.nextSibling])).reverse();
  pieces[0].before(...above);
  svg.classList.add("held");
  return () => {
    svg.classList.remove("held");
    for (const el of pieces) el.style.translate = "";
    for (const [el, next] of places) {
      if (el.isConnected && (!next || next.parentNode === el.parentNode))
        el.parentNode?.insertBefore(el, next);
    }
  };
}

/** @param {Drag} begun */
function beginMoving(begun) {
  const { el, id } = begun;
  const svg = /** @type {SVGSVGElement} */ (el.ownerSVGElement);
  select([id]);
  /** @type {SVGElement[]} */
  const pieces = $$(".pieces a", svg);
  const place = el.getAttribute("transform");
  const isStack = !el.matches(".piece"); // then all that lies there comes along
  const lifted = pieces.filter(
    (other) => other === el || (isStack && other.getAttribute("transform") === place),
  );
  const unit = svg.getScreenCTM()?.a ?? 1;
  Object.assign(begun, { isMoving: true, unit, lifted, putBack: lift(lifted, svg) });
}

// End a drag without a drop: the board has changed below it.
export function cancelDrag() {
  drag?.putBack();
  drag = press = null;
}

/** @param {PointerEvent} event */
function onPointerDown(event) {
  const target = /** @type {Element} */ (event.target);
  finishMotion();
  hasJustDropped = false;
  if (drag?.isMoving) select([]); // a second finger: two of them zoom
  cancelDrag();
  const el = event.isPrimary && event.button === 0 ? touchableAt(target) : null;
  const id = el?.id.slice(2) ?? "";
  const at = { x: event.clientX, y: event.clientY };
  press = el && { el, ...at };
  if (!el || el.closest(".tiles") || !paths().some((path) => path.length > 1 && path[0] === id)) return;
  drag = { el, id, ...at, isMoving: false, unit: 1, lifted: [], putBack: () => {} };
}

/** @param {PointerEvent} event */
function onPointerMove({ clientX, clientY }) {
  if (!drag) return;
  const [dx, dy] = [clientX - drag.x, clientY - drag.y];
  if (!drag.isMoving && Math.hypot(dx, dy) < DRAG_THRESHOLD_PX) return;
  if (!drag.isMoving) beginMoving(drag);
  for (const el of drag.lifted) el.style.translate = `${dx / drag.unit}px ${dy / drag.unit}px`;
}

/** @param {PointerEvent} event */
function onPointerEnd({ clientX, clientY, type }) {
  const ended = drag;
  drag = null;
  if (!ended?.isMoving) return;
  ended.putBack();
  const isDrop = type === "pointerup";
  const under = document
    .elementsFromPoint(clientX, clientY)
    .map((el) => /** @type {SVGElement | null} */ (el.closest("a")));
  const isOwnPiece = (/** @type {SVGElement | null} */ el) => el !== null && ended.lifted.includes(el);
  const goal = under.find((el) => el?.matches(".live") && !isOwnPiece(el));
  hasJustDropped = isDrop;
  if (!isDrop) select([]);
  else if (goal) touch(goal.id.slice(2));
  else if (under.some(isOwnPiece))
    select([]); // back where it was
  else refuse();
}

// What was pressed as it moved lies elsewhere as the finger leaves it, and something else may lie here: it is touched.
/** @param {MouseEvent} event */
function onMovedClick(event) {
  const pressed = press;
  press = null;
  if (!pressed || !event.detail || touchableAt(/** @type {Element} */ (event.target)) === pressed.el) return;
  if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= DRAG_THRESHOLD_PX) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!hasJustDropped) touch(pressed.el.id.slice(2));
  hasJustDropped = false;
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {Element} */ (event.target);
  const isOnBoard = target.closest(BOARD);
  const el = touchableAt(target) ?? (isOnBoard ? touchableNear(/** @type {PointerEvent} */ (event)) : null);
  if (!el && !isOnBoard) return;
  event.preventDefault();
  const isDrop = hasJustDropped;
  hasJustDropped = false;
  if (isDrop) return;
  if (el) touch(el.id.slice(2));
  else refuse();
}

/** Listen to the mouse and to fingers. */
export function listenToPointer() {
  document.addEventListener("dragstart", (event) => {
    if (/** @type {Element} */ (event.target).closest?.(BOARD)) event.preventDefault();
  });
  document.addEventListener("pointerdown", onPointerDown);
  // A finger that drags does not scroll. (`touch-action` has no effect within an SVG.)
  document.addEventListener(
    "touchmove",
    (event) => {
      if (drag && event.touches.length === 1 && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
  document.addEventListener("pointermove", onPointerMove);
  document.addEventListener("pointerup", onPointerEnd);
  document.addEventListener("pointercancel", onPointerEnd);
  document.addEventListener("keydown", () => (hasJustDropped = false));
  document.addEventListener("click", onMovedClick, true);
  document.addEventListener("click", onClick);
}
