// Runs the package's Python beside the page: CPython as WebAssembly, with the modules that playing needs.
// Files that end in .bin are compressed here, so that any host sends them so.

const PYTHON = new URL("../python/", import.meta.url);
const scope = /** @type {any} */ (globalThis);
/** @type {any} */
let python;
/** @type {any} */
let site; // of Python
let loaded = 0; // bytes
let isKept = false; // by the service worker
/** @type {any[]} */
const waiting = []; // questions before Python has come

/** Return a file: the service worker's, else one that is unpacked on the way. @param {string} name @param {string} type */
async function get(name, type) {
  const kept = isKept && (await fetchFile(new URL(name, PYTHON)));
  if (kept && kept.ok) return kept;
  const { body, ok } = await fetchFile(new URL(`${name}.bin`, PYTHON));
  if (!ok || !body) throw new Error(name);
  const counted = new TransformStream({
    transform(part, stream) {
      loaded += part.byteLength;
      postMessage({ is: "progress", loaded });
      stream.enqueue(part);
    },
    flush() {
      if (name.endsWith(".wasm")) machineHasCome();
    },
  });
  return new Response(body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")), {
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
  return name.endsWith(".zip") ? get(name, "application/zip") : fetchFile(address, how);
};

/** Write the package's files where Python finds them. @param {ArrayBuffer} pack */
function writeFiles(pack) {
  const length = new DataView(pack).getUint32(0);
  const files = JSON.parse(new TextDecoder().decode(new Uint8Array(pack, 4, length)));
  let at = 4 + length;
  for (const [path, size] of files) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(pack, at, size));
    at += size;
  }
}

// What is kept: the tables, as texts by their ids.
/** @type {Promise<IDBDatabase>} */
const database = new Promise((resolve, reject) => {
  const request = indexedDB.open(`smallchange ${new URL("..", import.meta.url).pathname.slice(0, -1)}`, 1);
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
async function keepTables() {
  const texts = Object.entries(JSON.parse(site.take_unsaved())); // those that have changed
  if (!texts.length) return;
  const store = await openStore("readwrite");
  for (const [id, text] of texts) store.put(text, id);
}
const keep = () => keepTables().catch(() => {}); // where nothing may be kept

/** @param {string} home @param {boolean} kept does the service worker keep the folder? */
async function start(home, kept) {
  isKept = kept;
  const saved = readTables().catch(() => ({}));
  import(new URL("pyodide.asm.mjs", PYTHON).href); // beside what else comes
  if (isKept) machineHasCome();
  const pack = machineCame.then(() => get("package", "application/octet-stream"));
  const { loadPyodide } = await import(new URL("pyodide.mjs", PYTHON).href);
  python = await loadPyodide({ indexURL: PYTHON.href, packageBaseUrl: PYTHON.href, checkAPIVersion: false });
  writeFiles(await (await pack).arrayBuffer());
  const make = python.runPython(
    "import os, sys; sys.path.insert(0, '/package')\nos.environ['SMALLCHANGE_DATA'] = '/kept-nowhere'\n" +
      "from smallchange.server.offline.site import Site\n" +
      "lambda saved, now, home: Site(saved.to_py(), lambda: int(now()), home)",
  );
  site = make(await saved, Date.now, home);
  postMessage({ is: "ready" });
  waiting.forEach(answer);
}

/** Let bots move until it is somebody's turn. @param {string} match @param {string} lang */
function moveBots(match, lang) {
  const moved = site.bot_move(match, lang);
  if (!moved) return;
  postMessage({ is: "message", answer: moved });
  setTimeout(() => moveBots(match, lang)); // what has come meanwhile comes first
  keep();
}

/** @param {{id: number, what: string, given: any[]}} question */
function answer({ id, what, given }) {
  try {
    if (what === "respond") {
      const [method, path, fields, cookies] = given;
      const found = site.respond(method, path, python.toPy(fields), python.toPy(cookies));
      postMessage({ is: "answer", id, answer: found });
    } else {
      const [match, text, lang] = given;
      postMessage({ is: "message", id, answer: site.answer(match, text, lang) });
      setTimeout(() => moveBots(match, lang));
    }
    keep(); // after the answer, which does not wait for it
  } catch (wrong) {
    postMessage({ is: "failed", id, wrong: String(wrong) });
  }
}

addEventListener("message", ({ data }) => {
  if (data.what === "start")
    start(data.given[0], data.given[1]).catch((wrong) => postMessage({ is: "failed", wrong: String(wrong) }));
  else if (site) answer(data);
  else waiting.push(data);
});
