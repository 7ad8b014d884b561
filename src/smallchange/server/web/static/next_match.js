// The next match of a tournament takes its players along, from the page of the tournament or of their last match.
import { SITE } from "./dom.js";
import { notePlaying } from "./bell.js";
import { followEvents } from "./events.js";

/**
 * Follow a tournament, and go to one's match as soon as it has begun.
 * @param {string} path of the news
 * @param {string | undefined} known the path of the match that the page shows; without one, of that which goes on
 * @param {(version: string) => void} [onChange] called with the version of the tournament's page
 */
export function goToNextMatch(path, known, onChange = () => {}) {
  followEvents(path, ({ version, to }) => {
    notePlaying();
    known ??= to;
    const isNew = Boolean(to) && to !== known;
    if (isNew) location.assign(SITE + to);
    else onChange(version);
    return isNew;
  });
}
