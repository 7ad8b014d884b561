"""What a turn of Coin Age did, in short."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from smallchange.state import OVER
from smallchange.text import Text, listed, plain, together

from .board import Board, State
from .notation import space
from .rules import CAPTURE, END, MOVE, PAY, PLACE, TOSS, play
from .words import IDLE, SIDES, WHO, stack, step


def told(b: Board, s: State, actions: list[int]) -> list[Text]:
    """These steps from `s` on, all deeds of a turn in one phrase and all its tosses in one."""
    if len(actions) == 1:
        return [step(b, s, actions[0])]
    now, said = s.copy(), list[Text]()
    for thrown, row in groupby(actions, lambda a: TOSS <= a < PAY):
        steps = list(row)
        if len(steps) == 1:
            said.append(step(b, now, steps[0]))
            play(b, now, steps[0])
        else:
            said += tosses(b, now, steps) if thrown else [deeds(b, now, steps)]
    return said


def tosses(b: Board, now: State, actions: list[int]) -> Iterator[Text]:
    """Tosses in a row, with which `now` goes on: those of a turn in one phrase."""
    coins = []
    for a in actions:
        seat = now.mover
        coins.append(a - TOSS)
        play(b, now, a)
        if now.mover != seat or now.turn == OVER:
            yield from (tossed_all(seat, *coins), IDLE)
            coins = []
    if coins:
        yield tossed_all(now.mover, *coins)


@cache
def tossed_all(seat: int, *coins: int) -> Text:
    """The tosses of a turn as 2 * rank + side: first those that match.

    >>> tossed_all(1, 0, 3, 5, 6).en
    'Tails tosses tails with 2 and 3, heads with 1 and 4'
    """
    sides = []
    for side in (seat, 1 - seat):
        if ranks := [str(coin // 2 + 1) for coin in coins if coin % 2 == side]:
            shown = Text(together(map(plain, ranks)).en, "・".join(ranks))
            sides.append(Text("{side} with {coins}", "{coins}が{side}").fill(side=SIDES[side], coins=shown))
    return Text("{who} tosses {sides}", "{who}のコイン投げ: {sides}").fill(who=WHO[seat], sides=listed(sides))


def deeds(b: Board, now: State, actions: list[int]) -> Text:
    """The deeds of a turn, with which `now` goes on; that it ends goes without saying."""
    who, done = WHO[now.mover], []
    for a in actions:
        if a != END:
            done.append(deed(b, now, a))
        play(b, now, a)
    return Text("{who} {deeds}", "{who}が{deeds}").fill(who=who, deeds=together(done))


def deed(b: Board, s: State, a: int) -> Text:
    """A deed in short: a coin is called by its rank."""
    if a < CAPTURE:
        return Text("pays the {n}", "{n}を支払い").fill(n=a - PAY + 1)
    if a < PLACE:
        captures = Text("captures the {n} on {at}", "{at}の{n}を捕獲")
        return captures.fill(n=stack(s, a - CAPTURE)[0][0] + 1, at=space(b, a - CAPTURE))
    first, at = divmod(a - (PLACE if a < MOVE else MOVE), 16)
    if a >= MOVE:
        moves = Text("moves the coins on {start} to {at}", "{start}のコインを{at}へ移動")
        return moves.fill(start=space(b, first), at=space(b, at))
    below = stack(s, at)
    places = Text("places the {n} on {at}", "{n}を{at}に配置")
    if below:
        places = Text("places the {n} on {at} over a {lower}", "{n}を{at}に配置({lower}の上)")
    return places.fill(n=first + 1, at=space(b, at), lower=below[0][0] + 1 if below else "")
