"""Measured odds of games, read from their folders.

For a game for one, `python -m research calibrate` measures how the simple bot does in the base game. The lobby shows
the game's difficulty by this. A game for two
has no such figures: its difficulty is the opponent's. For some variants, the win rates of the best bot are
measured too, as in docs/odds.md.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from smallchange.bots.levels import best_bot, load_bots
from smallchange.core.game import Game
from smallchange.core.json_text import read_json
from smallchange.core.measurements import BASELINE_FILE, WIN_RATES_FILE, Rate, measures
from smallchange.core.variants import without_idle_options
from smallchange.i18n.text import Text

NEVER, ALWAYS = 0.001, 0.95  # the shares of wins below and above which no number is said
TENTHS = 0.15  # the least share of wins that is said in tenths
RARELY = 0.02  # the share of wins below which both sides draw nearly all games
EVEN, SLIGHT = 0.1, 0.4  # by how much more often one side wins: less than this
IN_TEN = Text("about {n} games in 10", "how often somebody wins")
HALF = Text("about half of the games", "how often somebody wins")
ONE_IN = Text("about 1 game in {n}", "how often somebody wins")
ALMOST_ALWAYS = Text("nearly always", "how often somebody wins")


class Strength(NamedTuple):
    """The sentences on how often players of a strength win: alone, and of two equal ones."""

    wins: Text
    never: Text
    draw: Text
    even: Text
    edge: Text
    most: Text
    always: Text


BEGINNERS = Strength(
    Text("A beginner wins {often}."),
    Text("A beginner almost never wins."),
    Text("Beginners nearly always draw."),
    Text("Even between beginners."),
    Text("Between beginners, {one} has the edge."),
    Text("Between beginners, {one} wins most games."),
    Text("Between beginners, {one} always wins."),
)
STRONG_PLAYERS = Strength(
    Text("A strong player wins {often}."),
    Text("Even a strong player almost never wins."),
    Text("Strong players nearly always draw."),
    Text("Even between strong players."),
    Text("Between strong players, {one} has the edge."),
    Text("Between strong players, {one} wins most games."),
    Text("Between strong players, {one} always wins."),
)


class Baseline(NamedTuple):
    """The simple bot's results in the base game of a game for one.

    Of `n` games, `won` were won. `scores` maps a score to the number of games with it; more is better.
    `command` plays the games again, under version `rules` of the rules.
    """

    n: int
    won: int
    scores: dict[str, int]
    rules: int
    command: str


@cache
def baseline(id: str) -> Baseline | None:
    """Return the baseline of a game; None if it was not measured, or under other rules."""
    game = Game(id)
    file = game.folder / BASELINE_FILE
    found = Baseline(**read_json(file.read_text(encoding="utf-8"))) if file.exists() else None
    return found if found and found.rules == game.version and measures(found.command, id) else None


class WinRates(NamedTuple):
    """The win rate of each player in `n` games of equal players. `command` plays the games again."""

    n: int
    rates: dict[str, Rate]
    command: str


def beginner_rates(game: Game) -> WinRates | None:
    """Return the win rate of the simple bot in the base game of a game for one; None elsewhere."""
    measured = None if game.non_default_options else baseline(game.id)
    if measured is None:
        return None
    return WinRates(measured.n, {game.seats[0]: Rate.of(measured.won, measured.n)}, measured.command)


def odds_words(game: Game, played: WinRates, who: Strength) -> Text:
    """Say how often players win, as a player would."""
    shares = [rate.p for rate in played.rates.values()]
    if len(shares) == 1:
        return _often(shares[0], who)
    (first, second), names = shares, [game.words.PLAYERS[seat] for seat in played.rates]
    if max(shares) < RARELY:
        return who.draw
    ahead = names[first < second]
    if max(shares) == 1:
        return who.always.fill(one=ahead)
    more = abs(first - second)
    return who.even if more < EVEN else (who.edge if more < SLIGHT else who.most).fill(one=ahead)


def _often(share: float, who: Strength) -> Text:
    if share < NEVER:
        return who.never
    if share >= ALWAYS:
        return who.wins.fill(often=ALMOST_ALWAYS)
    if share >= TENTHS:
        tenths = round(10 * share)
        return who.wins.fill(often=HALF if tenths == 5 else IN_TEN.fill(n=tenths))
    games = round(1 / share)
    unit = 10 ** (len(str(games)) - 1) if games >= 20 else 1
    return who.wins.fill(often=ONE_IN.fill(n=unit * round(games / unit)))


def best_bot_rates(game: Game) -> WinRates | None:
    """Return the win rates of the best bot with these options, in a game for two against itself.

    They are None if they were not measured, or under other rules.
    """
    game = without_idle_options(game)
    *_, level = load_bots(game).values()
    found = level.measured
    if found and found.rules == game.version and not found.against and not game.non_default_options:
        rate = Rate(found.share, found.low, found.high)  # of more games than are played of a variant
        return WinRates(found.n, {game.seats[0]: rate}, found.command)
    return _best(game.id).get(game)


@cache
def _best(id: str) -> dict[Game, WinRates]:
    """Return the measured win rates of the best bot, by variant."""
    base = Game(id)
    if not (file := base.folder / WIN_RATES_FILE).exists():
        return {}
    document = read_json(file.read_text(encoding="utf-8"))
    found = {}
    bot = f"{best_bot(base).identity(base)} "  # without a net's digest where nets are left out
    current = document["rules"] == base.version and f"{document.get('bot')} ".startswith(bot)
    for row in document["variants"] if current and measures(document["command"], id) else ():
        rates = {seat: Rate.of(wins, row["n"]) for seat, wins in zip(base.seats, row["wins"], strict=True)}
        found[Game(id, row["options"])] = WinRates(row["n"], rates, document["command"])
    return found
