// Dragging, and walking with the arrow keys over what can be touched.
import { $, $$, switched } from "./dom.js";
import { finish } from "./motion.js";

export const hit = (target) => target.closest?.("#board a.live, #trays a.live, #board a.dim, #trays a.dim, a.picked");
// What is smaller than a fingertip is met by a touch beside it too, where that meets nothing else.
const TIP = 44; // pixels
export function near({ pointerType, clientX, clientY }) {
  if (pointerType !== "touch") return null;
  const aside = (at, from, to) => Math.max(from - at, at - to) - Math.max(0, TIP - (to - from)) / 2;
  const off = (el) => { const { left, right, top, bottom } = $(".hit", el).getBoundingClientRect(); return Math.max(aside(clientX, left, right), aside(clientY, top, bottom)); };
  const least = $$("#board a.live, #trays a.live").sort((a, b) => off(a) - off(b))[0];
  return least && off(least) <= 0 ? least : null;
}
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let drag, dropped;
export function justDropped() { // the click that ends a drag is none
  const was = dropped;
  dropped = false;
  return was;
}

// What is dragged lies on top of everything; the function that is given lays it back. It stays where it is among
// the others, and they go below it: a touch ends where its element is moved.
function lift(held, svg) {
  if (!held.length) return () => {};
  const all = $$(".pieces > a", svg), over = all.slice(all.indexOf(held[0]) + 1).filter((el) => !held.includes(el));
  const places = over.map((el) => [el, el.nextSibling]).reverse();
  held[0].before(...over);
  svg.classList.add("held");
  return () => {
    svg.classList.remove("held");
    for (const el of held) el.style.translate = "";
    for (const [el, next] of places) if (el.isConnected && (!next || next.parentNode === el.parentNode)) el.parentNode.insertBefore(el, next);
  };
}

const letters = switched($("#letters"), true); // whoever speaks to the page may not want them
export function watch({ choices, choose, touch, refuse, escape, rules, hint, undo, step }) {
  document.addEventListener("dragstart", (event) => hit(event.target) && event.preventDefault());
  document.addEventListener("pointerdown", (event) => {
    finish();
    dropped = false;
    if (drag?.on) drag.drop(), choose([]); // a second finger: two of them zoom
    if (!event.isPrimary) return void (drag = null);
    const el = event.button === 0 && hit(event.target), id = el && el.id.slice(2);
    const goes = el && !el.closest(".tiles") && choices().some(({ path }) => path.length > 1 && path[0] === id);
    drag = goes && { el, id, x: event.clientX, y: event.clientY, on: false };
  });
  // a finger that drags does not scroll; `touch-action` counts for nothing within a picture
  document.addEventListener("touchmove", (event) => drag && event.touches.length === 1 && event.cancelable && event.preventDefault(), { passive: false });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.on && Math.hypot(dx, dy) < 8) return;
    if (!drag.on) {
      choose([drag.id]);
      const svg = drag.el.ownerSVGElement;
      const here = (el) => el === drag.el || (!drag.el.matches(".piece") && el.getAttribute("transform") === drag.el.getAttribute("transform"));
      const held = $$(".pieces a", svg).filter(here);
      Object.assign(drag, { on: true, unit: svg.getScreenCTM().a, held, drop: lift(held, svg) });
    }
    for (const el of drag.held) el.style.translate = `${dx / drag.unit}px ${dy / drag.unit}px`;
  });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, ({ clientX, clientY, type }) => {
      const { on, held, drop } = drag || {};
      drag = null;
      if (!on) return;
      drop();
      const under = document.elementsFromPoint(clientX, clientY).map((el) => el.closest("a"));
      const goal = under.find((el) => el?.matches(".live") && !held.includes(el));
      dropped = type === "pointerup";
      if (type !== "pointerup") choose([]);
      else if (goal) touch(goal.id.slice(2));
      else under.some((el) => held.includes(el)) ? choose([]) : refuse(); // back where it was, or nowhere
    });
  document.addEventListener("keydown", (event) => {
    finish();
    dropped = false;
    const { key, target } = event, [dx, dy] = ARROWS[key] ?? [];
    if (key === "Enter" && event.repeat) return event.preventDefault(); // held down, it acts once
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input:not([type=checkbox]), textarea, select")) return;
    if (key === "Escape") return escape();
    if (key.length === 1 && key !== " " && !letters.on) return;
    if (key === "?" || key === "r") return rules();
    if (target.closest("dialog")) return;
    if (key === "h") return hint();
    if (key === "u") return undo();
    if ((key === "Enter" || key === " ") && target.matches("a.live, a.picked")) {
      event.preventDefault();
      return touch(target.id.slice(2));
    }
    if (dx === undefined) return;
    const live = $$(".live"), onBoard = target.closest("#board a, #trays a");
    if (target.closest(".log") || (dx && !(onBoard && live.length))) return event.preventDefault(), step(dx || -dy);
    if (!live.length) return;
    event.preventDefault();
    if (!onBoard) return live[0].focus();
    const centre = (el) => { const { x, y, width, height } = el.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
    const [x, y] = centre(target);
    const far = (el) => { const [a, b] = centre(el), along = (a - x) * dx + (b - y) * dy; return along < 4 ? Infinity : along + 2.5 * Math.abs((a - x) * dy + (b - y) * dx); };
    const nearest = live.filter((el) => el !== target && far(el) < Infinity).sort((a, b) => far(a) - far(b))[0];
    nearest?.focus();
  });
}
