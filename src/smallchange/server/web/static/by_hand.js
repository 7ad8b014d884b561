// Arrows and rings drawn by hand over a board of a review or an analysis. The address keeps them, and the server draws.
// On a board that one follows they are shown to all for a moment.
import { $, fetchPage } from "./dom.js";

const BOARD = "[data-middles]";
const REACH_UNITS = 75; // from the middle of a place
let begun = ""; // the place where the button went down, or M was pressed

/** @param {MouseEvent} event @returns {string} the nearest place on the board, "" for none */
function placeAt({ target, clientX, clientY }) {
  /** @type {HTMLElement | null} */
  const board = /** @type {Element} */ (target).closest(BOARD);
  /** @type {SVGSVGElement | null} */
  const svg = board && $("svg", board);
  const matrix = svg?.getScreenCTM();
  if (!board || !matrix) return "";
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  /** @type {[string, [number, number]][]} */
  const places = Object.entries(JSON.parse(board.dataset.middles ?? "{}"));
  const far = places.map(([id, [across, down]]) => ({ id, by: Math.hypot(across - x, down - y) }));
  far.sort((one, other) => one.by - other.by);
  return far[0]?.by < REACH_UNITS ? far[0].id : "";
}

/** Draw a ring around a place or an arrow between two, or take it away. @param {string} end */
async function mark(end) {
  const drawn = begun === end ? end : `${begun} ${end}`;
  const { pathname, searchParams: asked, hash } = new URL(location.href);
  const { point } = $("#main")?.dataset ?? {};
  begun = "";
  if (point) {
    const body = new URLSearchParams({ follow: point, mark: drawn });
    return fetch(pathname.replace(/analysis$/, "point"), { method: "POST", body }).catch(() => {});
  }
  if (asked.has("mark", drawn)) asked.delete("mark", drawn);
  else asked.append("mark", drawn);
  history.replaceState(null, "", `${pathname}?${asked}${hash}`);
  const { href } = location;
  const fresh = $(BOARD, await fetchPage(href));
  const board = $(BOARD);
  if (!fresh || !board || location.href !== href) return; // something else was asked for meanwhile
  const focused = document.activeElement?.id;
  board.replaceChildren(...fresh.childNodes);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

// Whoever follows a board points by a press, and leaves it by a key or by the list of moves.
document.addEventListener("click", (event) => {
  const isPointing = $("#main[data-point]") && event.detail > 0;
  begun = isPointing ? placeAt(event) : begun;
  if (!isPointing || !begun) return;
  event.preventDefault();
  mark(begun);
});
document.addEventListener("contextmenu", (event) => {
  if (placeAt(event)) event.preventDefault();
});
document.addEventListener("mousedown", (event) => {
  if (event.button === 2) begun = placeAt(event);
});
document.addEventListener("mouseup", (event) => {
  const end = event.button === 2 && begun ? placeAt(event) : "";
  if (end) mark(end);
});
document.addEventListener("keydown", (event) => {
  const place = document.activeElement?.closest(`${BOARD} a[id]`)?.id.slice(2);
  if (event.key !== "m" || event.ctrlKey || event.metaKey || event.altKey || !place) return;
  if (begun) mark(place);
  else begun = place;
});
