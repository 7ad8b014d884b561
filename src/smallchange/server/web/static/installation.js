// Register what keeps the static files of an installed page.
import { SITE } from "./dom.js";

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register(`${SITE}/service_worker.js`).catch(() => {}); // a private window may refuse it
}
