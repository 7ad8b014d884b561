// What this browser keeps of games that were played offline: the one that goes on, by game, and those that are over.
import { SITE } from "./dom.js";

const FINISHED = `${SITE}/offline finished`;

/** @typedef {{game: string, at: number, record: string}} Finished a game that is over, and its title */

/** @param {string} match @returns {string} its record; "" for none */
export const savedGame = (match) => localStorage.getItem(`${SITE}/${match}`) ?? "";

/** @param {string} match @param {string} record */
export const saveGame = (match, record) => localStorage.setItem(`${SITE}/${match}`, record);

/** @param {string} match */
export const dropGame = (match) => localStorage.removeItem(`${SITE}/${match}`);

/** @returns {Finished[]} */
export const finishedGames = () => JSON.parse(localStorage.getItem(FINISHED) ?? "[]");

/** @param {Finished} game */
export function addFinished(game) {
  const known = finishedGames();
  if (!known.some(({ record }) => record === game.record))
    localStorage.setItem(FINISHED, JSON.stringify([...known, game]));
}

/** @param {string} record */
export const dropFinished = (record) =>
  localStorage.setItem(FINISHED, JSON.stringify(finishedGames().filter((game) => game.record !== record)));
