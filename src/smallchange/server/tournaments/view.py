"""Tournaments: the list, the form to open one, and the page of one with its standings and pairings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import quote

from smallchange import bots
from smallchange.bots.levels import title
from smallchange.core.game import Game, complete_game, games
from smallchange.i18n.text import Text, capital, join_texts, plain
from smallchange.server.daily.days import daily_games
from smallchange.server.meeting.view import games_for_two
from smallchange.server.ratings.view import gain_digits
from smallchange.server.table import time_control
from smallchange.server.table.clock_view import USUAL_TIME, control_text, duration_text, turn_text
from smallchange.server.table.delay import DELAYS
from smallchange.server.table.history import History
from smallchange.server.table.options import describe_options
from smallchange.server.table.time_control import PRESETS
from smallchange.server.tournaments import league, promotion, swiss
from smallchange.server.tournaments.model import (
    ARENA,
    CANCELLED,
    DUEL,
    KINDS,
    LEAGUE,
    MAX_BOTS,
    OPEN,
    OVER,
    ROUND_ROBIN,
    RUNNING,
    SEASON,
    SOLITAIRE,
    SWISS,
    DealScore,
    Points,
)
from smallchange.server.tournaments.progress import has_room, may_enter, round_count
from smallchange.server.tournaments.rows import (
    StoredEntry,
    StoredPairing,
    StoredPlay,
    StoredTournament,
    WholeTournament,
)
from smallchange.server.tournaments.standings import (
    BUCHHOLZ,
    FEWEST,
    SONNEBORN_BERGER,
    TIE_BREAKS,
    TOPS,
    TOTAL,
    WINS,
    Standing,
    standings,
)
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import render_page
from smallchange.server.web.view_model import PageContext

MAX_ROUNDS_SHOWN = 20  # of the newest rounds; an arena has hundreds
KIND_NAMES = {
    ROUND_ROBIN: p.ROUND_ROBIN,
    SEASON: p.SEASON,
    SWISS: p.SWISS,
    ARENA: p.ARENA,
    LEAGUE: p.LEAGUE,
    DUEL: p.DUEL,
}
ABOUT_KINDS = {
    ROUND_ROBIN: p.ABOUT_ROUND_ROBIN,
    SEASON: p.ABOUT_SEASON,
    SWISS: p.ABOUT_SWISS,
    ARENA: p.ABOUT_ARENA,
    LEAGUE: p.ABOUT_LEAGUE,
    DUEL: p.ABOUT_DUEL,
}
TIE_BREAK_SIGNS = {
    BUCHHOLZ: p.BH,
    SONNEBORN_BERGER: p.SB,
    WINS: p.WINS_SIGN,
    FEWEST: p.MATCHES_SIGN,
    TOPS: p.TOPS_SIGN,
    TOTAL: p.TOTAL_SIGN,
}
TIE_BREAK_NAMES = {
    BUCHHOLZ: plain("Buchholz"),
    SONNEBORN_BERGER: plain("Sonneborn-Berger"),
    WINS: p.WINS,
    FEWEST: p.FEWEST_MATCHES,
    TOPS: p.TOPS,
    TOTAL: p.TOTAL,
}
ABOUT_TIE_BREAKS = {
    BUCHHOLZ: p.ABOUT_BUCHHOLZ,
    SONNEBORN_BERGER: p.ABOUT_SONNEBORN_BERGER,
    WINS: p.ABOUT_WINS,
    FEWEST: p.ABOUT_FEWEST_MATCHES,
    TOPS: p.ABOUT_TOPS,
    TOTAL: p.ABOUT_TOTAL,
}
QUARTERS = ("", "¼", "½", "¾")
HOUR_MIN, DAY_MIN = 60, 24 * 60
ROUND_MINUTES = (15, HOUR_MIN, DAY_MIN, 2 * DAY_MIN, 7 * DAY_MIN)  # of a league, offered on the form
BEGINNINGS_MIN = (5, 15, 30, HOUR_MIN, 3 * HOUR_MIN, DAY_MIN, 7 * DAY_MIN)  # offered on the form


class PlayerLink(NamedTuple):
    """A participant on a page: the name in words, and the path of the profile, "" for a bot."""

    name: Text
    path: str


def tournaments_page(
    public: Sequence[StoredTournament],
    own: Sequence[StoredTournament],
    is_keeper: bool,
    now: int,
    visit: PageContext,
) -> str:
    """Return the page of all tournaments, with the form to open one."""
    return render_page(
        "tournaments.html",
        visit,
        p.TOURNAMENTS,
        public=[_list_row(one, now) for one in public],
        own=[_list_row(one, now) for one in own],
        is_keeper=is_keeper,
        kinds=[
            (kind, p.SAME_LUCK if kind == DUEL else KIND_NAMES[kind])
            for kind in KINDS
            if kind != SWISS or swiss.is_installed()
        ],
        explained=[
            *(ABOUT_KINDS[kind] for kind in KINDS if kind != SWISS or swiss.is_installed()),
            p.ABOUT_DUPLICATE_PAIR,
        ],
        offered=[*games_for_two(), *map(Game, daily_games())],
        round_times=[(minutes, _length_text(minutes)) for minutes in ROUND_MINUTES],
        usual_round=DAY_MIN,
        times=[(str(control), control_text(control)) for control in PRESETS],
        usual=USUAL_TIME,
        delays=DELAYS,
        beginnings=[(minutes, _beginning_text(minutes)) for minutes in BEGINNINGS_MIN],
    )


def tournament_page(
    found: WholeTournament,
    account_id: str | None,
    turns: Mapping[str, History],
    now: int,
    visit: PageContext,
) -> str:
    """Return the page of a tournament as this account, if any, sees it.

    `turns` are the account's matches of a season in which it is their turn, by their ids.
    """
    stored, tournament = found.stored, found.tournament_at(now)
    own = found.entry_of(account_id) if account_id else None
    opens = account_id == stored.opener_id and stored.phase == OPEN
    ties = TIE_BREAKS[stored.kind]
    players = _players(found)
    return render_page(
        "tournament.html",
        visit,
        _heading(found, players),
        stored=stored,
        facts=_facts(stored),
        state=_state_text(found, now),
        version=version(found, turns, now),
        is_league=stored.kind in SOLITAIRE,
        first=_first_place(found, players, now),
        waits_for_opponent=stored.kind == DUEL and own is not None and has_room(tournament),
        deal=_own_deal(found, own, now),
        deals=_closed_deals(found, players, now),
        running=stored.phase not in (OVER, CANCELLED),
        match=found.running_match(own.number) if own else None,
        own=own,
        may_enter=may_enter(tournament, now) and (own is not None or has_room(tournament)),
        opens=opens,
        bots=_quick_bots(stored) if opens and stored.kind not in SOLITAIRE else [],
        most_bots=MAX_BOTS,
        signs=[(TIE_BREAK_SIGNS[tie], TIE_BREAK_NAMES[tie]) for tie in ties],
        tables=_standings(found, own, players, now),
        note=_season_note(found, own),
        provisional=stored.kind == SEASON and stored.phase == OPEN,
        next_id=found.next_id,
        own_matches=_own_matches(found, own, turns, players, now),
        rounds=_divisions(found, own, players) if stored.kind == SEASON else _rounds(found, players),
        explained=[p.ABOUT_DUPLICATE_PAIR if stored.is_pair else ABOUT_KINDS[stored.kind]],
        about_ties=[(TIE_BREAK_NAMES[tie], ABOUT_TIE_BREAKS[tie]) for tie in ties],
    )


def _heading(found: WholeTournament, players: dict[int, PlayerLink]) -> Text:
    """Return the name of a tournament; a duel without one is named by its players."""
    if found.stored.kind == DUEL and not found.stored.name and players:
        return join_texts([one.name for one in players.values()], plain("{first} – {next}"))
    return _list_name(found.stored)


def _list_name(stored: StoredTournament) -> Text:
    """Return the name of a tournament in a list; a duel without one is named by its kind."""
    if stored.name:
        return plain(stored.name)
    return _kind_name(stored) if stored.kind == DUEL else p.TOURNAMENT


def _first_place(found: WholeTournament, players: dict[int, PlayerLink], now: int) -> Text | None:
    """Say who has the first place of a tournament that is over, in a season of its first division."""
    if found.stored.phase != OVER:
        return None
    rows = standings(found.tournament_at(now))
    best = [players[one.number].name for one in rows if one.place == 1 and one.division == rows[0].division]
    return p.FIRST_PLACE.fill(who=join_texts(best)) if best and rows[0].points else None


def _standings(
    found: WholeTournament, own: StoredEntry | None, players: dict[int, PlayerLink], now: int
) -> list[dict[str, Any]]:
    """Return the tables of the standings: one, or in a season one for each division."""
    tournament, kind = found.tournament_at(now), found.stored.kind
    active = {entry.number for entry in tournament.active}
    moved = promotion.moves(tournament) if kind == SEASON and tournament.phase in (RUNNING, OVER) else {}
    texts = {promotion.RISES: p.WOULD_RISE, promotion.FALLS: p.WOULD_FALL}
    if tournament.phase == OVER:
        texts = {promotion.RISES: p.RISES, promotion.FALLS: p.FALLS}

    def row(one: Standing) -> dict[str, Any]:
        return {
            "place": one.place,
            "player": players[one.number],
            "own": own is not None and own.number == one.number,
            "withdrawn": one.number not in active,
            "move": texts.get(moved.get(one.number, promotion.STAYS)),
            "rises": moved.get(one.number) == promotion.RISES,
            "points": points_text(kind, one.points),
            "ties": [
                _tie_text(tie, value) for tie, value in zip(TIE_BREAKS[kind], one.tie_breaks, strict=True)
            ],
        }

    rows = [(one.division, row(one)) for one in standings(tournament)]
    return [
        {
            "name": p.DIVISION.fill(n=division)
            if division
            else p.BESIDE_DIVISIONS
            if kind == SEASON
            else None,
            "beside": kind == SEASON and not division,
            "rows": [one for _, one in group],
        }
        for division, group in groupby(rows, key=lambda one: one[0])
    ]


def _season_note(found: WholeTournament, own: StoredEntry | None) -> Text | None:
    """Say to a player of a season how they take part in it."""
    phase = found.stored.phase
    if found.stored.kind != SEASON or own is None or own.withdrawn or phase not in (OPEN, RUNNING):
        return None
    if phase == OPEN:
        return p.SEASON_WAITS
    return p.WITHDRAWING_FROM_SEASON if own.division else p.SEASON_LATE


def _own_matches(
    found: WholeTournament,
    own: StoredEntry | None,
    turns: Mapping[str, History],
    players: dict[int, PlayerLink],
    now: int,
) -> list[dict[str, Any]]:
    """Return a player's pairings of a season: those in which it is their turn, the others that go on, then the rest."""
    if found.stored.kind != SEASON or own is None:
        return []
    rows = []
    order = sorted(
        found.pairings_of(own.number),
        key=lambda one: (one.pairing.points is not None, one.match not in turns),
    )
    for one in order:
        other = one.pairing.opponent_of(own.number)
        waits = p.THEIR_TURN.fill(who=players[other].name) if other else p.MATCH_GOES_ON
        history = turns.get(one.match or "")
        state = turn_text(history, now) if history else waits
        own_turn = {"state": state, "is_own_turn": history is not None}
        rows.append(_pairing_row(SEASON, one, players) | own_turn)
    return rows


def _divisions(
    found: WholeTournament, own: StoredEntry | None, players: dict[int, PlayerLink]
) -> list[dict[str, Any]]:
    """Return the pairings of a season by division, the player's own first."""
    tournament, ours = found.tournament, own.division if own else 0
    order = sorted(tournament.divisions, key=lambda division: division != ours)
    parts = {division: {one.number for one in tournament.in_division(division).entries} for division in order}
    return [
        {
            "name": p.DIVISION.fill(n=division),
            "pairings": [
                _pairing_row(SEASON, one, players)
                for one in found.pairings
                if one.pairing.first in parts[division]
            ],
        }
        for division in order
        if found.pairings
    ]


def _own_deal(found: WholeTournament, own: StoredEntry | None, now: int) -> dict[str, Any] | None:
    """Return how one stands in the open round of a league: how many have played, and what one can do."""
    stored, rules = found.stored, found.stored.rules
    round = league.open_round(rules, now) if stored.kind in SOLITAIRE and stored.phase == RUNNING else 0
    if not 1 <= round <= rules.rounds:
        return None
    plays = found.plays_of(own.number, round) if own else []
    word = p.PLAY_DEAL
    if plays:
        word = p.PLAY_SECOND if all(one.is_over for one in plays) else p.GO_ON
    finished = league.find_finished(found.tournament, round)
    return {
        "word": None if own is None or own.withdrawn else word,
        "over": own is not None and own.number in finished,
        "games": [(one.match, _play_name(found.stored, one)) for one in plays if one.is_over],
        "finished": p.DEAL_PLAYED.fill(n=len(finished), of=len(found.entries)),
        "closes": p.ROUND_CLOSES.fill(time=duration_text(league.closing_ms(rules, round) - now)),
    }


def _closed_deals(found: WholeTournament, players: dict[int, PlayerLink], now: int) -> list[dict[str, Any]]:
    """Return the closed rounds of a league, the newest first, each with its results."""
    deals = []
    for round in range(found.tournament_at(now).closed_rounds, 0, -1):
        rows = [
            {
                "place": one.place,
                "player": players[one.entry].name,
                "score": _score_text(found.stored, one.score),
                "points": points_text(LEAGUE, one.points),
                "games": [
                    (play.match, _play_name(found.stored, play)) for play in found.plays_of(one.entry, round)
                ],
            }
            for one, _ in found.deal_results(round)
        ]
        name = p.HOW_IT_ENDED if found.stored.kind == DUEL else p.ROUND.fill(n=round)
        deals.append({"name": name, "rows": rows})
    return deals


def _play_name(stored: StoredTournament, one: StoredPlay) -> Text:
    """Return the name of one's game on a deal: in a pair that of the side."""
    if not stored.is_pair:
        return p.YOUR_GAME
    game = Game(stored.game)
    return capital(game.words.PLAYERS[game.seats[one.play.seat]])


def _score_text(stored: StoredTournament, score: DealScore) -> Text:
    """Return the score of a deal for a table; in a pair the points of both games, and their margins."""
    if not stored.is_pair:
        return plain(str(score.score))
    return p.PAIR_SCORE.fill(points=points_text(SWISS, score.points), margin=gain_digits(score.score))


def _kind_name(stored: StoredTournament) -> Text:
    return p.DUPLICATE_PAIR if stored.is_pair else KIND_NAMES[stored.kind]


def version(found: WholeTournament, turns: Collection[str], now: int) -> str:
    """Return a text that changes whenever the page of a tournament does, or its players are told of a round.

    `turns` are the visitor's matches of a season in which it is their turn.
    """
    active = sum(not one.withdrawn for one in found.entries)
    entered = f"{found.stored.phase}-{len(found.entries)}-{active}"
    if found.stored.kind in SOLITAIRE:
        over, round = sum(one.is_over for one in found.plays), league.open_round(found.stored.rules, now)
        return f"{entered}-{round}-{len(found.plays)}-{over}-{found.told}-{found.reminded}"
    finished = sum(one.pairing.points is not None for one in found.pairings)
    return "-".join([entered, str(len(found.pairings)), str(finished), *sorted(turns)])


def points_text(kind: str, half_points: int) -> str:
    """Return points as tables of results have them; in an arena a win counts 2 points, a draw 1.

    >>> points_text(SWISS, 7), points_text(SWISS, 1), points_text(ARENA, 7)
    ('3½', '½', '7')
    """
    return str(half_points) if kind == ARENA else _quarters_text(2 * half_points)


def _quarters_text(quarters: int) -> str:
    whole, part = divmod(quarters, 4)
    return f"{whole or '' if part else whole}{QUARTERS[part]}"


def _tie_text(tie: str, value: int) -> str:
    if tie == BUCHHOLZ:
        return _quarters_text(2 * value)
    if tie == TOTAL:
        return str(value)
    return _quarters_text(value) if tie == SONNEBORN_BERGER else str(abs(value))


def _list_row(stored: StoredTournament, now: int) -> dict[str, Any]:
    return {
        "stored": stored,
        "name": _list_name(stored),
        "facts": _facts(stored),
        "state": _phase_text(stored, now),
    }


def _facts(stored: StoredTournament) -> list[Text]:
    """Return what is fixed about a tournament: kind, game, options, time, and whether it is rated."""
    known = stored.game in games()
    control = time_control.read(stored.control)
    facts = [_kind_name(stored)]
    if stored.kind == SEASON:
        facts.append(p.SEASON_NUMBER.fill(n=stored.season))
    facts.append(Game(stored.game).words.TITLE if known else plain(stored.game))
    if known and (options := describe_options(stored.game, stored.options)):
        facts.append(options)
    if control:
        facts.append(control_text(control))
    if stored.kind == DUEL:
        return facts
    if stored.kind == LEAGUE:
        return [*facts, p.DEALS_OF.fill(n=stored.rounds), _length_text(stored.minutes)]
    return [*facts, p.RATED if stored.rated else p.UNRATED]


def _phase_text(stored: StoredTournament, now: int) -> Text:
    """Say in a list how far a tournament is."""
    if stored.phase == OPEN:
        left = stored.begins_at - now
        return p.BEGINS_IN.fill(time=duration_text(left)) if left > 0 else p.BEGINS_NOW
    return {OVER: p.TOURNAMENT_OVER, CANCELLED: p.TOURNAMENT_CANCELLED}.get(stored.phase, p.TOURNAMENT_RUNS)


def _state_text(found: WholeTournament, now: int) -> Text:
    """Say on its page how far a tournament is."""
    stored, tournament = found.stored, found.tournament_at(now)
    if stored.kind in SOLITAIRE and stored.phase == RUNNING:
        if stored.kind == DUEL:
            return p.TOURNAMENT_RUNS
        return p.ROUND_OF.fill(round=min(tournament.closed_rounds + 1, stored.rounds), n=stored.rounds)
    if stored.phase in (OPEN, OVER, CANCELLED):
        return _phase_text(stored, now)
    if stored.kind == SEASON:
        ended = len(found.pairings) - len(tournament.open_pairings)
        return p.SEASON_MATCHES.fill(n=ended, of=len(found.pairings))
    ends_at = tournament.rules.ends_at
    if ends_at is None:
        return p.ROUND_OF.fill(round=tournament.round, n=round_count(tournament))
    return p.ENDS_IN.fill(time=duration_text(ends_at - now)) if ends_at > now else p.LAST_MATCHES


def _beginning_text(minutes: int) -> Text:
    if minutes >= DAY_MIN:
        return p.IN_DAYS.fill(n=minutes // DAY_MIN)
    return p.IN_HOURS.fill(n=minutes // HOUR_MIN) if minutes >= HOUR_MIN else p.IN_MINUTES.fill(n=minutes)


def _length_text(minutes: int) -> Text:
    """Say how long a round of a league lasts."""
    if minutes % DAY_MIN == 0:
        return p.DAYS_LONG.fill(n=minutes // DAY_MIN)
    return p.MINUTES_LONG.fill(n=minutes)


def _quick_bots(stored: StoredTournament) -> list[tuple[str, Text]]:
    """Return the bots that answer at once in the game of a tournament."""
    game = complete_game(stored.game, stored.options)
    names = (name for name in bots.names(game) if bots.level(name, game).instant)
    return [(name, title(name)) for name in names]


def _players(found: WholeTournament) -> dict[int, PlayerLink]:
    """Return all participants by number. Bots of the same level are numbered."""
    players, counts = {}, dict[str, int]()
    for entry in found.entries:
        if entry.bot:
            counts[entry.bot] = counts.get(entry.bot, 0) + 1
            name = p.NUMBERED.fill(name=title(entry.bot), n=counts[entry.bot])
            players[entry.number] = PlayerLink(name, "")
        else:
            path = f"/people/{quote(entry.name, safe='')}" if entry.name else ""
            players[entry.number] = PlayerLink(plain(entry.name) if entry.name else p.SOMEBODY, path)
    return players


def _rounds(found: WholeTournament, players: dict[int, PlayerLink]) -> list[dict[str, Any]]:
    """Return the newest rounds, the newest first, each with its pairings."""
    by_round = groupby(
        sorted(found.pairings, key=lambda one: -one.pairing.round), lambda one: one.pairing.round
    )
    name = p.WAVE if found.stored.kind == ARENA else p.ROUND
    rounds = [
        {
            "name": name.fill(n=round),
            "pairings": [_pairing_row(found.stored.kind, one, players) for one in pairings],
        }
        for round, pairings in by_round
    ]
    return rounds[:MAX_ROUNDS_SHOWN]


def _pairing_row(kind: str, one: StoredPairing, players: dict[int, PlayerLink]) -> dict[str, Any]:
    pairing = one.pairing
    return {
        "first": players[pairing.first].name,
        "second": players[pairing.second].name if pairing.second else None,
        "result": _result_text(pairing.points) if pairing.points and pairing.second else None,
        "walkover": pairing.walkover,
        "match": one.match,
        "state": p.MATCH_GOES_ON,
        "is_own_turn": False,
    }


def _result_text(points: Points) -> str:
    """Return a result as a table of pairings has it.

    >>> _result_text((2, 0)), _result_text((1, 1))
    ('1–0', '½–½')
    """
    return "–".join(points_text(SWISS, half) for half in points)
