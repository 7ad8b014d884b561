// A page that was opened as a file may load no modules: it says what it needs instead.
if (location.protocol === "file:") {
  const says = document.createElement("p");
  says.textContent = /** @type {HTMLScriptElement} */ (document.currentScript).dataset.says ?? "";
  document.body.replaceChildren(says);
}
