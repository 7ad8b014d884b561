"""A turn of Coin Age in short."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from smallchange.core.state import OVER
from smallchange.i18n.text import Text, join_texts, plain, together

from .model import Board, State
from .notation import space
from .rules import CAPTURE, END, MOVE, PAY, PLACE, TOSS, play
from .words import IDLE, SIDES, WHO, stack, step

RANKS = Text("{first}, {next}", "ranks of coins")
LAST_RANK = Text("{first} and {next}", "ranks of coins")


def summarize(b: Board, s: State, actions: list[int]) -> list[Text]:
    """Summarize these steps from `s` on: one phrase for a turn's tosses, one for its other actions."""
    if len(actions) == 1:
        return [step(b, s, actions[0])]
    now, sentences = s.copy(), list[Text]()
    for thrown, row in groupby(actions, lambda a: TOSS <= a < PAY):
        steps = list(row)
        if len(steps) == 1:
            sentences.append(step(b, now, steps[0]))
            play(b, now, steps[0])
        else:
            sentences += tosses(b, now, steps) if thrown else [describe_actions(b, now, steps)]
    return sentences


def tosses(b: Board, now: State, actions: list[int]) -> Iterator[Text]:
    """Tosses in a row, with which `now` goes on: those of a turn in one phrase."""
    coins = []
    for a in actions:
        seat = now.mover
        coins.append(a - TOSS)
        play(b, now, a)
        if now.mover != seat or now.turn == OVER:
            yield from (describe_tosses(seat, *coins), IDLE)
            coins = []
    if coins:
        yield describe_tosses(now.mover, *coins)


@cache
def describe_tosses(seat: int, *coins: int) -> Text:
    """Describe the tosses of a turn, each as 2 * rank + side; those that match come first.

    >>> describe_tosses(1, 0, 3, 5, 6).en
    'Tails tosses tails with 2 and 3, heads with 1 and 4'
    """
    sides = []
    for side in (seat, 1 - seat):
        if ranks := [str(coin // 2 + 1) for coin in coins if coin % 2 == side]:
            shown = join_texts(map(plain, ranks), RANKS, LAST_RANK)
            sides.append(Text("{side} with {coins}").fill(side=SIDES[side], coins=shown))
    return Text("{who} tosses {sides}").fill(who=WHO[seat], sides=join_texts(sides))


def describe_actions(b: Board, now: State, actions: list[int]) -> Text:
    """Describe the actions of a turn, except its end, and advance `now` by them."""
    who, done = WHO[now.mover], []
    for a in actions:
        if a != END:
            done.append(describe_action(b, now, a))
        play(b, now, a)
    return Text("{who} {deeds}").fill(who=who, deeds=together(done))


def describe_action(b: Board, s: State, a: int) -> Text:
    """Describe an action in short: a coin is called by its rank."""
    if a < CAPTURE:
        return Text("pays the {n}").fill(n=a - PAY + 1)
    if a < PLACE:
        captures = Text("captures the {n} on {at}")
        return captures.fill(n=stack(s, a - CAPTURE)[0][0] + 1, at=space(b, a - CAPTURE))
    first, at = divmod(a - (PLACE if a < MOVE else MOVE), 16)
    if a >= MOVE:
        moves = Text("moves the coins on {start} to {at}")
        return moves.fill(start=space(b, first), at=space(b, at))
    below = stack(s, at)
    places = Text("places the {n} on {at}")
    if below:
        places = Text("places the {n} on {at} over a {lower}")
    return places.fill(n=first + 1, at=space(b, at), lower=below[0][0] + 1 if below else "")
