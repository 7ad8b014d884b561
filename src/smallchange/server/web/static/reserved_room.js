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
 * Let what is said fit its place: without the rule, or with the last sentences of what happened alone. A question that
 * does not fit alone lets the place grow. No sentence is cut: half of one says nothing.
 * @param {HTMLElement} slot the place of the status
 */
export function fitStatus(slot) {
  fitText(slot);
  const rule = slot.querySelector(".rule-line");
  if (!rule || rule.scrollWidth <= rule.clientWidth + 1 || slot.dataset.fit === "grown") return;
  slot.dataset.fit = "without-rule";
}

const SENTENCE = /(?<=[.!?…]) (?=[\p{Lu}\p{Lo}“„])|(?<=[。！？])(?=.)/u;

/** @param {HTMLElement} slot */
function fitText(slot) {
  const [text] = /** @type {HTMLElement[]} */ ([...slot.getElementsByClassName("status-text")]);
  const [told] = /** @type {HTMLElement[]} */ ([...slot.getElementsByClassName("last-turn")]);
  slot.removeAttribute("data-fit");
  const whole = told.textContent ?? "";
  if (told.firstElementChild) told.textContent = whole;
  const fits = () => text.scrollHeight - text.clientHeight <= 1;
  if (fits()) return;
  const sentences = whole.split(SENTENCE).slice(1);
  for (const fit of ["whole", "without-rule"]) {
    slot.dataset.fit = fit;
    told.textContent = whole;
    if (fits()) return;
    for (let at = 0; at < sentences.length; at += 1) {
      const seen = sentences.slice(at).join(whole.includes("。") ? "" : " ");
      const earlier = Object.assign(document.createElement("span"), {
        className: "visually-hidden",
        textContent: whole.slice(0, whole.length - seen.length),
      });
      told.replaceChildren(earlier, seen); // the log has it too, and a screen reader reads all
      if (fits()) return;
    }
  }
  told.textContent = whole;
  slot.dataset.fit = "grown";
}
