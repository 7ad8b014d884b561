// Motion: pieces that moved slide and leave a trace, dice tumble, coins flip. It takes less than a second, ends at
// any touch, and is off where the system reduces motion.
import { $, $$ } from "./dom.js";
import { play } from "./sounds.js";

const SVG = "http://www.w3.org/2000/svg";
const SLIDE = "slide";
const SLIDE_MS = 260;
const TUMBLE_MS = 620; // of a die
const FLIP_MS = 480; // of a coin
const TURN_MS = 240; // of a tile
const COIN_MS = 260; // of a coin that falls into a tally
const FILL_MS = 560; // in which the last begins to
const MAX_COIN_GAP_MS = 60;
const STAGGER_MS = 45;
const MAX_STAGGER_MS = 200;
const MIN_SLIDE_PX = 3;
const DIE_FACES = ["n", "a", "2", "3", "4", "5"];
const FACES_SHOWN = 4; // of a die while it tumbles
const RIM_WIDTH = 5; // of a coin on its edge, in units of the picture
const ARROW = { back: 13, side: 6.5, gap: 20 }; // the head of a trace, and how far it ends before the goal
const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)");
const { speed } = document.body.dataset;

/** Does nothing move here? */
export const isStill = () => reducesMotion.matches || speed === "none";

/** @typedef {{picture: SVGElement, x: number, y: number, left: number, top: number}} Place the middle, in its picture */

/** @returns {SVGGraphicsElement[]} */
const movable = () => $$("a.piece, .die-choice");

/**
 * Return the place of each piece in its picture, by id, and the place of that picture. A piece that slides is on its
 * way; one that flips or tumbles lies already where it will lie, so that motion ends.
 * @returns {Map<string, Place>}
 */
export function placesById() {
  for (const motion of document.getAnimations())
    if (motion.constructor === Animation && motion.id !== SLIDE) motion.finish();
  return new Map(movable().map((el) => [el.id, placeOf(el)]));
}

/** @param {SVGElement} el a picture that moves as a whole moves none of its pieces @returns {Place} */
function placeOf(el) {
  const picture = el.ownerSVGElement ?? el;
  const [at, around] = [el, picture].map((one) => one.getBoundingClientRect());
  const [x, y] = [at.x + at.width / 2 - around.x, at.y + at.height / 2 - around.y]; // a ring around it changes neither
  return { picture, x, y, left: around.x, top: around.y };
}

/**
 * Let everything slide from where it was.
 * @param {Map<string, Place>} before
 * @param {object} how
 * @param {boolean} how.isNews has something happened since?
 * @param {boolean} how.leavesTrace is it shown from where to where?
 */
export function animate(before, { isNews, leavesTrace }) {
  if (isNews) for (const trace of $$(".trace")) trace.remove();
  if (!before.size) return;
  const thrown = new Set($$("[data-fell]").map((dot) => dot.dataset.fell));
  let fallen = 0;
  let slid = false;
  const places = movable().map((el) => ({ el, now: placeOf(el) })); // all, before anything is drawn or moved
  for (const { el, now } of places) {
    const was = before.get(el.id) ?? now;
    const between = was.picture === now.picture ? 0 : 1; // pictures
    const dx = was.x - now.x + between * (was.left - now.left);
    const dy = was.y - now.y + between * (was.top - now.top);
    const isMoved = el.matches(".piece") && Math.hypot(dx, dy) > MIN_SLIDE_PX;
    if (isMoved && leavesTrace && !between) drawTrace(now, dx, dy);
    if (isStill()) continue;
    if (isMoved) slide(el, dx, dy);
    slid ||= isMoved;
    if (isNews && (el.matches(".fell") || thrown.has(el.id))) fall(el, fallen++);
  }
  if (slid) play("slide");
}

/** @param {SVGGraphicsElement} el @param {number} dx @param {number} dy in pixels of the window */
function slide(el, dx, dy) {
  const unit = el.ownerSVGElement?.getScreenCTM()?.a ?? 1;
  const from = `${dx / unit}px ${dy / unit}px`;
  el.animate(
    { translate: [from, "0 0"] },
    { id: SLIDE, duration: SLIDE_MS, easing: "cubic-bezier(.2,.7,.2,1)" },
  );
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function svgElement(name, attributes) {
  const el = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, String(value));
  return el;
}

/**
 * Draw an arrow from where a piece was to where it is, below the pieces.
 * @param {Place} now @param {number} dx @param {number} dy in pixels of the window
 */
function drawTrace(now, dx, dy) {
  const svg = /** @type {SVGSVGElement} */ (now.picture);
  const screen = svg.getScreenCTM();
  const pieces = $(".pieces", svg);
  if (!screen || !pieces) return;
  const at = new DOMPoint(now.left + now.x, now.top + now.y);
  const to = at.matrixTransform(screen.inverse());
  const from = new DOMPoint(at.x + dx, at.y + dy).matrixTransform(screen.inverse());
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [tipX, tipY] = [to.x - ARROW.gap * ux, to.y - ARROW.gap * uy];
  const [neckX, neckY] = [tipX - ARROW.back * ux, tipY - ARROW.back * uy];
  const [sideX, sideY] = [-ARROW.side * uy, ARROW.side * ux];
  const line = `M${from.x} ${from.y}L${tipX} ${tipY}`;
  const head = `M${neckX + sideX} ${neckY + sideY}L${tipX} ${tipY}L${neckX - sideX} ${neckY - sideY}`;
  if ($$(".trace-line", svg).some((drawn) => drawn.getAttribute("d") === line + head)) return; // a stack moved
  const trace = svgElement("g", { class: "trace", "aria-hidden": "true" });
  trace.append(
    svgElement("path", { class: "trace-casing", d: line + head }),
    svgElement("path", { class: "trace-line", d: line + head }),
    svgElement("circle", { class: "trace-start", cx: from.x, cy: from.y, r: 6 }),
  );
  pieces.before(trace);
}

/** @param {SVGGraphicsElement} el @param {number} n how many fell before it */
function fall(el, n) {
  const delay = Math.min(MAX_STAGGER_MS, STAGGER_MS * n);
  const die = $("[href='#die']", el);
  /** @type {SVGUseElement | null} */
  const disc = $("[href='#coin'], [href='#heads'], [href='#tails']", el);
  if (die) tumble(die, delay, n);
  else if (disc) flip(disc, delay);
  else turn(el, delay);
  play(die ? "die" : disc ? "coin" : "tile", delay / 1000);
}

/**
 * Let a die jump, roll over and land; other faces are seen on the way.
 * @param {Element} body @param {number} delay in ms @param {number} n
 */
function tumble(body, delay, n) {
  const group = /** @type {Element} */ (body.parentElement);
  const number = $("[href^='#n-']", group);
  const side = n % 2 ? -1 : 1;
  const parts = [...group.children];
  if (number) {
    const end = (FACES_SHOWN - 1) / FACES_SHOWN;
    DIE_FACES.filter((face) => number.getAttribute("href") !== `#n-${face}`)
      .slice(n % 2, (n % 2) + FACES_SHOWN - 1)
      .forEach((face, i) => {
        const other = /** @type {Element} */ (number.cloneNode());
        other.setAttribute("href", `#n-${face}`);
        number.after(other);
        parts.push(other);
        const [from, to] = [(end * i) / (FACES_SHOWN - 1), (end * (i + 1)) / (FACES_SHOWN - 1)];
        showOnly(other, from, to, delay).onfinish = () => other.remove();
      });
    showOnly(number, end, 1, delay);
  }
  const easing = "cubic-bezier(.25,.6,.35,1)";
  for (const part of parts) {
    part.animate(
      {
        rotate: [`${-300 * side}deg`, `${-80 * side}deg`, `${14 * side}deg`, "0deg"],
        translate: [`${26 * side}px -46px`, `${9 * side}px -4px`, `${2 * side}px -10px`, "0 0"],
        scale: [1.16, 1, 1.05, 1],
        offset: [0, 0.55, 0.8, 1],
        transformOrigin: "0 0",
      },
      { duration: TUMBLE_MS, delay, easing, fill: "backwards" },
    );
  }
}

/** @param {Element} el @param {number} from @param {number} to parts of the time @param {number} delay */
function showOnly(el, from, to, delay) {
  /** @type {Keyframe[]} */
  const frames = [{ offset: 0, opacity: from ? 0 : 1 }];
  if (from) frames.push({ offset: from, opacity: 1 });
  if (to < 1) frames.push({ offset: to, opacity: 0 });
  frames.push({ offset: 1, opacity: to < 1 ? 0 : 1 });
  for (const frame of frames) frame.easing = "steps(1, end)";
  return el.animate(frames, { duration: TUMBLE_MS, delay, fill: "backwards" });
}

/** Let a coin jump and turn over, its rim seen as it stands on edge. @param {SVGUseElement} disc @param {number} delay */
function flip(disc, delay) {
  const faces = [...(disc.parentElement?.children ?? [])];
  const r = disc.height.baseVal.value * (29 / 64);
  const box = { x: -RIM_WIDTH / 2, y: -r, width: RIM_WIDTH, height: 2 * r, rx: RIM_WIDTH / 2 };
  const rim = svgElement("rect", { ...box, class: `rim rim-${disc.getAttribute("href")?.slice(1)}` });
  disc.before(rim);
  const jump = ["0 0", "0 -22px", "0 -30px", "0 -22px", "0 0"];
  const timing = { duration: FLIP_MS, delay, fill: /** @type {FillMode} */ ("backwards") };
  for (const face of faces) {
    face.animate(
      { scale: ["1 1", "0 1", "1 1", "0 1", "1 1"], translate: jump, transformOrigin: "0 0" },
      timing,
    );
  }
  rim.animate({ translate: jump }, timing).onfinish = () => rim.remove();
}

/** Turn a tile over. @param {SVGGraphicsElement} el @param {number} delay */
function turn(el, delay) {
  for (const part of $("use", el)?.parentElement?.children ?? []) {
    part.animate(
      { scale: ["1 1", "0 1", "1 1"], transformOrigin: "50px 50px" },
      { duration: TURN_MS, delay },
    );
  }
}

/** Let the coins of the tallies fall into their places, one after another. */
export function fillTallies() {
  if (isStill()) return;
  for (const tally of $$(".tally-dots")) {
    const coins = $$(".tally-dot.on", tally);
    const gap = Math.min(MAX_COIN_GAP_MS, FILL_MS / coins.length);
    coins.forEach((coin, n) => {
      coin.animate(
        { translate: ["0 -26px", "0 3px", "0 0"], opacity: [0, 1, 1] },
        { duration: COIN_MS, delay: gap * n, easing: "cubic-bezier(.4,0,.7,1)", fill: "backwards" },
      );
    });
  }
}

export const finishMotion = () => document.getAnimations().forEach((motion) => motion.finish());
