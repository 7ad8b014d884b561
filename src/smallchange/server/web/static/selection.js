// Choosing a move by touching pieces. A move is the path of ids that are touched for it, one after the other;
// `paths` are those of all legal moves, `selected` is what has been touched so far.

/** @param {string[]} path @param {string[]} head */
export const startsWith = (path, head) => head.every((id, i) => path[i] === id);

/**
 * Decide what a touch does: play the move of that index, select a longer or another beginning, or nothing
 * (null), where no legal move goes on like that.
 * @param {string[][]} paths
 * @param {string[]} selected
 * @param {string} id
 * @returns {{play: number} | {select: string[]} | null}
 */
export function touch(paths, selected, id) {
  if (selected.at(-1) === id) return { select: [] };
  const fitting = (/** @type {string[]} */ head) =>
    paths.flatMap((path, i) => (startsWith(path, head) ? [i] : []));
  const longer = [...selected, id];
  const path = fitting(longer).length ? longer : [id];
  const [first, ...others] = fitting(path);
  if (first === undefined) return null;
  return !others.length && paths[first].length === path.length ? { play: first } : { select: path };
}

/**
 * Sort out what an element can be touched for: the moves that go on with it, and the one that it completes.
 * @param {string[][]} paths
 * @param {string[]} selected
 * @param {string} id
 */
export function continuations(paths, selected, id) {
  const next = paths.flatMap((path, i) =>
    startsWith(path, selected) && path[selected.length] === id ? [i] : [],
  );
  const completes = next.length === 1 && paths[next[0]].length === selected.length + 1;
  return { next, move: completes ? next[0] : null };
}
