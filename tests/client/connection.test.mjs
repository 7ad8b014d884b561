// The connection: opened again after every failure, and given up where nothing is answered. Time is simulated.
import assert from "node:assert/strict";
import { beforeEach, it, mock } from "node:test";

import { connect } from "../../src/smallchange/server/web/static/connection.js";

const HEARTBEAT_MS = 4_000;
const ANSWER_TIMEOUT_MS = 5_500;
const OPEN_TIMEOUT_MS = 10_000;
let sockets = [];
let heard = [];
let events = {};
let awaitsAnswer = false;
let send;

class FakeSocket {
  static OPEN = 1;
  readyState = 0;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  answer(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
const last = () => sockets.at(-1);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [sockets, heard, events, awaitsAnswer] = [[], [], {}, false];
  globalThis.WebSocket = FakeSocket;
  globalThis.addEventListener = (name, listener) => (events[name] = listener);
  send = connect({
    url: "ws://table",
    onOpen: (again) => heard.push(again ? "open again" : "open"),
    onMessage: (message) => heard.push(message?.is ?? "unreadable"),
    onLost: () => heard.push("lost"),
    awaitsAnswer: () => awaitsAnswer,
  });
});

it("nothing can be sent before it is open", () => {
  assert.equal(send({ is: "ping" }), false);
  last().open();
  assert.equal(send({ is: "ping" }), true);
  assert.deepEqual(last().sent, [{ is: "ping" }, { is: "ping" }], "it asks by itself how late messages are");
});
it("what is closed is opened again, and it is known to be again", () => {
  last().open();
  last().onclose();
  mock.timers.tick(300);
  assert.equal(sockets.length, 2);
  last().open();
  assert.deepEqual(heard, ["open", "lost", "open again"]);
});
it("tries come less and less often, up to two seconds", () => {
  for (const pause of [300, 600, 1200, 2000, 2000]) {
    const before = sockets.length;
    last().onclose();
    mock.timers.tick(pause - 1);
    assert.equal(sockets.length, before);
    mock.timers.tick(1);
    assert.equal(sockets.length, before + 1);
  }
});
it("while nothing answers another attempt begins every two seconds, and the first to open is the connection", () => {
  for (let i = 0; i < 3; i++) mock.timers.tick(2_000);
  assert.equal(sockets.length, 4);
  sockets[1].open();
  assert.deepEqual(
    sockets.map((socket) => socket.readyState),
    [3, 1, 3, 3],
  );
  mock.timers.tick(1_000);
  assert.equal(sockets.length, 4);
});
it("an attempt that is not answered is given up", () => {
  mock.timers.tick(OPEN_TIMEOUT_MS);
  assert.equal(sockets[0].readyState, 3);
  assert.deepEqual(heard, ["lost"]);
});
it("a quiet connection is asked whether it is there, and given up without an answer", () => {
  last().open();
  last().answer({ is: "pong" });
  heard = ["open"];
  mock.timers.tick(HEARTBEAT_MS);
  assert.deepEqual(last().sent, [{ is: "ping" }, { is: "ping" }]);
  mock.timers.tick(ANSWER_TIMEOUT_MS - 1);
  assert.deepEqual(heard, ["open"]);
  mock.timers.tick(1);
  assert.deepEqual(heard, ["open", "lost"]);
});
it("what cannot be read is passed on as such", () => {
  last().open();
  for (const data of ["{", "null", "7", "{}"]) last().onmessage({ data });
  assert.deepEqual(heard, ["open", ...Array(4).fill("unreadable")]);
});
it("an answer keeps it open", () => {
  last().open();
  for (let i = 0; i < 3; i++) {
    last().answer({ is: "pong" });
    mock.timers.tick(HEARTBEAT_MS);
  }
  assert.deepEqual(heard, ["open", "pong", "pong", "pong"]);
});
it("other news does not answer a command", () => {
  last().open();
  awaitsAnswer = true;
  send({ is: "act" });
  last().answer({ is: "changes" });
  mock.timers.tick(ANSWER_TIMEOUT_MS);
  assert.deepEqual(heard, ["open", "changes", "lost"]);
});
it("the network coming back opens it at once", () => {
  for (let i = 0; i < 6; i++) {
    last().onclose();
    mock.timers.tick(2000);
  }
  last().onclose();
  const before = sockets.length;
  events.online();
  assert.equal(sockets.length, before + 1);
});
