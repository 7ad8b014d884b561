"""Any sequence of games that are begun, played to the end, given up or finished late, on any days: who is placed where.

The model holds what each player did with each deal; the site must say the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from smallchange import bots
from smallchange.core.game import Game
from smallchange.server.accounts.rows import create_account
from smallchange.server.daily.days import (
    closing_ms,
    daily_games,
    opening_ms,
    paired_games,
    seat_secret,
    streak,
    table_id,
)
from smallchange.server.daily.model import DailyCard
from smallchange.server.daily.rows import find_deal
from smallchange.server.daily.service import DailyDeals
from smallchange.server.daily.view import pair_verdict, placing_texts
from smallchange.server.database.bus import MemoryBus
from smallchange.server.services import table_service
from smallchange.server.table.model.command_events import step_events
from smallchange.server.table.model.events import Event, How, Resign
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import Outcome, margins, points, stage
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.ending import outcome_text
from smallchange.server.web.account import Account, AccountRole, AccountState
from smallchange.server.web.errors import ErrorCode, Refused

GAME = paired_games()[-1]
PEOPLE = 3
FIRST_DAY, DAYS_OF_AN_EXAMPLE = 21_000, 1000
Result = tuple[int, int]  # points and margins
RUNNING, LOST = (0, 0), (0, -1)  # marks of a game that goes on, and of one that does not count


class Site:
    """One process on a database, at a time that stands still; no bot moves by itself."""

    def __init__(self, url: str, runner: asyncio.Runner) -> None:
        self.run = runner.run
        self.store = Store(url)
        self.run(self.store.open())
        self.time, self.examples = 0, 0
        self.tables = table_service(self.store, MemoryBus(), now=lambda: self.time)
        self.daily = DailyDeals(self.store, self.tables)

    def finish(self, id: str, name: str) -> History:
        """Let a simple bot play both sides of a table to the end; return its history."""
        history = self.run(self.store.load(id))
        assert history is not None
        match = history.match.copy()
        while not match.over:
            match.play(bots.bot(name, luck=Random(1))(match.position))
            match.settle()
        return self.append(history, step_events(match, len(history.match), self.time))

    def append(self, history: History, events: list[Event]) -> History:
        """Store events that end a match, and return its history."""
        after = history.with_events(events)
        id = history.head.id
        assert self.run(self.store.append(id, history.ply, events, stage=stage(after)))
        self.run(self.tables.live.reload([id]))
        return after


class Days(RuleBasedStateMachine):
    """Some people who play the pair of each day, or leave it."""

    site: Site

    def __init__(self) -> None:
        super().__init__()
        self.run = self.site.run
        self.site.examples += 1
        self.first_day = FIRST_DAY + self.site.examples * DAYS_OF_AN_EXAMPLE
        self.site.time = opening_ms(self.first_day)
        self.holders = [f"{self.site.examples:04}{person}" * 10 for person in range(PEOPLE)]
        for holder in self.holders:
            made = Account(holder[:40], holder[:20], holder, 0, AccountRole.PERSON, AccountState.OPEN, "{}")
            self.run(self.site.store.write("", lambda c: create_account(c, made, [])))  # noqa: B023
        self.played: dict[tuple[int, int], list[Result]] = {}  # by day and person: both games
        self.begun: dict[tuple[int, int], str] = {}  # the table that goes on

    @property
    def today(self) -> int:
        return self.site.daily.today

    @rule(person=st.integers(0, PEOPLE - 1))
    def begin(self, person: int) -> None:
        games = self.played.setdefault((self.today, person), [])
        id = self.run(self.site.daily.play(self.holders[person], "", GAME))
        if RUNNING in games:
            assert id == self.begun[self.today, person]
        elif len(games) < len(Game(GAME).seats):
            games.append(RUNNING)
            self.begun[self.today, person] = id

    @rule(
        person=st.integers(0, PEOPLE - 1), back=st.integers(0, 1), luck=st.integers(0, 2), ends=st.booleans()
    )
    def end(self, person: int, back: int, luck: int, ends: bool) -> None:
        """Play a game of today or yesterday to its end, or give it up."""
        day = self.today - back
        games = self.played.get((day, person), [])
        if RUNNING not in games:
            return
        id = self.begun[day, person]
        history = self.run(self.site.store.load(id))
        assert history is not None
        match, seat = history.match.copy(), games.index(RUNNING)
        players = [bots.bot(name, luck=Random(luck)) for name in ("random" if luck else "greedy", "greedy")]
        while ends and not match.over:
            match.play(players[match.position.s.turn != seat](match.position))
            match.settle()
        events = step_events(match, len(history.match), self.site.time)
        if not ends:
            events = [Resign(seat, self.site.time)]
        after = self.site.append(history, events)
        won, ahead = points(after)[seat], margins(after.match)[seat]
        counts = ends and back == 0 and won is not None
        games[seat] = (1 + (won or 0), ahead) if counts else LOST

    @rule(days=st.integers(1, 3))
    def sleep(self, days: int) -> None:
        self.site.time = opening_ms(self.today + days)

    @rule()
    def wait_for_the_last_moment(self) -> None:
        self.site.time = closing_ms(self.today) - 1

    def result(self, day: int, person: int) -> Result | None:
        """Return the result of a pair by the model; None where it does not count."""
        games = self.played.get((day, person), [])
        if len(games) < len(Game(GAME).seats) or RUNNING in games or LOST in games:
            return None
        return sum(won - 1 for won, _ in games), sum(ahead for _, ahead in games)

    def results(self, day: int) -> list[Result]:
        found = (self.result(day, person) for person in range(PEOPLE))
        return sorted((result for result in found if result is not None), reverse=True)

    @invariant()
    def every_card_says_what_the_model_does(self) -> None:
        results = self.results(self.today)
        for person, holder in enumerate(self.holders):
            card = self.card(holder)
            games, mine = self.played.get((self.today, person), []), self.result(self.today, person)
            assert [bool(one.match) for one in card.games] == [seat < len(games) for seat in range(2)]
            assert [bool(one.verdict) for one in card.games] == [
                seat < len(games) and games[seat] != RUNNING for seat in range(2)
            ]
            assert card.entries == len(results)
            assert card.place == (0 if mine is None else 1 + sum(other > mine for other in results))
            assert card.worse == (0 if mine is None else sum(other < mine for other in results))
            if mine is not None and len(results) > 1:
                share = 100 * card.worse / (len(results) - 1)
                assert placing_texts(card)[1].en == f"Better than {share:.0f}% of the others."
            assert card.verdict == (None if mine is None else pair_verdict(*mine, 2))

    @invariant()
    def a_streak_has_whole_pairs_alone(self) -> None:
        for person, holder in enumerate(self.holders):
            days = {day for day, who in self.played if who == person and self.result(day, person) is not None}
            assert self.run(self.site.daily.streak(holder)) == streak(days, self.today)

    @invariant()
    def a_day_is_told_once_it_has_closed(self) -> None:
        past = range(max(self.first_day, self.today - 5), self.today)
        told = [day for day in reversed(past) if self.results(day)]
        archive = self.run(self.site.daily.archive())
        assert [day for day in archive if day in past] == told
        for day in (*past, self.today):
            if day not in told:
                code = ErrorCode.SEALED if day == self.today else ErrorCode.NO_PAGE
                assert self.refusal(self.site.daily.standings(day, "")) == code
                continue
            (found,) = self.run(self.site.daily.standings(day, ""))
            results = self.results(day)
            assert [row.place for row in found.places] == [1 + results.index(result) for result in results]
            assert [row.verdict for row in found.places] == [pair_verdict(*result, 2) for result in results]

    def card(self, holder: str) -> DailyCard:
        cards: list[DailyCard] = self.run(self.site.daily.cards(holder))
        return next(card for card in cards if card.game.id == GAME)

    def refusal(self, work: Coroutine[Any, Any, Any]) -> ErrorCode | None:
        try:
            self.run(work)
        except Refused as wrong:
            return wrong.code
        return None


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_par_is_told_to_those_who_have_finished(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    """The best bot's tables are played by hand, as no bot moves by itself here."""
    url = sqlite(tmp_path) if kind == "sqlite" else request.getfixturevalue("database")
    with asyncio.Runner() as runner:
        site = Site(url, runner)
        site.time = opening_ms(FIRST_DAY)
        try:
            for game in (daily_games()[0], GAME):
                ids = [runner.run(site.daily.play("a" * 64, "", game))]
                deal = runner.run(site.store.read(partial(find_deal, day=FIRST_DAY, game=game)))
                assert deal is not None
                seats = range(len(Game(game).seats))
                pars = [table_id(seat_secret(deal.secret, Game(game), seat), SeatKind.BOT) for seat in seats]
                results = [site.finish(id, "greedy") for id in pars]
                assert _card(site, game).par is None, "before the end"
                site.finish(ids[0], "random")
                if len(seats) > 1:
                    assert _card(site, game).par is None, "after half a pair"
                    site.finish(runner.run(site.daily.play("a" * 64, "", game)), "random")
                card = _card(site, game)
                if len(seats) == 1:
                    assert card.par == outcome_text(results[0].match, Outcome(How.PLAYED, ()))
                    continue
                won = sum(points(history)[seat] or 0 for seat, history in enumerate(results))
                ahead = sum(margins(history.match)[seat] for seat, history in enumerate(results))
                assert card.par == pair_verdict(won, ahead, len(seats))
            assert runner.run(site.daily.streak("a" * 64)) == 1
            site.time = opening_ms(FIRST_DAY + 1)
            assert runner.run(site.daily.archive()) == [FIRST_DAY]
            told = runner.run(site.daily.standings(FIRST_DAY, "a" * 64))
            assert [len(one.places) for one in told] == [1, 1]
        finally:
            runner.run(site.store.close())


def _card(site: Site, game: str) -> DailyCard:
    cards: list[DailyCard] = site.run(site.daily.cards("a" * 64))
    return next(card for card in cards if card.game.id == game)


def test_places_streaks_and_the_archive_follow_from_what_was_played(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        site = Site(sqlite(tmp_path), runner)
        machine = type("DaysOfTheSite", (Days,), {"site": site})
        try:
            run_state_machine_as_test(
                machine, settings=settings(max_examples=5, stateful_step_count=10, deadline=None)
            )
        finally:
            runner.run(site.store.close())
