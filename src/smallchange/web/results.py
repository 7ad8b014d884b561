"""Results: what a match counts for each seat once it has ended, and what somebody's matches came to."""

from __future__ import annotations

from collections import Counter, defaultdict

from smallchange import record
from smallchange.game import Game, games
from smallchange.mind import names
from smallchange.mind.levels import title

from .company import NOTHING
from .pages import phrases as p
from .standing import ending
from .store import OVER, PLAYING, WAITING, Stage, Store
from .story import BOT, WITHDRAWN, Story
from .view import Tally

LOSS, DRAW, WIN = range(3)  # stored, so never renumbered


def stage(story: Story) -> Stage:
    """How far a match is, and what it came to."""
    if story.ended:
        return Stage(OVER, points(story), record.write(story.record))
    return Stage(PLAYING if story.started else WAITING, points(story), None)


def points(story: Story) -> tuple[int | None, ...]:
    """What a match counts for each seat. None while it goes on, and where it counts for nobody: practice, a
    table that was withdrawn, and both sides played by one person."""
    ended, sitters = story.ended, [seat for seat in story.seats if seat.kind != BOT]
    if ended is None or ended.how == WITHDRAWN or story.head.parent or (story.alone and len(sitters) > 1):
        return (None,) * len(story.seats)
    stands = ending(story.match, ended)
    if len(story.seats) == 1:
        return (WIN if stands.result.get("won") else LOSS,)
    others = LOSS if stands.winners else DRAW
    return tuple(WIN if i in stands.winners else others for i in range(len(story.seats)))


async def tallies(store: Store, holder: str) -> list[Tally]:
    """What somebody's matches came to, by game and by whom they were played against."""
    found: dict[tuple[str, str | None], Counter[int]] = defaultdict(Counter)
    for id, bot, came, n in await store.results(holder):
        found[id, bot][came] = n
    said = []
    for game in map(Game, games()):
        for bot in (None, "", *names(game)):
            if counts := found.get((game.id, bot)):
                who = NOTHING if bot is None else p.AGAINST_WHOM.fill(who=title(bot) if bot else p.PEOPLE)
                said.append(Tally(game.words.TITLE, who, counts[WIN], counts[DRAW], counts[LOSS]))
    return said
