import assert from "node:assert/strict";
import { test } from "node:test";
import { Templates } from "../../src/smallchange/server/web/static/templates.js";

test("markup is filled by the templates that came before", () => {
  const templates = new Templates();
  templates.add(0, ["<b>\u001f</b>", "<i>"]);
  assert.equal(templates.read(["", [0, [1]], [0, 7]]), "<b><i></b><b>7</b>");
  templates.add(2, ["<u>\u001f\u001f</u>"]);
  assert.deepEqual(templates.readAll({ one: "text", two: [2, "a", [[1], "b"]] }), {
    one: "text",
    two: "<u>a<i>b</u>",
  });
});

test("templates that follow unknown ones are refused, and so is markup by an unknown one", () => {
  const templates = new Templates();
  templates.add(0, ["<b>"]);
  assert.throws(() => templates.add(2, ["<u>"]));
  assert.throws(() => templates.read([1, "a"]));
});

test("a new connection begins with new templates", () => {
  const templates = new Templates();
  templates.add(0, ["<b>", "<i>"]);
  templates.add(0, ["<u>"]);
  assert.equal(templates.read([0]), "<u>");
});
