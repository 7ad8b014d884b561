// Names of keys, whatever the layout. A key that writes no Latin letter is named by its place.

const UNREADABLE = new Set(["Process", "Unidentified", "Dead"]); // what an input method leaves of a key
const NAMED_CODES = /^(Enter|Escape|Arrow(Left|Right|Up|Down))$/;

/**
 * Return the name of a key: a small letter, "?", " ", or as `KeyboardEvent.key` has it. Caps Lock, Shift, an input
 * method and a layout of another script change nothing.
 * @param {{key: string, code: string, shiftKey?: boolean}} event
 */
export function keyName({ key, code, shiftKey = false }) {
  const isUnreadable = UNREADABLE.has(key);
  const written = isUnreadable ? "" : key.normalize("NFKC");
  const isForeignLetter = [...written].length === 1 && /\p{L}/u.test(written) && !/[a-z]/i.test(written);
  if (!isUnreadable && !isForeignLetter) return [...written].length === 1 ? written.toLowerCase() : written;
  const letter = code.match(/^Key([A-Z])$/);
  if (letter) return letter[1].toLowerCase();
  if (code === "Slash" && shiftKey) return "?";
  if (code === "Space") return " ";
  return NAMED_CODES.test(code) ? code : key;
}

/**
 * Return whether a key that is held down must not act again. Only arrows may: they decide nothing.
 * @param {string} name @param {boolean} isRepeat
 */
export const isHeldBack = (name, isRepeat) => isRepeat && !name.startsWith("Arrow");
