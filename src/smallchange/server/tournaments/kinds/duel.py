"""Duel: a league of two entries and one deal, open to whoever comes first by its link.

In a game for two the deal is a *duplicate pair*: each entry plays two games against the same bot, one from each side
(`docs/decisions/0012-pairs-between-two-people.md`).
"""

from __future__ import annotations

from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.server.daily.days import duel_games, paired_games
from smallchange.server.table.model.time_control import TimeControl
from smallchange.server.tournaments.kinds.league import League, _is_long, bad_rounds
from smallchange.server.tournaments.model import NextStep, Phase, Tournament, TournamentHead, TournamentOrder
from smallchange.server.web import phrases as p

DUEL_ENTRIES = 2
ABOUT_PAIR = Text(
    "Duplicate pair: two people play the same two deals against the same bot, one from each side, so that both meet "
    "the same throws. Points count first, a win 1 and a draw ½, then the margins of both games. It begins at once, is "
    "for whoever comes first by its link, and closes when both have played, or when its time is over. Until then "
    "neither sees the games of the other."
)


class Duel(League):
    """A duel. It runs from the start, and closes when both have ended their games, or when its time is over."""

    code = "duel"
    order = 6
    name = p.DUEL
    about = (p.ABOUT_DUEL, ABOUT_PAIR)
    offer = Text("Duel with the same luck")
    tie_breaks = ()
    max_entries = DUEL_ENTRIES
    needs_name = False

    def refusal(self, order: TournamentOrder, game: Game | None, control: TimeControl | None) -> Text | None:
        """Refuse a game without luck, and a time out of bounds."""
        if game is None or game.id not in duel_games():
            return Text("a duel needs a game with luck")
        return None if _is_long(order) else bad_rounds()

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms of one round that is open at once."""
        head = super().terms(head, order)
        return head._replace(rounds=1, begins_at=head.created, phase=Phase.RUNNING)

    def games(self, head: TournamentHead) -> int:
        """Return 2 for a duplicate pair, else 1."""
        return 2 if head.game in paired_games() else 1

    def running_step(self, tournament: Tournament, now: int) -> NextStep:
        """Return the next step of a duel; before the second entry it waits."""
        is_full = len(tournament.entries) == DUEL_ENTRIES
        if is_full and len(self.find_finished(tournament, 1)) == DUEL_ENTRIES:
            return NextStep.END
        step = super().running_step(tournament, now)
        return step if is_full or step == NextStep.END else NextStep.WAIT

    def closed_rounds(self, tournament: Tournament, now: int) -> int:
        """Return 1 once it is over, which it may be before its time."""
        return 1 if tournament.phase == Phase.OVER else super().closed_rounds(tournament, now)

    def name_of(self, head: TournamentHead) -> Text:
        """Return the name, for a duplicate pair its own."""
        return p.DUPLICATE_PAIR if self.games(head) == 2 else self.name

    def about_of(self, head: TournamentHead) -> Text:
        """Return the explanation, for a duplicate pair its own."""
        return self.about[self.games(head) - 1]

    def facts(self, head: TournamentHead) -> list[Text]:
        """Return no further facts."""
        return []

    def state(self, tournament: Tournament, now: int) -> Text:
        """Return that it runs."""
        return p.TOURNAMENT_RUNS


KIND = Duel()
