// The WebSocket to the server, opened again whenever it breaks. A network that swallows everything closes
// nothing: if an answer takes too long, the connection is given up.

const HEARTBEAT_MS = 15000; // of quiet, before the server is asked whether it is there
const ANSWER_TIMEOUT_MS = 6000;
const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 8000;

/**
 * Connect, and stay connected. Return the function that sends a message: true if the connection is open.
 * @param {object} handlers
 * @param {string} handlers.url
 * @param {(again: boolean) => void} handlers.onOpen `again`: after a failure
 * @param {(message: any) => void} handlers.onMessage
 * @param {() => void} handlers.onLost
 * @param {() => boolean} handlers.awaitsAnswer is a command still unanswered?
 */
export function connect({ url, onOpen, onMessage, onLost, awaitsAnswer }) {
  /** @type {WebSocket} */
  let socket;
  let failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let heartbeat;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let deadline;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;

  function open() {
    clearTimeout(retry);
    retry = undefined;
    socket = new WebSocket(url);
    socket.onopen = () => {
      const again = failures > 0;
      failures = 0;
      rest();
      onOpen(again);
    };
    socket.onmessage = ({ data }) => {
      onMessage(JSON.parse(data));
      if (!awaitsAnswer()) rest();
    };
    socket.onclose = drop;
    deadline = setTimeout(drop, ANSWER_TIMEOUT_MS);
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
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    onLost();
    retry = setTimeout(open, Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures++));
  }
  /** @param {object} message */
  function send(message) {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    deadline ??= setTimeout(drop, ANSWER_TIMEOUT_MS);
    return true;
  }
  function ping() {
    if (!send({ is: "ping" }) && retry !== undefined) open();
  }

  for (const event of ["online", "offline", "visibilitychange"]) addEventListener(event, ping, true);
  open();
  return send;
}
