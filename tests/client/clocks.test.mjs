// Clocks as the page shows them between the server's messages.
import assert from "node:assert/strict";
import { it } from "node:test";

import { ServerTime, durationText, warningBetween } from "../../src/smallchange/server/web/static/clocks.js";

it("a digital clock counts seconds that have begun, and tenths in the last ten", () => {
  assert.equal(durationText(303_000), "5:03");
  assert.equal(durationText(302_001), "5:03");
  assert.equal(durationText(3_723_000), "1:02:03");
  assert.equal(durationText(9_430), "0:09.4");
  assert.equal(durationText(-5), "0:00");
});
it("a day and more is said in days and hours", () => {
  assert.equal(durationText(100_000_000, "{days} d {hours} h"), "1 d 3 h");
});
it("two minutes and thirty seconds are said once each, when they are crossed", () => {
  assert.equal(warningBetween(120_100, 119_900), 120);
  assert.equal(warningBetween(119_900, 119_800), null);
  assert.equal(warningBetween(30_050, 29_950), 30);
  assert.equal(warningBetween(200_000, 20_000), 30, "after a pause of the page only the nearest is said");
});
it("of all messages the one with the least delay tells the server's time, and of a question the half of its way", () => {
  const time = new ServerTime();
  const isNear = (/** @type {number} */ ms) => Math.abs(time.now - performance.now() - ms) < 20;
  time.learn(performance.now() + 5000 - 900);
  assert.ok(isNear(4100));
  time.learn(performance.now() + 5000 - 2000);
  assert.ok(isNear(4100), "a later one");
  time.learn(performance.now() + 5000 - 300, 600);
  assert.ok(isNear(5000), "the answer to a question");
  time.learn(performance.now() + 5000 - 1500, 2000);
  assert.ok(isNear(5000), "a slower one");
});
