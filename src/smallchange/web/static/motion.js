// What moved slides, what fell turns: under a second, ended by any touch, none where motion is reduced.
import { $, $$, switched } from "./dom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
let audio;
const sound = switched($("#sound"), false, () => {
  audio?.close();
  audio = null;
  tone(520, 0);
});

const moving = () => (still.matches ? [] : $$("a.piece, .die-pick"));
export const places = () => new Map(moving().map((el) => [el.id, place(el)]));
// Where it is in its picture, and where that is: a picture that moves as a whole moves none of its pieces.
function place(el) {
  const picture = el.ownerSVGElement ?? el, [at, around] = [el, picture].map((one) => one.getBoundingClientRect());
  return { picture, x: at.x - around.x, y: at.y - around.y, left: around.x, top: around.y };
}

// `fell`: has chance answered since?
export function slide(before, fell) {
  const thrown = new Set($$("[data-fell]").map((dot) => dot.dataset.fell));
  let n = 0;
  for (const el of before.size ? moving() : []) {
    const is = place(el), was = before.get(el.id) ?? is, far = was.picture === is.picture ? 0 : 1;
    const dx = was.x - is.x + far * (was.left - is.left), dy = was.y - is.y + far * (was.top - is.top);
    if (el.matches(".piece") && Math.hypot(dx, dy) > 3) {
      const unit = el.ownerSVGElement.getScreenCTM().a;
      const from = `${dx / unit}px ${dy / unit}px`;
      el.animate({ translate: [from, "0 0"] }, { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" });
      tone(330, 0);
    }
    if (!fell || !(el.matches(".fell") || thrown.has(el.id))) continue;
    const delay = Math.min(100, 40 * n++), die = $("[href='#die']", el);
    const transformOrigin = $("[href^='#tile']", el) ? "50px 50px" : "0 0"; // the middle of the piece
    const [falls, duration] = die ? [{ rotate: ["0deg", "12deg", "0deg"] }, 180] : [{ scale: ["1 1", "0 1", "1 1"] }, 200];
    for (const part of (die ?? $("use", el)).parentNode.children) part.animate({ ...falls, transformOrigin }, { duration, delay });
    tone(620 + 60 * n, delay / 1000);
  }
}

function tone(pitch, delay) {
  if (!sound.on || !navigator.userActivation.hasBeenActive) return; // before that, browsers let nothing sound
  audio ??= new AudioContext();
  const [voice, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + delay];
  voice.frequency.value = pitch;
  gain.gain.setValueAtTime(0.08, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
  voice.connect(gain).connect(audio.destination);
  voice.start(at);
  voice.stop(at + 0.1);
}

export const finish = () => document.getAnimations().forEach((motion) => motion.finish());
