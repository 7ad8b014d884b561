// Web push on the account's page: this browser's buttons to take messages, and to take none any more.
import { SITE, offerActions } from "./dom.js";

const section = document.getElementById("push");
const error = document.getElementById("push-error");
const { key = "" } = section?.dataset ?? {};

/** Ask the browser for a subscription, and give it to the server. */
async function begin() {
  if ((await Notification.requestPermission()) !== "granted") throw new Error();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // one of another key takes no messages of ours
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const answer = await fetch(`${SITE}/notifications/push`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ subscription }),
  });
  if (answer.ok) return;
  await subscription.unsubscribe();
  throw new Error((await answer.json()).error);
}

/** End the subscription, at the server first. */
async function end() {
  const body = new URLSearchParams({ here: "1" });
  const answer = await fetch(`${SITE}/notifications/push/end`, { method: "POST", body, redirect: "manual" });
  if (answer.status >= 400) throw new Error();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}

/** @param {() => Promise<void>} act */
function thenReload(act) {
  return async () => {
    await act();
    location.assign(`${SITE}/account#push`);
    location.reload();
  };
}

if ("PushManager" in window && "serviceWorker" in navigator)
  offerActions(
    { "push-on": thenReload(begin), "push-off": thenReload(end) },
    error,
    section?.dataset.refused,
  );
