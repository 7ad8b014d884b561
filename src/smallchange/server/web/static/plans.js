// Planned moves: on the other's turn the moves that one may come to play are fetched, and chosen as on one's own.
import { refresh, select, showHint, touch } from "./choices.js";
import { $, $$, byId, fetchPage, focus } from "./dom.js";

/** Offer the moves that can be planned, and touch what lies at the place of a click. @param {MouseEvent} [click] */
export async function beginPlanning(click) {
  const link = /** @type {HTMLAnchorElement | null} */ ($("#plan-ahead"));
  if (!link) return;
  const { ply } = byId("table-data").dataset;
  const page = await fetchPage(`${link.href}?lang=${document.documentElement.lang}`);
  const found = page.getElementById("ahead-moves");
  if (!found || ply !== byId("table-data").dataset.ply || $("#actions [name=token], #ahead")) return;
  const list = document.createElement("div");
  list.id = "ahead";
  list.className = "buttons";
  for (const button of /** @type {HTMLButtonElement[]} */ ($$("button", found))) {
    button.setAttribute("form", "command-form");
    button.setAttribute("formaction", link.href.replace(/ahead$/, "plan"));
    button.hidden = "path" in button.dataset;
    list.append(button);
  }
  byId("tools").before(list);
  select([]);
  showHint({ text: link.title });
  const at = click && document.elementFromPoint(click.clientX, click.clientY)?.closest("a.live");
  if (at) touch(at.id.slice(2));
  const first = /** @type {SVGElement | null} */ ($(".picked, .live"));
  if (first && !click) focus(first);
}

/** End planning; what has been planned stays. Return whether there was any. */
export function endPlanning() {
  const list = $("#ahead");
  list?.remove();
  if (list) {
    showHint();
    select([]);
    refresh();
  }
  return list !== null;
}
