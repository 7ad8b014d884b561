// Buttons that copy a link, or the text above them. Without script the text can be selected.

const CONFIRMATION_MS = 1500;

/** Copy the link of a button and say so on it. @param {HTMLElement} button */
export function copyLink(button) {
  return copyText(button, location.origin + button.dataset.copy);
}

/** Copy a text and say so on the button. @param {HTMLElement} button @param {string} copied */
async function copyText(button, copied) {
  const { done = "" } = button.dataset;
  const text = button.textContent ?? "";
  if (text === done) return;
  if (!(await writeToClipboard(copied))) {
    // On plain http, or where it is not allowed: the old way, or the link is selected to be copied by hand.
    const field = Object.assign(document.createElement("input"), {
      value: copied,
      readOnly: true,
      ariaLabel: text,
    });
    button.replaceWith(field);
    field.focus();
    field.select();
    if (!document.execCommand("copy")) return;
    field.replaceWith(button);
    button.focus();
  }
  button.textContent = done;
  setTimeout(() => (button.textContent = text), CONFIRMATION_MS);
}

/** @param {string} text */
async function writeToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text); // no clipboard on plain http
    return true;
  } catch {
    return false;
  }
}

/** @type {NodeListOf<HTMLButtonElement>} */
const copyButtons = document.querySelectorAll("button.copy-text");
for (const button of copyButtons) {
  const field = button.parentElement?.querySelector("textarea");
  button.hidden = !field;
  button.addEventListener("click", () => copyText(button, field?.value ?? ""));
}
