// Unpacks LZMA while it comes: a quarter fewer bytes than gzip has, which browsers unpack by themselves.

const TOP = 2 ** 24;
const LITERAL_BITS = 3; // of the byte before, that choose the odds of the next one
// Where the odds of each kind of decision begin (`folder.py` packs without bits of the position).
const [MATCH, REPEAT, REPEAT_0, REPEAT_1, REPEAT_2, REPEAT_LONG] = [0, 12, 24, 36, 48, 60];
const [SLOT, FAR, ALIGN, LENGTH, REPEAT_LENGTH, LITERAL, END] = [72, 328, 443, 459, 973, 1487, 7631];
const [MIDDLE, HIGH] = [10, 258]; // within the odds of a length
const LONGEST_SYMBOL = 24; // bytes

/** Return a stream that unpacks: four bytes of its size, then the LZMA. */
export function unpacker() {
  const odds = new Uint16Array(END).fill(1024);
  const coder = Uint32Array.of(2 ** 32 - 1, 0); // the range, and the number within it
  let input = new Uint8Array(2 ** 16);
  let [came, at, done, sent, state] = [0, 0, 0, 0, 0];
  /** @type {Uint8Array<ArrayBuffer>} */
  let out;
  let [far0, far1, far2, far3] = [0, 0, 0, 0];

  /** @param {number} i of the odds */
  function bit(i) {
    const chance = odds[i];
    const bound = Math.imul(coder[0] >>> 11, chance) >>> 0;
    let found = 0;
    if (coder[1] < bound) {
      coder[0] = bound;
      odds[i] = chance + ((2048 - chance) >> 5);
    } else {
      coder[0] -= bound;
      coder[1] -= bound;
      odds[i] = chance - (chance >> 5);
      found = 1;
    }
    if (coder[0] < TOP) {
      coder[0] <<= 8;
      coder[1] = (coder[1] << 8) | input[at++];
    }
    return found;
  }
  /** @param {number} first @param {number} n bits, the highest first */
  function tree(first, n) {
    let found = 1;
    for (let i = 0; i < n; i++) found = (found << 1) | bit(first + found);
    return found - (1 << n);
  }
  /** @param {number} first @param {number} n bits, the lowest first */
  function reversed(first, n) {
    let [found, node] = [0, 1];
    for (let i = 0; i < n; i++) {
      const one = bit(first + node);
      node = (node << 1) | one;
      found |= one << i;
    }
    return found;
  }
  /** @param {number} n bits of even odds */
  function even(n) {
    let found = 0;
    for (let i = 0; i < n; i++) {
      coder[0] >>>= 1;
      const one = coder[1] >= coder[0] ? 1 : 0;
      if (one) coder[1] -= coder[0];
      found = (found << 1) | one;
      if (coder[0] < TOP) {
        coder[0] <<= 8;
        coder[1] = (coder[1] << 8) | input[at++];
      }
    }
    return found;
  }
  /** @param {number} first */
  function length(first) {
    if (!bit(first)) return 2 + tree(first + 2, 3);
    return bit(first + 1) ? 18 + tree(first + HIGH, 8) : 10 + tree(first + MIDDLE, 3);
  }
  function literal() {
    const before = done ? out[done - 1] : 0;
    const first = LITERAL + 0x300 * (before >> (8 - LITERAL_BITS));
    let found = 1;
    if (state >= 7) {
      let matched = out[done - far0 - 1];
      while (found < 256) {
        const wanted = (matched >> 7) & 1;
        matched <<= 1;
        const one = bit(first + ((1 + wanted) << 8) + found);
        found = (found << 1) | one;
        if (one !== wanted) break;
      }
    }
    while (found < 256) found = (found << 1) | bit(first + found);
    out[done++] = found;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }
  /** @param {number} n bytes that a match has */
  function distance(n) {
    const slot = tree(SLOT + 64 * Math.min(n - 2, 3), 6);
    if (slot < 4) return slot;
    const more = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << more;
    if (slot < 14) return base + reversed(FAR + base - slot, more);
    return base + (even(more - 4) << 4) + reversed(ALIGN, 4);
  }
  /** Take symbols while their bytes have come. @param {number} until */
  function decode(until) {
    while (done < out.length && at <= until) {
      if (!bit(MATCH + state)) {
        literal();
        continue;
      }
      let n = 0;
      if (!bit(REPEAT + state)) {
        [far3, far2, far1] = [far2, far1, far0];
        n = length(LENGTH);
        state = state < 7 ? 7 : 10;
        far0 = distance(n);
      } else {
        if (!bit(REPEAT_0 + state)) {
          if (!bit(REPEAT_LONG + state)) n = 1;
        } else {
          let far = far1;
          if (bit(REPEAT_1 + state)) {
            far = far2;
            if (bit(REPEAT_2 + state)) {
              far = far3;
              far3 = far2;
            }
            far2 = far1;
          }
          far1 = far0;
          far0 = far;
        }
        if (n) state = state < 7 ? 9 : 11;
        else {
          n = length(REPEAT_LENGTH);
          state = state < 7 ? 8 : 11;
        }
      }
      for (let from = done - far0 - 1; n > 0; n--) out[done++] = out[from++];
    }
  }
  /** @param {number} until @param {TransformStreamDefaultController<Uint8Array>} stream */
  function pass(until, stream) {
    if (!out) {
      if (came < 9) return;
      const view = new DataView(input.buffer);
      out = new Uint8Array(view.getUint32(0));
      coder[1] = view.getUint32(5);
      at = 9;
    }
    decode(until);
    if (done > sent) stream.enqueue(out.slice(sent, done));
    sent = done;
  }
  return new TransformStream({
    transform(/** @type {Uint8Array} */ part, stream) {
      if (came + part.length > input.length) {
        const grown = new Uint8Array(2 * (came + part.length));
        grown.set(input);
        input = grown;
      }
      input.set(part, came);
      came += part.length;
      pass(came - LONGEST_SYMBOL, stream);
    },
    flush: (stream) => pass(came, stream),
  });
}
