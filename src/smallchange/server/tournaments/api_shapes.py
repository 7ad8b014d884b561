"""Tournaments in the shapes of the JSON API."""

from __future__ import annotations

from typing import Any

from smallchange.server.tournaments import league, promotion
from smallchange.server.tournaments.model import ARENA, OPEN, RUNNING, SEASON, SOLITAIRE
from smallchange.server.tournaments.progress import round_count
from smallchange.server.tournaments.rows import StoredTournament, WholeTournament
from smallchange.server.tournaments.standings import BUCHHOLZ, SONNEBORN_BERGER, TIE_BREAKS, TOTAL, standings
from smallchange.server.web.api import shapes

TIE_BREAK_UNITS = {BUCHHOLZ: 2, SONNEBORN_BERGER: 4}  # of which a point is made


def tournament_head(stored: StoredTournament) -> shapes.TournamentHead:
    """Return a tournament for a list."""
    return shapes.TournamentHead(**_head_fields(stored))


def tournament_shape(found: WholeTournament, account_id: str | None, now: int) -> shapes.Tournament:
    """Return a tournament as this account, if any, sees it at a time in milliseconds since 1970."""
    tournament, entries = found.tournament_at(now), {one.number: one for one in found.entries}
    kind, active = found.stored.kind, {entry.number for entry in tournament.active}
    unit = 1 if kind == ARENA else 2
    own = found.entry_of(account_id) if account_id else None
    moves = promotion.moves(tournament) if kind == SEASON and tournament.phase != OPEN else {}
    rows = [
        shapes.TournamentStanding(
            row.place,
            row.number,
            entries[row.number].name,
            entries[row.number].bot,
            row.number not in active,
            row.points / unit,
            {
                tie: (value if tie == TOTAL else abs(value)) / TIE_BREAK_UNITS.get(tie, 1)
                for tie, value in zip(TIE_BREAKS[kind], row.tie_breaks, strict=True)
            },
            row.won,
            row.drawn,
            row.lost,
            row.division,
            moves.get(row.number, promotion.STAYS),
        )
        for row in standings(tournament)
    ]
    pairings = [
        shapes.TournamentPairing(
            one.pairing.round,
            one.pairing.first,
            one.pairing.second,
            None if one.pairing.points is None else [half / unit for half in one.pairing.points],
            one.match,
        )
        for one in found.pairings
    ]
    rules, match = tournament.rules, found.running_match(own.number) if own else None
    round, closes_at = tournament.round, None
    if kind in SOLITAIRE:
        round = min(tournament.closed_rounds + 1, rules.rounds) if tournament.phase != OPEN else 0
        plays = found.plays_of(own.number, round) if own else []
        match = next((play.match for play in plays if not play.is_over), None)
        closes_at = league.closing_ms(rules, round) if tournament.phase == RUNNING else None
    return shapes.Tournament(
        **_head_fields(found.stored),
        round=round,
        rounds=round_count(tournament),
        standings=rows,
        pairings=pairings,
        match=match,
        plays=_plays(found, tournament.closed_rounds),
        closes_at=closes_at,
        previous=found.stored.previous_id,
        next=found.next_id,
    )


def _plays(found: WholeTournament, closed_rounds: int) -> list[shapes.TournamentPlay]:
    """Return the results of the closed rounds of a league."""
    return [
        shapes.TournamentPlay(
            round,
            one.entry,
            one.place,
            one.score.score,
            one.points / 2,
            matches[0],
            matches,
            one.score.points / 2,
        )
        for round in range(1, closed_rounds + 1)
        for one, matches in found.deal_results(round)
    ]


def _head_fields(stored: StoredTournament) -> dict[str, Any]:
    return {
        "id": stored.id,
        "name": stored.name,
        "kind": stored.kind,
        "game": stored.game,
        "options": stored.options,
        "time": stored.control,
        "rated": stored.rated,
        "public": stored.public,
        "phase": stored.phase,
        "begins_at": stored.begins_at,
        "delay": stored.delay,
        "season": stored.season,
    }
