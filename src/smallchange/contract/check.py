"""The check of a game before it is trusted: every board that its options make, one line for what is wrong."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import isfunction, signature
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

from smallchange.core import protocols
from smallchange.core.errors import BadOption, RulesError
from smallchange.core.game import Game, Position
from smallchange.core.game_modules import GameModules, Part
from smallchange.core.game_places import find_place, incompleteness
from smallchange.core.options import Drawing, Flag, OneOf, Option, Value
from smallchange.core.state import CHANCE, OVER, Range
from smallchange.i18n.text import Text

PARTS: dict[str, type] = {
    "model": protocols.Model,
    "rules": protocols.Rules,
    "notation": protocols.Notation,
    **{name: part.protocol for name, part in vars(GameModules).items() if isinstance(part, Part)},
}
LONGEST = 20_000  # steps: no random game may take longer
NEVER_ENDS = f"a random match is not over after {LONGEST:,} steps; each has to end"
GAMES = 16  # that are played at a time
MOST_BOARDS = 500  # of more a sample is tried
MOST_BYTES = 256  # of a state
TOKEN = re.compile(r"[!-~]{1,24}")


def values(option: Option) -> tuple[Value, ...]:
    """Return the values of an option that are worth a variant: each choice, or the two extremes."""
    if isinstance(option, Flag):
        return (False, True)
    if isinstance(option, OneOf | Drawing):
        return option.names
    return (option.low, option.high)


def build_variant(id: str, options: Mapping[str, Value]) -> Game | None:
    """Return a game with these options; None where they do not go together."""
    try:
        return Game(id, options)
    except BadOption:
        return None


def combinations(id: str) -> Iterator[Game]:
    """Yield the game with its defaults, then with every combination of values; a sample of very many."""
    base = Game(id)
    yield base
    rows = [values(option) for option in base.offered]
    luck = Random(id)
    chosen: Iterator[tuple[Value, ...]] = product(*rows)
    if prod(map(len, rows)) > MOST_BOARDS:
        chosen = (tuple(map(luck.choice, rows)) for _ in range(MOST_BOARDS))
    for row in dict.fromkeys(chosen):
        game = build_variant(id, dict(zip((o.name for o in base.offered), row, strict=True)))
        if game is not None and game is not base:
            yield game


def parameter_faults(module: Any, protocol: type) -> list[str]:
    """Return the functions of a module whose parameters are not those of its protocol."""
    found = []
    for name, function in vars(protocol).items():
        if isfunction(function) and not name.startswith("_"):
            wanted = list(signature(function).parameters)[1:]
            if list(signature(getattr(module, name)).parameters)[: len(wanted)] != wanted:
                found.append(f"{name} takes other parameters than ({', '.join(wanted)})")
    return found


def check_game(id: str, progress: Callable[[int, int], None] = lambda done, of: None) -> list[Game]:
    """Check a game on every board that its options make, and return it once for each.

    RulesError, with file and line where there are any, for the first fault that is found.
    """
    from smallchange.engine.compile.checked_run import check_rules  # needs NumPy

    if why := incompleteness(id):
        raise RulesError(f"{id}: {why}")
    with _naming(find_place(id).folder, {}):
        _check_parts(Game(id))
        boards = list(combinations(id))
    for done, variant in enumerate(boards, start=1):
        with _naming(variant.folder, variant.non_default_options):
            for fault in variant.board.violations():
                _require(False, "model", f"build: {fault}")
            check_rules(variant)
            _check_match(variant)
        progress(done, len(boards))
    return boards


def play_compiled(boards: Sequence[Game], steps: int) -> int:
    """Play at least so many steps of compiled random games, shared between the boards; return their number."""
    from smallchange.engine import compile_game

    share, played = -(-steps // len(boards)), 0
    for game in boards:
        with _naming(game.folder, game.non_default_options):
            code, first, enough = compile_game(game), 0, played + share
            while played < enough:
                games = code.play_games([0] * len(game.seats), 1, first, GAMES, LONGEST)
                _require(games.ended == GAMES, "rules", NEVER_ENDS)
                played, first = played + int(games.steps.sum()), first + GAMES
    return played


@contextmanager
def _naming(folder: Path, options: Mapping[str, Value]) -> Iterator[None]:
    """Make whatever the code of a game raises a RulesError of one line, with the options of the board."""
    try:
        yield
    except (Exception, SystemExit) as wrong:
        frames = traceback.extract_tb(wrong.__traceback__)
        own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
        text = str(wrong) if isinstance(wrong, RulesError) else f"{type(wrong).__name__}: {wrong}"
        if own and not isinstance(wrong, RulesError):
            text = f"{Path(own[-1].filename).relative_to(folder.parent)}:{own[-1].lineno}: {text}"
        chosen = ", ".join(f"{name}={value}" for name, value in options.items())
        text = "; ".join(text.splitlines())
        raise RulesError(" ".join(f"{text}{f' (with {chosen})' if chosen else ''}".split())) from wrong


def _require(holds: object, part: str, fault: str) -> None:
    if not holds:
        raise RulesError(f"{part}.py: {fault}")


def _check_parts(game: Game) -> None:
    """Check what does not depend on the board."""
    for part, protocol in PARTS.items():
        module: Any = getattr(game, part)
        if module is not None:
            for fault in parameter_faults(module, protocol):
                _require(False, part, fault)
    rules, words = game.rules, game.words
    for name in ("VERSION", "ACTIONS", "MOST"):
        number = getattr(rules, name)
        _require(
            type(number) is int and number >= 1, "rules", f"{name} is {number!r}, no whole number from 1"
        )
    size = record_size(game.state_type.ranges.values())
    _require(size <= MOST_BYTES, "model", f"a State has {size} bytes, more than {MOST_BYTES}")
    turn = game.state_type.ranges.get("turn")
    last = len(game.seats) - 1
    _require(
        turn and (turn.low, turn.high) == (OVER, last), "model", f"State.turn is no number({OVER}, {last})"
    )
    wanted = [option.name for option in game.offered]
    _require(list(words.OPTIONS) == wanted, "words", f"OPTIONS names {list(words.OPTIONS)}, not {wanted}")
    choices = {n for o in game.offered if isinstance(o, OneOf | Drawing) for n in o.names}
    _require(
        set(words.CHOICES) == choices, "words", f"CHOICES names {[*words.CHOICES]}, not {sorted(choices)}"
    )
    seats = list(game.seats)
    _require(list(words.PLAYERS) == seats, "words", f"PLAYERS names {list(words.PLAYERS)}, not {seats}")


def record_size(fields: Iterable[Range]) -> int:
    """Return the bytes of a record with these fields, each at a multiple of its number's size."""
    end = 0
    for field in fields:
        end += -end % field.bytes + field.bytes * max(1, field.length)
    return end + -end % 8


def _check_match(game: Game) -> None:
    """Check the names of the actions, and one random match, at every step."""
    tokens = game.tokens
    _require(len(game.actions) == len(tokens), "notation", "two actions have the same token")
    for token in tokens.values():
        _require(isinstance(token, str) and TOKEN.fullmatch(token), "notation", f"{token!r:.40} is no token")
    position, luck = game.start(), Random(0)
    for _ in range(LONGEST):
        _check_position(position)
        if position.s.turn == OVER:
            break
        actions, weights = position.outcome_actions()
        a = luck.choices(actions, weights)[0] if actions else luck.choice(position.legal_actions())
        position.play_unchecked(a)
    else:
        _require(False, "rules", NEVER_ENDS)


def _check_position(position: Position) -> None:
    """Check what the parts of a game say of a position."""
    game, s = position.game, position.s
    b = game.board
    for fault in s.violations():
        _require(False, "rules", f"State.{fault}")
    _require(
        game.invariants is None or game.invariants.can_be(b, s), "invariants", f"refuses {position.key()}"
    )
    scene = game.layout.scene(b, s)
    spots = [spot.id for area in scene.areas for spot in area.spots]
    things = {*spots, *(piece.id for piece in scene.pieces)}
    _require(len(things) == len(spots) + len(scene.pieces), "layout", "two spots or pieces have the same id")
    lost = {piece.spot for piece in scene.pieces} - {*spots}
    _require(not lost, "layout", f"a piece stands on {lost}, which is no spot")
    phase = game.words.phase(b, s)
    _require(f"{{#{phase}}}" in game.rulebook(), "words", f"phase is {phase!r}, no anchor of rulebook.en.md")
    if s.turn == OVER:
        _require(isinstance(game.words.ending(b, s), Text), "words", "ending returns no Text")
        result = position.result
        try:
            is_plain = json.loads(json.dumps(result)) == result
        except (TypeError, ValueError):
            is_plain = False
        _require(is_plain, "notation", f"result cannot be written as JSON: {result!r:.80}")
        for player in game.seats:
            _require(type(position.score(player)) is int, "rules", "score returns no whole number")
        return
    _require(isinstance(game.words.asks(b, s), Text), "words", "asks returns no Text")
    actions = position.legal_actions() or position.outcome_actions()[0]
    _require(actions == sorted(set(actions)), "rules", f"the actions {actions} do not ascend")
    said = set()
    for a in actions:
        _require(a in game.tokens, "notation", f"action {a} is possible and has no token")
        words = game.words.step(b, s, a)
        _require(isinstance(words, Text), "words", f"step returns no Text for {game.tokens[a]}")
        _require(s.turn == CHANCE or words.en not in said, "words", f"step says {words.en!r} of two moves")
        said.add(words.en)
        touch = game.layout.touch(b, s, a)
        there = {*touch.path, *touch.marks} <= things
        _require(there, "layout", f"touch names what is not on the table, for {game.tokens[a]}: {touch}")
