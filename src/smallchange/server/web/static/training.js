// A puzzle: a touch of the board answers at once, where a page without script asks to confirm the move first.
import { byId } from "./dom.js";

const form = /** @type {HTMLFormElement} */ (byId("answer"));

form.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = /** @type {Element} */ (event.target).closest("a[href]");
  if (!link) return;
  const token = link.getAttribute("data-token");
  if (token === null) return takeMarks(link);
  event.preventDefault();
  const choice = document.createElement("input");
  Object.assign(choice, { type: "hidden", name: "choice", value: token });
  form.append(choice);
  form.requestSubmit();
});

/**
 * Let what is touched first lead to the page with the marks as they are now.
 * @param {Element} link
 */
function takeMarks(link) {
  const href = link.getAttribute("href") ?? ""; // which begins with # in a folder without a server
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const query = new URLSearchParams(/[?]([^#]*)/.exec(href)?.[1]);
  for (const id of query.getAll("pick")) fields.append("pick", id);
  link.setAttribute(
    "href",
    href.replace(/[?][^#]*/, () => `?${fields}`),
  );
}
