// Short sounds, made here: wood, a rattle of dice, a ring of metal. Silent until somebody turns them on.

const PEAK = 0.12; // of the loudest, where 1 is the most that a speaker gives
/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;
const volume = Number(document.body.dataset.sound) / 100; // no number where they are off

/** @param {AudioContext} context one tenth of a second of noise */
function makeNoise(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 10, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}

/** @param {AudioContext} context @param {number} at @param {number} loudness @param {number} seconds */
function fading(context, at, loudness, seconds) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(PEAK * volume * loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

/** A knock on wood. @param {AudioContext} context @param {number} at @param {number} pitch in Hz */
function knock(context, at, pitch) {
  noise ??= makeNoise(context);
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  source.buffer = noise;
  Object.assign(filter, { type: "bandpass" });
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  source.connect(filter).connect(fading(context, at, 4, 0.07));
  source.start(at);
}

/** A ring of metal. @param {AudioContext} context @param {number} at @param {number} pitch @param {number} seconds */
function ring(context, at, pitch, seconds) {
  for (const [ratio, loudness] of [
    [1, 0.6],
    [2.76, 0.25],
    [5.4, 0.12],
  ]) {
    const voice = context.createOscillator();
    voice.frequency.value = pitch * ratio;
    voice.connect(fading(context, at, loudness, seconds / Math.sqrt(ratio)));
    voice.start(at);
    voice.stop(at + seconds);
  }
}

/** @type {Record<string, (context: AudioContext, at: number) => void>} */
const SOUNDS = {
  slide: (context, at) => knock(context, at, 700),
  die: (context, at) => [0, 0.09, 0.16, 0.21].forEach((beat, i) => knock(context, at + beat, 1500 - 170 * i)),
  coin: (context, at) => ring(context, at, 1750, 0.5),
  tile: (context, at) => knock(context, at, 420),
  end: (context, at) => [523, 659, 784].forEach((pitch, i) => ring(context, at + 0.13 * i, pitch, 0.9)),
};

/** @param {keyof typeof SOUNDS} name @param {number} [delay] in seconds */
export function play(name, delay = 0) {
  if (!navigator.userActivation.hasBeenActive) return; // before that, browsers play nothing
  if (document.body.dataset.haptics === "on") navigator.vibrate?.(name === "end" ? [20, 60, 20] : 12);
  if (!volume) return;
  audio ??= new AudioContext();
  SOUNDS[name](audio, audio.currentTime + delay);
}
