"""The next step of a tournament, by the clock and by the results."""

from __future__ import annotations

from enum import Enum

from smallchange.server.tournaments import arena, league, round_robin, season
from smallchange.server.tournaments.model import (
    ARENA,
    DUEL,
    DUEL_ENTRIES,
    MAX_ENTRIES,
    MIN_ENTRIES,
    OPEN,
    ROUND_ROBIN,
    RUNNING,
    SEASON,
    SOLITAIRE,
    SWISS,
    Tournament,
)


class NextStep(Enum):
    """The steps of a tournament: each is one transaction."""

    WAIT = "wait"
    CANCEL = "cancel"  # too few have entered
    BEGIN = "begin"  # a league, whose rounds open by the clock, or a season, which is divided first
    OPEN_ROUND = "open a round"
    TELL_ROUND = "tell that a round has begun"  # of a league
    REMIND = "tell that a round closes soon"
    END = "end"


def next_step(tournament: Tournament, now: int) -> NextStep:
    """Return the next step of a tournament at a time in milliseconds since 1970."""
    rules = tournament.rules
    enough = len(tournament.active) >= MIN_ENTRIES
    if tournament.phase == OPEN:
        if now < rules.begins_at:
            return NextStep.WAIT
        first = NextStep.BEGIN if rules.kind in (SEASON, *SOLITAIRE) else NextStep.OPEN_ROUND
        return first if enough else NextStep.CANCEL
    if tournament.phase != RUNNING:
        return NextStep.WAIT
    if rules.kind in SOLITAIRE:
        return _league_step(tournament, now)
    if rules.ends_at is not None and now < rules.ends_at:
        return NextStep.OPEN_ROUND if arena.pair_wave(tournament) else NextStep.WAIT
    is_last = rules.ends_at is not None or tournament.round >= round_count(tournament) or not enough
    if not is_last and not (tournament.open_pairings and rules.one_by_one):
        return NextStep.OPEN_ROUND
    return NextStep.END if is_last and not tournament.open_pairings else NextStep.WAIT


def _league_step(tournament: Tournament, now: int) -> NextStep:
    """Return the next step of a league or a duel that has begun. A duel has its players once both have entered."""
    rules = tournament.rules
    round = league.open_round(rules, now)
    if round > rules.rounds or league.is_decided(tournament):
        return NextStep.END
    if rules.kind == DUEL and len(tournament.entries) < DUEL_ENTRIES:
        return NextStep.WAIT
    if tournament.told < round:
        return NextStep.TELL_ROUND
    is_late = tournament.reminded < round and now >= league.reminder_ms(rules, round)
    return NextStep.REMIND if is_late else NextStep.WAIT


def round_count(tournament: Tournament) -> int:
    """Return the number of rounds that are planned; 0 in an arena."""
    if tournament.rules.kind in (SWISS, *SOLITAIRE):
        return tournament.rules.rounds
    if tournament.rules.kind == SEASON:
        return season.round_count(tournament)
    return round_robin.round_count(len(tournament.entries)) if tournament.rules.kind == ROUND_ROBIN else 0


def has_room(tournament: Tournament, more: int = 0) -> bool:
    """Return whether there is room for one who has not entered yet, after `more` others."""
    return len(tournament.entries) + more < MAX_ENTRIES[tournament.rules.kind]


def may_enter(tournament: Tournament, now: int) -> bool:
    """Return whether the time allows to enter, where there is room.

    Once a tournament has begun, one may enter a Swiss in the first half of its rounds, an arena and a league until
    their end. An entry to a season that has begun is for the next one.
    """
    rules = tournament.rules
    if tournament.phase == OPEN:
        return True
    if tournament.phase != RUNNING:
        return False
    if rules.kind in SOLITAIRE:
        return league.open_round(rules, now) <= rules.rounds
    if rules.kind == ARENA:
        return rules.ends_at is not None and now < rules.ends_at
    return rules.kind == SEASON or (rules.kind == SWISS and 2 * tournament.round <= rules.rounds)
