// A table that is on no server: what `table.js` asks of the server, the package's own Python answers here. It was
// made into JavaScript beforehand, as nothing may be evaluated on our pages.
import { $, SITE, byId } from "./dom.js";
import { addFinished, dropGame, saveGame, savedGame } from "./offline_records.js";

const ENTRY = "smallchange.server.offline.local_table";
const SECRET_BYTES = 32;

/** @param {string} path @returns {Promise<void>} once the script has run */
const load = (path) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SITE + path;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(path));
    document.head.append(script);
  });

/** @returns {Promise<(game: string, lang: string, secret: number[], saved: string) => any>} makes a table */
async function loadPython() {
  await load("/offline/python.js");
  await load("/offline/brython.js");
  const { __BRYTHON__: python, compiledFunctions } = /** @type {any} */ (window);
  python.use_VFS = true;
  python.update_VFS(compiledFunctions.modules);
  for (const [name, [kind, , , isPackage]] of Object.entries(compiledFunctions.modules))
    if (kind === ".py") python.precompiled[name] = isPackage ? [""] : "";
  const frame = Object.assign(["page", {}, "page", {}], { __file__: "page", $lineno: 1 });
  python.frame_obj = python.push_frame(frame);
  python.import(ENTRY, [], {}, {});
  const make = python.module_getattr(python.imported[ENTRY], "LocalTable");
  return (game, lang, secret, saved) => {
    const bytes = python.$call(python.builtins.bytes, python.$list(secret));
    const table = python.$call(make, game, lang, bytes, saved);
    return new Proxy(table, {
      get:
        (_, name) =>
        (/** @type {any[]} */ ...given) =>
          python.$call(python.$getattr(table, name), ...given),
    });
  };
}

/** Read an answer, whose addresses are those of a site without a prefix. @param {string} text @returns {any} */
const read = (text) =>
  JSON.parse(SITE ? text.replaceAll(/((?:href|src|action|data-copy)=\\")\//g, `$1${SITE}/`) : text);

/** Return what answers for the server at this table, which shows nothing before. @param {string} match */
export async function openLocally(match) {
  const main = byId("main");
  const note = byId("connection");
  const make = await loadPython().catch((wrong) => {
    note.textContent = main.dataset.failed ?? "";
    throw wrong;
  });
  const secret = [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))];
  const table = make(
    match.slice(match.indexOf("-") + 1),
    document.documentElement.lang,
    secret,
    savedGame(match),
  );

  /** @param {any} message @returns {any} */
  function answer(message) {
    if (message.is === "ping") return { is: "pong" };
    if (message.is === "watch") return read(table.show());
    const shown = read(table.take(JSON.stringify(message)));
    const record = table.save();
    saveGame(match, record);
    const game = $("h1")?.textContent ?? "";
    if (shown.over) addFinished({ game, at: Date.now(), record });
    return shown;
  }

  return {
    /** @param {{onOpen: (again: boolean) => void, onMessage: (message: any) => void}} handlers */
    connect({ onOpen, onMessage }) {
      setTimeout(() => onOpen(false));
      return (/** @type {object} */ message) => {
        setTimeout(() => {
          onMessage(answer(message));
          main.inert = false;
          note.hidden = true;
        });
        return true;
      };
    },
    look: (/** @type {number} */ at) => read(table.look(at)),
    turns: (/** @type {number} */ after) => read(table.turns(after)),
    startAnew() {
      dropGame(match);
      location.reload();
    },
  };
}
