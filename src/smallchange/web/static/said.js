// What a screen reader says by itself, each thing once: what came up, what happened, then what to do.
import { $, $$ } from "./dom.js";

const STOP = document.documentElement.lang === "ja" ? "。" : "."; // without it, a reader makes no pause
const said = $("#said"), KEPT = 5; // what was said stays for a while: a reader may come to it late
const texts = (selector) => $$(selector).map((el) => el.textContent.trim());
const notes = () => $$("#notice .note, #rematch, #seats .fine").map((el) => el.firstChild.data.trim()); // without their links
const seen = () => ({ notes: notes(), happened: texts(".happened"), asks: texts(".asks") });
let last = seen();

// `first`: what to say before all else; `rows`: the steps that have just come, in words.
export function say(first = "", rows = []) {
  const now = seen(), news = (part) => now[part].filter((text) => !last[part].includes(text));
  const happened = rows.length ? rows.map((row) => row + STOP) : news("happened"), asks = happened.length ? now.asks : news("asks");
  const textContent = [first, ...news("notes"), ...happened, ...asks].join(" ").trim();
  last = now;
  if (textContent) said.append(Object.assign(document.createElement("p"), { textContent }));
  if (said.childElementCount > KEPT) said.firstElementChild.remove();
}
