// The rulebook beside the board, open where the game is, or what one looks up; the same page that the link leads to.
import { $, $$ } from "./dom.js";

const book = $("#book"), text = $("#book-text"), NARROW = matchMedia("(max-width: 699px)");
let read, wanted, opener;

// Fails without a line; changes nothing if it is not due any more once it is here.
async function leaf(path, due) {
  const answer = await fetch(`${path}?lang=${document.documentElement.lang}`);
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!due()) return false;
  for (const el of $$("[id]", page)) el.id = `book-${el.id}`; // the table has a #board too
  for (const link of $$("a[href^='#']", page)) link.setAttribute("href", `#book-${link.hash.slice(1)}`);
  text.replaceChildren(...$$(".contents, .book", page));
  read = path;
  return true;
}
function turn(anchor) {
  const goal = (anchor && document.getElementById(`book-${anchor}`)) || text;
  for (const el of $$(".here", text)) el.classList.remove("here");
  if (goal !== text) goal.classList.add("here"), (goal.tabIndex = -1);
  goal.focus({ preventScroll: true });
  goal === text ? (text.scrollTop = 0) : goal.scrollIntoView({ block: "start" });
}
export async function open(link) {
  const [path, anchor] = link.getAttribute("href").split("#");
  wanted = path;
  if ((read !== path || link.id === "to-sheet") && !(await leaf(path, () => path === wanted))) return;
  book.ariaLabel = link.textContent;
  $("#book-apart").href = link.href;
  if (!book.open) {
    opener = document.activeElement;
    book.style.setProperty("--board", `${$("#board").getBoundingClientRect().bottom}px`);
    NARROW.matches ? book.showModal() : book.show();
  }
  turn(anchor);
}
// The game went on: what tells of its state is out of date.
export async function renew() {
  if (!book.open || !read.startsWith("/m/")) return;
  const { scrollTop } = text, path = read;
  const renewed = leaf(path, () => path === read).catch(() => false); // without a line, after the next step
  if (await renewed) text.scrollTop = scrollTop;
}
export function shut() {
  const was = book.open;
  wanted = null;
  book.close();
  return was;
}
book.addEventListener("close", () => {
  const back = opener?.isConnected && opener !== document.body ? opener : $("#to-rules");
  back.focus({ preventScroll: true });
});
// What has the focus is to be seen: where the book lies over it, it shuts.
document.addEventListener("focusin", ({ target }) => {
  if (!book.open || book.contains(target)) return;
  const { x, y, width, height } = target.getBoundingClientRect();
  if (book.contains(document.elementFromPoint(x + width / 2, y + height / 2))) (opener = target), shut();
});
book.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#book-']");
  if (link) event.preventDefault(), turn(link.hash.slice(6));
  else if (event.target.closest("#book-shut")) shut();
});
