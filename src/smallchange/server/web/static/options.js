// The options of a game: the picture and the difficulty follow what is chosen. Without script, buttons show them.
import { $$, byId, fetchPage, setAttribute, showFaults } from "./dom.js";
import { showOdds } from "./measured_odds.js";

const QUIET_MS = 200; // after the last change, before the picture is fetched
const NOT_PICTURED = /^(seat\.|name$|words$|open$|rated$|difficulty$)/; // fields that change no picture
/** @type {HTMLFormElement} */
const form = byId("setup");
const path = form.getAttribute("action");
/** @type {HTMLAnchorElement | null} */
const toEditor = document.querySelector("#to-editor");
const difficulty = document.getElementById("difficulty");
/** @type {HTMLInputElement[]} where a change of language or colours leads back to */
const returnPaths = $$(".site-footer [name=back]");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let latest = ""; // the query that was asked last
for (const id of ["draw", "measure"]) document.getElementById(id)?.toggleAttribute("hidden", true);

function chosenFields() {
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  for (const secret of ["name", "words"]) fields.delete(secret);
  return fields;
}
function newQuery() {
  latest = `${chosenFields()}&lang=${document.documentElement.lang}`;
  return latest;
}

/** @param {string} query */
async function draw(query) {
  const fresh = await fetchPage(`${path}?${query}`);
  const picture = fresh.getElementById("picture");
  if (!picture || query !== latest) return; // without a connection, the last one stays until the next change
  showFaults(fresh);
  byId("chosen").textContent = fresh.getElementById("chosen")?.textContent ?? "";
  if (picture.hidden) return byId("picture").classList.add("stale"); // where something is wrong, the last one stays
  byId("picture").replaceWith(picture);
  return measure(query);
}

/** @param {string} query */
async function measure(query) {
  if (!difficulty || byId("picture").hidden) return;
  await showOdds(difficulty, `${path}/difficulty?${query}`, () => query === latest);
}

form.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  for (const input of returnPaths) input.value = `${path}?${chosenFields()}`;
  if (toEditor) toEditor.search = `?${chosenFields()}`;
  if (NOT_PICTURED.test(field.name)) return;
  markPreset();
  latest = ""; // what is on its way, and what stands there, is of other options
  difficulty?.replaceChildren();
  clearTimeout(timer);
  timer = setTimeout(() => draw(newQuery()), QUIET_MS);
});
// A card fills in the form and stays on the page, so that names typed and seats chosen are kept.
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  /** @type {HTMLElement | null} */
  const card = /** @type {Element} */ (event.target).closest("[data-preset]");
  if (!card) return;
  event.preventDefault();
  const fields = new URLSearchParams(card.dataset.preset);
  for (const [name, value] of fields) {
    /** @type {(HTMLInputElement | HTMLSelectElement)[]} */
    const inputs = $$(`[name="${name}"]`, form);
    for (const input of inputs) {
      if (input.type === "radio" || input.type === "checkbox") {
        /** @type {HTMLInputElement} */ (input).checked = input.value === value;
      } else input.value = value;
    }
    /** @type {HTMLTextAreaElement | null} */
    const drawing = form.querySelector(`[name="${name}.drawn"]`);
    if (drawing) drawing.value = "";
  }
  markPreset();
  form.querySelector("[name]")?.dispatchEvent(new Event("input", { bubbles: true }));
  clearTimeout(timer);
  draw(newQuery());
});
// The card whose options are those of the form is marked.
function markPreset() {
  const chosen = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  for (const card of $$("[data-preset]")) {
    const fields = [...new URLSearchParams(card.dataset.preset)];
    const same = fields.every(
      ([name, value]) => (chosen.get(name) ?? "false") === value && !chosen.get(`${name}.drawn`),
    );
    setAttribute(card, "aria-current", same ? "true" : null);
  }
}
// After Back, and a reload in some browsers, the form is filled in again, but the picture is as the server sent it.
addEventListener("pageshow", () => {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType("navigation")
  );
  const isNew = navigation?.type === "navigate";
  markPreset();
  (isNew ? measure : draw)(newQuery());
});
