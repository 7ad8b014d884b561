// The size of the board, set by dragging its lower right corner; the settings have it too.
import { SITE, byId } from "./dom.js";

const SIZES = ["100", "85", "70", "55"]; // percent of the room
const CORNER_PX = 22;
const YEAR_S = 365 * 24 * 3600;

const board = byId("board");
/** @type {{left: number, whole: number} | null} while it is dragged: where the board begins, its width at full size */
let drag = null;

/** @param {PointerEvent} event */
function isAtCorner({ clientX, clientY }) {
  const { right, bottom } = board.getBoundingClientRect();
  return Math.max(right - clientX, bottom - clientY) < CORNER_PX && matchMedia("(min-width: 1000px)").matches;
}
addEventListener("pointermove", (event) => {
  if (!drag) board.classList.toggle("at-corner", isAtCorner(event));
  else {
    const part = (100 * (event.clientX - drag.left)) / drag.whole;
    const apart = (/** @type {string} */ size) => Math.abs(Number(size) - part);
    document.body.dataset.size = SIZES.reduce((near, size) => (apart(size) < apart(near) ? size : near));
  }
});
board.addEventListener("pointerdown", (event) => {
  if (!isAtCorner(event)) return;
  const { left, width } = board.getBoundingClientRect();
  drag = { left, whole: (100 * width) / Number(document.body.dataset.size ?? 100) };
  event.preventDefault();
});
addEventListener("pointerup", () => {
  if (drag)
    document.cookie = `size=${document.body.dataset.size};path=${SITE}/;max-age=${YEAR_S};samesite=lax`;
  drag = null;
});
