"""How a match stands at its end: in words, in points, and who won."""

from __future__ import annotations

from smallchange.match import AGREED_DRAW, Match
from smallchange.text import Text

from .story import AGREED, PLAYED, RESIGNED, WITHDRAWN, Ended
from .view import Standing

GAVE_UP = Text("This game was given up.", "このゲームは途中で打ち切られました。")
TABLE_WITHDRAWN = Text(
    "This table was withdrawn before anybody sat down.",
    "このテーブルは、相手が席に着く前に取り下げられました。",
)
RESIGNED_TO = Text("{loser} resigned, so {winner} wins.", "{loser}が投了し、{winner}の勝ちです。")


def ending(match: Match, ended: Ended) -> Standing:
    """The end of a match, however it came about."""
    game, position = match.game, match.position
    everyone = range(len(game.seats))
    if ended.how == PLAYED:
        scores = tuple(position.score(player) for player in game.seats)
        best = max(score for score in scores if score is not None)
        winners = tuple(i for i in everyone if scores[i] == best)
        if len(game.seats) == 1 or len(winners) > 1:
            winners = ()
        text = game.words.ending(game.board, position.s)
        return Standing(PLAYED, text, scores, winners, position.result() or {})
    none = tuple(None for _ in everyone)
    if ended.how == AGREED:
        return Standing(AGREED, AGREED_DRAW, none, ())
    if ended.how == WITHDRAWN:
        return Standing(WITHDRAWN, TABLE_WITHDRAWN, none, ())
    winners = tuple(i for i in everyone if i != ended.seat)
    if not winners:
        return Standing(RESIGNED, GAVE_UP, none, ())
    titles = game.words.PLAYERS
    text = RESIGNED_TO.fill(loser=titles[game.seats[ended.seat]], winner=titles[game.seats[winners[0]]])
    return Standing(RESIGNED, text, none, winners)
