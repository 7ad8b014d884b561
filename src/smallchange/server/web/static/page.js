// What every page does. Times are as the visitor has them: the server writes the day of UTC, for browsers without script.
// Forms of new games bring random words for the luck where the player adds none, so that the server does not decide it alone.

/** @type {Record<string, string>} whose spelling of a language ours is */
const LOCALES = { en: "en-GB" };

/**
 * Write the day of a moment as a language does.
 * @param {string} moment in UTC, such as "2026-11-25T03:00:00Z"
 * @param {string} lang
 * @param {string} [timeZone] the browser's, unless given
 */
export function localDay(moment, lang, timeZone) {
  const style = /** @type {const} */ ({ year: "numeric", month: "short", day: "numeric" });
  return new Intl.DateTimeFormat(LOCALES[lang] ?? lang, { ...style, timeZone }).format(new Date(moment));
}

/** Write every time in a part of a page anew. @param {ParentNode} root @param {string} lang */
export function writeLocalTimes(root, lang) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = root.querySelectorAll("time[datetime]");
  for (const time of times) time.textContent = localDay(time.dateTime, lang);
}

/** @param {FormDataEvent} event */
function addRandomWords({ target, formData }) {
  if (!(target instanceof HTMLFormElement) || !target.matches("[data-words]") || formData.get("words"))
    return;
  formData.set("added", btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))));
}

if (globalThis.document) {
  writeLocalTimes(document, document.documentElement.lang);
  addEventListener("formdata", addRandomWords);
}
