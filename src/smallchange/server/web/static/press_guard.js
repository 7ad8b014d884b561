// What has just appeared where another control was takes no press: a double tap would do something else with it.
import { $$ } from "./dom.js";

// at an end longer, so that the tap of the last move does nothing else
const restMs = () => (document.querySelector(".result") ? 1000 : 500);
const CONTROLS = "button, a[href], summary";
// What is in a fold was asked for: a summary only opens it. In a closed one nothing has a place to be asked for.
const DOING = ":is(button, a[href]):not(details *)";
const FOLDED = "details:not([open]) > :not(summary)";
const CHANGING = "#actions, #more-actions, #result, #notice"; // parts whose controls come and go
/** @typedef {{at: number, controls: {name: string, box: DOMRect}[]}} Snapshot what could be pressed until then */
/** @type {Snapshot[]} */
let snapshots = [];

/** @param {Element} control */
function nameOf(control) {
  const names = ["formaction", "name", "value", "href", "id"].map((one) => control.getAttribute(one));
  return [control.tagName, ...names].join(" ");
}

// Remember what can be pressed, before it changes.
export function rememberControls() {
  const at = performance.now();
  const controls = $$(CONTROLS, document.getElementById("main") ?? document.body)
    .filter((one) => one.closest(CHANGING) && !one.closest(FOLDED))
    .map((one) => ({ name: nameOf(one), box: one.getBoundingClientRect() }));
  snapshots = [...snapshots.filter((one) => at - one.at < restMs()), { at, controls }];
  requestAnimationFrame(rest);
}

// Cover a control that has come where another was, until the time is over. The control itself stays as it is, since
// parts of the page are copied and compared.
function rest() {
  for (const control of /** @type {HTMLElement[]} */ ($$(DOING))) {
    if (!control.closest(CHANGING) || control.getAttribute("name") === "token") continue;
    const box = control.getBoundingClientRect();
    if (!stoodElsewhere(nameOf(control), box)) continue;
    const cover = document.createElement("div");
    cover.ariaHidden = "true";
    Object.assign(cover.style, { position: "fixed", zIndex: "9" });
    Object.assign(cover.style, {
      left: `${box.left}px`,
      top: `${box.top}px`,
      width: `${box.width}px`,
      height: `${box.height}px`,
    });
    document.body.append(cover);
    setTimeout(() => cover.remove(), restMs());
  }
}

// What is held while the table changes, and let go after it, was meant for the table before: it plays nothing.
const PLAYING = "#board a, #trays a, [name=token]";
let news = 0; // how often the table has changed
let newsAtPress = 0;
export function noteNews() {
  news++;
}
document.addEventListener("pointerdown", () => (newsAtPress = news), true);

/** @param {string} name @param {DOMRectReadOnly} area of which a part may be where another control was */
function stoodElsewhere(name, area) {
  const now = performance.now();
  return snapshots.some(({ at, controls }) => {
    if (now - at >= restMs()) return false;
    const there = controls.filter(
      ({ box }) =>
        area.right >= box.left && area.left <= box.right && area.bottom >= box.top && area.top <= box.bottom,
    );
    return there.length > 0 && !there.some((one) => one.name === name);
  });
}

document.addEventListener(
  "click",
  (event) => {
    const target = /** @type {Element} */ (event.target);
    const isLate = event.detail > 0 && news !== newsAtPress && target.closest(PLAYING);
    if (isLate) {
      event.preventDefault();
      return event.stopImmediatePropagation();
    }
    const control = target.closest(DOING);
    // A key presses what has the focus; a move is pressed as fast as the other answers, and a double click makes one.
    const least = control?.getAttribute("name") === "token" ? 2 : 1;
    if (!control?.closest(CHANGING) || event.detail < least) return;
    if (!stoodElsewhere(nameOf(control), new DOMRectReadOnly(event.clientX, event.clientY))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
