// In a page that is drawn in the browser: what it would ask of a server, the page around it answers (`offline_shell.js`).
// This is an ordinary script, so that it runs before the modules of the page.
{
  const { shell } = /** @type {any} */ (parent);
  const { SITE, FILES } = shell;
  const fetchFile = fetch;

  /** @param {string | URL} address @returns {string | null} the path of a page of ours; null for a file and for others */
  const pathOf = (address) => {
    const { origin, pathname, search, hash } = new URL(address, location.href);
    const isPage = origin === location.origin && pathname.startsWith(`${SITE}/`);
    if (isPage && pathname === `${SITE}/` && hash.startsWith("#/")) return hash.slice(1);
    return isPage && !pathname.startsWith(`${FILES}/`) ? pathname.slice(SITE.length) + search + hash : null;
  };

  // The address of the page around it follows: a page that is loaded again is the same.
  const { replaceState } = history;
  history.replaceState = (state, title, address) => {
    const path = address ? pathOf(address) : null;
    replaceState.call(history, state, title, path === null ? address : SITE + path);
    if (path) parent.history.replaceState(parent.history.state, "", `#${path}`);
  };

  globalThis.fetch = async (input, init) => {
    const path = input instanceof Request ? null : pathOf(input);
    if (path === null) return fetchFile(input, init);
    const { html, json } = await shell.ask("GET", path);
    return json ? Response.json(json) : new Response(html, { headers: { "Content-Type": "text/html" } });
  };

  // The socket to the table: its messages go to Python. It never breaks.
  const Socket = class {
    static OPEN = 1;
    readyState = 1;
    /** @type {(() => void) | null} */
    onopen = null;
    /** @type {((message: {data: string}) => void) | null} */
    onmessage = null;
    onclose = null;
    constructor() {
      shell.listen((/** @type {string} */ data) => this.onmessage?.({ data }));
      setTimeout(() => this.onopen?.());
    }
    /** @param {string} text */
    send(text) {
      if (JSON.parse(text).is === "ping") setTimeout(() => this.onmessage?.({ data: '{"is": "pong"}' }));
      else shell.send(text);
    }
    close() {}
  };
  globalThis.WebSocket = /** @type {any} */ (Socket);

  Object.assign(globalThis, { isOurs: true }); // this file has come
  addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href]"); // of HTML or of a picture
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || !link) return;
    const href = link.getAttribute("href") ?? "";
    const path = pathOf(href);
    if (path === null || link.getAttribute("target") === "_top" || (href.startsWith("#") && href[1] !== "/"))
      return;
    event.preventDefault();
    const name = link.getAttribute("download");
    if (name) shell.save(path, name);
    else shell.go("GET", path);
  });
  addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const path = pathOf(button?.getAttribute("formaction") ?? form.action);
    if (event.defaultPrevented || path === null) return;
    event.preventDefault();
    const given = /** @type {any} */ (new FormData(form, button));
    if ((button?.getAttribute("formmethod") ?? form.method) === "get")
      return shell.go("GET", `${path.split(/[?#]/)[0]}?${new URLSearchParams(given)}`);
    const fields = [...given].map(async ([name, value]) => [
      name,
      value instanceof File ? await value.text() : value,
    ]);
    shell.go("POST", path, Object.fromEntries(await Promise.all(fields)));
  });
}
