// A puzzle: a touch of the board answers at once, where a page without script asks to confirm the move first.
import { byId } from "./dom.js";

const form = /** @type {HTMLFormElement} */ (byId("answer"));

form.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = /** @type {Element} */ (event.target).closest("a[data-token]");
  if (!link) return;
  event.preventDefault();
  const choice = document.createElement("input");
  Object.assign(choice, { type: "hidden", name: "choice", value: link.getAttribute("data-token") });
  form.append(choice);
  form.requestSubmit();
});
