// Which letter a key stands for, by Caps Lock, input methods and layouts of other scripts.
import assert from "node:assert/strict";
import { it } from "node:test";

import { isHeldBack, keyName } from "../../src/smallchange/server/web/static/key_names.js";

/** @type {[string, {key: string, code: string, shiftKey?: boolean}, string][]} */
const KEYS = [
  ["a letter", { key: "u", code: "KeyU" }, "u"],
  ["with Caps Lock", { key: "U", code: "KeyU" }, "u"],
  ["with Shift", { key: "U", code: "KeyU", shiftKey: true }, "u"],
  ["an input method", { key: "Process", code: "KeyU" }, "u"],
  ["a full-width letter", { key: "\uff35", code: "KeyU" }, "u"],
  ["a full-width space", { key: "\u3000", code: "Space" }, " "],
  ["Cyrillic", { key: "\u0433", code: "KeyU" }, "u"],
  ["Cyrillic with Caps Lock", { key: "\u0413", code: "KeyU" }, "u"],
  ["Greek", { key: "\u03c1", code: "KeyR" }, "r"],
  ["Hangul", { key: "\u3157", code: "KeyH" }, "h"],
  ["kana", { key: "\u304f", code: "KeyH" }, "h"],
  ["Arabic, two letters on one key", { key: "\u0644\u0627", code: "KeyB" }, "\u0644\u0627"],
  ["a Latin letter where another layout has it", { key: "h", code: "KeyJ" }, "h"],
  ["a sign where ours has a letter", { key: ",", code: "KeyW" }, ","],
  ["a letter of another place", { key: "p", code: "KeyR" }, "p"],
  ["no letter there", { key: "\u0445", code: "BracketLeft" }, "\u0445"],
  ["the question mark", { key: "?", code: "Slash", shiftKey: true }, "?"],
  ["the question mark of an input method", { key: "Process", code: "Slash", shiftKey: true }, "?"],
  ["Space", { key: " ", code: "Space" }, " "],
  ["Space of an input method", { key: "Process", code: "Space" }, " "],
  ["an arrow of an input method", { key: "Process", code: "ArrowLeft" }, "ArrowLeft"],
  ["Escape", { key: "Escape", code: "Escape" }, "Escape"],
  ["Enter of an input method", { key: "Process", code: "Enter" }, "Enter"],
  ["a key without a code", { key: "h", code: "" }, "h"],
];
for (const [called, event, name] of KEYS) {
  it(`${called}: ${JSON.stringify(event)} is ${JSON.stringify(name)}`, () => {
    assert.equal(keyName(event), name);
  });
}

it("a key that is held down acts once, and only arrows go on", () => {
  for (const name of ["u", "h", "r", "?", " ", "Enter", "Escape"]) {
    assert.equal(isHeldBack(name, false), false);
    assert.equal(isHeldBack(name, true), true, name);
  }
  assert.equal(isHeldBack("ArrowLeft", true), false);
});
