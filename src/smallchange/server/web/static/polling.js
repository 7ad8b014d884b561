// Polling, where no WebSocket ever opened, as behind a proxy that lets none through. The page asks for the table
// again and again, and is reloaded when the table has changed.
import { SITE, byId } from "./dom.js";

const INTERVAL_MS = 3000;
const ANSWER_TIMEOUT_MS = 6000;
const { match, ply } = byId("table-data").dataset;
const ownPath = `${SITE}/m/${match}`;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isLeaving = false;
document.addEventListener("submit", (event) => (isLeaving ||= !event.defaultPrevented)); // its answer is the page

/**
 * Begin to poll, once.
 * @param {() => boolean} hasConnection is there a connection after all?
 * @param {(answers: boolean, now: number, tookMs: number) => void} onAnswer
 */
export function poll(hasConnection, onAnswer) {
  timer ??= setTimeout(ask, INTERVAL_MS);
  async function ask() {
    const asked = performance.now();
    const page = hasConnection()
      ? ""
      : await fetch(ownPath, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
          .then((answer) => answer.text())
          .catch(() => "");
    if (hasConnection() || isLeaving) return;
    const [, newPly] = page.match(/ id="table-data"[^>]* data-ply="(\d+)"/) ?? [];
    const [, now] = page.match(/<main [^>]* data-now="(\d+)"/) ?? [];
    onAnswer(newPly !== undefined, Number(now ?? 0), performance.now() - asked);
    if (newPly === undefined || newPly === ply) timer = setTimeout(ask, INTERVAL_MS);
    else if (location.pathname === ownPath) location.reload();
    else location.assign(ownPath); // a form's answer has another address
  }
}
