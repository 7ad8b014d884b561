// The state of a table on a page: what is sent, what is sent again, and what a message means.
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { StepRequests, TableSession } from "../../src/smallchange/server/web/static/session.js";

const PRESS = { formAction: "/m/TABLE/act", value: "a1-b1" };
let sent = [];
let isOpen = true;
let session;

function send(message) {
  if (isOpen) sent.push(message);
  return isOpen;
}
function begin(more = {}) {
  sent = [];
  isOpen = true;
  session = new TableSession({ match: "TABLE", ply: 3, current: true, send, ...more });
}
function openSession() {
  session.follow();
  sent = [];
}
const act = (moveId = "move-1", button = PRESS) => session.submit("act", button, () => moveId);
const COMMAND = { is: "act", match: "TABLE", ply: 3, move: "move-1", token: "a1-b1" };

beforeEach(() => begin());

describe("a connection", () => {
  it("follows the table from the version on the page", () => {
    session.follow();
    assert.deepEqual(sent, [{ is: "watch", match: "TABLE", ply: 3 }]);
  });
  it("asks for the whole table where the page shows an earlier step and knows nothing of the present", () => {
    begin({ current: false });
    session.follow();
    assert.equal(sent[0].ply, -1);
    session.receive({ is: "changes", ply: 7 });
    sent = [];
    session.follow();
    assert.equal(sent[0].ply, 7);
  });
  it("sends a command again that is not answered, with the same move id", () => {
    openSession();
    act();
    session.disconnect();
    session.follow();
    assert.deepEqual(sent.slice(-1), [COMMAND]);
  });
  it("asks for a hint again that has not come", () => {
    openSession();
    session.submit("hint", PRESS);
    session.disconnect();
    sent = [];
    session.follow();
    assert.deepEqual(sent[1], { is: "hint", match: "TABLE", ply: 3 });
  });
  it("asks for no hint again of a table that has moved on", () => {
    openSession();
    session.submit("hint", PRESS);
    session.receive({ is: "changes", ply: 4 });
    sent = [];
    session.follow();
    assert.equal(sent.length, 1);
  });
  it("is cut once it is lost, but not if it never opened", () => {
    session.disconnect();
    assert.equal(session.connection, "never");
    session.follow();
    session.disconnect();
    assert.equal(session.connection, "cut");
  });
  it("knows why the server closes it, until it opens again", () => {
    openSession();
    session.receive({ is: "closing", why: "The server stops." });
    assert.equal(session.closingReason, "The server stops.");
    session.follow();
    assert.equal(session.closingReason, "");
  });
});

describe("a command", () => {
  it("is sent with the version that the player saw", () => {
    openSession();
    assert.equal(act(), "command");
    assert.deepEqual(sent, [COMMAND]);
  });
  it("carries what is offered and what is answered", () => {
    openSession();
    session.submit("offer", { formAction: "", value: "draw" }, () => "m");
    assert.equal(sent[0].what, "draw");
    begin();
    openSession();
    session.submit("answer", { formAction: "", value: "0" }, () => "m");
    assert.equal(sent[0].yes, false);
  });
  it("is posted as a form where no connection ever opened", () => {
    isOpen = false;
    assert.equal(act(), "post");
    assert.equal(session.pending, null);
  });
  it("waits for the next connection while this one is cut", () => {
    openSession();
    session.disconnect();
    isOpen = false;
    assert.equal(act(), "command");
    isOpen = true;
    session.follow();
    assert.deepEqual(sent.slice(-1), [COMMAND]);
  });
  it("is answered by a table that confirms it, or by `ack`", () => {
    openSession();
    act();
    assert.equal(session.receive({ is: "changes", ply: 4, ack: "move-1" }).isOwn, true);
    assert.equal(session.pending, null);
    begin();
    openSession();
    act();
    assert.equal(session.receive({ is: "ack", move: "another" }), null);
    assert.equal(session.receive({ is: "ack", move: "move-1" }).event, "done");
    assert.equal(session.pending, null);
  });
  it("stays unanswered by the same table drawn again", () => {
    openSession();
    act();
    assert.equal(session.receive({ is: "changes", ply: 3 }).isNew, false);
    assert.notEqual(session.pending, null);
  });
  it("waits on while something else happens, and is sent again after each cut", () => {
    openSession();
    act();
    session.receive({ is: "changes", ply: 4 }); // an offer of the other, or time given back
    session.disconnect();
    session.follow();
    assert.deepEqual(sent.slice(-1), [COMMAND]);
  });
  it("that lost to another one is said so beside the table that follows", () => {
    openSession();
    act();
    const conflict = { is: "conflict", match: "TABLE", move: "move-1", why: "Somebody was faster." };
    assert.deepEqual(session.receive(conflict), { event: "refused", reason: "Somebody was faster." });
    assert.equal(session.receive({ is: "changes", ply: 4 }).conflict, "Somebody was faster.");
    assert.equal(session.receive({ is: "changes", ply: 5 }).conflict, "");
  });
  it("that is refused can be tried again", () => {
    openSession();
    act();
    session.receive({ is: "refusal", match: "TABLE", move: "move-1", why: "Too many." });
    assert.equal(act("move-2"), "command");
  });
});

describe("a button pressed while a command waits", () => {
  const UNDO = { formAction: "/m/TABLE/undo", value: "" };

  it("is pressed once the command is answered", () => {
    openSession();
    act();
    assert.equal(session.submit("undo", UNDO), "block");
    assert.equal(session.takeQueued(), null);
    session.receive({ is: "ack", move: "move-1" });
    assert.deepEqual(session.takeQueued(), UNDO);
    assert.equal(session.takeQueued(), null);
  });
  it("is not pressed after a refusal", () => {
    openSession();
    act();
    session.submit("undo", UNDO);
    session.receive({ is: "refusal", match: "TABLE", move: "move-1", why: "No." });
    assert.equal(session.takeQueued(), null);
  });
  it("does nothing where it would do the same again: a double click acts once", () => {
    openSession();
    for (const kind of ["act", "answer", "act"]) session.submit(kind, PRESS, () => "move-1");
    assert.equal(sent.length, 1);
    session.receive({ is: "ack", move: "move-1" });
    assert.equal(session.takeQueued(), null);
  });
});

describe("other buttons", () => {
  it("post their forms, but not while the connection is cut", () => {
    openSession();
    assert.equal(session.submit("fork", PRESS), "post");
    session.disconnect();
    assert.equal(session.submit("fork", PRESS), "block");
  });
});

describe("a hint", () => {
  it("is asked with a ping, which is answered before it", () => {
    openSession();
    assert.equal(session.submit("hint", PRESS), "hint");
    assert.deepEqual(
      sent.map(({ is }) => is),
      ["hint", "ping"],
    );
  });
  it("is posted as a form without a connection", () => {
    isOpen = false;
    assert.equal(session.submit("hint", PRESS), "post");
  });
  it("is of no use for another version of the table", () => {
    openSession();
    session.submit("hint", PRESS);
    assert.equal(session.receive({ is: "hint-found", ply: 2 }), null);
    assert.equal(session.receive({ is: "hint-found", ply: 3 }).event, "hint");
    assert.equal(session.hintPly, null);
  });
  it("that is refused too late says nothing, and leaves a command alone", () => {
    openSession();
    session.submit("hint", PRESS);
    act();
    assert.equal(session.receive({ is: "refusal", match: "TABLE", why: "Not your turn." }), null);
    assert.notEqual(session.pending, null);
    session.receive({ is: "changes", ply: 4 });
    assert.equal(session.receive({ is: "refusal", match: "TABLE", why: "Not your turn." }), null);
  });
  it("that is refused in time says why", () => {
    openSession();
    session.submit("hint", PRESS);
    const effect = session.receive({ is: "refusal", match: "TABLE", why: "Too many hints." });
    assert.deepEqual(effect, { event: "refused", reason: "Too many hints." });
  });
});

describe("messages that change nothing here", () => {
  it("have no effect", () => {
    openSession();
    for (const is of ["same", "pong", "something new"]) assert.equal(session.receive({ is }), null);
  });
});

describe("steps that are fetched", () => {
  it("count only if nothing was asked after them", () => {
    const requests = new StepRequests();
    const first = requests.start(2);
    const second = requests.start(1);
    assert.deepEqual([first(), second(), requests.target], [false, true, 1]);
    requests.cancel();
    assert.deepEqual([second(), requests.target], [false, null]);
  });
});
