// Which move a touch makes, from the paths of all legal moves.
import assert from "node:assert/strict";
import { it } from "node:test";

import { continuations, touch } from "../../src/smallchange/server/web/static/selection.js";

const PATHS = [["pawn", "a1"], ["pawn", "a2"], ["king", "a1"], ["coin"]];

it("a piece that can go to several places is selected, and then goes to one", () => {
  assert.deepEqual(touch(PATHS, [], "pawn"), { select: ["pawn"] });
  assert.deepEqual(touch(PATHS, ["pawn"], "a2"), { play: 1 });
});
it("a move of one touch is played at once", () => {
  assert.deepEqual(touch(PATHS, [], "coin"), { play: 3 });
});
it("a piece is selected even if it can do one thing alone, for the place is still to be touched", () => {
  assert.deepEqual(touch(PATHS, [], "king"), { select: ["king"] });
});
it("the same piece again lets go", () => {
  assert.deepEqual(touch(PATHS, ["pawn"], "pawn"), { select: [] });
});
it("another piece is selected instead", () => {
  assert.deepEqual(touch(PATHS, ["pawn"], "king"), { select: ["king"] });
});
it("what no move goes on with does nothing", () => {
  assert.equal(touch(PATHS, ["king"], "a2"), null);
  assert.equal(touch(PATHS, [], "a1"), null);
});
it("a move that is the beginning of another one is selected, and not played", () => {
  const paths = [["a"], ["a", "b"]];
  assert.deepEqual(touch(paths, [], "a"), { select: ["a"] });
  assert.deepEqual(touch(paths, ["a"], "b"), { play: 1 });
});
it("an element knows the moves that go on with it, and the one that it completes", () => {
  assert.deepEqual(continuations(PATHS, [], "pawn"), { next: [0, 1], move: null });
  assert.deepEqual(continuations(PATHS, ["pawn"], "a1"), { next: [0], move: 0 });
  assert.deepEqual(continuations(PATHS, ["king"], "a2"), { next: [], move: null });
});
