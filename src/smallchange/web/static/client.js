// The page of a table. The server draws it and knows the rules; here clicks are sent and fragments swapped.
import * as book from "./book.js";
import { $, $$, focus, patch } from "./dom.js";
import { hit, justDropped, near, watch } from "./hands.js";
import { listen } from "./line.js";
import { places, slide } from "./motion.js";
import { seek } from "./news.js";
import { say } from "./said.js";

const [main, log, line, why, hint, ahead, deed] = ["main", "log", "line", "why", "hint", "ahead", "deed"].map((id) => document.getElementById(id));
const parts = ["to-rules", "notice", "board", "moves", "you", "status", "tally", "act", "trays", "deeds", "seats", "steps", "facts"];
const facts = () => $("#facts").dataset;
const { match } = facts(), { title } = document;
let ply = +facts().ply, goal = null, looks = 0; // the step that one is on the way to, while it is fetched; how often that was
let kept = facts().at !== facts().length && copies(); // looking back, the parts as they are now: they wait here
let known = !kept;
let pick = [], hinted = [], sent, next; // the deed whose answer is on the way, and the button pressed meanwhile
let asked; // the ply that a hint was asked for
let here; // the ids of what had the focus on the board or in the list when a deed was sent, which nothing has until answered
let listed; // is the list of all moves open? On another's turn there is none
let beaten; // why a deed of one’s own was not done: it is said beside the table as that is then, which follows
let closing; // has the server said why there will be no line?
const NEAR = { steps: "#steps", sure: "#sure summary", deeds: "#deeds [data-copy]" }; // where the focus goes if what had it there is gone
const used = new Set(), DEEDS = ["act", "undo", "resign", "offer", "answer"];

function copies() {
  const copied = document.createDocumentFragment();
  copied.append(...parts.map((id) => document.getElementById(id).cloneNode(true)));
  return copied;
}
function change(root, html) {
  for (const [id, markup] of Object.entries(html)) {
    const old = root.getElementById(id), fresh = document.createElement("template"), svg = old instanceof SVGElement;
    fresh.innerHTML = svg ? `<svg>${markup}</svg>` : markup;
    patch(old, svg ? fresh.content.firstChild.firstChild : fresh.content.firstElementChild);
  }
}
function show(swap) {
  const before = kept ? new Map() : places(), focused = document.activeElement, from = focused.closest("#steps, #sure, #deeds")?.id, then = facts().ply;
  listed = $("#every")?.open ?? listed;
  swap();
  $("#every")?.toggleAttribute("open", !!listed);
  if (then !== facts().ply) $$("input[name=marks]").forEach((box) => (box.checked = false)), (why.textContent = ""), advise();
  if (!choices().some(({ path }) => starts(path, pick))) pick = [];
  refresh();
  slide(before, then !== facts().ply);
  $(".says").scrollTop = 0;
  if (then !== facts().ply) book.renew(), $$(".sure").forEach((asked) => (asked.open = false)); // to give up is asked anew
  const at = document.activeElement;
  if (focused !== document.body && !(at.checkVisibility() && at.matches("[href], button:enabled, input, summary, [tabindex]")))
    focus($(NEAR[from] ?? ".live") ?? $(".live, .result") ?? $("#act .buttons :enabled") ?? $("#board"));
  foretell(); // what has just happened is to be read first
}

// Touching: what can be touched next is what the listed choices say.
const starts = (path, head) => head.every((id, i) => path[i] === id);
const choices = () => $$("#act [data-path]:not(#fits *)").map((button) => ({ button, path: button.dataset.path.split(" ") }));
function touch(id) {
  const fits = (path) => choices().filter((choice) => starts(choice.path, path));
  if (pick.at(-1) === id) return choose([]);
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
  foretell();
}
// What a touch there would do, or all that what was picked can do: only to be seen, for names say it too.
function foretell(el) {
  const goal = el?.closest("a.live[data-goal]"), quiet = !why.textContent && !hint.textContent;
  const [one, other] = quiet && pick.length ? choices().filter(({ path }) => starts(path, pick)) : [];
  const does = goal?.dataset.goal ?? (other ? "" : one?.button.textContent ?? "");
  ahead.textContent = does && `${ahead.dataset.lead} ${does}`; // not to be taken for what has happened
}
function refuse() {
  ahead.textContent = "";
  const { why: now, notThere } = $("#act").dataset;
  why.textContent = pick.length ? notThere : now; // what was picked stays so, for the rings to show where
}
// A hint is in words, and on what one would touch, until the next step.
function advise({ text = "", marks = [], token } = {}) {
  hint.textContent = text;
  if (text) why.textContent = "";
  hinted = [...marks, token];
}
const put = (el, name, value) => (value === null ? el.removeAttribute(name) : el.setAttribute(name, value));
function refresh() {
  const says = $(".says");
  put(says, "tabindex", says.scrollHeight > says.clientHeight ? 0 : null); // scrolled by the keyboard too
  main.toggleAttribute("data-waits", !!sent);
  const all = choices(), firsts = new Set(all.map(({ path }) => path[0]));
  const on = sent ? [] : all.filter(({ path }) => starts(path, pick)); // nothing is live until answered
  for (const el of $$("#board a, #trays a")) {
    const id = el.id.slice(2), next = on.filter(({ path }) => path[pick.length] === id);
    el.dataset.said ??= el.getAttribute("aria-label") ?? "";
    el.classList.add("later");
    el.classList.toggle("live", next.length > 0);
    el.classList.toggle("dim", firsts.has(id) && !next.length);
    el.classList.toggle("picked", pick.includes(id));
    el.classList.toggle("hinted", hinted.includes(id));
    const goal = next.length === 1 && next[0].path.length === pick.length + 1;
    const role = next.length || pick.includes(id) ? "button" : el.dataset.said ? "img" : null;
    const name = (role === "button" && el.dataset.name) || el.dataset.said;
    const more = next.length && !pick.length ? main.dataset.choose.replace("{said}", name) : name;
    put(el, "data-goal", goal ? next[0].button.textContent : null);
    el.setAttribute("aria-label", el.dataset.goal ?? more);
    el.removeAttribute("href"); // for those without script
    put(el, "role", role);
    put(el, "tabindex", role === "button" ? 0 : null);
    put(el, "aria-pressed", pick.includes(id) || null);
    put(el, "aria-hidden", role ? null : "true");
  }
  if (here && !sent) refocus();
  for (const el of $$("#act .die-pick, #act [name=token]")) el.classList.toggle("hinted", hinted.includes(el.value ?? el.id.slice(2)));
  for (const tray of $$(".tray-of")) {
    if ($$("a", tray).some((el) => firsts.has(el.id.slice(2)))) used.add(tray.id);
    tray.classList.toggle("used", used.has(tray.id)); // a move begins there: on a small screen it comes first
  }
  const exact = pick.length ? on.filter(({ path }) => path.length === pick.length) : [];
  $("#fits")?.replaceChildren(...exact.map(({ button }) => button.cloneNode(true)));
  const link = $("#invite-link");
  if (link) link.textContent = link.href;
  const button = $("#marked"), boxes = $$("input[name=marks]:checked").map((box) => box.value).sort().join();
  if (!button) return;
  const set = $$(".sets li").find((li) => li.dataset.marks.split(" ").sort().join() === boxes);
  button.disabled = !set;
  button.textContent = set?.textContent ?? (boxes ? $(".sets").dataset.not : $(".sets").dataset.none);
  if (set) button.value = set.dataset.token;
}

function refocus() {
  const [at, board] = [document.activeElement, $("#board")];
  const back = here.map((id) => document.getElementById(id)).find((el) => el?.matches(".live, #all-moves")) ?? $("a.live, .result");
  if (at === document.body || at === board) focus(back ?? board);
  if (back || (at !== document.body && at !== board)) here = null; // while it is another's turn it is remembered
}

// The line to the server, open or cut. Where there never was one, buttons post the form, as they do without script,
// and the page asks for news; while it is cut, a deed waits for the next, which may bring it twice: its move id has one effect.
function greet(again) {
  [line.dataset.is, closing] = ["open", ""];
  if (again) tell(main.dataset.online), setTimeout(() => line.textContent === main.dataset.online && tell(""), 3000);
  send({ is: "watch", match, ply: known ? ply : -1 });
  if (sent) send(sent);
  else if (hint.textContent === hint.dataset.wait) send({ is: "hint", match, ply: asked });
}
function tell(text) {
  if (line.textContent !== text) line.textContent = text;
  line.hidden = !text;
}
function hear(message) {
  if (line.textContent === main.dataset.offline) tell("");
  if (message.is === "shown") {
    const news = message.ply !== ply, had = log.childElementCount;
    ({ ply } = message);
    const mine = ply > sent?.ply;
    if (mine) sent = null;
    known = true;
    for (const li of $$("li", log)) if (+li.id.slice(4) > (message.kept ?? 0)) li.remove();
    log.insertAdjacentHTML("afterbegin", (message.rows ?? []).reverse().join(""));
    const moved = message.over || message.rows?.length || log.childElementCount !== had; // else there is an offer, or its answer
    if (kept) change(kept, message.html ?? {}), refresh(), mine && moved ? now() : news && look(goal ?? +facts().at, moved ? main.dataset[message.over ? "over" : "moved"] : "");
    else show(() => change(document, message.html ?? {})), say(log.childElementCount < had ? main.dataset.takenBack : "", $$("li", log).filter((li) => +li.id.slice(4) > had).reverse().map((li) => $(".lg", li).textContent));
    if (beaten) [why.textContent, beaten] = [beaten, ""];
    mark();
    call();
    goOn();
  } else if (message.is === "done") message.move === sent?.move && ((sent = null), refresh());
  else if (message.is === "hinted") message.ply === ply && !kept && (advise(message), refresh());
  else if (message.match && !message.move && (sent || asked < ply)) return; // a hint too late
  else if (message.is === "conflict" || message.is === "wrong") (sent = next = null), (why.textContent = message.why), (beaten = message.is === "conflict" && message.why), advise(), refresh();
  else if (message.is === "closing") tell((closing = message.why));
}
// What was pressed while a deed was on the way, if the table after it still has that button.
function goOn() {
  if (sent || !next) return;
  const button = [...deed.elements].find((el) => !el.disabled && el.formAction === next.formAction && el.value === next.value);
  next = null;
  if (button) deed.requestSubmit(button);
}
function away() {
  tell(main.dataset.offline), send({ is: "ping" }); // what hears an answer takes it back
}
function lose() {
  if (!line.dataset.is) return seek(() => line.dataset.is, (yes) => tell(yes ? "" : main.dataset.offline));
  line.dataset.is = "cut";
  tell(closing || main.dataset.offline);
}
deed.addEventListener("submit", (event) => {
  const { submitter } = event, kind = (submitter.getAttribute("formaction") ?? deed.action).split("/").at(-1);
  if (line.dataset.is === "cut" && !DEEDS.includes(kind)) return event.preventDefault();
  if (sent) {
    event.preventDefault();
    // a double click acts once, and an offer that is answered after one's move is no more
    if (!["act", "answer", sent.is].includes(kind)) next = { formAction: submitter.formAction, value: submitter.value };
    return;
  }
  // a hint may take long: the ping is answered before it
  if (kind === "hint" && send({ is: "hint", match, ply }) && send({ is: "ping" })) return event.preventDefault(), (asked = ply), advise({ text: hint.dataset.wait });
  if (!DEEDS.includes(kind)) return;
  const move = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))).replace(/[+/]/g, "-");
  const value = { act: { token: submitter.value }, offer: { what: submitter.value }, answer: { yes: submitter.value === "1" } };
  const message = { is: kind, match, ply, move, ...value[kind] };
  if (!send(message) && !line.dataset.is) return;
  event.preventDefault();
  const on = $("#board a:focus-visible, #trays a:focus-visible, #every :focus-visible"); // by the keyboard
  if (on) here = [...pick.map((id) => `p-${id}`), on.id || "all-moves"];
  [sent, pick] = [message, []];
  refresh();
});

// The window's title says that it is one's turn, for those who look elsewhere.
function call() {
  const { call: words } = (kept || document).getElementById("seats").dataset;
  document.title = words ? `${words} · ${title}` : title;
}

// Looking back: new moves are noted and pull nobody away.
const go = (to) => (to === "now" || +to >= log.childElementCount ? now() : look(+to));
async function look(at, news = "") {
  goal = at;
  const asked = ++looks, answer = fetch(`/m/${match}/look?at=${at}&lang=${document.documentElement.lang}`);
  const shown = await answer.then((found) => found.ok && found.json()).catch(() => null);
  if (asked !== looks) return; // one has gone on since
  goal = null;
  if (!shown) return away();
  if (shown.at === shown.length) return now(); // the line has become shorter
  kept ||= copies();
  turn(`?at=${at}`, () => change(document, shown.html));
  why.textContent = news;
}
function now() {
  const waiting = kept;
  [goal, looks] = [null, looks + 1];
  if (!waiting) return;
  if (!known) return location.assign(`/m/${match}`);
  kept = null;
  turn("", () => parts.forEach((id) => patch(document.getElementById(id), waiting.getElementById(id))));
}
function turn(query, swap) {
  history.replaceState(null, "", `/m/${match}${query}`);
  for (const back of $$(".foot [name=back]")) back.value = `/m/${match}${query}`;
  pick = [];
  why.textContent = "";
  advise(); // a hint is of now
  show(swap);
  say();
  mark();
}
function mark() {
  const links = $$("a", log), on = links.find((link) => link.dataset.to === facts().at);
  for (const link of links) {
    put(link, "aria-current", link === on ? "step" : null);
    put(link, "tabindex", link === (on ?? links.at(-1)) ? 0 : -1); // one stop for Tab: arrow keys go on from there
  }
}
function step(by) {
  const at = (goal ?? +facts().at) + by;
  if (at < 0 || at > log.childElementCount) return;
  go(at);
  if (log.contains(document.activeElement)) $(`#log-${at} a`)?.focus();
}

// Clicks.
document.addEventListener("click", (event) => {
  const { target } = event, on = hit(target) || (target.closest("#board, #trays") && near(event)), to = target.closest("[data-to]"), copy = target.closest("[data-copy]");
  const aside = target.closest("#to-rules, #to-sheet") && !event.ctrlKey && !event.metaKey;
  if (event.detail > 1 && target.closest("#act button, #deeds button")) return event.preventDefault(); // a second click hits what came instead
  if (on || (target.closest("#board, #trays") && !to)) {
    event.preventDefault();
    if (!justDropped()) on ? touch(on.id.slice(2)) : refuse();
  } else if (to && to.localName === "a" && !event.ctrlKey && !event.metaKey) event.preventDefault(), go(to.dataset.to);
  else if (aside) event.preventDefault(), book.open(target).catch(away);
  else if (copy) share(copy);
});
document.addEventListener("change", refresh);
document.addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && foretell(target));
document.addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && foretell(target));
async function share(button) {
  const { copy, done } = button.dataset, text = button.textContent, url = location.origin + copy;
  if (text === done) return;
  if (!(await navigator.clipboard?.writeText(url).then(() => true, () => false))) {
    // not on plain http, or not allowed: in the old way, or selected for who copies it by hand
    const field = Object.assign(document.createElement("input"), { value: url, readOnly: true, ariaLabel: text });
    button.replaceWith(field);
    field.focus(), field.select();
    if (!document.execCommand("copy")) return;
    field.replaceWith(button);
    button.focus();
  }
  button.textContent = done;
  setTimeout(() => (button.textContent = text), 1500);
}
const escape = () => book.shut() || (pick.length ? choose([]) : now());
watch({ choices, choose, touch, refuse, step, escape, rules: () => book.shut() || $("#to-rules").click(), hint: () => $("#ask-hint")?.click(), undo: () => $("#undo")?.click() });
document.documentElement.classList.add("scripted");
addEventListener("pageshow", (event) => event.persisted && location.reload());
mark();
call();
refresh();
const send = listen({ opened: greet, heard: hear, lost: lose, owed: () => sent });
