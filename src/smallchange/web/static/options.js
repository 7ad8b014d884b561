// The options of a game: its picture follows what is chosen. Without script a button shows it.
"use strict";
const form = document.getElementById("setup");
let wait;
document.getElementById("draw").hidden = true;
form.addEventListener("input", (event) => {
  if (event.target.name?.match(/^(seat\.|name$|words$|open$)/)) return;
  clearTimeout(wait);
  wait = setTimeout(async () => {
    const asked = new FormData(form);
    for (const secret of ["forgery", "name", "words"]) asked.delete(secret);
    asked.set("lang", document.documentElement.lang);
    const answer = await fetch(`${form.getAttribute("action")}?${new URLSearchParams(asked)}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("picture").replaceWith(page.getElementById("picture"));
  }, 200);
});
