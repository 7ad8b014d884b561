// Begins the page around all others, or says what it needs that this browser or its place does not have. An ordinary
// script, as older browsers run no modules, nor does a page that was opened as a file.
{
  const missing =
    location.protocol === "file:"
      ? "file"
      : self.origin === "null"
        ? "window"
        : !self.DecompressionStream || !self.WebAssembly || !self.indexedDB
          ? "browser"
          : "";
  if (missing) {
    const says = JSON.parse(document.querySelector("#says")?.textContent ?? "")[missing];
    document.body.textContent = says[navigator.language.slice(0, 2)] || says.en;
    const link = Object.assign(document.createElement("a"), { target: "_blank", href: location.href });
    link.textContent = location.href;
    if (missing === "window") document.body.append(" ", link);
  } else {
    const { src: here } = /** @type {HTMLScriptElement} */ (document.currentScript);
    const { href: src } = new URL("offline_shell.js", here);
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src }));
  }
}
