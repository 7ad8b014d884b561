// The page of a table. The server draws it and knows the rules; here clicks are sent and fragments swapped.
"use strict";
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const [main, log, line, why, deed] = ["main", "log", "line", "why", "deed"].map((id) => document.getElementById(id));
const parts = ["to-rules", "notice", "board", "status", "tally", "act", "trays", "deeds", "seats", "steps"];
const facts = () => $("#board").dataset;
const { match } = facts();
const still = matchMedia("(prefers-reduced-motion: reduce)");
let ply = +facts().ply, back = facts().at !== facts().length;
let now = Object.fromEntries(back ? [] : parts.map((id) => [id, document.getElementById(id).outerHTML]));
let pick = [], socket, tries = 0, drag, dragged, sent, audio;

// Patching: what has the same id stays the same node, so that focus and motion are kept.
function patch(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) return old.replaceWith(fresh);
  if (old.nodeType !== 1) return void (old.data !== fresh.data && (old.data = fresh.data));
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const keyed = (node) => new Map([...node.children].filter((child) => child.id).map((child) => [child.id, child]));
  const had = keyed(old), has = keyed(fresh);
  for (const [id, child] of had) if (!has.has(id)) child.remove();
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const kept = child.id ? had.get(child.id) : at && !at.id && at.nodeName === child.nodeName ? at : null;
    if (kept === at && at) at = at.nextSibling;
    else old.insertBefore(kept ?? child, at);
    if (kept) patch(kept, child);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
function show(html) {
  const before = places(), focused = document.activeElement, then = facts().ply;
  for (const [id, markup] of Object.entries(html)) {
    const fresh = document.createElement("template");
    fresh.innerHTML = markup;
    patch(document.getElementById(id), fresh.content.firstElementChild);
  }
  if (then !== facts().ply) $$("input[name=marks]").forEach((box) => (box.checked = false)), (why.textContent = "");
  if (!choices().some(({ path }) => starts(path, pick))) pick = [];
  refresh();
  slide(before);
  if (focused !== document.body && !(focused.isConnected && focused.matches("[href], button, input, summary, [tabindex]")))
    ($(".live") ?? $("#act button:enabled") ?? $("#board")).focus({ preventScroll: true });
}

// Motion: under a second, ended by any touch or key, none where motion is reduced.
const said = (el) => el.getAttribute("aria-label") ?? $("[aria-label]", el)?.getAttribute("aria-label");
const moving = () => (still.matches || back ? [] : $$("a.piece, .die-pick"));
const places = () => new Map(moving().map((el) => [el.id, [el.getBoundingClientRect(), said(el)]]));
function slide(before) {
  let n = 0;
  for (const el of before.size ? moving() : []) {
    const [was, words] = before.get(el.id) ?? [], is = el.getBoundingClientRect();
    if (was && el.matches(".piece") && Math.hypot(was.x - is.x, was.y - is.y) > 3) {
      const unit = el.ownerSVGElement.getScreenCTM().a;
      const from = `${(was.x - is.x) / unit}px ${(was.y - is.y) / unit}px`;
      el.animate({ translate: [from, "0 0"] }, { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" });
      tone(330, 0);
    }
    const fell = el.matches(".just-rolled, :has(.rolled)") && words !== said(el) && (el.matches(".piece") ? $(".body, g", el) : $(".alone", el));
    if (!fell) continue;
    const delay = Math.min(300, 40 * n++);
    fell.animate({ rotate: ["0deg", "12deg", "-5deg", "0deg"], scale: ["1", ".7 1", "1.08 1", "1"] }, { duration: 360, delay });
    tone(620 + 60 * n, delay / 1000);
  }
}
function tone(pitch, delay) {
  if (!audio) return;
  const [voice, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + delay];
  voice.frequency.value = pitch;
  gain.gain.setValueAtTime(0.08, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
  voice.connect(gain).connect(audio.destination);
  voice.start(at);
  voice.stop(at + 0.1);
}

// Touching: what can be touched next is what the listed choices say.
const starts = (path, head) => head.every((id, i) => path[i] === id);
const choices = () => $$("#act [data-path]:not(#fits *)").map((button) => ({ button, path: button.dataset.path.split(" ") }));
function touch(id) {
  const fits = (path) => choices().filter((choice) => starts(choice.path, path));
  const exact = fits(pick).find(({ path }) => path.length === pick.length);
  if (pick.at(-1) === id) return exact ? exact.button.click() : choose([]);
  const path = fits([...pick, id]).length ? [...pick, id] : [id];
  const found = fits(path);
  if (!found.length) return refuse();
  if (found.length === 1 && found[0].path.length === path.length) found[0].button.click();
  else choose(path);
}
function choose(path) {
  pick = path;
  why.textContent = "";
  refresh();
}
function refuse() {
  const { why: now, notThere } = facts();
  why.textContent = pick.length ? notThere : now;
  pick = [];
  refresh();
}
function refresh() {
  const on = sent ? [] : choices().filter(({ path }) => starts(path, pick)); // nothing is live until answered
  for (const el of $$("#board a, #trays a")) {
    const id = el.id.slice(2), next = on.filter(({ path }) => path[pick.length] === id);
    const first = choices().some(({ path }) => path[0] === id);
    el.dataset.said ??= el.getAttribute("aria-label") ?? "";
    el.classList.toggle("live", next.length > 0);
    el.classList.toggle("dim", first && !next.length);
    el.classList.toggle("picked", pick.includes(id));
    const goal = next.length === 1 && next[0].path.length === pick.length + 1;
    el.setAttribute("aria-label", goal ? next[0].button.textContent : el.dataset.said);
    if (first) continue;
    el.toggleAttribute("href", next.length > 0);
    if (next.length) el.removeAttribute("role"), el.removeAttribute("aria-hidden");
    else if (el.dataset.said) el.setAttribute("role", "img");
    else el.setAttribute("aria-hidden", "true");
  }
  const exact = pick.length ? on.filter(({ path }) => path.length === pick.length) : [];
  $("#fits")?.replaceChildren(...exact.map(({ button }) => button.cloneNode(true)));
  const button = $("#marked"), boxes = $$("input[name=marks]:checked").map((box) => box.value).sort().join();
  if (!button) return;
  const set = $$(".sets li").find((li) => li.dataset.marks.split(" ").sort().join() === boxes);
  button.disabled = !set;
  button.textContent = set?.textContent ?? (boxes ? $(".sets").dataset.not : $(".sets").dataset.none);
  if (set) button.value = set.dataset.token;
}

// The line to the server. Without one, buttons post the form, as they do without script.
function send(message) {
  if (socket?.readyState !== 1) return false;
  socket.send(JSON.stringify(message));
  return true;
}
function connect() {
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws?lang=${document.documentElement.lang}`);
  socket.onopen = () => {
    if (tries) tell(main.dataset.online), setTimeout(() => tell(""), 3000);
    tries = 0;
    send({ is: "watch", match, ply: now.board ? ply : -1 });
    if (sent) send(sent);
  };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = () => {
    tell(main.dataset.offline);
    setTimeout(connect, Math.min(8000, 300 * 2 ** tries++));
  };
}
function tell(text) {
  if (line.textContent !== text) line.textContent = text;
  line.hidden = !text;
}
function hear(message) {
  if (message.is === "shown") {
    ({ ply } = message);
    if (ply > sent?.ply) sent = null;
    Object.assign(now, message.html);
    for (const li of $$("li", log)) if (+li.id.slice(4) > (message.kept ?? 0)) li.remove();
    log.insertAdjacentHTML("afterbegin", (message.rows ?? []).reverse().join(""));
    if (back) why.textContent = main.dataset.moved;
    else show(message.html ?? {}), mark();
  } else if (message.is === "done") sent = null;
  else if (message.is === "conflict" || message.is === "wrong") (sent = null), (why.textContent = message.why);
  else if (message.is === "closing") tell(message.why);
}
deed.addEventListener("submit", (event) => {
  const { submitter } = event, kind = submitter.formAction.split("/").at(-1);
  if (!["act", "undo", "resign", "offer", "answer"].includes(kind)) return;
  const move = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))).replace(/[+/]/g, "-");
  const value = { act: { token: submitter.value }, offer: { what: submitter.value }, answer: { yes: submitter.value === "1" } };
  const message = { is: kind, match, ply, move, ...value[kind] };
  if (!send(message)) return;
  event.preventDefault();
  [sent, pick] = [message, []];
  refresh();
});

// Looking back: new moves are noted and pull nobody away.
async function look(at) {
  back = at !== "now" && +at < log.childElementCount;
  if (!back && !now.board) return location.assign(`/m/${match}`);
  const shown = back ? (await (await fetch(`/m/${match}/look?at=${at}&lang=${document.documentElement.lang}`)).json()).html : now;
  history.replaceState(null, "", `/m/${match}${back ? `?at=${at}` : ""}`);
  pick = [];
  show(shown);
  mark();
}
function mark() {
  for (const li of $$("li", log)) li.classList.toggle("at", li.id === `log-${facts().at}`);
}
function step(by) {
  const at = +facts().at + by;
  if (at < 0 || at > log.childElementCount) return;
  const inside = log.contains(document.activeElement);
  look(at).then(() => inside && $(`#log-${at} a`)?.focus());
}

// Hands: click and click, drag, arrow keys.
const hit = (target) => target.closest?.("#board a.live, #trays a.live, #board a.dim, #trays a.dim, a.picked");
document.addEventListener("click", (event) => {
  const { target } = event, on = hit(target), to = target.closest("[data-to]"), copy = target.closest("[data-copy]");
  if (on || (target.closest("#board, #trays") && !to)) {
    event.preventDefault();
    if (!dragged) on ? touch(on.id.slice(2)) : refuse();
  } else if (to && to.localName === "a" && !event.ctrlKey && !event.metaKey) event.preventDefault(), look(to.dataset.to);
  else if (copy) share(copy);
  dragged = false;
});
document.addEventListener("change", refresh);
document.addEventListener("dragstart", (event) => hit(event.target) && event.preventDefault());
document.addEventListener("pointerdown", (event) => {
  document.getAnimations().forEach((motion) => motion.finish());
  const el = event.button === 0 && hit(event.target);
  drag = el && { el, id: el.id.slice(2), x: event.clientX, y: event.clientY, on: false };
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  if (!drag.on && Math.hypot(dx, dy) < 8) return;
  if (!drag.on) {
    if (!choices().some(({ path }) => path.length > 1 && path[0] === drag.id)) return void (drag = null);
    choose([drag.id]);
    const here = (el) => el === drag.el || (!drag.el.matches(".piece") && el.getAttribute("transform") === drag.el.getAttribute("transform"));
    Object.assign(drag, { on: true, unit: drag.el.ownerSVGElement.getScreenCTM().a, held: $$(".pieces a", drag.el.ownerSVGElement).filter(here) });
  }
  for (const el of drag.held) el.style.translate = `${dx / drag.unit}px ${dy / drag.unit}px`;
});
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, ({ clientX, clientY, type }) => {
    const { on, held, id } = drag ?? {};
    drag = null;
    if (!on) return;
    const under = document.elementsFromPoint(clientX, clientY).map((el) => el.closest("a.live")).find((el) => el && !held.includes(el));
    for (const el of held) el.style.translate = "";
    dragged = type === "pointerup";
    setTimeout(() => (dragged = false));
    if (under && type === "pointerup") touch(under.id.slice(2));
    else choose([]), id;
  });
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  const { key, target } = event, [dx, dy] = ARROWS[key] ?? [];
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input:not([type=checkbox]), textarea, select")) return;
  if (key === "Escape") return pick.length ? choose([]) : back && look("now");
  if (key === "r") return $("#to-rules").click();
  if (dx === undefined) return;
  const live = $$(".live"), stepping = target.closest(".log") || (!live.length && dx);
  if (stepping) return event.preventDefault(), step(dx || -dy);
  if (!live.length) return;
  event.preventDefault();
  if (!target.closest("#board a, #trays a")) return live[0].focus();
  const centre = (el) => { const { x, y, width, height } = el.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const [x, y] = centre(target);
  const far = (el) => { const [a, b] = centre(el), along = (a - x) * dx + (b - y) * dy; return along < 4 ? Infinity : along + 2.5 * Math.abs((a - x) * dy + (b - y) * dx); };
  const nearest = live.filter((el) => el !== target && far(el) < Infinity).sort((a, b) => far(a) - far(b))[0];
  nearest?.focus();
});
async function share(button) {
  const url = location.origin + button.dataset.copy, text = button.textContent;
  await navigator.clipboard?.writeText(url).catch(() => {});
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = text), 1500);
}
const sound = $("#sound");
sound.hidden = false;
sound.addEventListener("click", () => {
  audio = audio ? (audio.close(), null) : new AudioContext();
  sound.setAttribute("aria-pressed", String(Boolean(audio)));
  tone(520, 0);
});
document.documentElement.classList.add("scripted");
addEventListener("pageshow", (event) => event.persisted && location.reload());
mark();
refresh();
connect();
