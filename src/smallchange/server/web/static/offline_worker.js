// Runs the package's Python beside the page: CPython as WebAssembly, with the modules that playing needs.
// Files that end in .bin are compressed here, so that any host sends them so. On a first visit what a board needs comes
// first, in one language; the whole comes when something else is asked for, or when the service worker keeps it.
import { unpacker } from "./offline_unpack.js";

const PYTHON = new URL("../python/", import.meta.url);
const ROOT = new URL("../..", import.meta.url).pathname;
const VERSION = import.meta.url.split("/").at(-3);
const scope = /** @type {any} */ (globalThis);
/** @type {any} */
let python;
/** @type {any} */
let site; // of Python
let loaded = 0; // bytes
let isKept = false; // by the service worker
let spoken = ""; // the language that has come
const AT_FIRST = /^\/(lists|games\/[\w-]+|m\/.+)?(\?|$)/; // paths of pages that the first part draws
/** @type {Promise<void> | undefined} of the whole */
let wholeComes;
let isWhole = false;
/** @type {any[]} */
const waiting = []; // questions before Python has come

/** Return a file: the service worker's, else one that is unpacked on the way. @param {string} name @param {string} type */
async function get(name, type) {
  const isMachine = name.endsWith(".wasm");
  const kept = isKept && (await fetchFile(new URL(isMachine ? name : `${name}.gz`, PYTHON)));
  if (kept && kept.ok) return isMachine ? kept : unpacked(kept);
  const { body, ok } = await fetchFile(new URL(`${name}.bin`, PYTHON));
  if (!ok || !body) throw new Error(`${name}.bin`);
  const counted = new TransformStream({
    transform(part, stream) {
      loaded += part.byteLength;
      postMessage({ is: "progress", loaded });
      stream.enqueue(part);
    },
    flush() {
      if (isMachine) machineHasCome();
    },
  });
  return new Response(body.pipeThrough(counted).pipeThrough(unpacker()), {
    headers: { "Content-Type": type },
  });
}
const fetchFile = fetch;
/** @type {() => void} */
let machineHasCome;
/** @type {Promise<void>} */
const machineCame = new Promise((resolve) => (machineHasCome = resolve)); // the rest waits for what is started first
scope.fetch = (/** @type {string} */ address, /** @type {RequestInit} */ how) => {
  const name = new URL(address, PYTHON).pathname.split("/").at(-1) ?? "";
  if (name.endsWith(".wasm")) return get(name, "application/wasm");
  return name.endsWith(".zip")
    ? get(isKept ? name : "first.zip", "application/zip")
    : fetchFile(address, how);
};

/** Write the package's files where Python finds them. @param {any} FS @param {ArrayBuffer} pack */
function writeFiles(FS, pack) {
  const length = new DataView(pack).getUint32(0);
  const files = JSON.parse(new TextDecoder().decode(new Uint8Array(pack, 4, length)));
  const made = new Set(); // folders
  let at = 4 + length;
  for (const [path, size] of files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(path, new Uint8Array(pack, at, size), { canOwn: true });
    at += size;
  }
}

/** Take the whole of the library and of the package, in all languages. */
async function takeWhole() {
  const folder = await openFolder().catch(() => undefined);
  const [library, pack] = await Promise.all(
    ["python_stdlib.zip", "package"].map(async (name) => {
      const kept = await folder?.match(new URL(`${name}.gz`, PYTHON).href);
      return (kept ? unpacked(kept) : await get(name, "application/octet-stream")).arrayBuffer();
    }),
  );
  python.FS.writeFile(
    python.runPython("import sys\nnext(path for path in sys.path if path.endswith('.zip'))"),
    new Uint8Array(library),
  );
  writeFiles(python.FS, pack);
  python.runPython("import importlib; importlib.invalidate_caches()");
  isWhole = true;
}
const whole = () =>
  (wholeComes ??= takeWhole().catch((wrong) => {
    wholeComes = undefined; // it can be asked for again
    throw wrong;
  }));

// A snapshot is Python's memory when all modules are loaded and all kinds of pages drawn. A rehearsal takes it, and the
// next visits begin with it. A library lies where it lay, as it is loaded first of all.
const SNAPSHOT = new URL("snapshot", PYTHON).href;
const LIBRARY = "/package/msgspec/_core.cpython-314-wasm32-emscripten.so";
const PAGE_BYTES = 65536; // of memory
/** Return the service worker's cache of this version of the folder. */
async function openFolder() {
  const name = `${ROOT} folder ${VERSION}`;
  return (await caches.has(name)) ? caches.open(name) : undefined;
}
/** @param {Response} kept */
const unpacked = ({ body }) =>
  new Response(/** @type {any} */ (body).pipeThrough(new DecompressionStream("gzip")));
async function keepSnapshot() {
  python.runPython("from smallchange.server.offline.site import warm_up\nwarm_up()");
  const folder = await openFolder();
  const headers = { Browser: navigator.userAgent }; // another one may number its functions otherwise
  const memory = new Blob([python.makeMemorySnapshot()]).stream();
  await folder?.put(SNAPSHOT, new Response(memory.pipeThrough(new CompressionStream("gzip")), { headers }));
}
/** Start without the snapshot, where one cannot be used. @param {any} wrong @param {[string, boolean, boolean, string]} given */
async function startAnew(wrong, given) {
  if (isKept && (await (await openFolder())?.delete(SNAPSHOT))) return start(...given);
  postMessage({ is: "failed", wrong: wrong?.message ?? "" }); // the machine throws objects without words too
}

// What is kept: the tables, as texts by their ids.
/** @type {Promise<IDBDatabase>} */
const database = new Promise((resolve, reject) => {
  const request = indexedDB.open(`smallchange ${ROOT.slice(0, -1)}`, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("tables");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
/** @param {IDBTransactionMode} mode */
const openStore = async (mode) => (await database).transaction("tables", mode).objectStore("tables");
/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
async function readTables() {
  const store = await openStore("readonly");
  const [ids, texts] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
  return Object.fromEntries(ids.map((id, i) => [String(id), texts[i]]));
}
/** Keep tables, or say that this browser does not. @param {[string, string][]} texts by their ids */
async function keepTexts(texts) {
  try {
    const store = await openStore("readwrite");
    for (const [id, text] of texts) store.put(text, id);
    const { transaction } = store;
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = reject; // full storage aborts the whole of it
    });
  } catch {
    for (const [id] of texts) postMessage({ is: "full", id });
  }
}
const DRAWN_AFTER_MS = 1500; // of quiet, the last pages are drawn once more, for the beginning of the next visit
let drawing = 0; // a timer
function keep() {
  /** @type {[string, string][]} */
  const texts = Object.entries(JSON.parse(site.take_unsaved())); // those that have changed
  if (!texts.length) return;
  keepTexts(texts);
  clearTimeout(drawing);
  drawing = setTimeout(() => {
    const pages = ["/", ...texts.map(([id]) => `/m/${id}`).slice(-1)];
    postMessage({ is: "drawn", pages: Object.fromEntries(pages.map((path) => [path, draw(path)])) });
  }, DRAWN_AFTER_MS);
}
/** @type {Record<string, string>} those of the last request */
let lastCookies = {};
/** @param {string} path */
const draw = (path) => JSON.parse(site.respond("GET", path, python.toPy({}), python.toPy(lastCookies))).html;

/**
 * Start Python, from a snapshot if there is one.
 * @param {string} home @param {boolean} kept does the service worker keep the folder? @param {boolean} rehearses
 * @param {string} lang
 */
async function start(home, kept, rehearses, lang) {
  isKept = isWhole = kept;
  spoken = lang;
  const program = import(new URL("pyodide.asm.js", PYTHON).href); // beside what else comes
  const found = isKept && !rehearses && (await (await openFolder())?.match(SNAPSHOT));
  const snapshot =
    found && found.headers.get("Browser") === navigator.userAgent && unpacked(found).arrayBuffer();
  if (isKept) machineHasCome();
  const part = isKept ? "package" : `first-${lang}`;
  const pack = machineCame.then(async () => (await get(part, "application/octet-stream")).arrayBuffer());
  const { loadPyodide } = await import(new URL("pyodide.js", PYTHON).href);
  /** @type {any} */
  let machine;
  const createPyodideModule = async (/** @type {any} */ given) => (await program).default((machine = given));
  const early = {
    _makeSnapshot: rehearses,
    ...(snapshot && { _loadSnapshot: snapshot }),
    async fsInit(/** @type {any} */ FS) {
      writeFiles(FS, await pack);
      const { byteLength = 0 } = (await snapshot) || {};
      if (snapshot) machine.growMemory(byteLength - (byteLength % PAGE_BYTES));
      const how = { loadAsync: true, nodelete: true };
      machine.preloadedWasm[LIBRARY] = await machine.loadWebAssemblyModule(
        FS.readFile(LIBRARY),
        how,
        LIBRARY,
        {},
      );
    },
  };
  const places = {
    indexURL: PYTHON.href,
    packageBaseUrl: PYTHON.href,
    checkAPIVersion: false,
    createPyodideModule,
  };
  python = await loadPyodide({ ...places, ...(isKept && early) });
  if (!isKept) writeFiles(python.FS, await pack);
  if (!snapshot)
    python.runPython(
      "import os, sys; sys.path.insert(0, '/package')\nos.environ['SMALLCHANGE_DATA'] = '/kept-nowhere'",
    );
  if (rehearses) return keepSnapshot().then(() => postMessage({ is: "ready" }));
  const make = python.runPython(
    "from smallchange.server.offline.site import Site\n" +
      "lambda saved, now, home: Site(saved.to_py(), lambda: int(now()), home)",
  );
  site = make(await readTables().catch(() => ({})), Date.now, home);
  postMessage({ is: "ready", isRehearsed: !isKept || Boolean(snapshot) });
  waiting.forEach(answer);
}

/** Let bots move until it is somebody's turn. @param {string} match @param {string} lang */
async function moveBots(match, lang) {
  const moved = await withWhole(() => site.bot_move(match, lang));
  if (!moved) return;
  postMessage({ is: "message", answer: moved });
  setTimeout(() => moveBots(match, lang)); // what has come meanwhile comes first
  keep();
}

/** Do something that may need more than has come: then once more with the whole. @template T @param {() => T} act */
function withWhole(act) {
  try {
    return act();
  } catch (wrong) {
    if (isWhole) throw wrong;
    return whole().then(act);
  }
}

/** @param {{id: number, what: string, given: any[]}} question */
async function answer({ id, what, given }) {
  try {
    if (what === "respond") {
      const [method, path, fields, cookies] = given;
      lastCookies = cookies;
      if (!isWhole && (cookies.lang !== spoken || !AT_FIRST.test(path))) await whole();
      const found = await withWhole(() =>
        site.respond(method, path, python.toPy(fields), python.toPy(cookies)),
      );
      postMessage({ is: "answer", id, answer: found });
    } else if (what === "adopt") {
      site.adopt(given[0], given[1]);
      postMessage({ is: "answer", id });
    } else {
      const [match, text, lang] = given;
      postMessage({ is: "message", id, answer: await withWhole(() => site.answer(match, text, lang)) });
      setTimeout(() =>
        moveBots(match, lang).catch((wrong) => postMessage({ is: "failed", id: 0, wrong: String(wrong) })),
      );
    }
    keep(); // after the answer, which does not wait for it
  } catch (wrong) {
    postMessage({ is: "failed", id, wrong: String(wrong) });
  }
}

addEventListener("message", ({ data }) => {
  const { what, given } = data;
  if (what === "start")
    start(given[0], given[1], given[2], given[3]).catch((wrong) => startAnew(wrong, given));
  else if (what === "whole")
    whole().catch(() => {}); // it comes when it is needed
  else if (site) answer(data);
  else waiting.push(data);
  if (what === "adopt") keepTexts([given]); // at once, as Python may come late
});
