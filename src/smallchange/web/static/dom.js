// Finding and patching parts of the page.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// A page of ours, to take parts from; without a line it has none.
export async function page(path) {
  const text = await fetch(path).then((answer) => answer.text()).catch(() => "");
  return new DOMParser().parseFromString(text, "text/html");
}
// Only who uses the keyboard is taken there: for others the page stays where it is.
export function focus(el) {
  el.focus({ preventScroll: true });
  if (el.matches(":focus-visible")) el.scrollIntoView({ block: "nearest" });
}
// A button that switches something on or off, as a cookie remembers; `changed` is called after every press.
export function switched(button, on, changed = () => {}) {
  const kept = document.cookie.match(new RegExp(`(?:^|; )${button.id}=(on|off)`));
  const state = { on: kept ? kept[1] === "on" : on };
  const show = () => button.setAttribute("aria-pressed", String(state.on));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    state.on = !state.on;
    document.cookie = `${button.id}=${state.on ? "on" : "off"};path=/;max-age=31536000;samesite=lax`;
    show();
    changed();
  });
  return state;
}
const DOES = ["href", "formaction", "value"];
// A button or link never becomes one that does something else: it may have the focus.
const alike = (old, fresh) =>
  old.nodeName === fresh.nodeName && (!old.matches?.("a, button") || DOES.every((name) => old.getAttribute(name) === fresh.getAttribute(name)));

// What has the same id stays the same node, so that focus and motion are kept.
export function patch(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) return old.replaceWith(fresh);
  if (old.nodeType !== 1) return void (old.data !== fresh.data && (old.data = fresh.data));
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const keyed = (node) => new Map([...node.children].filter((child) => child.id).map((child) => [child.id, child]));
  const had = keyed(old), has = keyed(fresh);
  for (const [id, child] of had) if (!has.has(id)) child.remove();
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const kept = child.id ? had.get(child.id) : at && !at.id && alike(at, child) ? at : null;
    if (kept === at && at) at = at.nextSibling;
    else old.insertBefore(kept ?? child, at);
    if (kept) patch(kept, child);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
