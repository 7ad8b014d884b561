/** Keep the variation of a running match that was looked at last, for its player in this browser. */
const key = `variation ${location.pathname}`;
try {
  const kept = localStorage.getItem(key);
  if (location.search) localStorage.setItem(key, location.search);
  else if (kept) location.replace(kept);
} catch {
  // the browser keeps nothing
}
