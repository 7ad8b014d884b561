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
