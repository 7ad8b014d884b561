// Asking before a move is sent, for who has chosen that in the settings: always, or by correspondence.
import { $, byId, focus } from "./dom.js";

const { ask = "off" } = document.body.dataset;
/** @type {HTMLButtonElement | null} the move that was said yes to */
let agreed = null;
const { dataset } = byId("main");
const isAsked = ask === "on" || (ask === "slow" && dataset.pace === "slow");

// Forget what was asked.
export function forgetQuestion() {
  $("#ask")?.remove();
  agreed = null;
}

/** Ask whether to send the move of a button; return whether that is so. @param {HTMLButtonElement} button */
export function asksFirst(button) {
  if (!isAsked || agreed === button) return false;
  forgetQuestion();
  const question = document.createElement("div");
  question.id = "ask";
  question.className = "buttons";
  /** @param {string} text @param {string} look @param {() => void} act */
  const add = (text, look, act) => {
    const answer = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    answer.className = `btn ${look}`;
    answer.addEventListener("click", act);
    question.append(answer);
    return answer;
  };
  const send = add(`${dataset.send}: ${button.textContent}`, "primary", () => {
    question.remove();
    agreed = button;
    button.form?.requestSubmit(button);
  });
  add(dataset.other ?? "", "quiet", forgetQuestion);
  byId("tools").before(question);
  focus(send);
  return true;
}
