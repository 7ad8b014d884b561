// Turns that are shown one after another, each for a moment, however fast they come. Time comes from outside.

export const MIN_STEP_MS = 150; // for which a turn of another is seen at least, unless skipped
/** @type {Record<string, number>} for how long a turn is seen; 0: what comes is shown at once */
export const SPEEDS_MS = { slow: 700, normal: 350, fast: MIN_STEP_MS, none: 0 };

/** @template T */
export class Playback {
  /** @type {{frame: T, ms: number}[]} not shown yet */
  #queue = [];
  /** @type {(() => void) | null} while a frame is seen, its time not over */
  #cancel = null;
  #isShowing = false;

  /**
   * @param {object} means
   * @param {(frame: T) => void} means.show
   * @param {(ms: number, then: () => void) => () => void} means.wait calls `then` later; returns how to cancel it
   */
  constructor({ show, wait }) {
    this.show = show;
    this.wait = wait;
  }

  /** Are there frames that were not shown yet? */
  get isPlaying() {
    return this.#queue.length > 0;
  }

  /** Show a frame for its time, after those that came before it. @param {T} frame @param {number} ms */
  add(frame, ms) {
    this.#queue.push({ frame, ms });
    if (!this.#cancel && !this.#isShowing) this.#next();
  }

  /** Show all that is left, now. */
  skip() {
    this.#cancel?.();
    this.#cancel = null;
    while (this.#queue.length) {
      const next = this.#queue.shift();
      if (next) this.show(next.frame);
    }
  }

  #next() {
    this.#cancel = null;
    const next = this.#queue.shift();
    if (!next) return;
    this.#isShowing = true;
    this.show(next.frame);
    this.#isShowing = false;
    this.#cancel = this.wait(next.ms, () => this.#next()); // its time begins once it is drawn
  }
}

/** @typedef {{number: number, seat: number}} LogStep `seat` is -1 for chance */

/**
 * Return after how many steps the turns begin that somebody wants to see again: those of others since the last
 * decision of one's own; where there are none, the last decision.
 * @param {LogStep[]} steps newest first
 * @param {number[]} own seats
 */
export function startOfLastTurns(steps, own) {
  const decisions = steps.filter(({ seat }) => seat >= 0);
  const isOwn = (/** @type {LogStep} */ { seat }) => own.includes(seat);
  const first = decisions.findIndex((step) => !isOwn(step));
  if (first < 0) return decisions.length ? decisions[0].number - 1 : null;
  const { seat } = decisions[first];
  let at = first;
  // a spectator sees the turn of one seat again, a player those of all others
  while (decisions[at + 1] && (own.length ? !isOwn(decisions[at + 1]) : decisions[at + 1].seat === seat))
    at++;
  return decisions[at].number - 1;
}
