"""Reviews of ended matches: what the best bot makes of every choice, worked out once a match, behind
everything else, while those who asked see how far it is. The last few are kept; none is stored."""

from __future__ import annotations

from collections import OrderedDict

from smallchange.game import Position
from smallchange.match import Match
from smallchange.mind import lacking
from smallchange.mind.review import Choice, choices, linked

from .bots import Bots
from .refused import Refused
from .story import LONGEST, Story
from .tasks import Tasks

KEPT = 64  # reviews; none is forgotten while it is worked out
GOING = 4  # .. and those being worked out, at most
HERE = GOING // 2  # .. for those who ask from one address: the rest is for others


class Review:
    """The review of an ended match: how many choices there were, and what is known of the first of them."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._asked = list(choices(match))
        self.total = len(self._asked)
        self.found: list[Choice] = []
        self.failed = ""  # the code of the refusal, where it failed
        self.said = False
        self.where = ""  # the address that began it

    @property
    def going(self) -> bool:
        return len(self.found) < self.total and not self.failed

    @property
    def next(self) -> tuple[int, Position]:
        """The first choice that nothing is known of."""
        return self._asked[len(self.found)]


class Reviews:
    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._kept: OrderedDict[str, Review] = OrderedDict()
        self._tasks = Tasks()

    def known(self, story: Story) -> Review | None:
        """The review of a match, if it was asked for. Refused, once, where it failed."""
        review = self._kept.get(story.head.id)
        if review and review.failed and not review.said:
            review.said = True
            raise Refused(review.failed)
        return None if review and review.failed else review

    def begin(self, story: Story, where: str) -> Review:
        """Work out the review of an ended match, for who asks from this address. Refused where there is none,
        or too much is going on."""
        if lacking():
            raise Refused("page")
        if not story.reviewable:
            raise Refused("review", most=f"{LONGEST:,}")
        going = [review.where for review in self._kept.values() if review.going]
        if len(going) >= GOING or going.count(where) >= HERE:
            raise Refused("thinking")
        review = self._kept.setdefault(story.head.id, Review(story.match))  # or one that failed goes on
        review.failed, review.said, review.where = "", False, where
        self._kept.move_to_end(story.head.id)
        while len(self._kept) > KEPT:
            del self._kept[next(id for id, kept in self._kept.items() if not kept.going)]
        self._tasks.begin(self._work(review))
        return review

    async def _work(self, review: Review) -> None:
        while review.going:
            at, position = review.next
            try:
                choice = await self._bots.judge(position, at, review.match.steps[at].token)
            except Refused as wrong:
                review.failed = wrong.code
            else:
                review.found.append(choice)
        if not review.failed:  # what is linked already would be told otherwise once it goes on
            review.found = linked(review.match, review.found)

    async def close(self) -> None:
        await self._tasks.close()
