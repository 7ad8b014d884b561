// The templates of a table's markup. The server sends each once; then their numbers, and what goes into their slots.

/**
 * Markup as it is sent: text; the number of a template and what fills its slots; or such markup, to be joined.
 * @typedef {string | number | any[]} Encoded
 */

const SLOT = "\u001f";

export class Templates {
  /** @type {string[][]} the text between the slots, by number */
  #texts = [];

  /** Add templates, numbered from `known` on. @param {number} known @param {string[]} templates */
  add(known, templates) {
    if (known > this.#texts.length) throw new Error("templates are missing");
    this.#texts.splice(known, Infinity, ...templates.map((template) => template.split(SLOT)));
  }

  /** @param {Encoded} markup @returns {string} */
  read(markup) {
    if (!Array.isArray(markup)) return String(markup);
    const [first, ...slots] = markup;
    if (typeof first !== "number") return markup.map((part) => this.read(part)).join("");
    const texts = this.#texts[first];
    return slots.length
      ? texts.map((text, i) => text + (i < slots.length ? this.read(slots[i]) : "")).join("")
      : texts.join(SLOT);
  }

  /** @param {Record<string, Encoded>} html by element id @returns {Record<string, string>} */
  readAll(html) {
    return Object.fromEntries(Object.entries(html).map(([id, markup]) => [id, this.read(markup)]));
  }
}
