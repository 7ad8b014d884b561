// Runs the package's Python beside the page: CPython as WebAssembly, with the modules that playing needs.
// Files that end in .bin are compressed here, so that any host sends them so.

const PYTHON = new URL("../python/", import.meta.url);
const scope = /** @type {any} */ (globalThis);
/** @type {any} */
let python;
/** @type {any} */
let site; // of Python
let loaded = 0; // bytes
/** @type {any[]} */
const waiting = []; // questions before Python has come

/** Fetch a file and unpack it on the way. @param {string} name @param {string} type */
async function unpack(name, type) {
  const { body, ok } = await fetchFile(new URL(`${name}.bin`, PYTHON));
  if (!ok || !body) throw new Error(name);
  const counted = new TransformStream({
    transform(part, stream) {
      loaded += part.byteLength;
      postMessage({ is: "progress", loaded });
      stream.enqueue(part);
    },
  });
  return new Response(body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")), {
    headers: { "Content-Type": type },
  });
}
const fetchFile = fetch;
scope.fetch = (/** @type {string} */ address, /** @type {RequestInit} */ how) => {
  const name = new URL(address, PYTHON).pathname.split("/").at(-1) ?? "";
  if (name.endsWith(".wasm")) return unpack(name, "application/wasm");
  return name.endsWith(".zip") ? unpack(name, "application/zip") : fetchFile(address, how);
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

/** @param {Record<string, string>} saved tables @param {string} home */
async function start(saved, home) {
  const pack = unpack("package", "application/octet-stream").then((packed) => packed.arrayBuffer());
  const { loadPyodide } = await import(new URL("pyodide.mjs", PYTHON).href);
  python = await loadPyodide({ indexURL: PYTHON.href, packageBaseUrl: PYTHON.href, checkAPIVersion: false });
  writeFiles(await pack);
  const make = python.runPython(
    "import os, sys; sys.path.insert(0, '/package')\nos.environ['SMALLCHANGE_DATA'] = '/kept-nowhere'\n" +
      "from smallchange.server.offline.site import Site\n" +
      "lambda saved, now, home: Site(saved.to_py(), lambda: int(now()), home)",
  );
  site = make(saved, Date.now, home);
  postMessage({ is: "ready" });
  waiting.forEach(answer);
}

/** @returns {Record<string, string>} the tables that have changed, by their ids */
const takeUnsaved = () => JSON.parse(site.take_unsaved());

/** Let bots move until it is somebody's turn. @param {string} match @param {string} lang */
function moveBots(match, lang) {
  const moved = site.bot_move(match, lang);
  if (!moved) return;
  postMessage({ is: "message", answer: moved, unsaved: takeUnsaved() });
  setTimeout(() => moveBots(match, lang)); // what has come meanwhile comes first
}

/** @param {{id: number, what: string, given: any[]}} question */
function answer({ id, what, given }) {
  try {
    if (what === "respond") {
      const [method, path, fields, cookies] = given;
      const found = site.respond(method, path, python.toPy(fields), python.toPy(cookies));
      postMessage({ is: "answer", id, answer: found, unsaved: takeUnsaved() });
    } else {
      const [match, text, lang] = given;
      for (const said of site.answer(match, text, lang).toJs()) postMessage({ is: "message", answer: said });
      postMessage({ is: "answer", id, unsaved: takeUnsaved() });
      setTimeout(() => moveBots(match, lang));
    }
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
