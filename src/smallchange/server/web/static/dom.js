// The DOM: finding and patching parts of the page.

/** The path below which the site lies, as this script's own address has it; "" for the whole host. */
export const SITE = new URL("..", import.meta.url).pathname.slice(0, -1);

/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} [root] @returns {T | null} */
export const $ = (selector, root = document) => root.querySelector(selector);
/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} [root] @returns {T[]} */
export const $$ = (selector, root = document) => [...root.querySelectorAll(/** @type {any} */ (selector))];

/** The element of this id, which the page always has. @template {Element} [T=HTMLElement] @param {string} id @returns {T} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id} on this page`);
  return /** @type {any} */ (found);
}

/** Set an attribute, or remove it. @param {Element} el @param {string} name @param {string | number | boolean | null} value */
export const setAttribute = (el, name, value) =>
  value === null ? el.removeAttribute(name) : el.setAttribute(name, String(value));

/** Fetch a page of ours, to take parts from; an empty one without a connection. @param {string} path */
export async function fetchPage(path) {
  const text = await fetch(path)
    .then((answer) => answer.text())
    .catch(() => "");
  return new DOMParser().parseFromString(text, "text/html");
}

/** Show beside each field what is wrong with it, as a fresh page of the same form has it. @param {Document} fresh */
export function showFaults(fresh) {
  for (const fault of $$(".fault")) {
    const text = fresh.getElementById(fault.id)?.textContent ?? "";
    fault.textContent = text;
    for (const field of $$(`[aria-describedby="${fault.id}"]`)) field.ariaInvalid = text ? "true" : null;
  }
}

/** Focus an element. Only for keyboard users does the page scroll to it. @param {HTMLElement | SVGElement} el */
export function focus(el) {
  el.focus({ preventScroll: true });
  if (el.matches(":focus-visible")) el.scrollIntoView({ block: "nearest" });
}

const EFFECTS = ["href", "formaction", "value"];
/**
 * Return whether one node may become the other. A button or link never becomes one with another effect, because it
 * may have the focus.
 * @param {Node} old
 * @param {Node} fresh
 */
function isInterchangeable(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return false;
  if (!(old instanceof Element && fresh instanceof Element && old.matches("a, button"))) return true;
  return EFFECTS.every((name) => old.getAttribute(name) === fresh.getAttribute(name));
}

/**
 * Make a node like a fresh one. Elements with an id stay the same nodes, so that focus and motion are kept.
 * @param {any} old
 * @param {any} fresh
 * @returns {void}
 */
export function patch(old, fresh) {
  if (fresh.dataset && "kept" in fresh.dataset) return;
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.isEqualNode(fresh)) return;
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  patchChildren(old, fresh);
}

/** @param {any} node */
function childrenById(node) {
  /** @type {Map<string, Element>} */
  const found = new Map();
  for (let child = node.firstElementChild; child; child = child.nextElementSibling)
    if (child.id) found.set(child.id, child);
  return found;
}

/** @param {any} old @param {any} fresh */
function patchChildren(old, fresh) {
  const had = childrenById(old);
  const has = childrenById(fresh);
  for (const [id, child] of had) if (!has.has(id)) child.remove();
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = child.id ? had.get(child.id) : at && !at.id && isInterchangeable(at, child) ? at : null;
    if (same === at && at) at = at.nextSibling;
    else old.insertBefore(same ?? child, at);
    if (same) patch(same, child);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Make elements like fresh ones. @param {Document | DocumentFragment} root @param {Record<string, string>} html markup by element id */
export function patchFragments(root, html) {
  for (const [id, markup] of Object.entries(html)) {
    const old = root.getElementById(id);
    const isSvg = old instanceof SVGElement;
    const template = document.createElement("template");
    template.innerHTML = isSvg ? `<svg>${markup}</svg>` : markup;
    const { content } = template;
    patch(old, isSvg ? content.firstChild?.firstChild : content.firstElementChild);
  }
}

/**
 * Show the buttons of an account that need a script, and let each do its part when it is pressed.
 * @param {Record<string, () => Promise<void>>} actions by the id of the button
 * @param {HTMLElement | null} error where it is said that one failed
 * @param {string} [failed] what is said where the failure has no words of ours
 */
export function offerActions(actions, error, failed = "") {
  for (const [id, act] of Object.entries(actions)) {
    const button = /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
    if (!button) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await act();
      } catch (wrong) {
        if (error) {
          const ours = wrong instanceof Error && !(wrong instanceof DOMException) ? wrong.message : "";
          error.textContent = ours || failed;
          error.hidden = false;
        }
      }
      button.disabled = false;
    });
  }
}
