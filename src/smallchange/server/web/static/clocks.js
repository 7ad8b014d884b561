// The clocks of a table go on between the server's messages, by the server's time.
import { $, $$, byId } from "./dom.js";

const TICK_MS = 100;
const SECOND_MS = 1000;
const HOUR_S = 3600;
const DAY_MS = 86_400_000;
const TENTHS_BELOW_MS = 10 * SECOND_MS;
const UNKNOWN = "?:??";
export const WARNINGS_S = [120, 30];

/** @param {number} n */
const twoDigits = (n) => String(n).padStart(2, "0");

/**
 * Write a duration as a digital clock does: seconds that have begun count, tenths in the last ten seconds.
 * @param {number} ms
 * @param {string} [daysAndHours] a pattern with {days} and {hours}, for a day and more
 */
export function durationText(ms, daysAndHours = "") {
  if (ms >= DAY_MS && daysAndHours) {
    const days = Math.floor(ms / DAY_MS);
    const hours = Math.floor((ms % DAY_MS) / (HOUR_S * SECOND_MS));
    return daysAndHours.replace("{days}", String(days)).replace("{hours}", String(hours));
  }
  if (ms > 0 && ms < TENTHS_BELOW_MS) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const minutes = Math.floor(seconds / 60);
  if (seconds < HOUR_S) return `${minutes}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/**
 * Return the warning that falls between two times left, in seconds, or null.
 * @param {number} beforeMs
 * @param {number} nowMs
 */
export function warningBetween(beforeMs, nowMs) {
  const crossed = WARNINGS_S.filter((s) => nowMs <= s * SECOND_MS && s * SECOND_MS < beforeMs);
  return crossed.at(-1) ?? null;
}

// The server's time, by the messages that bring it. A message is late by its delay at least, so the least delay that
// was seen counts; of a question and its answer the half. The device's own clock, which may be set, is not asked.
export class ServerTime {
  #offsetMs = -Infinity; // of the server's time from performance.now()
  #roundTripMs = Infinity; // the shortest that was seen

  /** @param {number} now @param {number} [roundTripMs] of the question that this answers */
  learn(now, roundTripMs = Infinity) {
    const offset = now - performance.now();
    if (roundTripMs < this.#roundTripMs) {
      this.#roundTripMs = roundTripMs;
      this.#offsetMs = offset + roundTripMs / 2;
    } else this.#offsetMs = Math.max(this.#offsetMs, offset);
  }

  // Another connection has another delay.
  forget() {
    this.#roundTripMs = Infinity;
  }

  get now() {
    return performance.now() + this.#offsetMs;
  }
}

export class Clocks {
  #time = new ServerTime();
  #isCut = false;
  /** @type {Map<string, number>} element id: the time left at the last tick */
  #left = new Map();

  /** @param {(text: string) => void} say announces a text */
  constructor(say) {
    this.say = say;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Learn the server's time. @param {number} now @param {number} [roundTripMs] */
  synchronize(now, roundTripMs) {
    this.#time.learn(now, roundTripMs);
    this.tick();
  }

  /** Note that nothing is heard of the table, or again: meanwhile another may have moved. @param {boolean} isCut */
  setCut(isCut) {
    if (isCut === this.#isCut) return;
    this.#isCut = isCut;
    if (isCut) this.#time.forget();
    this.tick();
  }

  tick() {
    const now = this.#time.now;
    const section = $("#clocks");
    for (const clock of $$("[role=timer][data-deadline]")) {
      const left = Math.max(0, Number(clock.dataset.deadline) - now);
      const isUnknown = this.#isCut && clock.dataset.you === undefined;
      const text = isUnknown ? UNKNOWN : durationText(left, section?.dataset.days);
      clock.title = isUnknown ? (section?.dataset.unknown ?? "") : "";
      if (clock.textContent !== text) clock.textContent = text;
      if (clock.id && clock.dataset.you !== undefined) this.#warn(clock, left, section);
      if (!left && !isUnknown && clock.closest("#left")) {
        showClaims();
        this.say("");
      }
    }
  }

  /** @param {HTMLElement} clock @param {number} left @param {HTMLElement | null} section */
  #warn(clock, left, section) {
    const key = `${clock.id} ${clock.dataset.deadline}`;
    const warning = warningBetween(this.#left.get(key) ?? left, left);
    if (warning) this.say(section?.getAttribute(`data-${warning}`) ?? "");
    this.#left.clear();
    this.#left.set(key, left);
  }
}

function showClaims() {
  const note = byId("left");
  note.textContent = note.dataset.then ?? "";
  byId("claims").hidden = false;
}
