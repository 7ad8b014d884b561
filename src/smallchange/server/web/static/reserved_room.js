// The question and what happened keep the room that they once took, so that nothing below them moves.
const ROOMS = { prompt: "--asked", "last-turn": "--told" };

/** @param {HTMLElement} slot the place of the status */
export function reserveRoom(slot) {
  let width = 0;
  /** @type {Map<string, number>} in pixels, by the name of the property */
  const most = new Map();
  const observer = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      if (target.className === "prompt" && contentRect.width !== width && contentRect.width > 1) {
        width = contentRect.width; // another window: the lines are others
        for (const name of most.keys()) slot.style.removeProperty(name);
        most.clear();
      }
    }
    for (const { target, contentRect } of entries) {
      const name = ROOMS[/** @type {keyof typeof ROOMS} */ (target.className)];
      if (!name || contentRect.width <= 1 || contentRect.height <= (most.get(name) ?? 0)) continue;
      most.set(name, contentRect.height);
      slot.style.setProperty(name, `${contentRect.height}px`);
    }
  });
  for (const part of Object.keys(ROOMS)) {
    for (const el of slot.getElementsByClassName(part)) observer.observe(el);
  }
}

/**
 * Let what is said fit its place: with fewer lines of what happened, then without the rule. A question that does not
 * fit alone lets the place grow.
 * @param {HTMLElement} slot the place of the status
 */
export function fitStatus(slot) {
  fitText(slot);
  const rule = slot.querySelector(".rule-line");
  if (!rule || rule.scrollWidth <= rule.clientWidth + 1) return;
  const { fit = "" } = slot.dataset;
  if (fit !== "grown") slot.dataset.fit = `${fit} without-rule`.trim(); // half a sentence says nothing
}

/** @param {HTMLElement} slot */
function fitText(slot) {
  const [text] = /** @type {HTMLElement[]} */ ([...slot.getElementsByClassName("status-text")]);
  const [told] = /** @type {HTMLElement[]} */ ([...slot.getElementsByClassName("last-turn")]);
  slot.removeAttribute("data-fit");
  const cut = () => text.scrollHeight - text.clientHeight;
  if (cut() <= 1) return;
  const { height } = told.getBoundingClientRect();
  const line = parseFloat(getComputedStyle(told).lineHeight);
  for (const fit of ["lines", "lines without-rule"]) {
    slot.style.setProperty("--lines", "99");
    slot.dataset.fit = fit;
    const lines = Math.floor((height - cut()) / line + 0.01);
    slot.style.setProperty("--lines", String(lines));
    if (lines > 0 && cut() <= 1) return;
  }
  slot.dataset.fit = "grown";
}
