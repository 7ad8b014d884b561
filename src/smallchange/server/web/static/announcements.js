// Announcements for screen readers, each made once: new notes, the last turn, then the prompt.
import { $, $$, byId } from "./dom.js";

const MAX_ANNOUNCEMENTS = 5; // that stay: a reader may come to them late
const FULL_STOP = document.body.dataset.stop ?? "."; // without it, a reader makes no pause
const announcements = byId("announcements");

/** @param {string} selector */
const texts = (selector) => $$(selector).map((el) => (el.textContent ?? "").trim());
const notes = () =>
  $$("#notice .note, #rematch, #seats .small-print").map((el) => (el.firstChild?.textContent ?? "").trim()); // without links
const readStatus = () => ({ notes: notes(), lastTurn: texts(".last-turn"), prompt: texts(".prompt") });
let last = readStatus();
/** @type {Set<string>} what has been asked: where it is said that it is one's turn, it is not said again */
const asked = new Set();

/**
 * Announce what is new on the page.
 * @param {string} [first] a text to announce before all else
 * @param {string[]} [rows] the steps that have just come, in words
 * @param {string} [turn] whose turn it is now, if that is news
 */
export function announce(first = "", rows = [], turn = "") {
  const now = readStatus();
  /** @param {"notes" | "lastTurn" | "prompt"} part */
  const news = (part) => now[part].filter((text) => !last[part].includes(text));
  const lastTurn = rows.length ? rows.map((row) => row + FULL_STOP) : news("lastTurn");
  const { yours, call } = byId("seats").dataset;
  const isOthers = rows.length && yours && !yours.includes(" ") && !call && $(".plate.turn") && !$(".result");
  const prompt = isOthers ? [] : lastTurn.length ? now.prompt : news("prompt"); // what another is to do is no news
  const question = prompt.filter((one) => !turn || !asked.has(one));
  for (const one of prompt) asked.add(one);
  const text = [first, ...news("notes"), ...lastTurn, turn, ...question].filter(Boolean).join(" ").trim();
  last = now;
  if (text) announcements.append(Object.assign(document.createElement("p"), { textContent: text }));
  if (announcements.childElementCount > MAX_ANNOUNCEMENTS) announcements.firstElementChild?.remove();
}
