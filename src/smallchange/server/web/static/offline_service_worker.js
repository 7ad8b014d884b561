// What keeps the folder of a site without a server, so that it opens without a connection: all its files, of one
// version, those that end in .bin packed as browsers unpack them. What comes before this text says which they are, by their digests: a file of
// another version is refused, and with it the update. A new version takes over when no page of the old one is open.
{
  /** @type {any} */
  const host = self;
  const { unpacker } = host; // of `offline_unpack.js`, whose text comes before
  /** @type {{FILES: Record<string, string>, VERSION: string, FIRST: number}} */
  const { FILES, VERSION, FIRST } = host.folder;
  const ROOT = new URL(".", host.location.href);
  const CACHES = `${ROOT.pathname} folder `;

  /** @param {Cache} cache @param {string} path */
  async function keep(cache, path) {
    const found = await fetch(new URL(path, ROOT), { cache: "no-cache" });
    if (!found.ok) throw new Error(path);
    const content = await found.clone().arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
    if (FILES[path] && FILES[path] !== btoa(String.fromCharCode(...digest))) throw new Error(path);
    const name = path.replace(/[.]bin$/, "");
    if (name === path) return cache.put(new URL(path, ROOT), found);
    const stream = new Blob([content]).stream().pipeThrough(unpacker());
    if (!name.endsWith(".wasm")) {
      const kept = new Response(stream.pipeThrough(new CompressionStream("gzip"))); // which is unpacked at once
      return cache.put(new URL(`${name}.gz`, ROOT), kept);
    }
    const unpacked = await new Response(stream).blob();
    // an empty section behind the first: other bytes are compiled anew, with code that browsers can keep
    const section = [unpacked.slice(0, FIRST), Uint8Array.of(0, 2, 1, 0x6b), unpacked.slice(FIRST)];
    const headers = { "Content-Type": "application/wasm" };
    await cache.put(new URL(name, ROOT), new Response(new Blob(section), { headers }));
  }

  host.addEventListener("install", (/** @type {any} */ event) => {
    const name = CACHES + VERSION;
    const all = caches
      .open(name)
      .then((cache) => Promise.all(Object.keys(FILES).map((path) => keep(cache, path))))
      .catch((wrong) => caches.delete(name).then(() => Promise.reject(wrong)));
    event.waitUntil(all);
  });
  host.addEventListener("activate", (/** @type {any} */ event) => {
    const removeOld = caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith(CACHES) && name !== CACHES + VERSION)
            .map((name) => caches.delete(name)),
        ),
      );
    event.waitUntil(removeOld.then(() => host.clients.claim()));
  });
  host.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    if (request.method !== "GET" || !request.url.startsWith(ROOT.href)) return;
    const { pathname } = new URL(request.url);
    const address = pathname === ROOT.pathname ? new URL("index.html", ROOT) : request;
    const found = caches
      .open(CACHES + VERSION)
      .then((cache) => cache.match(address, { ignoreSearch: true, ignoreVary: true }));
    event.respondWith(found.then((kept) => kept ?? fetch(request)));
  });
}
