// The rulebook beside the board, open where the game is; what is read is the same page that the link leads to.
import { $, $$ } from "./dom.js";

const book = $("#book"), text = $("#book-text"), NARROW = matchMedia("(max-width: 699px)");
let read, opener;

async function leaf(path) {
  const answer = await fetch(`${path}?lang=${document.documentElement.lang}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const el of $$("[id]", page)) el.id = `book-${el.id}`; // the table has a #board too
  for (const link of $$("a[href^='#']", page)) link.setAttribute("href", `#book-${link.hash.slice(1)}`);
  text.replaceChildren(...$$(".contents, .book", page));
  read = path;
}
function turn(anchor) {
  const goal = document.getElementById(`book-${anchor}`) ?? text;
  for (const el of $$(".here", text)) el.classList.remove("here");
  goal.classList.add("here");
  goal.tabIndex = -1;
  goal.focus({ preventScroll: true });
  goal.scrollIntoView({ block: "start" });
}
export async function open(link) {
  const [path, anchor] = link.getAttribute("href").split("#");
  try {
    if (read !== path) await leaf(path);
  } catch {
    return location.assign(link.href); // no line, so the browser says why
  }
  $("#book-apart").href = link.href;
  if (!book.open) {
    opener = document.activeElement;
    book.style.setProperty("--board", `${$("#board").getBoundingClientRect().bottom}px`);
    NARROW.matches ? book.showModal() : book.show();
  }
  turn(anchor);
}
export function shut() {
  const was = book.open;
  book.close();
  return was;
}
book.addEventListener("close", () => {
  const back = opener?.isConnected && opener !== document.body ? opener : $("#to-rules");
  back.focus({ preventScroll: true });
});
book.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#book-']");
  if (link) event.preventDefault(), turn(link.hash.slice(6));
  else if (event.target.closest("#book-shut")) shut();
});
export const isOpen = () => book.open;
