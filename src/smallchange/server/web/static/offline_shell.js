// The site without a server: one frame shows a page, a worker runs the package's Python and draws it
// (`offline/site.py`). Until that has come, pages that were drawn beforehand are shown: those of the folder, and the
// last ones of this browser.

const SITE = new URL("../..", import.meta.url).pathname.slice(0, -1);
const FILES = new URL("..", import.meta.url).pathname.slice(0, -1); // of this version
const CHOICES = /^\/(lang|theme|settings)$/; // the forms that choose a language, colours and all else
const COOKIE_AGE_S = 31536000;
const {
  languages = "en",
  home = "",
  bytes = "1",
  drawn = "",
  version = "",
} = document.documentElement.dataset;
const LANGUAGES = languages.split(" ");
const DRAWN = new Set(drawn.split(" ")); // names of pages
const note = /** @type {HTMLElement} */ (document.querySelector("#wait"));
/** @type {Record<string, Record<string, string>>} what the note says, by its name and the language */
const SAYS = JSON.parse(document.querySelector("#says")?.textContent ?? "{}");
/**
 * Tables that were drawn when the folder was built, by the form that opens them: a board at once, and the answer to
 * each first move. Python goes on from the same record.
 * @type {{path: string, fields: Record<string, string>, files: string[]}[]}
 */
const FIRST = JSON.parse(document.querySelector("#first")?.textContent ?? "[]");
const FIRST_ID = "0000f125f125f125"; // of the table in these files
const UNLIKE = new Set(["press", "words", "added"]); // fields in which forms for the same table differ
const PAUSE_MS = 400; // between the answers to a first move
const LONGEST_QUIET_MS = 60_000; // without a sign of life, while something is waited for
const bar = /** @type {HTMLProgressElement} */ (document.querySelector("progress"));
/** @type {Map<number, {resolve: (answer: any) => void, reject: (wrong: Error) => void}>} */
const questions = new Map();
/** @type {(message: string) => void} */
let listener = () => {};
let count = 0; // of questions
let visits = 0; // of pages: only the last one is shown
let isReady = false;
let isElsewhere = false; // in another tab
let isPosting = false; // a form: the second press of a button does nothing
/** @type {{id: string, answers: Record<string, {messages: string[], kept: string}>} | null} */
let firstTable = null;

const keeper = navigator.serviceWorker; // of all files
const KEEPER = new URL("../../service_worker.js", import.meta.url).href;
const LOOKED_AT_MS = 1000; // the first page, before Python is started: who plays at once has the board first
const REHEARSAL_AFTER_MS = 10_000; // when the first board has been looked at
const COMPILED_AFTER_MS = 8_000; // in which what runs often has been compiled again, and is kept

/** @returns {Record<string, string>} */
const cookies = () => Object.fromEntries(document.cookie.split("; ").map((pair) => pair.split("=")));
function language() {
  const { lang } = cookies();
  const wished = [lang, ...navigator.languages.map((one) => one.slice(0, 2))];
  return wished.find((one) => LANGUAGES.includes(one ?? "")) ?? LANGUAGES[0];
}

/** Say something over the page. @param {string} what of `SAYS`, "" for nothing @param {string} [why] @param {() => void} [act] of its button */
function say(what, why = "", act) {
  if (isElsewhere) return;
  note.hidden = !what;
  note.textContent = [SAYS[what]?.[language()] ?? "", why].join(" ").trim();
  if (!act) return;
  const button = document.createElement("button");
  button.textContent = SAYS[`${what}-button`]?.[language()] ?? "";
  button.addEventListener("click", act);
  note.append(" ", button);
}

/** Say what is wrong, or that files of a newer version have taken the place of these. @param {string} what @param {string} why */
async function fail(what, why) {
  const now = await fetch(`${SITE}/`, { cache: "no-cache" })
    .then((answer) => answer.text())
    .catch(() => "");
  const isNewer = now.includes("data-version=") && !now.includes(`data-version="${version}"`);
  if (isNewer) say("newer", "", () => location.reload());
  else say(what, why);
}

// The worker.
const startWorker = () => new Worker(new URL("offline_worker.js", import.meta.url), { type: "module" });
/** @type {Worker | undefined} */
let worker;
/** @type {object[]} */
const early = []; // messages to it
/** @param {object} message */
const post = (message) => (worker ? worker.postMessage(message, []) : early.push(message));
let begins = 0; // a timer
let quiet = 0; // another
let isForbidden = false;
try {
  void new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); // an empty one
} catch {
  isForbidden = bar.hidden = true;
  say("forbidden");
}
/** Start Python, which takes the network and the processor for seconds: when a page is there, or waits for it. */
function startPython() {
  if (worker || isForbidden || isElsewhere) return;
  worker = startWorker();
  worker.onmessage = read;
  worker.onerror = () => read(new MessageEvent("message", { data: { is: "failed", wrong: "" } }));
  post({ what: "start", given: [home, keeper?.controller?.scriptURL === KEEPER, false, language()] });
  early.forEach(post);
}
const hearWorker = () => {
  clearTimeout(quiet);
  if (isForbidden) return;
  if (!isReady) quiet = setTimeout(() => say("failed"), LONGEST_QUIET_MS);
  else if (questions.size)
    quiet = setTimeout(() => say("stopped", "", () => location.reload()), LONGEST_QUIET_MS);
};
/** @param {MessageEvent} message */
function read({ data: { is, id, answer, wrong, loaded, isRehearsed, pages } }) {
  if (is === "progress") bar.value = loaded / Number(bytes);
  if (is === "ready") {
    isReady = bar.hidden = true;
    if (!isRehearsed) setTimeout(rehearse, REHEARSAL_AFTER_MS);
    const keeps = keeper?.register(KEEPER) ?? Promise.reject(new Error("no service workers"));
    keeps.catch(() => setTimeout(takeWhole, REHEARSAL_AFTER_MS)); // where it is not allowed
  }
  if (is === "message") {
    say("");
    listener(place(answer));
  }
  if (is === "drawn") keepPages(pages);
  if (is === "full") say("full", "", () => shell.save(`/m/${id}/record.json`, "smallchange.json"));
  if (is === "failed") {
    bar.hidden = true;
    if (!isForbidden) fail(id ? "wrong" : "failed", wrong);
    console.error(wrong);
  }
  const question = questions.get(id);
  questions.delete(id);
  if (is === "answer" || is === "message") question?.resolve(answer);
  else if (is === "failed") question?.reject(new Error(wrong));
  hearWorker();
}
/** @param {string} what @param {any[]} given @returns {Promise<any>} */
const call = (what, ...given) =>
  new Promise((resolve, reject) => {
    questions.set(++count, { resolve, reject });
    post({ id: count, what, given });
    hearWorker();
  });

// One tab owns what is kept: the one that was opened last. Another says so, and can take it back.
navigator.locks
  ?.request(`smallchange ${SITE}`, { steal: true }, () => new Promise(() => {}))
  .catch(({ name }) => {
    if (name !== "AbortError") return; // locks are forbidden here
    worker?.terminate();
    for (const frame of document.querySelectorAll("iframe")) frame.inert = true;
    say("elsewhere", "", () => location.reload());
    isElsewhere = true;
  });

// Browsers keep compiled code of what a service worker answers. So once it keeps the files, Python starts from them
// once more, aside: the next visit begins with that code, and with a snapshot of that Python.
keeper?.addEventListener("controllerchange", () => {
  takeWhole();
  setTimeout(rehearse, REHEARSAL_AFTER_MS);
});
const takeWhole = () => post({ what: "whole" });
function rehearse() {
  const rehearsal = startWorker();
  const end = () => {
    rehearsal.terminate();
    document.documentElement.dataset.kept = "";
  };
  let timer = 0;
  rehearsal.onmessage = () => {
    clearTimeout(timer);
    timer = setTimeout(end, COMPILED_AFTER_MS); // of quiet
  };
  rehearsal.postMessage({ what: "start", given: [home, true, true, language()] }, []);
}

/** @param {string} text of markup or JSON, with paths of a site without a prefix: pages have addresses of the folder */
const place = (text) =>
  text.replaceAll(
    /(href|src|action|data-copy)(=\\?")\/(?!\/)(static\/)?/g,
    (_, name, equals, file = "") =>
      name +
      equals +
      (file ? FILES : SITE) +
      (file || name === "src" || name === "action" ? "/" : "/#/") +
      file,
  );

// The last pages of this browser, as they would be drawn again.
/** @param {string} path */
const placeOfPage = (path) => `smallchange ${SITE} ${version} ${language()} ${path}`;
/** @param {Record<string, string>} pages by path */
function keepPages(pages) {
  try {
    const old = Object.keys(localStorage).filter((name) => name.startsWith(`smallchange ${SITE} `));
    for (const name of old) localStorage.removeItem(name);
    for (const [path, html] of Object.entries(pages)) localStorage.setItem(placeOfPage(path), html);
  } catch {
    // where nothing may be kept
  }
}
/** @param {string} path */
function keptPage(path) {
  try {
    return localStorage.getItem(placeOfPage(path));
  } catch {
    return null;
  }
}

/**
 * Return a page that needs no Python; undefined if there is none.
 * @param {string} page its path
 */
async function findDrawn(page) {
  const name =
    page
      .replace(/[?]lang=\w+$/, "")
      .slice(1)
      .replaceAll("/", "-") || "lobby";
  const kept = isReady ? null : keptPage(page);
  if (kept) return { html: place(kept) };
  if (!DRAWN.has(name) || (isReady && !name.startsWith("rules"))) return;
  const answer = await fetch(`${FILES}/pages/${language()}/${name}.packed`).catch(() => null);
  if (answer?.ok) return { html: place(await unpack(answer)) };
}

/** Open a table that lies in the folder, where a form asks for one. @param {string} path @param {Record<string, string>} fields */
async function openFirst(path, fields) {
  const asked = Object.entries(fields).filter(([name]) => !UNLIKE.has(name));
  const found = FIRST.find(
    (one) =>
      one.path === path &&
      asked.length === Object.keys(one.fields).length &&
      asked.every(([name, value]) => one.fields[name] === value),
  );
  const name = found?.files[Math.floor(Math.random() * found.files.length)];
  const answer = name && (await fetch(`${FILES}/first/${language()}/${name}.packed`).catch(() => null));
  if (!answer || !answer.ok || isReady) return;
  const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const { html, kept, answers } = JSON.parse((await unpack(answer)).replaceAll(FIRST_ID, id));
  firstTable = { id, answers };
  call("adopt", id, kept);
  return { html: place(html), path: `/m/${id}` };
}

/**
 * Return the answer to a request of a page.
 * @param {string} method @param {string} path @param {Record<string, string>} [fields]
 */
async function ask(method, path, fields = {}) {
  const [page] = path.split("#");
  const found =
    method === "GET" ? await findDrawn(page) : isReady ? undefined : await openFirst(page, fields);
  if (found) return found;
  startPython();
  if (!isReady && !page.startsWith("/lists")) say("waits"); // the lobby asks for its lists by itself
  const said = await call("respond", method, page, fields, { ...cookies(), lang: language() });
  say("");
  return JSON.parse(place(said));
}

/** @param {Response} answer whose content the folder has compressed */
const unpack = ({ body }) =>
  new Response(/** @type {any} */ (body).pipeThrough(new DecompressionStream("gzip"))).text();

/** @param {EventTarget} what */
const loading = (what) =>
  new Promise((done) => what.addEventListener("load", () => setTimeout(done), { once: true })); // after the event

/**
 * Begin a frame with what all pages need, which comes beside the page. Where the service worker answers, that begins
 * with a file of the folder, else it would not answer for the frame; a host may forbid to frame files.
 */
async function beginFrame() {
  const frame = Object.assign(document.createElement("iframe"), { hidden: true });
  if (keeper?.controller) {
    const isThere = loading(frame);
    frame.src = `${FILES}/static/offline_blank.html`;
    document.body.append(frame);
    await isThere;
    if (!frame.contentDocument) {
      frame.remove(); // as what it shows next is a step of *Back*
      frame.removeAttribute("src");
    }
  }
  if (!frame.isConnected) document.body.append(frame);
  const page = /** @type {Document} */ (frame.contentDocument);
  page.open();
  page.write(
    `<!doctype html><script src="${FILES}/static/offline_frame.js"></script>`,
    `<link rel="modulepreload" href="${FILES}/static/modules.js">`,
  );
  return frame;
}

/**
 * Show a page in a fresh frame, which takes the place of the last one.
 * @param {HTMLIFrameElement} frame @param {string} html @param {string} path @param {() => boolean} isWanted
 * @param {number} y how far it is scrolled
 */
async function show(frame, html, path, isWanted, y) {
  const { contentDocument: page, contentWindow: view } = /** @type {any} */ (frame);
  view.History.prototype.replaceState.call(view.history, null, "", SITE + path); // as scripts of pages know it
  page.write(html);
  page.close();
  await loading(view);
  if (!isWanted()) return;
  if (!view.isOurs) return fail("failed", "");
  for (const old of document.querySelectorAll("iframe")) if (old !== frame) old.remove();
  frame.hidden = false;
  view.focus();
  const named = page.getElementById(path.split("#")[1] ?? "");
  if (y || !named) view.scrollTo(0, y);
  else named.scrollIntoView();
  const follow = () => {
    if (document.title !== page.title) document.title = frame.title = page.title;
  };
  frame.title = page.title;
  follow();
  new MutationObserver(follow).observe(page.head, { childList: true, subtree: true, characterData: true });
}

const askedPath = () => location.hash.slice(1).replace(/^\/*/, "/"); // as "//" would name a host
function placeOnPage() {
  const frame = /** @type {HTMLIFrameElement | null} */ (document.querySelector("iframe:not([hidden])"));
  return frame?.contentWindow?.scrollY ?? 0;
}

/**
 * Carry out a request, and show the page that it leads to.
 * @param {string} method @param {string} path @param {Record<string, string>} [fields] @param {number} [y]
 */
async function go(method, path, fields = {}, y = 0) {
  if (method === "POST" && CHOICES.test(path)) return choose(fields);
  if (method === "POST" && isPosting) return;
  isPosting = method === "POST";
  const mine = ++visits;
  const begun = beginFrame();
  listener = () => {};
  clearTimeout(begins);
  try {
    const answer = await ask(method, path, fields);
    if (mine !== visits) return;
    if (answer.record) return bring(answer.record);
    const to = answer.path ?? path;
    if (answer.path && !answer.html) {
      isPosting = false;
      return go("GET", to);
    }
    if ((method === "GET" || answer.path) && location.hash !== `#${to}`) {
      history.replaceState({ y: placeOnPage() }, "");
      history.pushState(null, "", `#${to}`);
    }
    await show(await begun, answer.html, to, () => mine === visits, y);
  } finally {
    if (mine === visits) isPosting = false;
    begun.then((frame) => frame.hidden && frame.remove());
    begins = setTimeout(startPython, firstTable ? 0 : LOOKED_AT_MS);
  }
}

/** Keep choices as cookies, and go back to where they were made. @param {Record<string, string>} choices */
function choose({ back, ...choices }) {
  for (const [name, value] of Object.entries(choices))
    document.cookie = `${name}=${value};path=${SITE}/;max-age=${COOKIE_AGE_S};samesite=lax`;
  document.documentElement.lang = language();
  go("GET", back);
}

/** Send a record to the server of which these files come. @param {string} record */
function bring(record) {
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    action: `${home}offline/bring`,
  });
  form.append(Object.assign(document.createElement("textarea"), { name: "record", value: record }));
  form.hidden = true;
  document.body.append(form);
  form.submit();
}

const shell = {
  SITE,
  FILES,
  ask,
  go,
  /** @param {(message: string) => void} heard */
  listen(heard) {
    listener = heard;
  },
  /** @param {string} text */
  send(text) {
    const { is, match, token, move } = JSON.parse(text);
    const hear = listener;
    const acknowledge = () => move && hear(JSON.stringify({ is: "ack", match, move }));
    if (!isReady && match === firstTable?.id) {
      if (is === "watch") return; // the page has all of it
      const answer = is === "act" ? firstTable?.answers[token] : undefined;
      if (answer && firstTable) {
        firstTable.answers = {};
        call("adopt", match, answer.kept);
        answer.messages.forEach((one, i) => setTimeout(() => hear(place(one)), i * PAUSE_MS));
        setTimeout(acknowledge);
        return;
      }
    }
    if (!isReady && is !== "watch") {
      say("waits");
      setTimeout(listener, 0, '{"is": "busy"}');
    }
    startPython();
    call("answer", match, text, language()).then(
      (said) => JSON.parse(said).is === "changes" && acknowledge(),
    );
  },
  /** Save what a path gives as a file. @param {string} path @param {string} name */
  async save(path, name) {
    const { json, html } = await ask("GET", path);
    const file = json
      ? new Blob([JSON.stringify(json)], { type: "application/json" })
      : new Blob([html], { type: "image/svg+xml" });
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href, download: name }).click();
    URL.revokeObjectURL(href);
  },
};
Object.assign(globalThis, { shell });
addEventListener("popstate", ({ state }) => go("GET", askedPath(), {}, state?.y ?? 0));
document.documentElement.lang = language();
hearWorker();
addEventListener("pagehide", () => history.replaceState({ y: placeOnPage() }, ""));
go("GET", askedPath(), {}, history.state?.y).catch(() => {});
const { requestIdleCallback: whenIdle = setTimeout } = globalThis;
if (keeper?.controller) whenIdle(startPython); // from the cache: no page waits for the network meanwhile
