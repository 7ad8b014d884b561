// What a page keeps is a courtesy: a storage that is full or broken never decides about an answer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";

const FILE = new URL("../../src/smallchange/server/web/static/service_worker.js", import.meta.url);
const ORIGIN = "https://play.test";
const no = async () => Promise.reject(new Error("QuotaExceededError"));

/** Install the worker over storage that is broken in some way; return what it does with an event, and what is kept. */
function worker({ broken = [], online = true }) {
  const listeners = {};
  const kept = new Map([[`${ORIGIN}/static/base.css`, "old"]]);
  const cache = {
    add: async (path) => kept.set(path, "offline page"),
    put: async (request, answer) => kept.set(request.url, answer.body),
    delete: async (request) => kept.delete(request.url),
  };
  const caches = {
    open: async () => cache,
    match: async (asked) => kept.get(asked.url ?? asked),
    keys: async () => [],
    delete: async () => kept.clear(),
  };
  for (const name of broken) (name in cache ? cache : caches)[name] = no;
  const self = {
    addEventListener: (kind, listen) => (listeners[kind] = listen),
    location: { href: `${ORIGIN}/service_worker.js` },
    skipWaiting: async () => {},
  };
  const fetch = async () => (online ? { ok: true, body: "new", clone: () => ({ body: "new" }) } : no());
  runInNewContext(readFileSync(FILE, "utf8"), {
    self,
    caches,
    fetch,
    URL,
    location: { origin: ORIGIN },
  });
  const dispatch = (kind, event) =>
    new Promise((resolve) => listeners[kind]({ ...event, waitUntil: resolve, respondWith: resolve }));
  const ask = (path, mode) =>
    dispatch("fetch", {
      request: { method: "GET", url: `${ORIGIN}${path}`, mode },
    });
  return { install: () => dispatch("install", {}), ask, kept };
}

describe("storage that is full or broken", () => {
  for (const broken of [
    ["put"],
    ["open"],
    ["match"],
    ["put", "delete"],
    ["add"],
    ["open", "match", "delete"],
  ]) {
    it(`gives what the network gave, and installs: ${broken}`, async () => {
      const { install, ask, kept } = worker({ broken });
      await install();
      assert.equal((await ask("/static/base.css")).body, "new");
      assert.equal((await ask("/mine", "navigate")).body, "new");
      await new Promise(setImmediate);
      if (broken.join() === "put")
        assert.equal(kept.has(`${ORIGIN}/static/base.css`), false, "nothing older stays");
    });
  }
});

describe("without a network", () => {
  it("shows what was kept last, and fails as the network does where nothing is", async () => {
    const { ask } = worker({ online: false });
    assert.equal(await ask("/static/base.css"), "old");
    await assert.rejects(ask("/static/table.css"), /Quota/);
    await assert.rejects(worker({ online: false, broken: ["match"] }).ask("/mine", "navigate"), /Quota/);
  });
});
