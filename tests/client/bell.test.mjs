// The bell says how many notifications are unread, by sight, by ear and in the title of the tab.
import assert from "node:assert/strict";
import { it } from "node:test";

/** @type {any} */
const count = { textContent: "" };
/** @type {any} */
const bell = {
  dataset: { none: "Notifications", some: "Notifications: 0 unread" },
  label: "",
  querySelector: () => count,
  setAttribute(/** @type {string} */ _, /** @type {string} */ value) {
    this.label = value;
  },
};
/** @type {any} */
const document = {
  hidden: true,
  title: "Small Change",
  querySelector: () => null,
  addEventListener: () => {},
};
Object.assign(globalThis, { document, navigator: {}, location: { pathname: "/rules/dodgem" } });
const { show } = await import("../../src/smallchange/server/web/static/bell.js");

it("the number stands at the bell, in its name and in the title, and goes again", () => {
  show(bell, 3);
  show(bell, 2);
  assert.deepEqual(
    [count.textContent, bell.label, document.title],
    ["2", "Notifications: 2 unread", "(2) Small Change"],
  );
  show(bell, 0);
  assert.deepEqual([count.textContent, bell.label, document.title], ["", "Notifications", "Small Change"]);
});
