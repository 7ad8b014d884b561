"""The line of a table so far in words and pieces, which all who see it share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from smallchange.draw.follow import Followed, follow
from smallchange.draw.table import Table, Touch
from smallchange.draw.words import filled
from smallchange.game import Game
from smallchange.match import Step
from smallchange.state import CHANCE
from smallchange.text import Text

from .company import NOTHING, presence, sitters
from .story import Seat, Story
from .view import Choice, Entry, Sitter

DEAL, FEW = 12, 6  # more chance steps are not told, where the game tells them together, or one by one
FOLLOWED = 24  # steps whose pieces are followed when a line is caught up with

SENTENCE = Text("{said}.", "{said}。")


class Scene:
    """The line so far in words and pieces, brought up to date step by step."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._seen = 0  # how many events this has followed
        self._followed: Followed | None = None
        self.position = game.start()
        self._before = self.position.copy()  # as it was before the last turn
        self.log: list[Entry] = []
        self.touched: list[Touch] = []  # by step: what it touched, but for the square it left
        self._shared: dict[str, Any] = {}
        self._constant = {
            "game": game.id,
            "title": game.words.TITLE,
            "options": game.chosen,
            "marking": getattr(game.words, "MARKING", None),
            "luck": bool(game.sources),
        }
        self._seats: tuple[Seat, ...] = ()
        self._company: dict[Hashable, tuple[tuple[Sitter, ...], Text]] = {}  # with these seats

    def follow(self, story: Story) -> None:
        """Up to where the story is."""
        if self._seen == story.ply:
            return
        kept = min(len(self.log), *story.lengths[self._seen :])
        if kept < len(self.log):
            del self.log[kept:], self.touched[kept:]
            self._shared = {}
            self.position = story.match.until(kept).position
            if self._game.told:
                self._before = story.match.until(self._turns[0]).position
            self._followed = follow(self._followed, self._laid_out())
        self.add(story.match.steps[kept:])
        self._seen = story.ply

    def add(self, steps: Sequence[Step]) -> None:
        """Go on with these steps. Pieces are followed through the last few alone: nobody saw those before."""
        for i, step in enumerate(steps, -len(steps)):
            if i == -FOLLOWED:
                self._followed = None
            self._add(step, i >= -FOLLOWED)
        self._shared = {}

    def back(self, steps: Sequence[Step]) -> Scene:
        """The line as it was after these, its first steps: all but the last few are in words already."""
        game, earlier = self._game, Scene(self._game)
        earlier.log = self.log[: len(steps)]
        known = max(0, min(len(steps) - FOLLOWED, earlier._turns[0]))
        for step in steps[:known]:
            game.rules.play(game.board, earlier.position.s, game.actions[step.token])
        earlier.log, earlier.touched = self.log[:known], [Touch()] * known
        earlier.add(steps[known:])
        return earlier

    def _add(self, step: Step, followed: bool) -> None:
        game, s = self._game, self.position.s
        action = game.actions[step.token]
        seat = CHANCE if step.actor == "chance" else game.seats.index(step.actor)
        if game.told:
            if seat != CHANCE and (len(game.seats) == 1 or not self.log or self.log[-1].seat != seat):
                self._before = self.position.copy()
            (said,) = game.told(game.board, s, [action])
        else:
            said = game.words.step(game.board, s, action)
        decided = (self.log[-1].decided if self.log else 0) + (seat != CHANCE)
        self.log.append(Entry(len(self.log) + 1, seat, step.actor, step.token, said, decided))
        if not followed:
            game.rules.play(game.board, s, action)
            self.touched.append(Touch())
            return
        before = self._now()
        touch: Touch = game.face.touch(game.board, s, action)
        game.rules.play(game.board, s, action)
        self._followed = after = follow(before, self._laid_out(), touch)
        named, path = after if seat == CHANCE else before, touch.path
        if len(path) > 1 and any(path[0] in area.by_id for area in before.table.areas):
            touch = Touch(path[1:], touch.marks)  # the square left keeps nothing
        self.touched.append(named.touch(touch))

    @property
    def shared(self) -> dict[str, Any]:
        """The fields of a View that are the same for all viewers."""
        if not self._shared:
            game, s = self._game, self.position.s
            begin, chance = self._turns
            self._shared = {
                **self._constant,
                "table": self._now().table,
                "happened": self._goal or self._happened(begin, chance),
                "log": tuple(self.log),
                "last": self._last(begin, chance),
                "rolled": self._rolled,
                "preview": game.face.preview(game.board, s) if hasattr(game.face, "preview") else (),
                "phase": game.words.phase(game.board, s),
                "decides": game.words.decides(game.board, s) if s.turn >= 0 else NOTHING,
            }
        return self._shared

    def choices(self, actions: Sequence[int]) -> tuple[Choice, ...]:
        """These actions, which the player to move may take."""
        game, s, named = self._game, self.position.s, self._now().touch
        tokens, said, touch, board = game.tokens, game.words.step, game.face.touch, game.board
        return tuple([Choice(tokens[a], said(board, s, a), named(touch(board, s, a))) for a in actions])

    def company(
        self, story: Story, held: tuple[int, ...], present: tuple[int, ...]
    ) -> tuple[tuple[Sitter, ...], Text]:
        """Who sits where, and who is there, which is mostly as it was."""
        if self._seats is not story.seats:
            self._seats, self._company = story.seats, {}
        key = (story.turn, held, present)
        if key not in self._company:
            self._company[key] = sitters(story, held, present), presence(story, held, present)
        return self._company[key]

    def _now(self) -> Followed:
        if self._followed is None:
            self._followed = follow(None, self._laid_out())
        return self._followed

    def _laid_out(self) -> Table:
        table: Table = self._game.face.table(self._game.board, self.position.s)
        return table

    @property
    def _turns(self) -> tuple[int, int]:
        """Where the last turn begins: its decision (against somebody also those of the same seat right before
        it, which the other has not seen), and then the chance steps after it."""
        chance = len(self.log)
        while chance and self.log[chance - 1].seat == CHANCE:
            chance -= 1
        begin = max(0, chance - 1)
        while len(self._game.seats) > 1 and begin and self.log[begin - 1].seat == self.log[begin].seat:
            begin -= 1
        return begin, chance

    def _last(self, begin: int, chance: int) -> tuple[str, ...]:
        """What the last turn touched; in a game for one, on the board too, if that was not long ago."""
        turn = self.touched[begin:chance]
        if len(self._game.seats) == 1 and not any(touched.path for touched in turn):
            lately = zip(self.log[-FOLLOWED:], self.touched[-FOLLOWED:], strict=True)
            acted = [touched for entry, touched in lately if entry.seat != CHANCE and touched.path]
            turn = acted[-1:] + turn
        return tuple(id for touched in turn for ids in touched for id in ids)

    @property
    def _rolled(self) -> tuple[str, ...]:
        """What chance answered with last; when somebody has decided since, the dice alone."""
        if not self._game.sources:
            return ()
        end = len(self.log)
        while end and self.log[end - 1].seat != CHANCE:
            end -= 1
        begin = end
        while begin > len(self.log) - FOLLOWED and begin and self.log[begin - 1].seat == CHANCE:
            begin -= 1
        ids = [id for touched in self.touched[begin:end] for id in touched.path]
        if end < len(self.log):
            dice = {piece.id for piece in self._now().table.pieces if piece.kind == "die"}
            ids = [id for id in ids if id in dice]
        return tuple(ids)

    @property
    def _goal(self) -> Text | None:
        """What one plays for, until somebody has decided something."""
        about: Text = self._game.words.TAGLINE
        return None if self.log and self.log[-1].decided else about

    def _happened(self, begin: int, chance: int) -> Text:
        """What was done and thrown, as the game tells it, or step by step."""
        if self._game.told:
            row = self.log[begin:] if len(self.log) - chance <= DEAL else self.log[begin:chance]
            actions = [self._game.actions[entry.token] for entry in row]
            said = self._game.told(self._game.board, self._before.s, actions)
        else:
            said = self._step_by_step(begin, chance)
        first, *rest = [filled(SENTENCE, said=text) for text in said] or [NOTHING]
        for text in rest:
            first = first + text
        return first

    def _step_by_step(self, begin: int, chance: int) -> list[Text]:
        """Among others, a decision that touched nothing need not be told."""
        if begin + 1 == len(self.log):
            return [self.log[begin].text]
        decided = zip(self.log[begin:chance], self.touched[begin:chance], strict=True)
        said = [entry.text for entry, touched in decided if any(touched)]
        said = said or [entry.text for entry in self.log[begin:chance][-1:]]
        thrown = [entry.text for entry in self.log[chance:]]
        return said + thrown if len(thrown) <= FEW else said
