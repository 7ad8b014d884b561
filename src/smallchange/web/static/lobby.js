// The lists of the lobby, asked for again every few seconds while somebody looks.
import { $, patch } from "./dom.js";

async function renew() {
  if (document.hidden) return;
  const answer = await fetch(`/lists?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  patch($("#lists"), fresh.content.firstElementChild);
}
setInterval(renew, 5000);
document.addEventListener("visibilitychange", renew);
