// A board that several people look at: what its leader shows, and what is pointed at, comes by the server's events.
import { $, byId, fetchPage, patch } from "./dom.js";
import { followEvents } from "./events.js";

const ODDS_MS = 2000; // until the odds are there that a page waits for

async function refresh() {
  const { href } = location;
  const fresh = $("#main", await fetchPage(`${href}&look=1`));
  if (!fresh || location.href !== href) return; // one has gone on meanwhile
  patch(byId("main"), fresh);
  refreshLater();
}
function refreshLater() {
  if ("waits" in byId("main").dataset) setTimeout(refresh, ODDS_MS);
}
refreshLater();
followEvents(byId("main").dataset.news ?? "", ({ version }) => {
  if (version !== byId("main").dataset.version) refresh();
  return false;
});
