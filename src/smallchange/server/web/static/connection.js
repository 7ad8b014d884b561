// The WebSocket to the server, opened again whenever it breaks. A network that swallows everything closes
// nothing: if an answer takes too long, the connection is given up. It is noticed within ten seconds, and the
// network's return within three: while nothing answers, new attempts begin beside those that may still succeed.

const HEARTBEAT_MS = 4000; // of quiet, before the server is asked whether it is there
const ANSWER_TIMEOUT_MS = 5500;
const OPEN_TIMEOUT_MS = 10_000; // of an attempt
const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 2000;

/** @param {string} data @returns {any} a message; null if it is none */
function parse(data) {
  try {
    const message = JSON.parse(data);
    return message?.is ? message : null;
  } catch {
    return null;
  }
}

/**
 * Connect, and stay connected. Return the function that sends a message: true if the connection is open.
 * @param {object} handlers
 * @param {string} handlers.url
 * @param {(again: boolean) => void} handlers.onOpen `again`: after a failure
 * @param {(message: any) => void} handlers.onMessage with the time that the answer to a ping took, as `roundTripMs`;
 *   null for what cannot be read
 * @param {() => void} handlers.onLost
 * @param {() => boolean} handlers.awaitsAnswer is a command still unanswered?
 */
export function connect({ url, onOpen, onMessage, onLost, awaitsAnswer }) {
  /** @type {WebSocket | undefined} */
  let socket;
  /** @type {Set<WebSocket>} not open yet */
  const attempts = new Set();
  /** @type {number[]} the times of the pings that are not answered yet */
  let pings = [];
  let failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let heartbeat;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let deadline;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;

  function open() {
    const attempt = new WebSocket(url);
    attempts.add(attempt);
    attempt.onopen = () => begin(attempt);
    attempt.onclose = () => fail(attempt);
    setTimeout(() => fail(attempt), OPEN_TIMEOUT_MS);
    openLater(MAX_RETRY_MS);
  }
  /** @param {number} ms */
  function openLater(ms) {
    clearTimeout(retry);
    retry = setTimeout(open, ms);
  }
  /** @param {WebSocket} attempt */
  function leave(attempt) {
    attempts.delete(attempt);
    attempt.onopen = attempt.onmessage = attempt.onclose = null;
    attempt.close();
  }
  /** @param {WebSocket} attempt */
  function fail(attempt) {
    if (!attempts.has(attempt)) return;
    leave(attempt);
    onLost();
    if (!attempts.size) openLater(Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures++));
  }
  /** @param {WebSocket} attempt */
  function begin(attempt) {
    clearTimeout(retry);
    retry = undefined;
    attempts.delete(attempt);
    for (const other of [...attempts]) leave(other);
    socket = attempt;
    socket.onmessage = ({ data }) => {
      const message = parse(data);
      if (message?.is === "busy") return stopTimers(); // it answers when it can
      if (message?.is === "pong") message.roundTripMs = performance.now() - (pings.shift() ?? -Infinity);
      onMessage(message);
      if (!awaitsAnswer()) rest();
    };
    socket.onclose = drop;
    pings = [];
    const again = failures > 0;
    failures = 0;
    rest();
    onOpen(again);
    ping(); // whose answer says how late messages are
  }
  function stopTimers() {
    clearTimeout(deadline);
    clearTimeout(heartbeat);
    deadline = undefined;
  }
  function rest() {
    stopTimers();
    heartbeat = setTimeout(ping, HEARTBEAT_MS);
  }
  function drop() {
    stopTimers();
    if (socket) leave(socket);
    socket = undefined;
    onLost();
    openLater(Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures++));
  }
  /** @param {object} message */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    deadline ??= setTimeout(drop, ANSWER_TIMEOUT_MS);
    return true;
  }
  function ping() {
    if (send({ is: "ping" })) pings.push(performance.now());
    else if (!socket) open();
  }

  for (const event of ["online", "offline", "visibilitychange"]) addEventListener(event, ping, true);
  open();
  return send;
}
