"""Arena: for its time, each free entry is paired again and again, with a neighbour in the standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.server.table.model.clock import MINUTE_MS, TimeControl
from smallchange.server.table.view.table_view import duration_text
from smallchange.server.tournaments.kinds.kind import Kind, NumberField, length_ms
from smallchange.server.tournaments.model import (
    FEWEST,
    WINS,
    NextStep,
    Pairing,
    Phase,
    Tournament,
    TournamentHead,
    TournamentOrder,
    scores,
)
from smallchange.server.web import phrases

MIN_MINUTES, MAX_MINUTES = 5, 240
HOUR_MIN = 60
HOURLY = "hour"  # begins the id of the arena of an hour
HOURLY_NAME = Text("Arena of the hour")
HOURLY_TIME = "5+3"


class Arena(Kind):
    """An arena: a win counts 2 points."""

    code = "arena"
    order = 3
    name = Text("Arena")
    about = (
        Text(
            "Arena: until time is up, whoever is free is paired again with someone on about as many points. A win"
            " is 2 points, a draw 1. Come and go as you like."
        ),
    )
    round_name = Text("Wave {n}", "of pairings in an arena")
    tie_breaks = (WINS, FEWEST)
    point_unit = 1
    drops_absent = True

    def fields(self) -> Sequence[NumberField]:
        """Return the field for the minutes in which it pairs."""
        return [NumberField("minutes", phrases.MINUTES, MIN_MINUTES, MAX_MINUTES, HOUR_MIN)]

    def bad_terms(self, order: TournamentOrder, control: TimeControl) -> Text | None:
        """Refuse matches by correspondence, and a time out of bounds."""
        if not control.live:
            return Text("an arena needs a time control of minutes")
        if MIN_MINUTES <= order.minutes <= MAX_MINUTES:
            return None
        return Text("an arena lasts {least} to {most} minutes").fill(least=MIN_MINUTES, most=MAX_MINUTES)

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms with the time in which it pairs."""
        return head._replace(minutes=order.minutes)

    def running_step(self, tournament: Tournament, now: int) -> NextStep:
        """Return the next step: a wave before its end, then the end after the last match."""
        if now < ends_at(tournament.head):
            return NextStep.OPEN_ROUND if self.pair_round(tournament) else NextStep.WAIT
        return NextStep.WAIT if tournament.open_pairings else NextStep.END

    def put_off_ms(self, head: TournamentHead, since: int, now: int) -> int:
        """Return by how long an outage since then puts an arena off: it pairs as long as it was to."""
        if head.phase == Phase.RUNNING:
            return now - max(since, head.begins_at) if ends_at(head) > since else 0
        return super().put_off_ms(head, since, now)

    def round_count(self, tournament: Tournament) -> int:
        """Return 0: time ends it."""
        return 0

    def pair_round(self, tournament: Tournament) -> list[Pairing]:
        """Return the pairings that begin now."""
        return pair_wave(tournament)

    def may_enter_late(self, tournament: Tournament, now: int) -> bool:
        """Return whether it still pairs."""
        return now < ends_at(tournament.head)

    def state(self, tournament: Tournament, now: int) -> Text:
        """Return the time that is left."""
        left = ends_at(tournament.head) - now
        if left <= 0:
            return Text("The last matches are being played")
        return Text("Pairs for another {time}").fill(time=duration_text(left))


def hourly_arena(offered: Sequence[Game], now: int) -> TournamentHead:
    """Return the arena of this hour, which begins at once; near the end of an hour that of the next.

    The games that are offered take turns.
    """
    hour = (now // MINUTE_MS + MIN_MINUTES) // HOUR_MIN
    minutes = HOUR_MIN * (hour + 1) - now // MINUTE_MS
    return TournamentHead(
        Arena.code,
        id=f"{HOURLY}{hour}",
        name=HOURLY_NAME.en,
        game=offered[hour % len(offered)].id,
        control=HOURLY_TIME,
        rated=True,
        public=True,
        begins_at=now,
        minutes=minutes,
        created=now,
    )


def is_hourly(head: TournamentHead) -> bool:
    """Return whether a tournament is the arena of an hour."""
    return head.id.startswith(HOURLY) and head.name == HOURLY_NAME.en


def ends_at(head: TournamentHead) -> int:
    """Return when the pairing ends, in milliseconds since 1970."""
    return head.begins_at + length_ms(head)


def pair_wave(tournament: Tournament) -> list[Pairing]:
    """Return the pairings that begin now: of those who are free, nearest scores first.

    Nobody meets the opponent of the last match again at once, unless only two are left. The entry that had the first
    seat more often gets the second.
    """
    busy = {number for pairing in tournament.open_pairings for number in pairing.entries}
    active, points = tournament.active, scores(tournament)
    free = [entry.number for entry in active if entry.number not in busy]
    free.sort(key=lambda number: -points[number])
    last = _last_opponents(tournament) if len(active) > 2 else {}
    firsts = Counter(pairing.first for pairing in tournament.pairings)
    seconds = Counter(pairing.second for pairing in tournament.pairings)
    found, wave = [], tournament.round + 1
    while free:
        one = free.pop(0)
        for other in free:
            if last.get(one) != other and last.get(other) != one and tournament.may_meet(one, other):
                free.remove(other)
                lead = firsts[one] - seconds[one] - firsts[other] + seconds[other]
                found.append(Pairing(wave, other, one) if lead > 0 else Pairing(wave, one, other))
                break
    return found


def _last_opponents(tournament: Tournament) -> dict[int, int]:
    """Return the newest opponent of each entry."""
    found: dict[int, int] = {}
    for pairing in sorted(tournament.pairings, key=lambda pairing: pairing.round):
        if pairing.second is not None:
            found |= {pairing.first: pairing.second, pairing.second: pairing.first}
    return found


KIND = Arena()
