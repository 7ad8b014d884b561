// The sheet of a drawing: places that are drawn on by touch, mouse and keyboard. The text field holds the drawing.
import { $$, byId, fetchPage, setAttribute, showFaults } from "./dom.js";
import { measureOdds } from "./odds.js";

const QUIET_MS = 250; // after the last change, before it is checked
const MARGIN = 2; // free rows and columns around what is drawn
const LEAST = { squares: [9, 8], hexes: [7, 7] }; // columns and rows of a sheet
const CLEAR_KEYS = new Set(["Delete", "Backspace", "0"]);
const HEX = "50,0 98,28 98,83 50,111 2,83 2,28"; // the corners of a hex
const NAMED = /^ *([A-Za-z]) *= *(.*?) *$/; // a line that names a sign
const SVG = "http://www.w3.org/2000/svg";

/** @type {HTMLFormElement} */
const form = byId("setup");
const path = location.pathname;
const sheet = byId("sheet");
/** @type {HTMLTextAreaElement} */
const text = byId("drawing");
/** @type {HTMLInputElement[]} */
const brushes = $$("[name=brush]");
/** @type {HTMLInputElement} */
const columnsInput = byId("columns");
/** @type {HTMLInputElement} */
const rowsInput = byId("rows");
/** @type {HTMLInputElement | null} */
const edges = document.querySelector("#edges");
/** @type {HTMLInputElement[]} */
const nameInputs = $$("[data-sign]");
/** @type {HTMLButtonElement} */
const takeBack = byId("take-back");
const hexes = "hexes" in sheet.dataset;
const most = { columns: Number(sheet.dataset.columns), rows: Number(sheet.dataset.rows) };
const blank = brushes[brushes.length - 1]?.value ?? ".";
const looks = new Map(brushes.map((brush) => [brush.value, brush.dataset]));

/** @type {string[][]} the signs by row from the top, and by column */
let signs = [];
let shift = 0; // of hexes: 1 where the even rows are those shifted to the right
/** @type {Map<string, string>} the own names of signs, which stand below a drawing */
const names = new Map();
/** @type {{ signs: string[][], shift: number }[]} */
const earlier = [];
let [row, column] = [0, 0]; // where the keyboard is
/** @type {string | null} what a stroke draws, while it lasts */
let stroke = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let latest = "";

const rowCount = () => signs.length;
const columnCount = () => signs[0]?.length ?? 0;
/** @param {number} y whether a row of hexes stands half a place to the right */
const isShifted = (y) => hexes && (y + shift) % 2 === 1;
/** @param {number} columns @param {number} rows */
const emptySheet = (columns, rows) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => blank));

/** The least rectangle around what is drawn, or null. */
function extent() {
  const drawn = signs.flatMap((line, y) => line.flatMap((sign, x) => (sign === blank ? [] : [{ x, y }])));
  if (!drawn.length) return null;
  const [xs, ys] = [drawn.map(({ x }) => x), drawn.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** The drawing as the game reads it. */
function written() {
  const whole = { left: 0, right: columnCount() - 1, top: 0, bottom: rowCount() - 1 };
  const part = edges?.checked ? whole : extent();
  if (!part) return "";
  const lines = signs.slice(part.top, part.bottom + 1).map((line, i) => {
    const kept = line.slice(part.left, part.right + 1);
    if (!hexes) return kept.join("");
    return (isShifted(part.top + i) ? " " : "") + kept.join(" ");
  });
  for (const sign of tints().keys()) if (names.get(sign)) lines.push(`${sign} = ${names.get(sign)}`);
  return lines.join("\n");
}

/** Take the names from the lines below a drawing; return the rows. @param {string} drawing */
function withoutNames(drawing) {
  names.clear();
  const rows = drawing.split("\n").filter((line) => {
    const [, sign, name] = line.match(NAMED) ?? [];
    if (sign && name !== undefined) names.set(sign, name);
    return !sign;
  });
  for (const input of nameInputs) input.value = names.get(input.dataset.sign ?? "") ?? "";
  return rows.join("\n");
}

/** @param {string} sign */
const isBlank = (sign) => sign === blank || sign === " " || sign === ".";
/** Lay what the text field has on the sheet. */
function read() {
  const typed = text.value.replace(/\r/g, "");
  const lines = (nameInputs.length ? withoutNames(typed) : typed)
    .replace(/^\n+|\n+$/g, "")
    .split("\n")
    .slice(0, most.rows);
  /** @type {{ x: number, y: number, sign: string }[]} */
  const found = [];
  for (const [y, line] of lines.entries()) {
    for (const [x, sign] of [...line].entries()) if (!isBlank(sign)) found.push({ x, y, sign });
  }
  const tall = lines.length;
  const wide = Math.max(0, ...lines.map((line) => line.length));
  const left = hexes ? Math.min(...found.map(({ x }) => x)) : 0;
  const first = found[0];
  const shifted = hexes && first ? (first.x - left + first.y) % 2 : 0;
  const places = found.map(({ x, y, sign }) => ({
    x: hexes ? Math.floor((x - left - ((y + shifted) % 2)) / 2) : x,
    y,
    sign,
  }));
  const least = Math.min(0, ...places.map(({ x }) => x)); // a row may stand further left than its shift
  for (const one of places) one.x -= least;
  const width = hexes ? Math.max(0, ...places.map(({ x }) => x)) + 1 : wide;
  if (edges) edges.checked = hasEdges(places, width, tall);
  const margin = edges?.checked ? 0 : MARGIN;
  const [leastColumns = 0, leastRows = 0] = edges?.checked ? [] : hexes ? LEAST.hexes : LEAST.squares;
  const columns = Math.min(most.columns, Math.max(leastColumns, width + 2 * margin, 1));
  const rows = Math.min(most.rows, Math.max(leastRows, tall + 2 * margin, 1));
  const right = Math.max(0, Math.floor((columns - width) / 2));
  const down = Math.max(0, Math.floor((rows - tall) / 2));
  signs = emptySheet(columns, rows);
  shift = (shifted + down) % 2;
  for (const { x, y, sign } of places) {
    const line = signs[y + down];
    if (line && x + right < columns) line[x + right] = sign;
  }
}

/** @param {{ x: number, y: number }[]} places @param {number} width @param {number} height */
function hasEdges(places, width, height) {
  if (!places.length) return false;
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const full = Math.min(...xs) === 0 && Math.max(...xs) === width - 1;
  return !(full && Math.min(...ys) === 0 && Math.max(...ys) === height - 1);
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`);
  return made;
}

/** Draw the sheet anew, after its size has changed. */
function build() {
  const wide = 100 * columnCount() + (hexes ? 50 : 0);
  const tall = hexes ? 87 * (rowCount() - 1) + 111 : 100 * rowCount();
  const drawn = element("svg", { viewBox: `-4 -4 ${wide + 8} ${tall + 8}`, role: "grid" });
  drawn.setAttribute("aria-label", sheet.dataset.label ?? "");
  drawn.setAttribute("aria-rowcount", `${rowCount()}`);
  drawn.setAttribute("aria-colcount", `${columnCount()}`);
  for (const [y, line] of signs.entries()) {
    const group = element("g", { role: "row" });
    for (const x of line.keys()) group.append(place(x, y));
    drawn.append(group);
  }
  const focused = sheet.contains(document.activeElement);
  sheet.replaceChildren(drawn);
  sheet.style.setProperty("--columns", `${columnCount()}`);
  row = Math.min(row, rowCount() - 1);
  column = Math.min(column, columnCount() - 1);
  columnsInput.value = `${columnCount()}`;
  rowsInput.value = `${rowCount()}`;
  show();
  if (focused) move(column, row);
}

/** @param {number} x @param {number} y */
function place(x, y) {
  const at = hexes
    ? `translate(${100 * x + (isShifted(y) ? 50 : 0)} ${87 * y})`
    : `translate(${100 * x} ${100 * y})`;
  const made = element("g", { role: "gridcell", transform: at, "data-x": x, "data-y": y });
  if (hexes) made.append(element("polygon", { points: HEX }));
  else made.append(element("rect", { x: 3, y: 3, width: 94, height: 94, rx: 10 }));
  if (!hexes) made.append(element("circle", { cx: 50, cy: 50, r: 34 }));
  return made;
}

/** The tints of regions, in the order in which the game reads them. @returns {Map<string, number>} */
function tints() {
  const found = new Map();
  for (const sign of signs.flat()) {
    if (sign !== blank && !found.has(sign)) found.set(sign, (found.size % 6) + 1);
  }
  return found;
}

/** Show every place, and what each brush draws. */
function show() {
  const tint = tints();
  for (const cell of /** @type {SVGElement[]} */ ($$("[role=gridcell]", sheet))) {
    const [x, y] = [Number(cell.dataset.x), Number(cell.dataset.y)];
    const sign = signs[y]?.[x] ?? blank;
    cell.setAttribute("class", looks.get(sign)?.look || (sign === blank ? "blank" : "cell"));
    setAttribute(cell, "data-tint", hexes ? (tint.get(sign) ?? null) : null);
    setAttribute(cell, "tabindex", x === column && y === row ? 0 : -1);
    const said = (sheet.dataset.cell ?? "").replace("{row}", `${y + 1}`).replace("{column}", `${x + 1}`);
    cell.setAttribute("aria-label", said.replace("{sign}", looks.get(sign)?.text ?? sign));
  }
  for (const brush of brushes) {
    const swatch = brush.parentElement?.querySelector(".swatch");
    if (!swatch) continue;
    swatch.setAttribute("class", `swatch ${brush.dataset.look || "blank"}`);
    setAttribute(swatch, "data-tint", hexes ? (tint.get(brush.value) ?? null) : null);
  }
  for (const input of nameInputs) {
    if (input.parentElement) input.parentElement.hidden = !tint.has(input.dataset.sign ?? "");
  }
  takeBack.disabled = !earlier.length;
}

const brush = () => brushes.find((one) => one.checked)?.value ?? blank;
function keep() {
  earlier.push({ signs: signs.map((line) => [...line]), shift });
}

/** @param {number} x @param {number} y @param {string} sign */
function put(x, y, sign) {
  const line = signs[y];
  if (!line || line[x] === sign || x >= line.length) return;
  line[x] = sign;
  change();
}
function change() {
  text.value = written();
  show();
  ask();
}

/** Check the drawing and show its picture, a moment after the last change. */
function ask() {
  clearTimeout(timer);
  latest = "";
  timer = setTimeout(check, QUIET_MS);
}
async function check() {
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const query = `${fields}&lang=${document.documentElement.lang}`;
  latest = query;
  const fresh = await fetchPage(`${path}?${query}`);
  const picture = fresh.getElementById("picture");
  if (!picture || query !== latest) return; // without a connection, the last one stays until the next change
  showFaults(fresh);
  if (picture.hidden) byId("picture").classList.add("stale");
  else byId("picture").replaceWith(picture);
  measureOdds(!picture.hidden);
}

/** @param {Event} event */
const placeOf = (event) => {
  const { clientX, clientY } = /** @type {PointerEvent} */ (event);
  /** @type {SVGElement | null} */
  const cell = document.elementFromPoint(clientX, clientY)?.closest("#sheet [role=gridcell]") ?? null;
  return cell && { x: Number(cell.dataset.x), y: Number(cell.dataset.y) };
};
sheet.addEventListener("pointerdown", (event) => {
  const at = placeOf(event);
  if (!at || event.button !== 0) return;
  event.preventDefault();
  sheet.dataset.pointer = ""; // no ring around the place
  sheet.setPointerCapture(event.pointerId);
  keep();
  stroke = signs[at.y]?.[at.x] === brush() ? blank : brush();
  move(at.x, at.y);
  put(at.x, at.y, stroke);
});
sheet.addEventListener("pointermove", (event) => {
  const at = stroke === null ? null : placeOf(event);
  if (at && stroke !== null) put(at.x, at.y, stroke);
});
for (const end of ["pointerup", "pointercancel"]) sheet.addEventListener(end, () => (stroke = null));

/** Move the keyboard to a place. @param {number} x @param {number} y */
function move(x, y) {
  column = Math.max(0, Math.min(columnCount() - 1, x));
  row = Math.max(0, Math.min(rowCount() - 1, y));
  for (const cell of $$("[role=gridcell]", sheet)) {
    const here = cell.dataset.x === `${column}` && cell.dataset.y === `${row}`;
    setAttribute(cell, "tabindex", here ? 0 : -1);
    if (here) cell.focus({ preventScroll: true });
  }
}

sheet.addEventListener("keydown", (event) => {
  delete sheet.dataset.pointer;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  const digit = /^[1-9]$/.test(event.key) ? brushes[Number(event.key) - 1] : undefined;
  if (event.altKey || event.metaKey || (event.ctrlKey && event.key !== "z")) return;
  if (step) move(column + (step[0] ?? 0), row + (step[1] ?? 0));
  else if (event.key === "Home") move(0, row);
  else if (event.key === "End") move(columnCount() - 1, row);
  else if (event.key === "z" && event.ctrlKey) undo();
  else if (digit) digit.checked = true;
  else if (event.key === " " || event.key === "Enter") {
    if (event.repeat) return event.preventDefault();
    keep();
    put(column, row, signs[row]?.[column] === brush() ? blank : brush());
  } else if (CLEAR_KEYS.has(event.key)) {
    keep();
    put(column, row, blank);
  } else return;
  event.preventDefault();
});

function undo() {
  const last = earlier.pop();
  if (!last) return;
  ({ signs, shift } = last);
  build();
  change();
}
takeBack.addEventListener("click", undo);
byId("clear-all").addEventListener("click", () => {
  keep();
  signs = emptySheet(columnCount(), rowCount());
  change();
});
/** @param {HTMLInputElement} input @param {number} otherwise */
const typedNumber = (input, otherwise) => Math.max(1, Number.parseInt(input.value, 10) || otherwise);
function resize() {
  const part = extent();
  const columns = Math.max(
    (part?.right ?? 0) + 1,
    Math.min(most.columns, typedNumber(columnsInput, columnCount())),
  );
  const rows = Math.max((part?.bottom ?? 0) + 1, Math.min(most.rows, typedNumber(rowsInput, rowCount())));
  keep();
  const grown = emptySheet(columns, rows);
  for (const [y, line] of grown.entries()) {
    for (const x of line.keys()) line[x] = signs[y]?.[x] ?? blank;
  }
  signs = grown;
  build();
  change();
}
columnsInput.addEventListener("change", resize);
rowsInput.addEventListener("change", resize);
edges?.addEventListener("change", change);
for (const input of nameInputs) {
  input.addEventListener("input", () => {
    names.set(input.dataset.sign ?? "", input.value.replace(/\s+/g, " ").trim());
    change();
  });
}
text.addEventListener("input", () => {
  read();
  build();
});
form.addEventListener("input", ask);

for (const el of $$(".scripted")) el.hidden = false;
byId("draw").hidden = true;
/** @type {HTMLDetailsElement} */ (byId("as-text")).open = false;
sheet.hidden = false;
addEventListener("pageshow", () => {
  read();
  build();
  check();
});
