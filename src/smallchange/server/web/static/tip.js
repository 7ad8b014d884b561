// The tip after a match. It is asked for once the result is seen, and again until the review of the match is ready.
import { $, SITE, byId } from "./dom.js";

const INTERVAL_MS = 1500;
const MAX_QUESTIONS = 40;
let isAsking = false;

/** Show the tip of this table's match, if it is over. @param {string} match */
export function showTip(match) {
  if (isAsking || !$(".result") || byId("seats").dataset.yours === "") return;
  isAsking = true;
  wait(match, MAX_QUESTIONS);
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
  if (!answer?.ok) return wait(match, 0);
  const { html, done } = await answer.json();
  const tip = byId("tip");
  if (tip.innerHTML !== html) tip.innerHTML = html;
  wait(match, done ? 0 : left - 1);
}
