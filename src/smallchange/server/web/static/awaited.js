// The bar above a page that leads to a game elsewhere whose clock runs until one moves. The title says it too, and a
// sound, where sounds are on.
import { $, SITE, byId } from "./dom.js";
import { durationText } from "./clocks.js";
import { play } from "./sounds.js";

const TICK_MS = 200;
const bar = byId("awaited");
const link = /** @type {HTMLAnchorElement} */ ($("a", bar));
const [text, seconds] = /** @type {HTMLElement[]} */ ([...link.children]);
let until = 0;
let mark = ""; // before the title

/** Show the game that waits, or none. @param {{to: string, text: string, left: number} | null} awaited */
export function showAwaited(awaited) {
  if (document.title.startsWith(mark)) document.title = document.title.slice(mark.length);
  const isNew = awaited !== null && !mark;
  mark = awaited ? `${awaited.text} · ` : "";
  document.title = mark + document.title;
  bar.hidden = !awaited;
  if (!awaited) return;
  link.href = SITE + awaited.to;
  if (text.textContent !== awaited.text) text.textContent = awaited.text;
  until = performance.now() + awaited.left;
  tick();
  if (isNew) play("end");
}

function tick() {
  seconds.textContent = durationText(until - performance.now());
}
setInterval(tick, TICK_MS);
