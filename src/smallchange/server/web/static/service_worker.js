// What an installed page keeps: style sheets, scripts and typefaces as they were last, and a page that says that one
// is offline. Everything is asked of the server first, so nothing is ever older than it.
// It also shows the messages that come by web push.

const scope = /** @type {any} */ (self);
const SITE = new URL(".", scope.location.href).pathname; // ends with a slash
const CACHES = `${SITE}static-`; // of other sites of this host there may be more
const CACHE = `${CACHES}2`;
const OFFLINE_PAGE = `${SITE}offline`;

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add(OFFLINE_PAGE))
      .catch(() => {}) // there is no room: messages come all the same
      .then(() => scope.skipWaiting()),
  );
});
scope.addEventListener("activate", (/** @type {any} */ event) => {
  const removeOld = caches
    .keys()
    .then((names) =>
      Promise.all(
        names.filter((name) => name.startsWith(CACHES) && name !== CACHE).map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(removeOld.then(() => scope.clients.claim()));
});

/** @param {Request} request of a file that never tells anything about a visitor */
async function fetchStatic(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) keep(request, answer.clone());
    return answer;
  } catch (wrong) {
    const kept = await caches.match(request).catch(() => undefined);
    if (kept) return kept;
    throw wrong;
  }
}

/**
 * Keep an answer for later, where there is room; otherwise no older one may take its place.
 * @param {Request} request
 * @param {Response} answer
 */
async function keep(request, answer) {
  const cache = await caches.open(CACHE).catch(() => undefined);
  await cache?.put(request, answer).catch(() => cache.delete(request).catch(() => {}));
}

/** @param {Request} request of a page, which is never kept */
async function fetchPage(request) {
  try {
    return await fetch(request);
  } catch (wrong) {
    const page = await caches.match(OFFLINE_PAGE).catch(() => undefined);
    if (page) return page;
    throw wrong;
  }
}

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(`${SITE}static/`)) event.respondWith(fetchStatic(request));
  else if (request.mode === "navigate") event.respondWith(fetchPage(request));
});

/** @returns {Promise<any[]>} the open pages of this site, those in view first */
async function pages() {
  const found = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const own = found.filter((/** @type {any} */ page) => new URL(page.url).pathname.startsWith(SITE));
  return own.sort(
    (/** @type {any} */ a, /** @type {any} */ b) =>
      Number(b.visibilityState === "visible") - Number(a.visibilityState === "visible"),
  );
}

/**
 * Show a message, and mark the icon. A page in view shows it by its own bell instead.
 * @param {{ title?: string, text?: string, path?: string, tag?: string, lang?: string }} message
 */
async function showMessage({ title = "Small Change", text, path = "notifications", tag, lang }) {
  const [first] = await pages();
  if (first?.visibilityState === "visible") return first.postMessage({ is: "notified" }, []);
  /** @type {any} */ (scope.navigator).setAppBadge?.().catch(() => {});
  const look = { icon: `${SITE}static/icon-192.png`, badge: `${SITE}static/icon-192.png` };
  return scope.registration.showNotification(title, { body: text, tag, lang, data: { path }, ...look });
}

/** Lead a page of this site to what a message is about: one that shows it already, else a new one. @param {string} path */
async function openPage(path) {
  const { href } = new URL(path, new URL(SITE, location.href));
  if (!href.startsWith(new URL(SITE, location.href).href)) return;
  const open = (await pages()).find((page) => page.url.split("#")[0] === href);
  await (open ? open.focus() : scope.clients.openWindow(href));
}

scope.addEventListener("push", (/** @type {any} */ event) => {
  event.waitUntil(showMessage(event.data?.json() ?? {}));
});
scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path ?? "notifications"));
});

// a browser may renew its subscription by itself: the server hears of the new one, or messages would end unnoticed
scope.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) =>
  event.waitUntil(renewPush(event)),
);

/** @param {any} event of the subscription that has ended */
async function renewPush({ newSubscription, oldSubscription }) {
  const applicationServerKey = oldSubscription?.options.applicationServerKey;
  if (!newSubscription && !applicationServerKey) return;
  const asked = { userVisibleOnly: true, applicationServerKey };
  const subscription = newSubscription ?? (await scope.registration.pushManager.subscribe(asked));
  await fetch(`${SITE}notifications/push`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ subscription }),
  });
}
