// The site without a server: one frame shows a page, a worker runs the package's Python and draws it
// (`offline/site.py`). Until that has come, pages that were drawn beforehand are shown.

const SITE = new URL("..", import.meta.url).pathname.slice(0, -1);
const CHOICES = /^\/(lang|theme|settings)$/; // the forms that choose a language, colours and all else
const COOKIE_AGE_S = 31536000;
const { languages = "en", home = "", bytes = "1", drawn = "" } = document.documentElement.dataset;
const LANGUAGES = languages.split(" ");
const DRAWN = new Set(drawn.split(" ")); // names of pages
const note = /** @type {HTMLElement} */ (document.querySelector("#wait"));
const bar = /** @type {HTMLProgressElement} */ (document.querySelector("progress"));
/** @type {Map<number, {resolve: (answer: any) => void, reject: (wrong: Error) => void}>} */
const questions = new Map();
/** @type {(message: string) => void} */
let listener = () => {};
let count = 0; // of questions
let visits = 0; // of pages: only the last one is shown
let isReady = false;

const keeper = navigator.serviceWorker; // of all files
const KEEPER = new URL("../service_worker.js", import.meta.url).href;
const REHEARSAL_AFTER_MS = 10_000; // when the first board has been looked at
const COMPILED_AFTER_MS = 8_000; // in which what runs often has been compiled again, and is kept

/** @returns {Record<string, string>} */
const cookies = () => Object.fromEntries(document.cookie.split("; ").map((pair) => pair.split("=")));
function language() {
  const { lang } = cookies();
  const wished = [lang, ...navigator.languages.map((one) => one.slice(0, 2))];
  return wished.find((one) => LANGUAGES.includes(one ?? "")) ?? LANGUAGES[0];
}

// The worker.
const startWorker = () => new Worker(new URL("offline_worker.js", import.meta.url), { type: "module" });
const worker = startWorker();
worker.onmessage = ({ data: { is, id, answer, wrong, loaded, isRehearsed } }) => {
  if (is === "progress") bar.value = loaded / Number(bytes);
  if (is === "ready") {
    isReady = bar.hidden = true;
    if (!isRehearsed) setTimeout(rehearse, REHEARSAL_AFTER_MS);
    keeper?.register(KEEPER).catch(() => {}); // where it is not allowed
  }
  if (is === "message") listener(place(answer));
  if (is === "failed") {
    note.textContent = note.dataset.failed ?? "";
    note.hidden = false;
    console.error(wrong);
  }
  const question = questions.get(id);
  questions.delete(id);
  if (is === "answer" || is === "message") question?.resolve(answer);
  else question?.reject(new Error(wrong));
};
worker.onerror = () => worker.onmessage?.(new MessageEvent("message", { data: { is: "failed" } }));
/** @param {string} what @param {any[]} given @returns {Promise<any>} */
const call = (what, ...given) =>
  new Promise((resolve, reject) => {
    questions.set(++count, { resolve, reject });
    worker.postMessage({ id: count, what, given }, []);
  });

// Browsers keep compiled code of what a service worker answers. So once it keeps the files, Python starts from them
// once more, aside: the next visit begins with that code, and with a snapshot of that Python.
keeper?.addEventListener("controllerchange", () => setTimeout(rehearse, REHEARSAL_AFTER_MS));
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
  rehearsal.postMessage({ what: "start", given: [home, true, true] }, []);
}

/** @param {string} text of markup or JSON, with paths of a site without a prefix */
const place = (text) => text.replaceAll(/((?:href|src|action|data-copy)=\\?")\/(?!\/)/g, `$1${SITE}/`);

/**
 * Return the answer to a request of a page.
 * @param {string} method @param {string} path @param {Record<string, string>} [fields]
 */
async function ask(method, path, fields = {}) {
  const [page] = path.split("#");
  const name =
    page
      .replace(/[?]lang=\w+$/, "")
      .slice(1)
      .replaceAll("/", "-") || "lobby";
  if (method === "GET" && DRAWN.has(name) && (!isReady || name.startsWith("rules"))) {
    const answer = await fetch(`${SITE}/pages/${language()}/${name}.html`);
    if (answer.ok) return { html: place(await answer.text()) };
  }
  note.hidden = isReady;
  const said = await call("respond", method, page, fields, { ...cookies(), lang: language() });
  note.hidden = true;
  return JSON.parse(place(said));
}

/** @param {EventTarget} what */
const loading = (what) =>
  new Promise((done) => what.addEventListener("load", () => setTimeout(done), { once: true })); // after the event

/**
 * Show a page in a fresh frame, which takes the place of the last one. It begins with a file of the folder, so that the
 * service worker answers for it too.
 * @param {string} html @param {() => boolean} isWanted
 */
async function show(html, isWanted) {
  const frame = document.createElement("iframe");
  frame.title = document.title;
  frame.hidden = true;
  frame.src = `${SITE}/static/offline_blank.html`;
  const isBlank = loading(frame);
  document.body.append(frame);
  await isBlank;
  const { contentDocument: page, contentWindow: view } = /** @type {any} */ (frame);
  page.open();
  page.write(html.replace("<head>", `<head><script src="${SITE}/static/offline_frame.js"></script>`));
  page.close();
  await loading(view);
  if (!isWanted()) return frame.remove();
  for (const old of document.querySelectorAll("iframe")) if (old !== frame) old.remove();
  frame.hidden = false;
  view.focus();
  const follow = () => {
    if (document.title !== page.title) document.title = page.title;
  };
  follow();
  new MutationObserver(follow).observe(page.head, { childList: true, subtree: true, characterData: true });
}

/**
 * Carry out a request, and show the page that it leads to.
 * @param {string} method @param {string} path @param {Record<string, string>} [fields]
 */
async function go(method, path, fields = {}) {
  const mine = ++visits;
  if (method === "POST" && CHOICES.test(path)) return choose(fields);
  listener = () => {};
  const answer = await ask(method, path, fields);
  if (mine !== visits) return;
  if (answer.path) return go("GET", answer.path);
  if (answer.record) return bring(answer.record);
  if (method === "GET" && location.hash !== `#${path}`) history.pushState(null, "", `#${path}`);
  await show(answer.html, () => mine === visits);
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
  ask,
  go,
  /** @param {(message: string) => void} heard */
  listen(heard) {
    listener = heard;
  },
  /** @param {string} text */
  send(text) {
    const { match } = JSON.parse(text);
    call("answer", match, text, language());
  },
  /** Save what a path gives as a file. @param {string} path @param {string} name */
  async save(path, name) {
    const { json } = await ask("GET", path);
    const href = URL.createObjectURL(new Blob([JSON.stringify(json)], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href, download: name }).click();
    URL.revokeObjectURL(href);
  },
};
Object.assign(globalThis, { shell });
addEventListener("popstate", () => go("GET", location.hash.slice(1) || "/"));
document.documentElement.lang = language();
note.textContent = note.dataset[language()] ?? "";
worker.postMessage({ what: "start", given: [home, keeper?.controller?.scriptURL === KEEPER, false] }, []);
go("GET", location.hash.slice(1) || "/");
