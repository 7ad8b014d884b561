"""The steps since Thrag last decided, in short."""

from smallchange.i18n.text import Text, together
from smallchange.render.piece_names import VALUE, VALUES, fill_phrase

from .model import Board, State
from .names import beast
from .rules import COIN, FIGHT, HEAL, REST, ROLL, ROLLING, WEAPON, play
from .words import describe_fight, step


def summarize(b: Board, s: State, actions: list[int]) -> list[Text]:
    """Summarize these steps from `s` on.

    A coin or a die is told together with its use. Beasts that appear are told only if there is nothing else,
    because the player is asked to fight them next.
    """
    if len(actions) < 2:
        return [step(b, s, a) for a in actions]
    now, said, met = s.copy(), list[Text](), list[Text]()
    for a, then in zip(actions, [*actions, REST][1:], strict=True):
        if a < ROLL:
            met.append(beast(a // 6, a % 6))
        elif COIN <= a < HEAL:
            said.append(describe_strike(b, now, a))
        elif HEAL <= a < FIGHT:
            said.append(describe_healing(now.hits >> (a - HEAL) & 1 > 0, VALUE[VALUES[a - HEAL]]))
        elif not (met and now.phase == ROLLING) and not (then < FIGHT and asks_chance(a)):
            said.append(step(b, now, a))
        play(b, now, a)
    return said or [Text("The {beasts} appear").fill(beasts=together(met))]


def asks_chance(a: int) -> bool:
    """Return whether this is a fight that takes a coin, or a weapon."""
    return FIGHT <= a < REST and (a >= WEAPON or (a - FIGHT) % 4 > 0)


def describe_healing(had: bool, value: Text) -> Text:
    """Describe a healing tile in short."""
    if had:
        return fill_phrase(
            Text("Thrag has the healing tile’s {value} already"),
            value=value,
        )
    return fill_phrase(Text("Thrag gets the {value} back"), value=value)


def describe_strike(b: Board, s: State, a: int) -> Text:
    """Describe the coin of a fight, and how the fight ends."""
    said = Text("Thrag fights the {beast}, the coin shows {value}: {fought}")
    foe, value = beast(s.suit, s.beast[s.suit]), VALUE[VALUES[a - COIN]]
    return fill_phrase(said, beast=foe, value=value, fought=describe_fight(b, s, a, s.suit))
