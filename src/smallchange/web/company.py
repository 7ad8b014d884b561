"""Who sits at a table and who is there, in words."""

from __future__ import annotations

from collections.abc import Sequence

from smallchange.draw.words import capital
from smallchange.text import Text

from .pages.seats import titled
from .story import BOT, PERSON, Story
from .view import Sitter

PLAYER = Text("the player", "プレイヤー")  # of a game for one, to others
HERE = Text("{who} is here.", "{who}は席にいます。")
AWAY = Text("{who} is away.", "{who}は離席中です。")
NOTHING = Text("", "")


def sitters(story: Story, held: tuple[int, ...], present: Sequence[int]) -> tuple[Sitter, ...]:
    return tuple(
        Sitter(
            seat.player,
            title(story, i),
            seat.kind,
            seat.name,
            you=i in held,
            turn=story.turn == i,
            here=seat.kind == BOT or i in present,
        )
        for i, seat in enumerate(story.seats)
    )


def title(story: Story, seat: int) -> Text:
    """What a seat is called by others."""
    if len(story.seats) == 1:
        return PLAYER
    said: Text = story.head.game.words.PLAYERS[story.seats[seat].player]
    return said


def called(story: Story, seat: int) -> Text:
    """A seat by its holder's name, or by its title."""
    return titled(sitters(story, (), ())[seat])


def presence(story: Story, held: tuple[int, ...], present: Sequence[int]) -> Text:
    if story.alone and held:
        return NOTHING
    said = NOTHING
    for i, seat in enumerate(story.seats):
        if seat.kind == PERSON and i not in held:
            who = called(story, i) if seat.name else capital(title(story, i))
            said = said + (HERE if i in present else AWAY).fill(who=who)
    return said
