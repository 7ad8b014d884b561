// The page of a table. The server draws it and knows the rules; here clicks are sent and fragments swapped.
import { announce } from "./announcements.js";
import "./board_size.js";
import { asksFirst, forgetQuestion } from "./ask.js";
import * as choices from "./choices.js";
import { Clocks } from "./clocks.js";
import { connect } from "./connection.js";
import { $, $$, SITE, byId, focus, patch, patchFragments, setAttribute } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { animate, fillTallies, isStill, placesById } from "./motion.js";
import { Playback, SPEEDS_MS, startOfLastTurns } from "./playback.js";
import { cancelDrag, listenToPointer } from "./pointer.js";
import { play } from "./sounds.js";
import { noteNews, rememberControls } from "./press_guard.js";
import { reserveRoom } from "./reserved_room.js";
import { StepRequests, TableSession } from "./session.js";

/**
 * The message `changes`.
 * @typedef {object} TableMessage
 * @property {number} [kept] how many rows of the log stay
 * @property {Record<string, string>} [html] markup by element id
 * @property {string[]} [rows] of the log, oldest first
 * @property {boolean} [over] has the match ended?
 * @property {{at: number, html: Record<string, string>}[]} [turns] before the present one
 */
/** @typedef {{isOther: boolean, show: () => void}} Frame a turn; is it another's? */

const FRAGMENTS = [
  "notice",
  "board",
  "moves",
  "viewer",
  "clocks",
  "result",
  "status",
  "rule",
  "tally",
  "actions",
  "trays",
  "more-actions",
  "seats",
  "steps",
  "table-data",
];
const FOCUSABLE = "[href], button:enabled, input, summary, [tabindex]";
/** @type {Record<string, string>} the new place of the focus, if the element that had it is gone */
const FOCUS_FALLBACK = {
  steps: "#steps",
  "resign-question": "#resign-question summary",
  "more-actions": ".result, #more-actions :is([name=what], [name=yes], [data-copy])",
};
/** @type {typeof import("./rulebook.js") | undefined} once it was opened */
let rulebook;
/** @type {typeof import("./plans.js") | undefined} */
let planner;
const CONNECTED_NOTE_MS = 3000;
const ASK_INTERVAL_MS = 1000; // between questions for the whole table
const FALL_MS = 250; // for which a turn with a throw is seen longer

const log = byId("log");
const connectionStatus = byId("connection");
const hint = byId("hint");
/** @type {HTMLFormElement} */
const form = byId("command-form");
/** @type {Record<string, string>} */
const words = /** @type {any} */ (byId("main").dataset);
const { title } = document;
const stepMs = SPEEDS_MS[document.body.dataset.speed ?? "normal"];
/** @returns {Record<string, string>} */
const facts = () => /** @type {any} */ (byId("table-data").dataset);
const shownStep = () => Number(facts().at);
const { match } = facts();
const tablePath = `${SITE}/m/${match}`;

/** @type {DocumentFragment | null} the fragments of the present, while the page shows an earlier step */
let present = facts().at === facts().length ? null : copyFragments();
let isListOpen = false; // of all moves; on another's turn there is none
let isReplaying = false; // are turns seen once more? Then `present` waits too
const requests = new StepRequests();
/** @type {Playback<Frame>} */
const playback = new Playback({
  show: (frame) => {
    readOrAsk(frame.show);
    refreshReplayButton();
  },
  wait: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
});
const clocks = new Clocks((text) => announce(text));
const session = new TableSession({
  match,
  ply: Number(facts().ply),
  current: !present,
  send: (message) => send(message),
});

// Fragments.
function copyFragments() {
  const copies = document.createDocumentFragment();
  copies.append(...FRAGMENTS.map((id) => byId(id).cloneNode(true)));
  return copies;
}

/**
 * Change the page by `swap`, then bring everything else up to date.
 * @param {() => void} swap
 * @param {{isTurn?: boolean, leavesTrace?: boolean}} [how] is a turn shown, another's? A look back moves nothing
 */
function update(swap, { isTurn = false, leavesTrace = false } = {}) {
  const isSeen = leavesTrace || !isStill();
  const before = isSeen && (isTurn || !present) ? placesById() : new Map();
  const focused = document.activeElement;
  const focusedPart = focused?.closest("#steps, #resign-question, #more-actions")?.id ?? "";
  const { ply } = facts();
  const list = $("#move-details");
  isListOpen = list ? list.hasAttribute("open") : isListOpen;
  rememberControls();
  swap();
  $("#move-details")?.toggleAttribute("open", isListOpen);
  const isNews = isTurn || ply !== facts().ply;
  if (isNews) {
    $("#ahead")?.remove(); // what could be planned before
    forgetQuestion();
    cancelDrag();
    noteNews();
    /** @type {HTMLInputElement[]} */
    const boxes = $$("input[name=marks]");
    for (const box of boxes) box.checked = false;
    choices.showRefusal("");
    choices.showHint();
  }
  choices.dropStaleSelection();
  choices.refresh();
  animate(before, { isNews: isNews || present !== null, leavesTrace });
  const status = $(".status-text");
  if (status) requestAnimationFrame(() => (status.scrollTop = 0));
  if (isNews) {
    rulebook?.refreshRulebook();
    for (const question of $$(".confirmation")) question.removeAttribute("open"); // to give up is asked anew
  }
  const active = /** @type {HTMLElement} */ (document.activeElement);
  if (focused !== document.body && !(active.checkVisibility() && active.matches(FOCUSABLE))) {
    const fallback = $(FOCUS_FALLBACK[focusedPart] ?? ".picked") ?? $(".live, .result");
    focus(fallback ?? $("#actions .buttons :enabled") ?? byId("board"));
  }
  choices.showPreview(); // what has just happened is to be read first
}

// The connection.
/** @param {boolean} again after a failure */
function onOpen(again) {
  connectionStatus.dataset.is = "open";
  if (again) {
    showConnection(words.online);
    setTimeout(() => connectionStatus.textContent === words.online && showConnection(""), CONNECTED_NOTE_MS);
  }
  session.follow();
}
/** @param {boolean} answers does the server? @param {number} now its time, if the table has a clock @param {number} tookMs */
function onAnswer(answers, now, tookMs) {
  clocks.setCut(!answers);
  if (now) clocks.synchronize(now, tookMs);
  showConnection(answers ? "" : words.offline);
}
function onLost() {
  session.disconnect();
  if (session.connection === "never") {
    const hasConnection = () => session.connection !== "never";
    import("./polling.js")
      .then(({ poll }) => poll(hasConnection, onAnswer))
      .catch(() => onAnswer(false, 0, 0));
    return;
  }
  connectionStatus.dataset.is = "cut";
  clocks.setCut(true);
  showConnection(session.closingReason || cutReason());
}
// A move that was made while the connection is cut waits for it, as does anything else that one has chosen.
const cutReason = () => {
  const waits = session.pending?.is === "act" ? words.moveWaits : words.choiceWaits;
  return (session.pending ? waits : words.offline) ?? "";
};

// It waits on this page alone: leaving it is asked about.
addEventListener("beforeunload", (event) => {
  if (session.pending && session.connection === "cut") event.preventDefault();
});

/** @param {string} text "" for nothing */
function showConnection(text) {
  if (connectionStatus.textContent !== text) connectionStatus.textContent = text;
  connectionStatus.hidden = !text;
}
// Say that something could not be fetched. An answer to the ping removes the note.
function showOffline() {
  showConnection(words.offline);
  send({ is: "ping" });
}
/** Open what a link leads to. Throw without a connection. @param {HTMLAnchorElement} link */
async function openRulebook(link) {
  rulebook ??= await import("./rulebook.js");
  await rulebook.openRulebook(link);
}
/** Plan a move for later. @param {MouseEvent} [click] on the board */
async function plan(click) {
  planner ??= await import("./plans.js");
  await planner.beginPlanning(click);
}
/** Open a fold, or shut it, and go there. @param {string} id */
function openFold(id) {
  const fold = document.getElementById(id);
  if (!fold?.toggleAttribute("open")) return;
  focus(/** @type {HTMLElement} */ ($("summary", fold)));
  fold.scrollIntoView({ block: "nearest" });
}
function showTip() {
  if (!$(".result")) return;
  import("./tip.js").then((tip) => tip.showTip(match)).catch(() => {}); // without a connection there is none
}

// Whatever cannot be read, the whole table is asked for instead, but not all the time.
let asksAgainAt = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
/** @param {() => void} read shows what was sent */
function readOrAsk(read) {
  try {
    read();
  } catch (wrong) {
    console.warn(wrong);
    asking ??= setTimeout(
      () => {
        asking = undefined;
        asksAgainAt = performance.now() + ASK_INTERVAL_MS;
        session.askAnew();
      },
      Math.max(0, asksAgainAt - performance.now()),
    );
  }
}

/** @param {any} message */
function onMessage(message) {
  if ([words.offline, words.moveWaits, words.choiceWaits].includes(connectionStatus.textContent ?? ""))
    showConnection("");
  if (message.now) clocks.synchronize(message.now, message.roundTripMs);
  if (["changes", "unchanged"].includes(message.is)) clocks.setCut(false);
  const effect = session.receive(message);
  choices.setWaiting(session.pending !== null);
  if (effect?.event === "table") onTable(message, effect);
  else if (effect?.event === "done") {
    choices.refresh();
    pressQueuedButton();
  } else if (message.is === "spectators") showWatchers(message.text);
  else if (effect?.event === "closing") showConnection(session.closingReason);
  else if (effect?.event === "hint" && !present) {
    choices.showHint(message);
    choices.refresh();
  } else if (effect?.event === "refused") {
    choices.showRefusal(effect.reason);
    choices.showHint();
    choices.refresh();
  }
}

/** @param {string} text how many people are watching; empty for nobody */
function showWatchers(text) {
  const note = byId("watchers");
  note.textContent = text;
  note.hidden = !text;
}

/** @param {TableMessage} message @param {{isNew: boolean, isOwn: boolean, conflict: string}} effect */
function onTable(message, effect) {
  const { kept = 0, html = {}, rows = [], over = false, turns = [] } = message;
  if (isReplaying || effect.isOwn || document.hidden) playback.skip();
  const seats = rows.map((row) => Number(row.match(/class="seat-(\d+)"/)?.[1] ?? -1));
  let from = kept;
  const frames = [...turns, { at: Infinity, html }].map((turn, i) => {
    const added = rows.slice(from - kept, turn.at - kept);
    const seat = seats.slice(from - kept, turn.at - kept).find((one) => one >= 0);
    const isOther = seat !== undefined && !ownSeats().includes(seat);
    const isLast = i === turns.length;
    const [upTo, isFirst] = [from, i === 0];
    from = turn.at;
    const show = () => {
      showTurn(turn.html, {
        kept: isFirst ? kept : upTo,
        rows: added,
        over: isLast && over,
        isLast,
        isOther,
        effect,
      });
    };
    return { isOther, show, isFalling: added.some((row) => row.includes('class="chance')) };
  });
  for (const { isOther, show, isFalling } of frames) {
    if (present || isStill() || document.hidden) playback.skip();
    if (present || isStill() || document.hidden || !rows.length) {
      playback.skip();
      readOrAsk(show);
    } else playback.add({ isOther, show }, stepMs + (isFalling && isOther ? FALL_MS : 0));
  }
  refreshReplayButton();
}

/**
 * Show the table after a turn, or after anything else that has happened.
 * @param {Record<string, string>} html
 * @param {object} turn
 * @param {number} turn.kept rows of the log that stay
 * @param {string[]} turn.rows that follow them
 * @param {boolean} turn.over
 * @param {boolean} turn.isLast is this the present?
 * @param {boolean} turn.isOther was it another's?
 * @param {{isNew: boolean, isOwn: boolean, conflict: string}} turn.effect
 */
function showTurn(html, { kept, rows, over, isLast, isOther, effect: { isNew, isOwn, conflict } }) {
  const rowsBefore = newestRow();
  const ends = over && !(present ?? document).querySelector(".result"); // what comes later is no end
  seenFromEnd ??= log.scrollTop - log.scrollHeight;
  const changeRows = () => {
    for (const row of $$("li", log)) if (rowNumber(row) > kept) row.remove();
    log.insertAdjacentHTML("afterbegin", [...rows].reverse().join(""));
  };
  if (present) {
    changeRows();
    const hasMoved = ends || rows.length > 0 || newestRow() !== rowsBefore; // else an offer, or its answer
    patchFragments(present, html);
    choices.refresh();
    if (isOwn && hasMoved) showPresent();
    else if (isNew && isLast)
      showStep(requests.target ?? shownStep(), hasMoved ? words[ends ? "over" : "moved"] : "");
  } else {
    const swap = () => {
      changeRows();
      patchFragments(document, html);
    };
    update(swap, { isTurn: !isLast, leavesTrace: isOther });
    const added = $$("li", log)
      .filter((row) => rowNumber(row) > rowsBefore)
      .reverse();
    const isShorter = newestRow() < rowsBefore;
    announce(
      isShorter ? words.takenBack : "",
      added.map((row) => $(".log-text", row)?.textContent ?? ""),
      isLast && isOther && byId("seats").dataset.call && !over ? (words.yourTurn ?? "") : "",
    );
  }
  scrollToRows(rows.length > 0);
  if (over) fillTallies();
  if (ends) play("end");
  showTip();
  if (ends) goOnInTournament(`/m/${match}`);
  if (!isLast) return;
  goToRematch();
  if (conflict) choices.showRefusal(conflict);
  markShownRow();
  showTurnInTitle();
  if (over) showEndInTitle();
  pressQueuedButton();
}

// Whoever has played is taken along: to the rematch as it opens, and from the end to the next match of a tournament.
const rematch = () => (present ?? document).querySelector("#rematch[data-follow]");
const hadRematch = rematch() !== null;
function goToRematch() {
  const href = rematch()?.getAttribute("href");
  if (href && !hadRematch) location.assign(href);
}
/** @param {string} [known] the path of the match that has ended just now */
async function goOnInTournament(known) {
  /** @type {HTMLElement | null} */
  const link = $("[data-news]");
  if (!link || !ownSeats().length) return;
  const { goToNextMatch } = await import("./next_match.js");
  goToNextMatch(link.dataset.news ?? "", known);
}

// Rows that come push no others down: the log scrolls to them, unless somebody reads further below. To that one
// scrolls by hand; the log's own way to its newest rows, which may still go on, counts for nothing.
let isScrolledByHand = false;
let isReadBelow = false;
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
  log.addEventListener(kind, () => (isScrolledByHand = true), { passive: true });
log.addEventListener("scroll", () => {
  if (isScrolledByHand) isReadBelow = log.scrollTop > 0;
});
/** @type {number | null} the place of the log that was seen before rows came */
let seenFromEnd = null;
const scrollToTop = () => log.scrollTo({ top: 0, behavior: isStill() ? "auto" : "smooth" });
/** @param {boolean} isNew have rows come? */
function scrollToRows(isNew) {
  isScrolledByHand = false;
  requestAnimationFrame(() => {
    if (seenFromEnd !== null) log.scrollTop = seenFromEnd + log.scrollHeight;
    seenFromEnd = null;
    if (!isReadBelow && isNew) requestAnimationFrame(scrollToTop); // once the rows were painted where they are
  });
}

const ownSeats = () => (byId("seats").dataset.yours ?? "").split(" ").filter(Boolean).map(Number);

// Seeing the last turns again. A button does it, and skips what is shown one after another.
const replayButton = /** @type {HTMLButtonElement} */ (byId("replay"));
replayButton.disabled = false;
refreshReplayButton(); // its name
replayButton.addEventListener("click", () => (playback.isPlaying ? playback.skip() : replay()));

function refreshReplayButton() {
  const { isPlaying } = playback;
  const { skip = "", again = "" } = replayButton.dataset;
  if (replayButton.ariaLabel !== (isPlaying ? skip : again))
    replayButton.ariaLabel = isPlaying ? skip : again;
  replayButton.title = replayButton.ariaLabel ?? "";
  byId("main").classList.toggle("playing", isPlaying);
}

async function replay() {
  const steps = $$("li", log).map((row) => {
    const seat = Number(row.className.match(/seat-(\d+)/)?.[1] ?? -1);
    return { number: rowNumber(row), seat };
  });
  const after = startOfLastTurns(steps, ownSeats());
  if (after === null) return;
  showPresent();
  const { ply } = facts();
  const path = `${tablePath}/turns?after=${after}&lang=${document.documentElement.lang}`;
  const found = await fetchJson(path);
  if (!found) return showOffline();
  if (
    present ||
    playback.isPlaying ||
    String(found.ply) !== ply ||
    facts().ply !== ply ||
    !found.turns.length
  )
    return;
  present = copyFragments();
  isReplaying = true;
  for (const { html } of found.turns) {
    const show = () => update(() => patchFragments(document, html), { isTurn: true, leavesTrace: true });
    playback.add({ isOther: true, show }, (stepMs || SPEEDS_MS.normal) + FALL_MS);
  }
  const show = () => {
    isReplaying = false;
    const fragments = present;
    present = null;
    if (fragments) update(() => patchFrom(fragments), { isTurn: true, leavesTrace: true });
  };
  playback.add({ isOther: true, show }, 0);
  refreshReplayButton();
}

/** @param {string} path @returns {Promise<any>} null without an answer */
const fetchJson = (path) =>
  fetch(path)
    .then((answer) => answer.ok && answer.json())
    .catch(() => null);

/** @param {HTMLElement} row */
const rowNumber = (row) => Number(row.id.slice("log-".length));

// Return the number of the last step in the log. The log of a long table does not reach back to the first.
function newestRow() {
  const row = /** @type {HTMLElement | null} */ (log.firstElementChild);
  return row ? rowNumber(row) : 0;
}

// Press the button that was pressed while a command was pending, if the new table still has it.
function pressQueuedButton() {
  const queued = session.takeQueued();
  if (!queued) return;
  const buttons = /** @type {HTMLButtonElement[]} */ ([...form.elements]);
  const button = buttons.find(
    (el) => !el.disabled && el.formAction === queued.formAction && el.value === queued.value,
  );
  if (button) form.requestSubmit(button);
}

function newMoveId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/]/g, "-");
}

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  const kind = (button.getAttribute("formaction") ?? form.action).split("/").at(-1) ?? "";
  const { formAction, value } = button;
  if (kind === "hint" && button.name === "step") return; // a hint that came without script goes on without it
  if (kind === "hint" && choices.showNextHint()) {
    event.preventDefault();
    choices.refresh();
    return;
  }
  if (kind === "act" && asksFirst(button)) return event.preventDefault();
  forgetQuestion();
  const outcome = session.submit(kind, { formAction, value }, newMoveId);
  if (outcome === "post") return;
  event.preventDefault();
  if (outcome === "hint") choices.showHint({ text: hint.dataset.wait });
  if (outcome === "command") {
    choices.rememberFocus();
    if (kind !== "answer") choices.clearSelection(); // an offer interrupts no move
    choices.setWaiting(true);
    if (session.connection === "cut") showConnection(cutReason());
  }
});

// Show in the title that it is the player's turn, for a player who looks elsewhere.
function showTurnInTitle() {
  const seats = present ? present.getElementById("seats") : byId("seats");
  const call = seats?.dataset.call;
  const wanted = call ? `${call} · ${title}` : title;
  if (document.title !== wanted) document.title = wanted;
}

// Say in the title that the game is over, to whoever looks elsewhere when it ends.
function showEndInTitle() {
  if (document.hidden) document.title = `${words.over} · ${title}`;
}

// Looking back. A new move is announced, but the page stays at the step that it shows.
/** @param {string} to the number of a step, or "now" */
function goTo(to) {
  playback.skip();
  if (to === "now" || Number(to) >= newestRow()) showPresent();
  else showStep(Number(to));
}
let left = { ply: -1, selection: /** @type {string[]} */ ([]) }; // what was picked when the present was left
/** @param {number} at @param {string} [news] what has happened meanwhile */
async function showStep(at, news = "") {
  const isLatest = requests.start(at);
  const path = `${tablePath}/look?at=${at}&lang=${document.documentElement.lang}`;
  const shown = await fetchJson(path);
  if (!isLatest()) return;
  requests.target = null;
  if (!shown) return showOffline();
  if (shown.at === shown.length) return showPresent(); // the game has become shorter
  if (!present) left = { ply: shown.ply, selection: choices.selection() };
  present ??= copyFragments();
  turnTo(`?at=${at}`, () => patchFragments(document, shown.html));
  choices.showRefusal(news);
}
function showPresent() {
  const fragments = present;
  requests.cancel();
  if (!fragments) return;
  if (!session.current) return location.assign(tablePath);
  present = null;
  turnTo("", () => patchFrom(fragments));
  if (String(left.ply) === facts().ply) choices.select(left.selection);
}
/** @param {DocumentFragment} fragments */
function patchFrom(fragments) {
  for (const id of FRAGMENTS) patch(byId(id), fragments.getElementById(id));
}
/** @param {string} query @param {() => void} swap */
function turnTo(query, swap) {
  history.replaceState(null, "", `${tablePath}${query}`);
  choices.clearSelection();
  choices.showRefusal("");
  choices.showHint(); // a hint is of the present
  session.hintPly = null;
  update(swap);
  announce();
  markShownRow();
}
function markShownRow() {
  const links = $$("a", log);
  const shown = links.find((link) => link.dataset.to === facts().at);
  for (const link of links) {
    setAttribute(link, "aria-current", link === shown ? "step" : null);
    setAttribute(link, "tabindex", link === (shown ?? links.at(-1)) ? 0 : -1); // one stop for Tab: arrows go on
  }
}
/** @param {number} by */
function stepBy(by) {
  const at = (requests.target ?? shownStep()) + by;
  if (at < 0 || at > newestRow()) return;
  goTo(String(at));
  if (log.contains(document.activeElement)) $(`#log-${at} a`)?.focus();
}

// Input. While turns are shown one after another, a touch or a key on the table skips them, and does nothing else.
const SKIPPABLE = "#board, #trays, #dice, #actions, #replay";
const SKIP_KEYS = new Set(["Enter", " ", "Escape"]);
let hasSkipped = false; // by the touch whose click follows
document.addEventListener(
  "pointerdown",
  (event) => {
    const isAtTable = /** @type {Element} */ (event.target).closest(SKIPPABLE) !== null;
    hasSkipped = playback.isPlaying && isAtTable;
    if (hasSkipped) event.stopPropagation();
    playback.skip();
  },
  true,
);
document.addEventListener(
  "click",
  (event) => {
    if (hasSkipped) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    hasSkipped = false;
  },
  true,
);
document.addEventListener(
  "keydown",
  (event) => {
    if (!playback.isPlaying || ["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    playback.skip();
    if (!SKIP_KEYS.has(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.detail > 1 && target.closest("#actions button, #more-actions button"))
    return event.preventDefault(); // it would hit what came instead
  if (event.ctrlKey || event.metaKey) return;
  /** @type {HTMLAnchorElement | null} */
  const step = target.closest("a[data-to]");
  /** @type {HTMLAnchorElement | null} */
  const book = target.closest("#to-rules, #to-reference");
  /** @type {HTMLElement | null} */
  const copy = target.closest("[data-copy]");
  const ahead = $("#plan-ahead") && !present && session.connection === "open";
  const waits = ahead && !$("#actions [name=token], #ahead");
  if (target.closest("#plan-ahead") && ahead) {
    event.preventDefault();
    if (waits) plan().catch(showOffline);
  } else if (waits && target.closest("#board, #trays")) plan(event).catch(showOffline);
  else if (step) {
    event.preventDefault();
    goTo(step.dataset.to ?? "now");
  } else if (target.closest("#to-more, #to-moves")) {
    event.preventDefault();
    openFold(target.closest("#to-moves") ? "move-details" : "more");
  } else if (book) {
    event.preventDefault();
    openRulebook(book).catch(showOffline);
  } else if (copy) import("./clipboard.js").then(({ copyLink }) => copyLink(copy)).catch(showOffline);
  else if (target.closest("#share") && "share" in navigator) {
    event.preventDefault();
    const text = [$("h1")?.textContent, $(".result")?.textContent].join(": ");
    navigator.share({ text, url: location.origin + tablePath }).catch(() => {}); // it was closed again
  }
});
document.addEventListener("change", choices.refresh);
document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType === "mouse") choices.showPreview(/** @type {Element} */ (target));
});
document.addEventListener("focusin", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.matches(":focus-visible")) choices.showPreview(target);
});
addEventListener("pageshow", (event) => event.persisted && location.reload());
listenToPointer();
listenToKeys({
  step: stepBy,
  escape: () => {
    if (rulebook?.closeRulebook()) return;
    if ($("#ask")) forgetQuestion();
    else if (choices.hasSelection()) choices.select([]);
    else if (present || requests.target !== null) showPresent();
    else if (!planner?.endPlanning()) $("#drop-plan")?.click();
  },
  openRules: () => rulebook?.closeRulebook() || byId("to-rules").click(),
  askForHint: () => $("#ask-hint")?.click(),
  undo: () => $("#undo")?.click(),
});
document.documentElement.classList.add("scripted");
if (words.now) clocks.synchronize(Number(words.now));
markShownRow();
showTurnInTitle();
choices.refresh();
showTip();
if ($(".result")) goOnInTournament();
const slot = $(".status-slot");
if (slot) reserveRoom(slot);
const send = connect({
  url: `${location.origin.replace("http", "ws")}${SITE}/ws?lang=${document.documentElement.lang}`,
  onOpen,
  onMessage: (message) => readOrAsk(() => onMessage(message)),
  onLost,
  awaitsAnswer: () => session.pending !== null,
});
