// A stream of the server's events. The browser opens one that was cut off again by itself.
import { SITE } from "./dom.js";

const RETRY_MS = 2000;

/**
 * Follow a stream until `read` returns true. If it cannot read an event, the stream is opened anew, for it begins with
 * what is so now.
 * @param {string} path
 * @param {(event: any) => boolean} read
 */
export function followEvents(path, read) {
  const news = new EventSource(SITE + path);
  news.addEventListener("message", ({ data }) => {
    try {
      if (read(JSON.parse(data))) news.close();
    } catch (wrong) {
      console.warn(wrong);
      news.close();
      setTimeout(() => followEvents(path, read), RETRY_MS);
    }
  });
}
