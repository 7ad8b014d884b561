"""Alpha-beta search that goes deeper and deeper, for all games for two without chance, in the rules' dialect.

The search is a machine that can stop after any position and go on: a row of `frames` for each step of the
line that is looked at, and `used` for where it stands. A depth is searched with a window of one point for all
steps but the first that looks best (principal variation search); a table of digests remembers bounds and
best steps, and steps that cut elsewhere are tried first. Nothing is pruned that could matter, so a win or
loss found within the depth is exact, and in the right number of steps.

A value is what a position is worth to the player to move: WIN - k where he wins with the k-th step from the
root; LIKELY - k where a table of solved positions says so, which knows no rule that ends long play as a
draw; else an estimate (`worth` of the game's `worth.py`). What a match remembers only for such a rule is
blurred where it cannot matter, so that positions reached on several ways are one.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import OVER

from .digest import digest
from .stored import DRAWN, UNKNOWN, stored
from .twins import entry

if TYPE_CHECKING:
    from .calls import blur, legal, patience, play, score, worth

WIN, LIKELY, NEARLY = 1_000_000, 500_000, 400_000  # beyond NEARLY a value counts steps
DULL = 16  # a draw by the table is worth this part of its estimate

# A frame: steps possible, the next to try; the window; the best value and step so far; the window's lower
# end at first; the digest; is the step looked at again with the whole window?
STEPS, NEXT, LOWER, UPPER, BEST, STEP, FLOOR, KEY, AGAIN, FRAME = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# Where the search stands: depth aimed at, level reached, what to do there; the value to seat 0 that a level
# hands up; positions looked at; was a line cut at the depth; the age of entries; the deepest allowed; what
# was found: step, value, depth that was finished; what a draw is worth to seat 0.
DEPTH, LEVEL, PHASE, VALUE, SEEN, CUT = 0, 1, 2, 3, 4, 5
AGE, DEEPEST, FOUND, WORTH, DONE, DRAW, USED = 6, 7, 8, 9, 10, 11, 12
ENTER, GO_ON, HAND_UP, END = 0, 1, 2, 3  # the phases

# An entry of the table of digests: digest, and packed: age, depth, kind of bound, step, value.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


def packed(age: int, depth: int, bound: int, step: int, value: int) -> int:
    """An entry in 64 bits: 16 for the age, 8 for the depth, 2 for the bound, 16 for the step, 22 for the
    value."""
    return (((age << 8 | depth) << 2 | bound) << 16 | step) << 22 | (value + (1 << 21))


def told(b: Any, s: Any, spare: Any, words: Any, depth: int) -> int:
    """The digest of a position, without what cannot matter in a search of this depth."""
    spare[0] = s
    if patience(b, s) > depth:
        blur(b, spare[0])
    return digest(words)


def to_level(v: int, level: int) -> int:
    """A value counted from a position of this level, as counted from the root."""
    return v - level if v > NEARLY else v + level if v < -NEARLY else v


def ended(b: Any, s: Any, level: int, draw: int) -> int:
    """What the end of a match is worth to seat 0."""
    lead = score(b, s, 0) - score(b, s, 1)
    return WIN - level if lead > 0 else level - WIN if lead < 0 else draw


def estimate(b: Any, s: Any) -> int:
    """What a game's `worth.py` makes of a position for the player to move, short of a win."""
    return max(-NEARLY, min(NEARLY, worth(b, s, s.turn)))


def by_table(b: Any, s: Any, level: int, v: int, draw: int) -> int:
    """The value of a position that is solved, `v` being its entry."""
    if v == DRAWN:
        return estimate(b, s) // DULL + (draw if s.turn == 0 else -draw)
    return to_level(LIKELY - v if v > 0 else -LIKELY - v, level)


def hand_up(s: Any, used: Any, v: int) -> None:
    """A level is done: it is worth v to the player to move there."""
    used[VALUE] = v if s.turn == 0 else -v
    used[PHASE] = HAND_UP


def enter(
    b: Any, states: Any, words: Any, spare: Any, outs: Any, frames: Any, used: Any, slots: Any, hopes: Any,
    codes: Any, bits: int, meaning: Any, rare: Any, rare_values: Any,
) -> None:  # fmt: skip
    """Look at the position of a level for the first time."""
    used[SEEN] += 1
    level = used[LEVEL]
    s = states[level]
    rest = used[DEPTH] - level
    if s.turn == OVER:
        used[VALUE] = ended(b, s, level, used[DRAW])
        used[PHASE] = HAND_UP
        return
    v = UNKNOWN
    if len(meaning) > 0 and level > 0:
        v = stored(b, s, codes, bits, meaning, rare, rare_values)
    if v != UNKNOWN or rest == 0:
        used[CUT] = 1
        hand_up(s, used, estimate(b, s) if v == UNKNOWN else by_table(b, s, level, v, used[DRAW]))
        return
    frame = frames[level]
    frame[NEXT] = 0
    frame[BEST] = -WIN
    frame[STEP] = -1
    frame[FLOOR] = frame[LOWER]
    frame[AGAIN] = 0
    used[PHASE] = GO_ON
    if level > 0:
        frame[KEY] = told(b, s, spare, words, used[DEPTH])
        if not recall(s, frame, used, slots, rest):
            frame[STEPS] = legal(b, s, outs[level])
            by_hope(outs[level], frame[STEPS], hopes[s.turn], frame[STEP])
            frame[STEP] = -1


def recall(s: Any, frame: Any, used: Any, slots: Any, rest: int) -> bool:
    """Is the value known well enough from an entry? Then it is handed up; else its best step is noted."""
    place = frame[KEY] & (len(slots) - 2)
    for i in range(place, place + 2):
        if slots[i, 0] != frame[KEY] or slots[i, 1] >> 48 != used[AGE]:
            continue
        held = slots[i, 1]
        v = to_level((held & ((1 << 22) - 1)) - (1 << 21), used[LEVEL])
        bound = held >> 38 & 3
        frame[STEP] = held >> 22 & 65535
        high = bound != AT_MOST and v >= frame[UPPER]
        low = bound != AT_LEAST and v <= frame[LOWER]
        if held >> 40 & 255 >= rest and (bound == EXACT or high or low):
            used[CUT] = 1
            hand_up(s, used, v)
            return True
    return False


def by_hope(out: Any, n: int, hopes: Any, first: int) -> None:
    """Sort n actions by how often they cut, equals as they were, but one first."""
    for i in range(1, n):
        a = out[i]
        hope = hopes[a]
        j = i
        while j > 0 and out[j - 1] != first and (a == first or hopes[out[j - 1]] < hope):
            out[j] = out[j - 1]
            j -= 1
        out[j] = a


def go_on(b: Any, states: Any, outs: Any, frames: Any, used: Any, slots: Any, hopes: Any) -> None:
    """Take the next step of a level, or finish it."""
    level = used[LEVEL]
    frame = frames[level]
    if frame[NEXT] == frame[STEPS] or frame[BEST] >= frame[UPPER]:
        if level > 0:
            keep(frame, used, slots, used[DEPTH] - level)
        if frame[BEST] >= frame[UPPER]:
            hopes[states[level].turn, frame[STEP]] += (used[DEPTH] - level) * (used[DEPTH] - level)
        hand_up(states[level], used, frame[BEST])
        return
    states[level + 1] = states[level]
    t = states[level + 1]
    play(b, t, outs[level, frame[NEXT]])
    low = frame[LOWER]
    high = low + 1 if frame[NEXT] > 0 and frame[AGAIN] == 0 else frame[UPPER]
    same = t.turn == states[level].turn
    frames[level + 1, LOWER] = low if same else -high
    frames[level + 1, UPPER] = high if same else -low
    used[LEVEL] = level + 1
    used[PHASE] = ENTER


def keep(frame: Any, used: Any, slots: Any, rest: int) -> None:
    """Remember what was found of a position: in the place of an older or shallower entry, or the next."""
    v = frame[BEST]
    bound = AT_LEAST if v >= frame[UPPER] else AT_MOST if v <= frame[FLOOR] else EXACT
    place = frame[KEY] & (len(slots) - 2)
    held = slots[place, 1]
    if slots[place, 0] != frame[KEY] and held >> 48 == used[AGE] and held >> 40 & 255 > rest:
        place += 1
    slots[place, 0] = frame[KEY]
    slots[place, 1] = packed(used[AGE], rest, bound, frame[STEP], to_level(v, -used[LEVEL]))


def take_up(states: Any, outs: Any, frames: Any, used: Any) -> None:
    """A step has been looked at: what it is worth, one level up."""
    level = used[LEVEL] - 1
    used[LEVEL] = level
    used[PHASE] = GO_ON
    frame = frames[level]
    v = used[VALUE] if states[level].turn == 0 else -used[VALUE]
    if frame[LOWER] < v < frame[UPPER] and frame[NEXT] > 0 and frame[AGAIN] == 0:
        frame[AGAIN] = 1
        return
    frame[AGAIN] = 0
    a = outs[level, frame[NEXT]]
    frame[NEXT] += 1
    if v > frame[BEST]:
        frame[BEST] = v
        frame[STEP] = a
        frame[LOWER] = max(v, frame[LOWER])
        if level == 0:
            used[FOUND] = a
            used[WORTH] = v


def deeper(outs: Any, frames: Any, used: Any) -> None:
    """A depth is done: try its best step first at the next, if there is more to find."""
    used[DONE] = used[DEPTH]
    proved = WIN - abs(used[WORTH]) <= used[DEPTH]  # no sooner win, no later loss
    if proved or used[CUT] == 0 or used[DEPTH] == used[DEEPEST]:
        used[PHASE] = END
        return
    i = frames[0, STEPS] - 1
    while i > 0:
        if outs[0, i] == used[FOUND]:
            outs[0, i] = outs[0, i - 1]
            outs[0, i - 1] = used[FOUND]
        i -= 1
    aim_at(frames, used, used[DEPTH] + 1)


def aim_at(frames: Any, used: Any, depth: int) -> None:
    """Begin with a depth."""
    used[DEPTH] = depth
    used[LEVEL] = 0
    used[CUT] = 0
    used[PHASE] = ENTER
    frames[0, LOWER] = -WIN
    frames[0, UPPER] = WIN


@entry
def look_ahead(
    boards: Any, states: Any, words: Any, spare: Any, outs: Any, frames: Any, used: Any, slots: Any,
    hopes: Any, codes: Any, bits: int, meaning: Any, rare: Any, rare_values: Any, roots: int, n: int,
) -> None:  # fmt: skip
    """Go on by n positions. With roots > 0 begin anew: at states[0], with the first `roots` of outs[0].

    states, outs[.., MOST + 1] and frames[.., FRAME] have a row for each level to the deepest, and one more;
    spare[1] is a state, words its bytes; used[USED], slots[2^k, 2], hopes[2, ACTIONS]: the search's own.
    The rest is a table as in `stored.py`, or nothing.
    """
    b = boards[0]
    if roots > 0:
        frames[0, STEPS] = roots
        used[SEEN] = 0
        used[DONE] = 0
        used[FOUND] = outs[0, 0]
        used[WORTH] = 0
        for a in range(len(hopes[0])):
            hopes[0, a] = 0
            hopes[1, a] = 0
        aim_at(frames, used, 1)
    until = used[SEEN] + n
    while used[PHASE] != END and (used[SEEN] < until or used[PHASE] != ENTER):
        if used[PHASE] == ENTER:
            enter(
                b, states, words, spare, outs, frames, used, slots, hopes, codes, bits, meaning, rare,
                rare_values,
            )  # fmt: skip
        elif used[PHASE] == GO_ON:
            go_on(b, states, outs, frames, used, slots, hopes)
        elif used[LEVEL] > 0:
            take_up(states, outs, frames, used)
        else:
            deeper(outs, frames, used)
