"""A review in words."""

from __future__ import annotations

from smallchange.text import Text

from .levels import percent
from .review import Account

PROMISED = Text(
    "At the first choice the best bot saw a chance of {share} % to win.",
    "最初の選択の時点で、いちばん強いボットの見た勝率は{share}%でした。",
)
GIVEN = Text(
    "What was chosen gave away {points} points of a hundred.", "選んだ手で失った勝率は{points}ポイントです。"
)
NOTHING = Text(
    "What was chosen gave away nothing that could be told.", "選んだ手で失った勝率は、わかるほどありません。"
)
LUCK = Text("The rest was luck: {points} points.", "残りは運で、{points}ポイントでした。")
LUCK_AND_OTHER = Text(
    "The rest was luck, and what the other side did: {points} points.",
    "残りは運と相手の手によるもので、{points}ポイントでした。",
)


def said(account: Account, seats: int) -> Text:
    """What a match was for a player of a game for so many, as sentences.

    >>> said(Account("player", 0.51, 0.31, 0.0, -0.2), 1).en[-35:]
    'The rest was luck: \N{MINUS SIGN}20 points.'
    """
    given = round(100 * account.given)
    text = PROMISED.fill(share=percent(account.promised)) + (GIVEN.fill(points=given) if given else NOTHING)
    if account.rest is None:
        return text
    return text + (LUCK if seats == 1 else LUCK_AND_OTHER).fill(points=signed(account.rest))


def signed(odds: float) -> str:
    """A difference of odds in points of a hundred.

    >>> signed(0.184), signed(-0.2), signed(0.001)
    ('+18', '\N{MINUS SIGN}20', '0')
    """
    points = round(100 * odds)
    return f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "0"
