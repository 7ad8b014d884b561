// The options of a game: its picture follows what is chosen. Without script a button shows it.
"use strict";
const form = document.getElementById("setup");
let wait, latest;
document.getElementById("draw").hidden = true;
form.addEventListener("input", (event) => {
  if (event.target.name?.match(/^(seat\.|name$|words$|open$)/)) return;
  clearTimeout(wait);
  wait = setTimeout(async () => {
    const asked = new FormData(form);
    for (const secret of ["name", "words"]) asked.delete(secret);
    asked.set("lang", document.documentElement.lang);
    const query = (latest = String(new URLSearchParams(asked)));
    const answer = fetch(`${form.getAttribute("action")}?${query}`).then((found) => found.text());
    const page = new DOMParser().parseFromString(await answer.catch(() => ""), "text/html");
    const picture = page.getElementById("picture"), last = document.getElementById("picture");
    if (!picture || query !== latest) return; // none without a line: the last one stays until the next change
    for (const fault of document.querySelectorAll(".fault")) fault.textContent = page.getElementById(fault.id).textContent;
    if (picture.hidden) last.classList.add("stale"); // and where something is wrong, as it was before
    else last.replaceWith(picture);
  }, 200);
});
