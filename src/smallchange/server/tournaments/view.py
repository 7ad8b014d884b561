"""Tournaments: the list, the form to open one, and the page of one with its standings and pairings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import quote

from smallchange import bots
from smallchange.bots.levels import title
from smallchange.core.game import Game, complete_game, games
from smallchange.i18n.formats import quarters
from smallchange.i18n.text import Text, capital, join_texts, plain
from smallchange.server.daily.days import DealScore, daily_games
from smallchange.server.meeting.view import games_for_two
from smallchange.server.table.model import time_control
from smallchange.server.table.model.history import History
from smallchange.server.table.model.time_control import PRESETS
from smallchange.server.table.view.clock_view import USUAL_TIME, control_text, duration_text, turn_text
from smallchange.server.table.view.options import describe_options
from smallchange.server.table.view.seats import gain_digits
from smallchange.server.tournaments.kinds import kind_of, offered_kinds
from smallchange.server.tournaments.kinds.arena import HOURLY_NAME, is_hourly
from smallchange.server.tournaments.kinds.league import League, closing_ms, length_text, open_round
from smallchange.server.tournaments.kinds.season import FALLS, RISES
from smallchange.server.tournaments.model import (
    MAX_BOTS,
    DealGame,
    Entry,
    Pairing,
    Phase,
    Points,
    Tournament,
    TournamentHead,
)
from smallchange.server.tournaments.standings import Standing
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

MAX_ROUNDS_SHOWN = 20  # of the newest rounds; an arena has hundreds
HOUR_MIN, DAY_MIN = 60, 24 * 60
ROUND_MINUTES = (15, HOUR_MIN, DAY_MIN, 2 * DAY_MIN, 7 * DAY_MIN)  # of a league, offered on the form
BEGINNINGS_MIN = (5, 15, 30, HOUR_MIN, 3 * HOUR_MIN, DAY_MIN, 7 * DAY_MIN)  # offered on the form


class PlayerLink(NamedTuple):
    """A participant on a page: the name in words, and the path of the profile, "" for a bot."""

    name: Text
    path: str


def tournaments_page(
    public: Sequence[TournamentHead],
    own: Sequence[TournamentHead],
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
        kinds=[(kind.code, kind.offer or kind.name) for kind in offered_kinds()],
        explained=[text for kind in offered_kinds() for text in kind.about],
        offered=[*games_for_two(), *map(Game, daily_games())],
        round_times=[(minutes, length_text(minutes)) for minutes in ROUND_MINUTES],
        usual_round=DAY_MIN,
        times=[(str(control), control_text(control)) for control in PRESETS],
        usual=USUAL_TIME,
        beginnings=[(minutes, _beginning_text(minutes)) for minutes in BEGINNINGS_MIN],
    )


def tournament_page(
    found: Tournament,
    account_id: str | None,
    turns: Mapping[str, History],
    now: int,
    visit: PageContext,
) -> str:
    """Return the page of a tournament as this account, if any, sees it.

    `turns` are the account's matches of a season in which it is their turn, by their ids.
    """
    kind, head, own = kind_of(found), found.head, found.entry_of(account_id)
    opens = account_id == head.opener_id and found.phase == Phase.OPEN
    players = _players(found)
    return render_page(
        "tournament.html",
        visit,
        _heading(found, players),
        head=head,
        facts=_facts(head),
        state=_state_text(found, now),
        version=version(found, turns, now),
        has_deals=kind.has_deals,
        first=_first_place(found, players, now),
        waits_for_opponent=own is not None and kind.max_entries == 2 and kind.has_room(found),
        deal=_own_deal(found, own, now),
        deals=_closed_deals(found, players, now),
        running=found.phase in (Phase.OPEN, Phase.RUNNING),
        match=kind.running_match(found, own.number) if own else None,
        own=own,
        may_enter=kind.may_go_on(found, now) if own else kind.may_enter(found, now) and kind.has_room(found),
        opens=opens,
        bots=_quick_bots(head) if opens and not kind.has_deals else [],
        most_bots=MAX_BOTS,
        ties=kind.tie_breaks,
        tables=_standings(found, own, players, now),
        note=_season_note(found, own),
        provisional=kind.has_divisions and found.phase == Phase.OPEN,
        next_id=found.next_id,
        own_matches=_own_matches(found, own, turns, players, now),
        rounds=_divisions(found, own, players) if kind.has_divisions else _rounds(found, players),
        explained=[kind.about_of(head)],
    )


def _heading(found: Tournament, players: dict[int, PlayerLink]) -> Text:
    """Return the name of a tournament; a duel without one is named by its players."""
    if not (found.head.name or kind_of(found).needs_name) and players:
        return join_texts([one.name for one in players.values()], plain("{first} – {next}"))
    return _list_name(found.head)


def _list_name(head: TournamentHead) -> Text:
    """Return the name of a tournament in a list; one without a name has that of its kind."""
    if is_hourly(head):
        return HOURLY_NAME
    if head.name:
        return plain(head.name)
    return p.TOURNAMENT if kind_of(head).needs_name else kind_of(head).name_of(head)


def _first_place(found: Tournament, players: dict[int, PlayerLink], now: int) -> Text | None:
    """Return the sentence on the first place of a tournament that is over, in a season of its first division."""
    if found.phase != Phase.OVER:
        return None
    rows = kind_of(found).standings(found, now)
    best = [players[one.number].name for one in rows if one.place == 1 and one.division == rows[0].division]
    return p.FIRST_PLACE.fill(who=join_texts(best)) if best and rows[0].points else None


def _standings(
    found: Tournament, own: Entry | None, players: dict[int, PlayerLink], now: int
) -> list[dict[str, Any]]:
    """Return the tables of the standings: one, or in a season one for each division."""
    kind = kind_of(found)
    active, moved = {entry.number for entry in found.active}, kind.moves(found)
    texts = {RISES: p.WOULD_RISE, FALLS: p.WOULD_FALL}
    if found.phase == Phase.OVER:
        texts = {RISES: p.RISES, FALLS: p.FALLS}

    def row(one: Standing) -> dict[str, Any]:
        ties = zip(kind.tie_breaks, one.tie_breaks, strict=True)
        return {
            "place": one.place,
            "player": players[one.number],
            "own": own is not None and own.number == one.number,
            "withdrawn": one.number not in active,
            "move": texts.get(moved.get(one.number, 0)),
            "rises": moved.get(one.number) == RISES,
            "points": kind.points_text(one.points),
            "ties": [tie.text(value) for tie, value in ties],
        }

    def name(division: int) -> Text | None:
        return p.DIVISION.fill(n=division) if division else p.BESIDE_DIVISIONS if kind.has_divisions else None

    rows = [(one.division, row(one)) for one in kind.standings(found, now)]
    return [
        {
            "name": name(division),
            "beside": kind.has_divisions and not division,
            "rows": [one for _, one in group],
        }
        for division, group in groupby(rows, key=lambda one: one[0])
    ]


def _season_note(found: Tournament, own: Entry | None) -> Text | None:
    """Return the sentence on how a player takes part in a season."""
    if not kind_of(found).has_divisions or own is None or own.withdrawn:
        return None
    if found.phase not in (Phase.OPEN, Phase.RUNNING):
        return None
    if found.phase == Phase.OPEN:
        return p.SEASON_WAITS
    return p.WITHDRAWING_FROM_SEASON if own.division else p.SEASON_LATE


def _own_matches(
    found: Tournament,
    own: Entry | None,
    turns: Mapping[str, History],
    players: dict[int, PlayerLink],
    now: int,
) -> list[dict[str, Any]]:
    """Return a player's pairings of a season: those in which it is their turn, the others that go on, then the rest."""
    if not kind_of(found).has_divisions or own is None:
        return []
    rows = []
    order = sorted(
        found.pairings_of(own.number),
        key=lambda one: (one.points is not None, one.match not in turns),
    )
    for one in order:
        other = one.opponent_of(own.number)
        waits = p.THEIR_TURN.fill(who=players[other].name) if other else p.MATCH_GOES_ON
        history = turns.get(one.match or "")
        state = turn_text(history, now) if history else waits
        own_turn = {"state": state, "is_own_turn": history is not None}
        rows.append(_pairing_row(one, players) | own_turn)
    return rows


def _divisions(found: Tournament, own: Entry | None, players: dict[int, PlayerLink]) -> list[dict[str, Any]]:
    """Return the pairings of a season by division, the player's own first."""
    first = own.division if own else 0
    return [
        {
            "name": p.DIVISION.fill(n=division),
            "pairings": [_pairing_row(one, players) for one in found.in_division(division).pairings],
        }
        for division in sorted(found.divisions, key=lambda division: division != first)
        if found.pairings
    ]


def _own_deal(found: Tournament, own: Entry | None, now: int) -> dict[str, Any] | None:
    """Return how an entry stands in the open round of deals, and the word for its next game."""
    kind, head = kind_of(found), found.head
    if not isinstance(kind, League) or found.phase != Phase.RUNNING:
        return None
    round = open_round(head, now)
    if not 1 <= round <= head.rounds:
        return None
    games = found.games_of(own.number, round) if own else []
    word = p.PLAY_DEAL
    if games:
        word = p.PLAY_SECOND if all(one.is_over for one in games) else p.GO_ON
    finished = kind.find_finished(found, round)
    return {
        "word": None if own is None or own.withdrawn else word,
        "over": own is not None and own.number in finished,
        "games": [(one.match, _game_name(found, one)) for one in games if one.is_over],
        "finished": p.DEAL_PLAYED.fill(n=len(finished), of=len(found.entries)),
        "closes": p.ROUND_CLOSES.fill(time=duration_text(closing_ms(head, round) - now)),
    }


def _closed_deals(found: Tournament, players: dict[int, PlayerLink], now: int) -> list[dict[str, Any]]:
    """Return the closed rounds of deals, the newest first, each with its results."""
    kind, deals = kind_of(found), list[dict[str, Any]]()
    if not isinstance(kind, League):
        return deals
    for round in range(kind.closed_rounds(found, now), 0, -1):
        rows = [
            {
                "place": one.place,
                "player": players[one.entry].name,
                "score": _score_text(one.score, kind.games(found.head)),
                "points": kind.points_text(one.points),
                "games": [(game.match, _game_name(found, game)) for game in found.games_of(one.entry, round)],
            }
            for one in kind.results(found, round)
        ]
        name = p.HOW_IT_ENDED if kind.max_entries == 2 else kind.round_name.fill(n=round)
        deals.append({"name": name, "rows": rows})
    return deals


def _game_name(found: Tournament, one: DealGame) -> Text:
    """Return the name of a game on a deal: in a pair that of the side."""
    game = Game(found.head.game)
    return capital(game.words.PLAYERS[game.seats[one.seat]]) if len(game.seats) == 2 else p.YOUR_GAME


def _score_text(score: DealScore, games: int) -> Text:
    """Return the score of a deal for a table; in a pair the points of both games, and their margins."""
    if games == 1:
        return plain(str(score.score))
    return p.PAIR_SCORE.fill(points=quarters(2 * score.points), margin=gain_digits(score.score))


def version(found: Tournament, turns: Collection[str], now: int) -> str:
    """Return a text that changes whenever the page of a tournament does, or its players are told of a round.

    `turns` are the visitor's matches of a season in which it is their turn.
    """
    entered = [found.phase, len(found.entries), len(found.active)]
    if kind_of(found).has_deals:
        over, round = sum(one.is_over for one in found.games), open_round(found.head, now)
        parts = [*entered, round, len(found.games), over, found.announced, found.reminded]
    else:
        finished = len(found.pairings) - len(found.open_pairings)
        parts = [*entered, len(found.pairings), finished, *sorted(turns)]
    return "-".join(map(str, parts))


def _list_row(head: TournamentHead, now: int) -> dict[str, Any]:
    return {"id": head.id, "name": _list_name(head), "facts": _facts(head), "state": _phase_text(head, now)}


def _facts(head: TournamentHead) -> list[Text]:
    """Return the fixed facts of a tournament: kind, game, options, time, and those of its kind."""
    known, control, kind = head.game in games(), time_control.read(head.control), kind_of(head)
    facts = [kind.name_of(head)]
    if kind.has_divisions:
        facts.append(p.SEASON_NUMBER.fill(n=head.season))
    facts.append(Game(head.game).words.TITLE if known else plain(head.game))
    if known and (options := describe_options(head.game, head.options)):
        facts.append(options)
    if control:
        facts.append(control_text(control))
    return [*facts, *kind.facts(head)]


def _phase_text(head: TournamentHead, now: int) -> Text:
    """Return the phase of a tournament in a list."""
    if head.phase == Phase.OPEN:
        left = head.begins_at - now
        return p.BEGINS_IN.fill(time=duration_text(left)) if left > 0 else p.BEGINS_NOW
    texts = {Phase.OVER: p.TOURNAMENT_OVER, Phase.CANCELLED: p.TOURNAMENT_CANCELLED}
    return texts.get(head.phase, p.TOURNAMENT_RUNS)


def _state_text(found: Tournament, now: int) -> Text:
    """Return how far a tournament is, on its page."""
    is_running = found.phase == Phase.RUNNING
    return kind_of(found).state(found, now) if is_running else _phase_text(found.head, now)


def _beginning_text(minutes: int) -> Text:
    if minutes >= DAY_MIN:
        return p.IN_DAYS.fill(n=minutes // DAY_MIN)
    return p.IN_HOURS.fill(n=minutes // HOUR_MIN) if minutes >= HOUR_MIN else p.IN_MINUTES.fill(n=minutes)


def _quick_bots(head: TournamentHead) -> list[tuple[str, Text]]:
    """Return the bots that answer at once in the game of a tournament."""
    game = complete_game(head.game, head.options)
    names = (name for name in bots.names(game) if bots.level(name, game).instant)
    return [(name, title(name)) for name in names]


def _players(found: Tournament) -> dict[int, PlayerLink]:
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


def _rounds(found: Tournament, players: dict[int, PlayerLink]) -> list[dict[str, Any]]:
    """Return the newest rounds, the newest first, each with its pairings."""
    newest = sorted(found.pairings, key=lambda one: -one.round)
    rounds = [
        {
            "name": kind_of(found).round_name.fill(n=round),
            "pairings": [_pairing_row(one, players) for one in pairings],
        }
        for round, pairings in groupby(newest, lambda one: one.round)
    ]
    return rounds[:MAX_ROUNDS_SHOWN]


def _pairing_row(one: Pairing, players: dict[int, PlayerLink]) -> dict[str, Any]:
    return {
        "first": players[one.first].name,
        "second": players[one.second].name if one.second else None,
        "result": _result_text(one.points) if one.points and one.second else None,
        "walkover": one.walkover,
        "match": one.match,
        "state": p.MATCH_GOES_ON,
        "is_own_turn": False,
    }


def _result_text(points: Points) -> str:
    """Return a result as a table of pairings has it.

    >>> _result_text((2, 0)), _result_text((1, 1))
    ('1–0', '½–½')
    """
    return "–".join(quarters(2 * half) for half in points)
