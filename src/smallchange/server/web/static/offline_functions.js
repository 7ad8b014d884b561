// Functions made beforehand. Brython makes functions from texts, which the content security policy forbids. Here a
// text leads to the function that was made of it when the bundle was built, as a part of an ordinary script.

/** @param {string} text @returns {string} a short name for a text */
const nameOfText = (text) => {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    one = Math.imul(one ^ letter, 2654435761);
    two = Math.imul(two ^ letter, 1597334677);
  }
  return `${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}-${text.length.toString(36)}`;
};

{
  const Made = Function;
  let isRecording = false;

  /** @param {string[]} texts names of parameters, then a body @returns {string} */
  const keyOf = (texts) => {
    const body = texts.at(-1) ?? "";
    const [first = ""] = texts;
    if (texts.length === 2 && first.startsWith("locals_") && /^(var \$module|return locals_)/.test(body))
      return first;
    return /^\/\*[\w.]+\*\/(?=[\n;]|$)/.exec(body)?.[0] ?? nameOfText(texts.join("\0"));
  };

  const compiled = {
    /** @type {Record<string, Function>} by key */
    known: {},
    /** @type {Record<string, any[]>} what Brython keeps of each module, without its text */
    modules: {},
    /** @type {Record<string, string[]>} by key: the texts that functions were made of */
    made: {},
    record() {
      isRecording = true;
    },
  };

  /** @param {any[]} given @returns {Function} */
  const find = (given) => {
    const texts = given.map(String);
    const key = keyOf(texts);
    if (isRecording) {
      compiled.made[key] = texts.length ? texts : [""];
      return Reflect.construct(Made, texts);
    }
    const found = compiled.known[key];
    if (!found) throw new EvalError(`no function was made beforehand of: ${texts.at(-1)?.slice(0, 200)}`);
    return found;
  };
  const scope = /** @type {any} */ (globalThis);
  scope.compiledFunctions = compiled;
  const { eval: evaluate } = scope; // which the policy refuses, but for who debugs a page
  scope.eval = (/** @type {string} */ text) => {
    const { __BRYTHON__: python } = scope;
    return isRecording || keyOf(["$B", text]) in compiled.known ? find(["$B", text])(python) : evaluate(text);
  };
  scope.Function = new Proxy(Made, {
    construct: (_, given) => find(given),
    apply: (_, __, given) => find(given),
  });
}
