// The options of a game: its picture and its difficulty follow what is chosen. Without script buttons show them.
import { page } from "./dom.js";

const form = document.getElementById("setup"), at = form.getAttribute("action"), there = (id) => document.getElementById(id);
const backs = document.querySelectorAll(".foot [name=back]"); // where a change of language or colours leads back to
let wait, latest, asking;
for (const id of ["draw", "measure"]) there(id)?.toggleAttribute("hidden", true);
function chosen() {
  const fields = new URLSearchParams(new FormData(form));
  for (const secret of ["name", "words"]) fields.delete(secret);
  return fields;
}
function asked() {
  return (latest = `${chosen()}&lang=${document.documentElement.lang}`);
}
async function draw(query) {
  const fresh = await page(`${at}?${query}`), picture = fresh.getElementById("picture"), last = there("picture");
  if (!picture || query !== latest) return; // none without a line: the last one stays until the next change
  for (const fault of document.querySelectorAll(".fault")) {
    fault.textContent = fresh.getElementById(fault.id).textContent;
    for (const field of document.querySelectorAll(`[aria-describedby="${fault.id}"]`)) field.ariaInvalid = fault.textContent ? "true" : null;
  }
  there("chosen").textContent = fresh.getElementById("chosen").textContent;
  if (picture.hidden) return last.classList.add("stale"); // and where something is wrong, as it was before
  last.replaceWith(picture);
  measure(query);
}
async function measure(query) {
  const said = there("difficulty");
  if (!said || there("picture").hidden) return;
  const slow = setTimeout(() => query === latest && (said.textContent = said.dataset.wait), 500);
  await asking; // one question at a time, and none about what is no longer chosen
  const found = query === latest && (await (asking = page(`${at}/difficulty?${query}`))).getElementById("difficulty");
  clearTimeout(slow);
  if (query === latest) said.replaceChildren(...(found?.childNodes ?? []));
}
form.addEventListener("input", (event) => {
  for (const back of backs) back.value = `${at}?${chosen()}`;
  if (event.target.name?.match(/^(seat\.|name$|words$|open$)/)) return;
  latest = ""; // what is on its way is of other options, as what stands there
  there("difficulty")?.replaceChildren();
  clearTimeout(wait);
  wait = setTimeout(() => draw(asked()), 200);
});
// After Back, and a reload in some browsers, the form is filled in again, but the picture is as the server sent it.
addEventListener("pageshow", () => (performance.getEntriesByType("navigation")[0]?.type === "navigate" ? measure : draw)(asked()));
