// The list of running games, fetched again every few seconds while somebody looks.
import { $, SITE, patch } from "./dom.js";

const INTERVAL_MS = 5000;

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(`${SITE}/watch?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = fresh.getElementById("watched");
  if (list) patch($("#watched"), list);
}
setInterval(refresh, INTERVAL_MS);
document.addEventListener("visibilitychange", refresh);
