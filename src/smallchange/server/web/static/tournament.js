// The page of a tournament: it follows the server's events, shows what has changed, and goes to one's new match.
// Without script the page asks by refreshing.
import { byId, patch } from "./dom.js";
import { goToNextMatch } from "./next_match.js";

/** Show the standings and pairings as they are now; a hidden page waits until it is in view. */
async function refresh() {
  if (document.hidden) return document.addEventListener("visibilitychange", refresh, { once: true });
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  const live = fresh.content.querySelector("#live");
  if (live) patch(byId("live"), live);
}

goToNextMatch(byId("main").dataset.news ?? "", `/m/${byId("live").dataset.match}`, (version) => {
  if (version !== byId("live").dataset.version) refresh();
});
