// Buttons that copy the text above them. Without script the text can be selected.

import { copyText } from "./clipboard.js";

/** @type {NodeListOf<HTMLButtonElement>} */
const copyButtons = document.querySelectorAll("button.copy-text");
for (const button of copyButtons) {
  const field = button.parentElement?.querySelector("textarea");
  button.hidden = !field;
  button.addEventListener("click", () => copyText(button, field?.value ?? ""));
}
