// The day of a moment where the visitor is, as the language of the page writes it.
import assert from "node:assert/strict";
import { it } from "node:test";

import { localDay, writeLocalTimes } from "../../src/smallchange/server/web/static/page.js";

it("a moment has the day of the visitor's zone, not that of UTC", () => {
  assert.equal(localDay("2026-11-25T03:00:00Z", "en", "Pacific/Honolulu"), "24 Nov 2026");
  assert.equal(localDay("2026-11-25T03:00:00Z", "en", "UTC"), "25 Nov 2026");
  assert.equal(localDay("2026-12-31T23:30:00Z", "en", "Asia/Tokyo"), "1 Jan 2027");
});
it("the day is written in the language of the page", () => {
  assert.equal(localDay("2026-11-25T03:00:00Z", "ja", "UTC"), "2026年11月25日");
  assert.equal(localDay("2026-11-25T03:00:00Z", "de", "UTC"), "25. Nov. 2026");
});
it("every time of a part of a page is written anew", () => {
  const times = [{ dateTime: "2026-11-25T12:00:00Z", textContent: "?" }];
  writeLocalTimes(/** @type {any} */ ({ querySelectorAll: () => times }), "en");
  assert.match(times[0].textContent, /^2[456] Nov 2026$/);
});
