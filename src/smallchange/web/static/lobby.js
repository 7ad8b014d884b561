// The lists of the lobby, asked for again every few seconds while somebody looks.
import { $, patch } from "./dom.js";

async function renew(back) {
  if (document.hidden) return;
  const answer = await fetch(`/lists?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  const running = $("#running"), high = running.getBoundingClientRect().height;
  for (const part of [...fresh.content.children]) patch($(`#${part.id}`), part);
  if (back) return;
  // what comes and goes above the cards moves none of them under the finger
  running.style.minHeight = `${high}px`;
  scrollBy({ top: running.getBoundingClientRect().height - high, behavior: "instant" });
}
setInterval(renew, 5000);
document.addEventListener("visibilitychange", renew);
