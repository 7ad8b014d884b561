// Words for the luck where somebody adds none: random ones, so that the server does not decide it alone.
addEventListener("formdata", ({ target, formData }) => {
  if (!target.matches("[data-words]") || formData.get("words")) return;
  formData.set("added", btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))));
});
