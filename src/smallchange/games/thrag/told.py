"""What happened to Thrag since he last decided, in short."""

from smallchange.draw.words import VALUE, VALUES, filled
from smallchange.text import Text, together

from .board import Board, State
from .names import beast
from .rules import COIN, FIGHT, HEAL, REST, ROLL, ROLLING, WEAPON, play
from .words import fought, step


def told(b: Board, s: State, actions: list[int]) -> list[Text]:
    """These steps from `s` on: a coin or a die tells what it was used for, and beasts that appear, whom one
    is then asked to fight, are told only where there is nothing else."""
    if len(actions) < 2:
        return [step(b, s, a) for a in actions]
    now, said, met = s.copy(), list[Text](), list[Text]()
    for a, then in zip(actions, [*actions, REST][1:], strict=True):
        if a < ROLL:
            met.append(beast(a // 6, a % 6))
        elif COIN <= a < HEAL:
            said.append(struck(b, now, a))
        elif HEAL <= a < FIGHT:
            said.append(back(now.hits >> (a - HEAL) & 1 > 0, VALUE[VALUES[a - HEAL]]))
        elif not (met and now.phase == ROLLING) and not (then < FIGHT and asks_chance(a)):
            said.append(step(b, now, a))
        play(b, now, a)
    return said or [Text("The {beasts} appear", "{beasts}が現れる").fill(beasts=together(met))]


def asks_chance(a: int) -> bool:
    """Is it a fight that takes a coin, or a weapon?"""
    return FIGHT <= a < REST and (a >= WEAPON or (a - FIGHT) % 4 > 0)


def back(had: bool, value: Text) -> Text:
    """A healing tile in short."""
    if had:
        return filled(
            Text("Thrag has the healing tile’s {value} already", "回復タイルの{value}はもう手元にある"),
            value=value,
        )
    return filled(Text("Thrag gets the {value} back", "{value}のコインが戻る"), value=value)


def struck(b: Board, s: State, a: int) -> Text:
    """The coin of a fight, and how it ends."""
    said = Text(
        "Thrag fights the {beast}, the coin shows {value}: {fought}",
        "{beast}と戦い、コインは{value}、{fought}",
    )
    foe, value = beast(s.suit, s.beast[s.suit]), VALUE[VALUES[a - COIN]]
    return filled(said, beast=foe, value=value, fought=fought(b, s, a, s.suit))
