// Where no line to the server ever opened, as behind a proxy that lets none through, the page asks for itself,
// and comes anew when the table has moved on.
import { $ } from "./dom.js";

const EVERY = 3000; // milliseconds
const { match, ply } = $("#facts").dataset, own = `/m/${match}`;
let asking, leaving;
document.addEventListener("submit", (event) => (leaving ||= !event.defaultPrevented)); // its answer is the page

// `opened()`: is there a line after all? Whether the server answers is told to `reached(yes)`.
export function seek(opened, reached) {
  asking ??= setTimeout(ask, EVERY);
  async function ask() {
    const page = opened() ? "" : await fetch(own).then((answer) => answer.text()).catch(() => "");
    if (opened() || leaving) return;
    const [, now] = page.match(/ id="facts"[^>]* data-ply="(\d+)"/) ?? [];
    reached(!!now);
    if (!now || now === ply) asking = setTimeout(ask, EVERY);
    else location.pathname === own ? location.reload() : location.assign(own); // a form's answer has another address
  }
}
