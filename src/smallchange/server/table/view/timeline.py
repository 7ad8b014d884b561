"""The timeline of a table: its steps in words and pieces, shared by all viewers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from smallchange.core.game import Game
from smallchange.core.match import Step
from smallchange.core.state import CHANCE
from smallchange.i18n.text import Text
from smallchange.render.piece_names import fill_phrase
from smallchange.render.piece_tracking import TrackedTable, follow
from smallchange.render.scene import Scene, Touch
from smallchange.server.table.model.history import History, Seat
from smallchange.server.table.view.seats import presence_text, seat_views
from smallchange.server.table.view.table_view import NO_TEXT, Choice, LogEntry, SeatView

MAX_SUMMED_CHANCE_STEPS, MAX_LISTED_CHANCE_STEPS = (
    12,
    6,
)  # with more chance steps, the last turn is described without them: by a summary, or step by step
TRACKED_STEPS = 24  # steps whose pieces are followed when a line is caught up with
MAX_STORED_SCENES = 64  # after the latest steps, for playback

SENTENCE = Text("{said}.")


class Turn(NamedTuple):
    """A decision with the answers of chance: the table after `number` steps, and the steps in words.

    `last_touched` are the ids that the decision touched, `rolled_ids` those of the answers of chance.
    """

    number: int
    scene: Scene
    said: tuple[Text, ...]
    last_touched: tuple[str, ...]
    rolled_ids: tuple[str, ...]


class Timeline:
    """The steps of a table in words and pieces, brought up to date step by step."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ply = 0  # the number of events followed
        self._tracked: TrackedTable | None = None
        self.position = game.start()
        self._before_last_turn = self.position.copy()  # before the last turn
        self.log: list[LogEntry] = []
        self.touched: list[Touch] = []  # by step; without the square that the piece left
        self._scenes: dict[int, Scene] = {}  # by the number of steps: the scene after them
        self._shared: dict[str, Any] = {}
        self._constant = {
            "game": game.id,
            "title": game.words.TITLE,
            "options": game.non_default_options,
            "marking": getattr(game.words, "MARKING", None),
            "has_luck": bool(game.sources),
        }
        self._seats: tuple[Seat, ...] = ()
        self._presence_cache: dict[Hashable, tuple[tuple[SeatView, ...], Text]] = {}  # for the present seats

    def follow(self, history: History) -> None:
        """Catch up with the history."""
        if self._ply == history.ply:
            return
        kept = min(len(self.log), *history.lengths[self._ply :])
        if kept < len(self.log):
            del self.log[kept:], self.touched[kept:]
            self._scenes = {n: scene for n, scene in self._scenes.items() if n <= kept}
            self._shared = {}
            self.position = history.match.until(kept).position
            if self._game.summary:
                self._before_last_turn = history.match.until(self._last_turn_bounds[0]).position
            self._tracked = follow(self._tracked, self._laid_out())
        self.add(history.match.steps[kept:])
        if history.is_past_hidden:
            self._scenes.clear()
        self._ply = history.ply

    def add(self, steps: Sequence[Step]) -> None:
        """Add these steps. Pieces are tracked through the last few alone, because nobody saw those before."""
        for i, step in enumerate(steps, -len(steps)):
            if i == -TRACKED_STEPS:
                self._tracked = None
            self._add(step, i >= -TRACKED_STEPS)
        self._shared = {}

    def rewind(self, steps: Sequence[Step]) -> Timeline:
        """Return the timeline as it was after these steps, the first of this one."""
        game, earlier = self._game, Timeline(self._game)
        earlier.log = self.log[: len(steps)]
        known = max(0, min(len(steps) - TRACKED_STEPS, earlier._last_turn_bounds[0]))
        for step in steps[:known]:
            game.rules.play(game.board, earlier.position.s, game.actions[step.token])
        earlier.log, earlier.touched = self.log[:known], [Touch()] * known
        earlier.add(steps[known:])
        return earlier

    def _add(self, step: Step, followed: bool) -> None:
        """Add one step to the log, with the things that it touched."""
        game, s = self._game, self.position.s
        action = game.actions[step.token]
        seat = CHANCE if step.actor == "chance" else game.seats.index(step.actor)
        if game.summary:
            if seat != CHANCE and (len(game.seats) == 1 or not self.log or self.log[-1].seat != seat):
                self._before_last_turn = self.position.copy()
            (sentence,) = game.summary.summarize(game.board, s, [action])
        else:
            sentence = game.words.step(game.board, s, action)
        decided = (self.log[-1].decided if self.log else 0) + (seat != CHANCE)
        self.log.append(LogEntry(len(self.log) + 1, seat, step.actor, step.token, sentence, decided))
        if not followed:
            game.rules.play(game.board, s, action)
            self.touched.append(Touch())
            return
        before = self._tracked_now()
        touch: Touch = game.layout.touch(game.board, s, action)
        game.rules.play(game.board, s, action)
        self._tracked = after = follow(before, self._laid_out(), touch)
        named, path = after if seat == CHANCE else before, touch.path
        if len(path) > 1 and any(path[0] in area.by_id for area in before.scene.areas):
            touch = Touch(path[1:], touch.marks)  # the square that the piece left is not marked
        self.touched.append(named.touch(touch))
        self._scenes[len(self.log)] = after.scene
        self._scenes.pop(len(self.log) - MAX_STORED_SCENES, None)

    def turns_after(self, kept: int) -> list[Turn]:
        """Return the decisions after the first `kept` steps, each with the chance steps that follow it.

        The last one, which is the present, is left out. The list is empty if there is only one, or if the scene
        after one of them is not stored any more.
        """
        ends = [entry.number - 1 for entry in self.log[kept:] if entry.seat != CHANCE][1:]
        begins = [kept, *ends]
        if not all(end in self._scenes for end in ends):
            return []
        return [self._turn(begin, end) for begin, end in zip(begins, ends, strict=False)]

    def turn_up_to(self, end: int) -> Turn | None:
        """Return the turn that ends after `end` steps; None if the scene after it is not stored any more."""
        if end not in self._scenes:
            return None
        begin = end - 1
        while begin and self.log[begin].seat == CHANCE:
            begin -= 1
        return self._turn(begin, end)

    def _turn(self, begin: int, end: int) -> Turn:
        sentences: list[Text] = []
        last: list[str] = []
        rolled: list[str] = []
        for entry, touched in zip(self.log[begin:end], self.touched[begin:end], strict=True):
            (rolled if entry.seat == CHANCE else last).extend(id for ids in touched for id in ids)
            sentences.append(entry.text)
        return Turn(end, self._scenes[end], tuple(sentences), tuple(last), tuple(rolled))

    @property
    def shared_fields(self) -> dict[str, Any]:
        """The fields of a TableView that are the same for all viewers."""
        if not self._shared:
            game, s = self._game, self.position.s
            begin, chance = self._last_turn_bounds
            scene = self._tracked_now().scene
            self._shared = {
                **self._constant,
                "scene": scene,
                "tallies": scene.tallies,
                "last_turn": self._goal or self._last_turn_text(begin, chance),
                "log": tuple(self.log),
                "last_touched": self._last_touched(begin, chance),
                "rolled_ids": self._rolled_ids,
                "preview": game.layout.preview(game.board, s) if hasattr(game.layout, "preview") else (),
                "phase": game.words.phase(game.board, s),
                "decision": game.words.decides(game.board, s) if s.turn >= 0 else NO_TEXT,
            }
        return self._shared

    def choices(self, actions: Sequence[int]) -> tuple[Choice, ...]:
        """Describe these actions of the player to move."""
        game, s, named = self._game, self.position.s, self._tracked_now().touch
        tokens, describe, touch, board = game.tokens, game.words.step, game.layout.touch, game.board
        return tuple([Choice(tokens[a], describe(board, s, a), named(touch(board, s, a))) for a in actions])

    def seats_and_presence(
        self, history: History, held: tuple[int, ...], present: tuple[int, ...]
    ) -> tuple[tuple[SeatView, ...], Text]:
        """Return the seats and the sentence on who is present. They are cached, because they seldom change."""
        if self._seats is not history.seats:
            self._seats, self._presence_cache = history.seats, {}
        key = (history.turn, held, present, history.ratings)
        if key not in self._presence_cache:
            self._presence_cache[key] = (
                seat_views(history, held, present),
                presence_text(history, held, present),
            )
        return self._presence_cache[key]

    def _tracked_now(self) -> TrackedTable:
        if self._tracked is None:
            self._tracked = follow(None, self._laid_out())
        return self._tracked

    def _laid_out(self) -> Scene:
        scene: Scene = self._game.layout.scene(self._game.board, self.position.s)
        return scene

    @property
    def _last_turn_bounds(self) -> tuple[int, int]:
        """The numbers of steps before the last turn, and before the chance steps that end it.

        A turn is one decision. Against another player it includes earlier decisions of the same seat right
        before it, which the other has not seen.
        """
        chance = len(self.log)
        while chance and self.log[chance - 1].seat == CHANCE:
            chance -= 1
        begin = max(0, chance - 1)
        while len(self._game.seats) > 1 and begin and self.log[begin - 1].seat == self.log[begin].seat:
            begin -= 1
        return begin, chance

    def _last_touched(self, begin: int, chance: int) -> tuple[str, ...]:
        """Return the ids that the last turn touched.

        In a game for one, add those of the last decision that touched the board, if it was not long ago.
        """
        turn = self.touched[begin:chance]
        if len(self._game.seats) == 1 and not any(touched.path for touched in turn):
            lately = zip(self.log[-TRACKED_STEPS:], self.touched[-TRACKED_STEPS:], strict=True)
            acted = [touched for entry, touched in lately if entry.seat != CHANCE and touched.path]
            turn = acted[-1:] + turn
        return tuple(id for touched in turn for ids in touched for id in ids)

    @property
    def _rolled_ids(self) -> tuple[str, ...]:
        """The ids of the pieces with which chance answered last; only the dice, after another decision."""
        if not self._game.sources:
            return ()
        end = len(self.log)
        while end and self.log[end - 1].seat != CHANCE:
            end -= 1
        begin = end
        while begin > len(self.log) - TRACKED_STEPS and begin and self.log[begin - 1].seat == CHANCE:
            begin -= 1
        ids = [id for touched in self.touched[begin:end] for id in touched.path]
        if end < len(self.log):
            dice = {piece.id for piece in self._tracked_now().scene.pieces if piece.kind == "die"}
            ids = [id for id in ids if id in dice]
        return tuple(ids)

    @property
    def _goal(self) -> Text | None:
        """The aim of the game, until the first decision."""
        about: Text = self._game.words.TAGLINE
        return None if self.log and self.log[-1].decided else about

    def _last_turn_text(self, begin: int, chance: int) -> Text:
        """Describe the last turn as the game's summary does, or step by step."""
        if self._game.summary:
            row = (
                self.log[begin:]
                if len(self.log) - chance <= MAX_SUMMED_CHANCE_STEPS
                else self.log[begin:chance]
            )
            actions = [self._game.actions[entry.token] for entry in row]
            sentences = self._game.summary.summarize(self._game.board, self._before_last_turn.s, actions)
        else:
            sentences = self._step_by_step(begin, chance)
        first, *rest = [fill_phrase(SENTENCE, said=text) for text in sentences] or [NO_TEXT]
        for text in rest:
            first = first + text
        return first

    def _step_by_step(self, begin: int, chance: int) -> list[Text]:
        """Describe each step of a turn. Among several decisions, one that touched nothing is left out."""
        if begin + 1 == len(self.log):
            return [self.log[begin].text]
        decided = zip(self.log[begin:chance], self.touched[begin:chance], strict=True)
        sentences = [entry.text for entry, touched in decided if any(touched)]
        sentences = sentences or [entry.text for entry in self.log[begin:chance][-1:]]
        thrown = [entry.text for entry in self.log[chance:]]
        return sentences + thrown if len(thrown) <= MAX_LISTED_CHANCE_STEPS else sentences
