// The tip after a match, and the best so far. They are asked for as the result is seen, the tip again until the review is ready.
import { $, SITE, byId } from "./dom.js";

const INTERVAL_MS = 1500;
const MAX_QUESTIONS = 40;
let isAsking = false;

/** Show the tip of this table's match, if it is over. @param {string} match */
export function showTip(match) {
  if (isAsking || !$(".result") || byId("seats").dataset.yours === "") return;
  isAsking = true;
  ask(match, MAX_QUESTIONS);
}

/** @param {string} match @param {number} left */
function wait(match, left) {
  isAsking = left > 0;
  if (isAsking) setTimeout(() => ask(match, left), INTERVAL_MS);
}

/** @param {string} match @param {number} left */
async function ask(match, left) {
  if (document.hidden || !$(".result")) return wait(match, left - 1);
  const answer = await fetch(`${SITE}/m/${match}/tip?lang=${document.documentElement.lang}`).catch(
    () => null,
  );
  if (!answer?.ok) return wait(match, left - 1);
  const { html, best, done } = await answer.json();
  const standing = $("#best-so-far");
  if (standing && standing.textContent !== best) standing.textContent = best;
  const tip = byId("tip");
  if (tip.innerHTML !== html) tip.innerHTML = html;
  wait(match, done ? 0 : left - 1);
}
