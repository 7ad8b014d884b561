"""Reviews of ended matches: the best bot's judgement of every choice. The difficulty of variants is measured here too.

A review is worked out once a match, with the lowest priority, while its pages show how far it is. One choice is
judged at a time, so a new review is looked at within a second or so: short reviews come first, and every address
has its fair share. Work that nobody waits for any more stops, and goes on when somebody asks again. The last few
reviews are kept in memory.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from cachetools import LRUCache

from smallchange.bots import install_advice
from smallchange.bots.review import Choice, choices, link_choices
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.i18n.formats import number
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.model.history import MAX_REVIEWED_STEPS, History
from smallchange.server.table.view.measured_odds import WinRates, beginner_rates
from smallchange.server.web.background_tasks import BackgroundTasks, SingleFlight
from smallchange.server.web.errors import ErrorCode, Refused

MAX_REVIEWS = 64  # reviews; one that is waited for is never forgotten
MAX_WAITED_FOR_PER_ADDRESS = 8  # reviews
ABANDONED_AFTER_S = 60.0  # since a review was last asked for; then nobody waits for it
CHOICES_PER_HINT = 100  # that cost as much as a hint


class Review:
    """The review of an ended match: `choices` are its first choices judged so far, of `total`."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._positions = list(choices(match))
        self.total = len(self._positions)
        self.choices: list[Choice] = []
        self.failure: ErrorCode | None = None
        self.failure_shown = False
        self.address = ""  # from which it was begun
        self.asked_at_s = 0.0

    @property
    def running(self) -> bool:
        return len(self.choices) < self.total and not self.failure

    @property
    def remaining(self) -> int:
        """The number of choices not judged yet."""
        return self.total - len(self.choices)

    @property
    def next(self) -> tuple[int, Position]:
        """The first choice not judged yet."""
        return self._positions[len(self.choices)]


class Shares:
    """The work done for each address, in choices, to serve all fairly (start-time fair queueing).

    An address that comes anew begins where the one served least is, so that it neither catches up on what it did
    not ask for nor waits for all that others asked for before.
    """

    def __init__(self) -> None:
        self._done: dict[str, int] = {}

    def next(self, waited_for: list[Review]) -> Review:
        """Return the review that would be finished first if each address had the same share.

        The short ones of an address come before its long ones.
        """
        addresses = {review.address for review in waited_for}
        least = min((self._done[one] for one in addresses if one in self._done), default=0)
        self._done = {one: n for one, n in self._done.items() if one in addresses or n > least}
        for address in addresses:
            self._done[address] = max(least, self._done.get(address, 0))
        return min(waited_for, key=lambda review: self._done[review.address] + review.remaining)

    def count(self, address: str) -> None:
        """Count a choice that was judged for this address."""
        self._done[address] += 1

    def clear(self) -> None:
        """Forget all that was done: nobody waits."""
        self._done.clear()


class Reviews:
    """Begins reviews, and keeps the last of them. `now_s` is a clock, in seconds.

    `on_finish` is called with the match's id and its review, once that is finished.
    """

    def __init__(
        self,
        bots: BotWorkers,
        now_s: Callable[[], float] = time.monotonic,
        on_finish: Callable[[str, Review], Awaitable[None]] | None = None,
    ) -> None:
        self._bots = bots
        self._on_finish = on_finish
        self._now_s = now_s
        self._reviews: OrderedDict[str, Review] = OrderedDict()
        self._shares = Shares()
        self._tasks = BackgroundTasks()
        self._working = False

    def find(self, history: History) -> Review | None:
        """Return the review of a match, if it was begun, and go on with it. Refused, once, where it failed."""
        review = self._reviews.get(history.head.id)
        if review and review.failure and not review.failure_shown:
            review.failure_shown = True
            raise Refused(review.failure)
        if review is None or review.failure:
            return None
        self._wait_for(review)
        return review

    def finished_choices(self, history: History) -> list[Choice] | None:
        """Return the choices of a review that is there already; None without one."""
        review = self._reviews.get(history.head.id)
        return None if review is None or review.running or review.failure else review.choices

    def cost(self, history: History) -> int:
        """Return how many hints the review of a match costs: by its length."""
        return 1 + len(history.match) // CHOICES_PER_HINT

    def begin(self, history: History, address: str) -> Review:
        """Begin the review of an ended match, for a request from this address.

        Refuse if the match cannot be reviewed, or if too many reviews are waited for.
        """
        if install_advice():
            raise Refused(ErrorCode.NO_PAGE)
        if history.sealed:
            raise Refused(ErrorCode.SEALED)
        if not history.reviewable:
            raise Refused(ErrorCode.NO_REVIEW, most=number(MAX_REVIEWED_STEPS))
        asking = [review.address for review in self._waited_for]
        if len(asking) >= MAX_REVIEWS or asking.count(address) >= MAX_WAITED_FOR_PER_ADDRESS:
            raise Refused(ErrorCode.BOTS_BUSY)
        review = self._reviews.setdefault(
            history.head.id, Review(history.match)
        )  # or one that failed goes on
        review.failure, review.failure_shown, review.address = None, False, address
        self._reviews.move_to_end(history.head.id)
        self._wait_for(review)
        waited_for = self._waited_for
        while len(self._reviews) > MAX_REVIEWS:
            del self._reviews[next(id for id, kept in self._reviews.items() if kept not in waited_for)]
        return review

    @property
    def has_room(self) -> bool:
        """True while a review that nobody asked for takes no place from one that somebody asks for."""
        return len(self._waited_for) < MAX_REVIEWS // 2

    @property
    def _waited_for(self) -> list[Review]:
        """The reviews to be worked out for somebody."""
        since_s = self._now_s() - ABANDONED_AFTER_S
        return [one for one in self._reviews.values() if one.running and one.asked_at_s >= since_s]

    def _wait_for(self, review: Review) -> None:
        """Note that somebody waits for this review, and see that it is worked on."""
        review.asked_at_s = self._now_s()
        if review.running and not self._working:
            self._working = True
            self._tasks.begin(self._work())

    async def _work(self) -> None:
        """Judge one choice after another, as long as somebody waits."""
        while waited_for := self._waited_for:
            review = self._shares.next(waited_for)
            at, position = review.next
            self._shares.count(review.address)
            try:
                choice = await self._bots.judge(position, at, review.match.steps[at].token)
            except Refused as wrong:
                review.failure = wrong.code
                continue
            review.choices.append(choice)
            if (
                not review.running
            ):  # one that failed goes on where it was, so choices are linked only at the end
                review.choices = link_choices(review.match, review.choices)
                id = next(id for id, one in self._reviews.items() if one is review)
                if self._on_finish:
                    await self._on_finish(id, review)
        self._shares.clear()
        self._working = False

    async def close(self) -> None:
        await self._tasks.close()


GAMES = 5000  # about a second in the slowest game; enough for two shares to add up to 100.0%
MAX_VARIANTS = 1000  # results kept
MAX_RUNNING = 4  # variants being measured: the workers have room for hints beside them
WAIT_S = 10.0  # for which a request waits, before it is told that the games are still being played


class Difficulty:
    """The difficulties of variants without idle options, each measured once; the last results are kept."""

    def __init__(self, bots: BotWorkers) -> None:
        self._bots = bots
        self._results: LRUCache[Game, WinRates] = LRUCache(MAX_VARIANTS)
        self._running = SingleFlight[Game, WinRates]()

    def is_known(self, game: Game) -> bool:
        """Return whether the difficulty is measured, or being measured."""
        return game in self._running or self._find(game) is not None

    async def measure_soon(self, game: Game) -> WinRates | None:
        """Return the win rates of a variant; None if that takes longer than WAIT_S, in which case the games go on."""
        try:
            async with asyncio.timeout(WAIT_S):
                return await self.measure(game)
        except TimeoutError:
            return None

    async def measure(self, game: Game) -> WinRates:
        """Return the win rates of a variant. Refuse if the bots are busy."""
        if found := self._find(game):
            return found
        if game not in self._running and len(self._running) >= MAX_RUNNING:
            raise Refused(ErrorCode.BOTS_BUSY)
        return await self._running.do(game, lambda: self._play(game))

    async def _play(self, game: Game) -> WinRates:
        found: WinRates = await self._bots.play(game, play_games, GAMES)
        self._results[game] = found
        return found

    def _find(self, game: Game) -> WinRates | None:
        """Return the win rates that are known. Those of the base game of a game for one lie in its folder."""
        return beginner_rates(game) or self._results.get(game)


def play_games(seconds: float, n: int, game: Game) -> WinRates:
    """Play games with the simple bot, in a worker process."""
    from smallchange.lab.simulate import simulate

    run = simulate(game, n, "greedy", seed=1, workers=1)
    return WinRates(run.n, run.win_rate, run.command)
