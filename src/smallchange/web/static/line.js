// The line to the server, opened again whenever it breaks. One that swallows what is said never closes by
// itself: who gets no answer for too long takes it for broken.
const BEAT = 15000, PATIENCE = 6000, LONGEST = 8000; // milliseconds: of quiet, for an answer, between two tries

// `opened(again)`, `heard(message)` and `lost()` are told; `owed()`: is an answer to a move still to come?
export function listen({ opened, heard, lost, owed }) {
  let socket, tries = 0, beat, limit, next;

  function connect() {
    next = clearTimeout(next);
    socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws?lang=${document.documentElement.lang}`);
    socket.onopen = () => {
      const again = tries > 0;
      tries = 0;
      rest();
      opened(again);
    };
    socket.onmessage = ({ data }) => {
      heard(JSON.parse(data));
      if (!owed()) rest();
    };
    socket.onclose = drop;
    limit = setTimeout(drop, PATIENCE);
  }
  function rest() {
    limit = clearTimeout(limit);
    clearTimeout(beat);
    beat = setTimeout(ask, BEAT);
  }
  function drop() {
    limit = clearTimeout(limit);
    clearTimeout(beat);
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    lost();
    next = setTimeout(connect, Math.min(LONGEST, 300 * 2 ** tries++));
  }
  function send(message) {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    limit ??= setTimeout(drop, PATIENCE);
    return true;
  }
  const ask = () => send({ is: "ping" }) || (next && connect());

  for (const event of ["online", "offline", "visibilitychange"]) addEventListener(event, ask, true);
  connect();
  return send;
}
