// Words for the luck where the player adds none: random ones, so that the server does not decide it alone.
addEventListener("formdata", ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || !target.matches("[data-words]") || formData.get("words"))
    return;
  formData.set("added", btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))));
});
