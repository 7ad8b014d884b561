// The lists of the lobby, fetched again every few seconds while somebody looks.
import { $, SITE, byId, patch } from "./dom.js";
import { writeLocalTimes } from "./page.js";

const INTERVAL_MS = 5000;

/** @param {boolean} isBack has somebody just come back to this tab? */
async function refresh(isBack) {
  if (document.hidden) return;
  const answer = await fetch(`${SITE}/lists?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  writeLocalTimes(fresh.content, document.documentElement.lang);
  const running = byId("running");
  const { height } = running.getBoundingClientRect();
  for (const part of [...fresh.content.children]) {
    const old = $(`#${part.id}`);
    if (old) patch(old, part); // a page without a server has no open tables
  }
  if (isBack) return;
  // What comes and goes above the cards moves none of them under the finger.
  running.style.minHeight = `${height}px`;
  scrollBy({ top: running.getBoundingClientRect().height - height, behavior: "instant" });
}
setInterval(() => refresh(false), INTERVAL_MS);
document.addEventListener("visibilitychange", () => refresh(true));
