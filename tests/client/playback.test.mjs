// Turns one after another: how long each is seen, and what a touch skips.
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import {
  MIN_STEP_MS,
  Playback,
  SPEEDS_MS,
  startOfLastTurns,
} from "../../src/smallchange/server/web/static/playback.js";

let now = 0;
let timers = [];
let shown = [];
let playback;

function wait(ms, then) {
  const timer = { at: now + ms, ring: then };
  timers.push(timer);
  return () => (timers = timers.filter((other) => other !== timer));
}
function pass(ms) {
  const end = now + ms;
  for (;;) {
    const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    if (!next) break;
    timers = timers.filter((timer) => timer !== next);
    now = next.at;
    next.ring();
  }
  now = end;
}

beforeEach(() => {
  now = 0;
  timers = [];
  shown = [];
  playback = new Playback({ show: (frame) => shown.push([frame, now]), wait });
});

describe("turns that come all at once", () => {
  it("are shown in their order, each for its time", () => {
    for (const frame of ["a", "b", "c"]) playback.add(frame, 350);
    pass(1000);
    assert.deepEqual(shown, [
      ["a", 0],
      ["b", 350],
      ["c", 700],
    ]);
    assert.equal(playback.isPlaying, false);
  });
  it("are all shown by a skip, and what comes later is not held back", () => {
    for (const frame of ["a", "b", "c"]) playback.add(frame, 350);
    pass(100);
    playback.skip();
    assert.deepEqual(shown.slice(1), [
      ["b", 100],
      ["c", 100],
    ]);
    playback.add("d", 350);
    assert.deepEqual(shown.at(-1), ["d", 100]);
    pass(1000);
    assert.equal(shown.length, 4);
  });
});

it("a turn that comes late is shown when it comes", () => {
  playback.add("a", 350);
  pass(2000);
  playback.add("b", 350);
  assert.deepEqual(shown.at(-1), ["b", 2000]);
});

it("what is added while a frame is shown waits for its turn", () => {
  playback = new Playback({
    show: (frame) => {
      shown.push([frame, now]);
      if (frame === "a") playback.add("b", 200);
    },
    wait,
  });
  playback.add("a", 200);
  assert.equal(playback.isPlaying, true);
  pass(200);
  assert.deepEqual(shown, [
    ["a", 0],
    ["b", 200],
  ]);
});

it("no speed shows a turn for less than can be seen, but for the one without motion", () => {
  for (const [name, ms] of Object.entries(SPEEDS_MS)) assert.ok(name === "none" || ms >= MIN_STEP_MS);
});

const log = (...seats) => seats.map((seat, i) => ({ number: i + 1, seat })).reverse();
describe("what is seen again", () => {
  it("is what others did since one's own last decision, with their throws", () => {
    assert.equal(startOfLastTurns(log(0, -1, 1, -1, 1, -1), [0]), 2);
    assert.equal(startOfLastTurns(log(0, 1, 1, 0), [0]), 1);
  });
  it("is the last decision where one plays alone", () => {
    assert.equal(startOfLastTurns(log(0, -1, 0, -1, -1), [0]), 2);
  });
  it("is the last turn of one seat for a spectator", () => {
    assert.equal(startOfLastTurns(log(0, 0, 1, 1), []), 2);
  });
  it("is nothing before the first decision", () => {
    assert.equal(startOfLastTurns(log(-1, -1), [0]), null);
  });
});
