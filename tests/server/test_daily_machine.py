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
from smallchange.server.accounts.rows import create_account
from smallchange.server.daily.days import (
    DailyCard,
    closing_ms,
    daily_games,
    opening_ms,
    streak,
    table_id,
)
from smallchange.server.daily.service import DailyDeals, find_deal
from smallchange.server.daily.view import placing_texts
from smallchange.server.database.bus import MemoryBus
from smallchange.server.services import table_service
from smallchange.server.table.model.command_events import step_events
from smallchange.server.table.model.events import Event, How, Resign
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import Outcome, scores, stage
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.ending import outcome_text
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import Account, AccountRole, AccountState

GAME = daily_games()[0]
PEOPLE = 3
FIRST_DAY, DAYS_OF_AN_EXAMPLE = 21_000, 1000


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
    """Some people who play the deal of each day, or leave it."""

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
        self.tables: dict[tuple[int, int], str] = {}  # by day and person
        self.ended: dict[
            tuple[int, int], int | None
        ] = {}  # the scores of games that are over; None does not count

    @property
    def today(self) -> int:
        return self.site.daily.today

    @rule(person=st.integers(0, PEOPLE - 1))
    def begin(self, person: int) -> None:
        id = self.run(self.site.daily.play(self.holders[person], "", GAME))
        assert self.tables.setdefault((self.today, person), id) == id

    @rule(
        person=st.integers(0, PEOPLE - 1), back=st.integers(0, 1), luck=st.integers(0, 2), ends=st.booleans()
    )
    def end(self, person: int, back: int, luck: int, ends: bool) -> None:
        """Play a game of today or yesterday to its end, or give it up."""
        key = self.today - back, person
        if key in self.ended or key not in self.tables:
            return
        history = self.run(self.site.store.load(self.tables[key]))
        assert history is not None
        match, player = history.match.copy(), bots.bot("random" if luck else "greedy", luck=Random(luck))
        while ends and not match.over:
            match.play(player(match.position))
            match.settle()
        events = step_events(match, len(history.match), self.site.time)
        if not ends:
            events = [Resign(0, self.site.time)]
        after = self.site.append(history, events)
        self.ended[key] = scores(after)[0] if ends and back == 0 else None

    @rule(days=st.integers(1, 3))
    def sleep(self, days: int) -> None:
        self.site.time = opening_ms(self.today + days)

    @rule()
    def wait_for_the_last_moment(self) -> None:
        self.site.time = closing_ms(self.today) - 1

    def scores(self, day: int) -> list[int]:
        found = (self.ended.get((day, person)) for person in range(PEOPLE))
        return sorted((score for score in found if score is not None), reverse=True)

    @invariant()
    def every_card_says_what_the_model_does(self) -> None:
        scores = self.scores(self.today)
        for person, holder in enumerate(self.holders):
            card, key = self.card(holder), (self.today, person)
            mine = self.ended.get(key)
            assert card.match == self.tables.get(key)
            assert bool(card.verdict) == (key in self.ended)
            assert card.finished == len(scores)
            assert card.counts == (mine is not None)
            assert card.place == (0 if mine is None else 1 + sum(other > mine for other in scores))
            assert card.worse == (0 if mine is None else sum(other < mine for other in scores))
            if mine is not None and len(scores) > 1:
                share = 100 * card.worse / (len(scores) - 1)
                assert placing_texts(card)[1].en == f"Better than {share:.0f}% of the others."

    @invariant()
    def a_streak_has_deals_that_count_alone(self) -> None:
        for person, holder in enumerate(self.holders):
            days = {day for (day, who), score in self.ended.items() if who == person and score is not None}
            assert self.run(self.site.daily.streak(holder)) == streak(days, self.today)

    @invariant()
    def a_day_is_told_once_it_has_closed(self) -> None:
        past = range(max(self.first_day, self.today - 5), self.today)
        told = [day for day in reversed(past) if self.scores(day)]
        archive = self.run(self.site.daily.archive())
        assert [day for day in archive if day in past] == told
        for day in (*past, self.today):
            if day not in told:
                code = ErrorCode.SEALED if day == self.today else ErrorCode.NO_PAGE
                assert self.refusal(self.site.daily.standings(day, "")) == code
                continue
            (found,) = self.run(self.site.daily.standings(day, ""))
            scores = self.scores(day)
            assert [row.place for row in found.places] == [1 + scores.index(score) for score in scores]

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
    """The best bot's table is played by hand, as no bot moves by itself here."""
    url = sqlite(tmp_path) if kind == "sqlite" else request.getfixturevalue("database")
    with asyncio.Runner() as runner:
        site = Site(url, runner)
        site.time = opening_ms(FIRST_DAY)
        try:
            id = runner.run(site.daily.play("a" * 64, "", GAME))
            deal = runner.run(site.store.read(partial(find_deal, day=FIRST_DAY, game=GAME)))
            assert deal is not None
            result = site.finish(table_id(deal.secret, SeatKind.BOT), "greedy")
            assert _card(site).par is None, "before the end"
            site.finish(id, "random")
            assert _card(site).par == outcome_text(result.match, Outcome(How.PLAYED, ()))
            assert runner.run(site.daily.streak("a" * 64)) == 1
            site.time = opening_ms(FIRST_DAY + 1)
            assert runner.run(site.daily.archive()) == [FIRST_DAY]
            told = runner.run(site.daily.standings(FIRST_DAY, "a" * 64))
            assert [len(one.places) for one in told] == [1]
        finally:
            runner.run(site.store.close())


def _card(site: Site) -> DailyCard:
    cards: list[DailyCard] = site.run(site.daily.cards("a" * 64))
    return next(card for card in cards if card.game.id == GAME)


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
