// A stream of events: opened anew where an event cannot be read. Time is simulated.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { followEvents } from "../../src/smallchange/server/web/static/events.js";

test("a stream is opened anew where an event cannot be read, until what it waits for has come", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(console, "warn", () => {});
  const streams = [];
  globalThis.EventSource = class {
    isOpen = true;
    constructor() {
      streams.push(this);
    }
    addEventListener(_, listener) {
      this.say = (data) => listener({ data });
    }
    close() {
      this.isOpen = false;
    }
  };
  const heard = [];
  followEvents("/news", ({ to }) => {
    heard.push(to);
    return to === "/m/one";
  });
  for (const unreadable of ["{", "null"]) {
    streams.at(-1).say(unreadable);
    assert.equal(streams.at(-1).isOpen, false);
    mock.timers.tick(2000);
  }
  assert.equal(streams.length, 3);
  streams[2].say('{"to": ""}');
  assert.equal(streams[2].isOpen, true);
  streams[2].say('{"to": "/m/one"}');
  assert.deepEqual([heard, streams[2].isOpen], [["", "/m/one"], false]);
});
