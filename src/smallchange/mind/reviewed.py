"""A review in words, for the command and the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from smallchange.game import Game
from smallchange.text import Text, plain

from . import best
from .review import Account, Choice

STEP = Text("Step", "ステップ")
PLAYED = Text("Played", "選んだ手")
ODDS = Text("Odds", "勝率")
BEST = Text("Best", "最善手")
SHARE = Text("{share} %", "{share}%")
NO_CHOICE = Text("Nobody has chosen anything.", "選択は一度もありませんでした。")
NO_LOSS = Text("No choice gave away anything that can be told.", "はっきり損と言える選択はありませんでした。")
ENDED = Text(
    "In points of 100: the best bot expected {promised} at the first choice, the choices gave away {given}, "
    "{rest}. That makes {result}.",
    "100点満点で、最初の選択でのいちばん強いボットの見込みは{promised}点、選択で失ったのは{given}点、{rest}。"
    "結果は{result}です。",
)
NOT_ENDED = Text(
    "In points of 100: the best bot expected {promised} at the first choice, and the choices gave away "
    "{given}. It was not played to its end.",
    "100点満点で、最初の選択でのいちばん強いボットの見込みは{promised}点、選択で失ったのは{given}点です。"
    "ゲームは最後まで進んでいません。",
)
RESULTS = {
    1.0: Text("100, a win", "100点(勝ち)"),
    0.5: Text("50, a draw", "50点(引き分け)"),
    0.0: Text("0, a loss", "0点(負け)"),
}
REST = {  # for so many players, with luck or without; did it help?
    (1, True, True): Text("luck added {points}", "運で増えたのは{points}点"),
    (1, True, False): Text("luck took {points}", "運で減ったのは{points}点"),
    (2, True, True): Text("luck and the other side added {points}", "運と相手の手で増えたのは{points}点"),
    (2, True, False): Text("luck and the other side took {points}", "運と相手の手で減ったのは{points}点"),
    (2, False, True): Text(
        "the other side, and what the search did not see, added {points}",
        "相手の手と探索の見落としで増えたのは{points}点",
    ),
    (2, False, False): Text(
        "the other side, and what the search did not see, took {points}",
        "相手の手と探索の見落としで減ったのは{points}点",
    ),
}
AGAINST_ITSELF = Text(
    "On a solved board the odds are certain: 100, 50 for a draw, or 0. Elsewhere they are the points that "
    "the best bot gets against itself where it finds as much; it looked at {times} times as many positions "
    "as for a move of its own.",
    "解かれた盤では勝率は確実で、勝ち100、引き分け50、負け0です。ほかの盤では、同じ評価の局面から"
    "いちばん強いボット同士が打ったときの得点率で、自分で打つときの{times}倍の局面を調べています。",
)
ROUGH = Text(
    "The odds are rough: they were measured with other options than these.",
    "勝率は目安です。この設定ではなく、別の設定で測ったものによります。",
)
EXACT_FROM = Text(
    "From step {step} on the odds are exact: those of perfect play.",
    "ステップ{step}からの勝率は見積もりではなく、最善を尽くした場合の正確な値です。",
)
AGAINST_EXPECTED = Text(
    "Each side’s odds are against the play that the bot expects of the other, so the two can add up to more "
    "than 100 %.",
    "それぞれの勝率は、ボットの予想する相手に対するものなので、合わせて100%を超えることがあります。",
)


def said(account: Account, game: Game) -> Text:
    """A player's match in a sentence: shares as whole points of 100 that add up."""
    promised, given = _points(account.promised), _points(account.given)
    if account.result is None:
        return NOT_ENDED.fill(promised=promised, given=given)
    rest = _points(account.result) - promised + given
    phrase = REST[len(game.seats), bool(game.sources), rest >= 0]
    return ENDED.fill(
        promised=promised,
        given=given,
        rest=phrase.fill(points=abs(rest)),
        result=RESULTS[account.result],
    )


def odds(share: float | None) -> Text:
    """Odds in percent; "?" for what was not looked at.

    >>> odds(0.414).en, odds(0.056).ja, odds(None).en
    ('41 %', '6%', '?')
    """
    return plain("?") if share is None else SHARE.fill(share=_points(share))


def lost(choice: Choice) -> str:
    """The points that a choice gave away, as the odds are told; "" for none.

    >>> lost(Choice(0, "x", "a", 0.534, "b", 0.566))
    '4'
    """
    return str(_points(choice.better) - _points(choice.odds or 0.0)) if choice.cost else ""


def _points(share: float) -> int:
    """Of a hundred, rounded once: what is told of it is reckoned with these."""
    return round(100 * share)


def caution(game: Game, found: Sequence[Choice] = ()) -> Text | None:
    """What to know about the odds of this game's best bot, and of these choices; None if nothing."""
    bot = best(game)
    if bot.engine == "alphabeta":
        return AGAINST_ITSELF.fill(times=bot.module.THOROUGH)
    notes = [ROUGH] * bot.rough(game) + [AGAINST_EXPECTED] * (len(game.seats) > 1)
    exact = [*takewhile(lambda choice: choice.exact, reversed(found))]
    notes += [EXACT_FROM.fill(step=exact[-1].at + 1)] if exact else []
    return sum(notes, start=plain("")) if notes else None
