// The state of one table on this page, apart from the page: the version shown, the command that waits for its
// answer, and the connection. A command keeps its move id when it is sent again, so it takes effect once.

/** @typedef {{is: string, match: string, ply: number, move: string, token?: string, what?: string, yes?: boolean, lines?: string[][], more?: boolean}} Command */
/** @typedef {{formAction: string, value: string}} Button */
/** @typedef {{is: string, match?: string, ply?: number, move?: string, ack?: string, why?: string}} Message */

export const COMMANDS = ["act", "undo", "resign", "offer", "answer", "abort", "claim", "plan"];
const NOTHING_KNOWN = -1; // as a ply: the server then sends the whole table

/** @param {string} kind @param {string} value of the button @returns {Partial<Command>} */
function argumentsOf(kind, value) {
  if (kind === "act") return { token: value };
  if (kind === "offer" || kind === "claim") return { what: value };
  if (kind === "plan") return value ? { lines: [value.split(" ")], more: true } : { lines: [] };
  return kind === "answer" ? { yes: value === "1" } : {};
}

export class TableSession {
  /** @type {"never" | "open" | "cut"} "never": no connection has been opened yet */
  connection = "never";
  closingReason = ""; // why the server is about to close the connection
  /** @type {Command | null} sent, not answered yet */
  pending = null;
  /** @type {Button | null} pressed while another command was pending */
  queued = null;
  /** @type {number | null} the ply that a hint was asked for, until it comes */
  hintPly = null;
  #lastHintPly = Infinity;
  #conflict = ""; // why a command lost to another one; shown with the table that follows

  /**
   * @param {object} start
   * @param {string} start.match
   * @param {number} start.ply the version of the table on the page
   * @param {boolean} start.current false if the page shows an earlier step and nothing of the present
   * @param {(message: object) => boolean} start.send sends a message; false if there is no open connection
   */
  constructor({ match, ply, current, send }) {
    this.match = match;
    this.ply = ply;
    this.current = current;
    this.send = send;
  }

  // Follow the table over a new connection, from the version known, and send unanswered messages again.
  follow() {
    this.connection = "open";
    this.closingReason = "";
    this.send({ is: "watch", match: this.match, ply: this.current ? this.ply : NOTHING_KNOWN });
    if (this.pending) this.send(this.pending);
    else if (this.hintPly !== null) this.send({ is: "hint", match: this.match, ply: this.hintPly });
  }

  // Ask for the whole table: what came could not be read.
  askAnew() {
    this.current = false;
    this.send({ is: "watch", match: this.match, ply: NOTHING_KNOWN });
  }

  // Note that the connection is lost, or could not be opened.
  disconnect() {
    if (this.connection !== "never") this.connection = "cut";
  }

  /**
   * Act on a button. Return "post" to post the form as without script, "block" to do nothing, or the kind of
   * the message that was sent: a "hint" or a "command".
   * @param {string} kind
   * @param {Button} button
   * @param {() => string} newMoveId
   * @returns {"post" | "block" | "hint" | "command"}
   */
  submit(kind, button, newMoveId) {
    const { match, ply } = this;
    const isCommand = COMMANDS.includes(kind);
    if (this.connection === "cut" && !isCommand) return "block";
    if (this.pending) {
      // A double click acts once, and what is offered is answered or lapses with the move that is pending.
      if (!["act", "answer", this.pending.is].includes(kind)) this.queued = button;
      return "block";
    }
    // A hint may take long; the ping is answered before it, so the connection is not taken for broken.
    if (kind === "hint" && this.send({ is: "hint", match, ply }) && this.send({ is: "ping" })) {
      this.hintPly = this.#lastHintPly = ply;
      return "hint";
    }
    if (!isCommand) return "post";
    /** @type {Command} */
    const command = { is: kind, match, ply, move: newMoveId(), ...argumentsOf(kind, button.value) };
    if (!this.send(command) && this.connection === "never") return "post";
    this.pending = command;
    return "command";
  }

  /**
   * Apply a message of the server. Return its effect on the page; null for none.
   * @param {Message} message
   */
  receive(message) {
    switch (message.is) {
      case "changes":
        return this.#tableShown(message.ply ?? 0, message.ack);
      case "ack":
        if (!message.move || message.move !== this.pending?.move) return null;
        this.pending = null;
        return { event: /** @type {const} */ ("done") };
      case "hint-found":
        if (message.ply !== this.ply) return null;
        this.hintPly = null;
        return { event: /** @type {const} */ ("hint") };
      case "closing":
        this.closingReason = message.why ?? "";
        return { event: /** @type {const} */ ("closing") };
      case "conflict":
      case "refusal":
        return this.#refused(message);
      default:
        return null;
    }
  }

  /** @param {number} ply @param {string} [ack] the command that this confirms; others may have changed it before */
  #tableShown(ply, ack) {
    const isNew = ply !== this.ply;
    const isOwn = this.pending !== null && ply > this.pending.ply;
    const conflict = this.#conflict;
    this.ply = ply;
    this.current = true;
    this.#conflict = "";
    if (ack && ack === this.pending?.move) this.pending = null;
    if (isNew) this.hintPly = null;
    return { event: /** @type {const} */ ("table"), isNew, isOwn, conflict };
  }

  /** @param {Message} message */
  #refused(message) {
    const isOfHint = message.match && !message.move;
    if (isOfHint && (this.pending || this.#lastHintPly < this.ply)) return null; // too late to matter
    const reason = message.why ?? "";
    this.pending = this.queued = this.hintPly = null;
    if (message.is === "conflict") this.#conflict = reason;
    return { event: /** @type {const} */ ("refused"), reason };
  }

  // Return the button that was pressed while another command was pending, once that is answered.
  takeQueued() {
    if (this.pending) return null;
    const button = this.queued;
    this.queued = null;
    return button;
  }
}

// Requests for a step of the table. Steps are fetched; only the last request counts.
export class StepRequests {
  /** @type {number | null} */
  target = null;
  #count = 0;

  /** @param {number} step @returns {() => boolean} is this still the last request? */
  start(step) {
    const mine = ++this.#count;
    this.target = step;
    return () => mine === this.#count;
  }
  cancel() {
    this.#count++;
    this.target = null;
  }
}
