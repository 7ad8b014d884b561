"""The check of a game before it is trusted: every board that its options make, one line for what is wrong."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_ulong, py_object, pythonapi
from importlib import import_module
from inspect import isfunction, signature
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from threading import Timer, get_ident
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from smallchange.core import protocols, puzzle, record
from smallchange.core.errors import BadOption, RulesError
from smallchange.core.game import Game, Position
from smallchange.core.game_modules import GameModules, Part
from smallchange.core.game_places import find_place, incompleteness
from smallchange.core.match import Match
from smallchange.core.options import Drawing, Flag, OneOf, Option, Value
from smallchange.core.state import CHANCE, OVER, Range
from smallchange.i18n.catalogues import read_catalogue
from smallchange.i18n.text import Text
from smallchange.render.scene import Scene, Touch

PARTS: dict[str, type] = {
    "model": protocols.Model,
    "rules": protocols.Rules,
    "notation": protocols.Notation,
    **{name: part.protocol for name, part in vars(GameModules).items() if isinstance(part, Part)},
}
LONGEST = 20_000  # steps: no random game may take longer
LOOKED_AT = 1_000  # positions of it, and the last
NEVER_ENDS = f"match is not over after {LONGEST:,} steps; each has to end"
GAMES = 16  # that are played at a time
MOST_BOARDS = 500  # of more a sample is tried
HEAVIEST = 1 << 15  # weights of a chance step together: exact odds have room for so much
MOST_BYTES = 256  # of a state
BOARD_S = 120.0  # seconds that the check of a board may take
FARTHEST = 100_000  # units of a scene: a thousand squares
SEAT = re.compile(r"(?!(chance|draw)$)[a-z][a-z0-9-]{0,23}")
OPTION = re.compile(r"[a-z][a-z0-9_]{0,23}")
TAKEN = {  # what commands and pages ask beside a game's own options
    "and", "backend", "better", "boards", "bot", "bots", "budget", "columns", "csv", "deal", "depth",
    "difficulty", "disk", "finalists", "fresh_games", "games", "help", "json", "lang", "memory", "n", "name",
    "names", "number", "o", "open", "out", "policy", "rated", "rows", "seat", "seed", "split", "symmetry",
    "threads", "time", "toss", "verify", "words", "workers",
}  # fmt: skip
# What a record or a prompt reads as something else is no token: brackets, a step's number, its colon, a command.
TOKEN = re.compile(
    r"(?!([(\[=#]|(\d+\.?|digest|\?|board|hint|points|undo|rules|save|quit|q)$))[!-~]{1,24}(?<![):])", re.I
)


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


def type_faults(module: Any, protocol: type) -> list[str]:
    """Return the constants of a module that are not of the types that its protocol names."""
    hints = get_type_hints(protocol)
    wrong = [name for name in hints if not fits(getattr(module, name), hints[name])]
    return [f"{name} is {getattr(module, name)!r:.60}, no {protocol.__annotations__[name]}" for name in wrong]


def fits(value: object, hint: Any) -> bool:
    """Return whether a value, and all that it holds, is of a type.

    >>> fits(("red", "green"), tuple[str, ...]), fits(["red"], tuple[str, ...]), fits(True, int)
    (True, False, False)
    """
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if hint is Any or kind is UnionType:
        return hint is Any or isinstance(value, hint)
    if kind is type:
        return isinstance(value, type) and issubclass(value, inner)
    if kind is int or not isinstance(value, kind):
        return type(value) is kind
    if isinstance(value, Mapping):
        return all(fits(each, inner[1]) for each in value.values())
    return not inner or all(fits(each, inner[0]) for each in value)


def check_game(id: str, progress: Callable[[int, int], None] = lambda done, of: None) -> list[Game]:
    """Check a game on every board that its options make, and return it once for each.

    RulesError, with file and line where there are any, for the first fault that is found.
    """
    from smallchange.engine.compile.checked_run import check_rules  # needs NumPy

    if why := incompleteness(id):
        raise RulesError(f"{id}: {why}")
    place = find_place(id)
    with _naming(place.folder, {}):
        _check_model(import_module(f"{place.package}.model"))
        _check_parts(Game(id))
        _check_files(Game(id))
        boards = list(combinations(id))
    for done, variant in enumerate(boards, start=1):
        with _naming(variant.folder, variant.non_default_options), _ending():
            for fault in variant.board.violations():
                _require(False, "model", f"build: {fault}")
            again = variant.model.build(dict(variant.options))
            _require(again == variant.board, "model", "build makes another board of the same options")
            check_rules(variant)
            _check_match(variant)
        progress(done, len(boards))
    return boards


def play_compiled(boards: Sequence[Game], steps: int) -> int:
    """Play `steps` compiled steps or more on all boards, half at random, half greedily; return their number."""
    from smallchange.engine import GREEDY, RANDOM, compile_game

    share, played = -(-steps // (2 * len(boards))), 0
    for game, (name, policy) in product(boards, {"random": RANDOM, "greedy": GREEDY}.items()):
        with _naming(game.folder, game.non_default_options):
            code, first, enough = compile_game(game), 0, played + share
            while played < enough:
                games = code.play_games([policy] * len(game.seats), 1, first, GAMES, LONGEST)
                _require(games.ended == GAMES, "rules", f"a {name} {NEVER_ENDS}")
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
        is_said = isinstance(wrong, RulesError | _EndlessError)
        text = str(wrong) if is_said else f"{type(wrong).__name__}: {wrong}"
        if own and not isinstance(wrong, RulesError):
            text = f"{Path(own[-1].filename).relative_to(folder.parent)}:{own[-1].lineno}: {text}"
        chosen = ", ".join(f"{name}={value}" for name, value in options.items())
        text = "; ".join(text.splitlines())
        raise RulesError(" ".join(f"{text}{f' (with {chosen})' if chosen else ''}".split())) from wrong


class _EndlessError(Exception):
    def __str__(self) -> str:
        return f"the check of this board did not end within {BOARD_S:g} seconds"


@contextmanager
def _ending() -> Iterator[None]:
    """Stop a function that goes round and round, where it stands."""
    stop = c_ulong(get_ident()), py_object(_EndlessError)
    timer = Timer(BOARD_S, lambda: pythonapi.PyThreadState_SetAsyncExc(*stop))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _require(holds: object, part: str, fault: str) -> None:
    if not holds:
        raise RulesError(f"{part}.py: {fault}")


def _check_model(model: protocols.Model) -> None:
    """Check the model of a game: its constants, seats, options and ranges."""
    for fault in type_faults(model, protocols.Model):
        _require(False, "model", fault)
    seats, sources = model.SEATS, model.SOURCES
    _require(
        len({*seats}) == len(seats) in (1, 2) and all(map(SEAT.fullmatch, seats)),
        "model",
        f"SEATS is {seats}, not one player or two, each a word of small letters, not chance or draw",
    )
    names = [option.name for option in model.OPTIONS]
    _require(
        len({*names}) == len(names) and all(map(OPTION.fullmatch, names)) and not TAKEN & {*names},
        "model",
        f"OPTIONS has {names}, not different words of small letters and _, or one of {' '.join(sorted(TAKEN))}",
    )
    _require(len({*sources}) == len(sources), "model", f"SOURCES names one twice: {sources}")
    for name, (low, high, *_) in model.State.ranges.items():
        _require(-(1 << 63) <= low <= high < 1 << 63, "model", f"State.{name} cannot be from {low} to {high}")


def _check_parts(game: Game) -> None:
    """Check what does not depend on the board."""
    for part, protocol in PARTS.items():
        module: Any = getattr(game, part)
        if module is not None:
            for fault in parameter_faults(module, protocol) + type_faults(module, protocol):
                _require(False, part, fault)
    rules, words = game.rules, game.words
    for name in ("VERSION", "ACTIONS", "MOST"):
        number = getattr(rules, name)
        _require(number >= 1, "rules", f"{name} is {number}, no whole number from 1")
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


def _check_files(game: Game) -> None:
    """Read the data files of a game: translations, bots, puzzles, learned values and measurements."""
    from smallchange.bots import deals, levels  # needs NumPy
    from smallchange.engine.search.value_weights import read_weights

    readers: dict[str, Callable[[Path], object]] = {
        "locale/*.[mp]o": read_catalogue,
        levels.FILE: levels.read_levels,
        puzzle.FILE: lambda file: puzzle.puzzles_in(file, game),
        deals.BANDS_FILE: lambda _: deals.bands(game),
        "values*.json": lambda file: read_weights(game, file),
        "*.json": lambda file: dict(json.loads(file.read_bytes())),
    }
    for pattern, read in readers.items():
        for file in sorted(game.folder.glob(pattern)):
            try:
                read(file)
            except Exception as wrong:
                text = str(wrong) if str(file) in str(wrong) else f"{file}: {wrong}"
                raise RulesError(text.replace(f"{game.folder.parent}/", "")) from wrong


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
    match, luck = Match(game), Random(0)
    for step in range(LONGEST):
        position = match.position
        if step < LOOKED_AT or match.over:
            before = position.copy()
            _check_position(position)
            _require(position == before, "rules", f"a function other than play changes {before.key()}")
        if match.over:
            break
        actions, weights = position.outcome_actions()
        a = luck.choices(actions, weights)[0] if actions else luck.choice(position.legal_actions())
        match.play(game.action_to_token(a))
    else:
        _require(False, "rules", f"a random {NEVER_ENDS}")
    _require(len(match), "rules", "setup: the game is over before its first step")
    _require(record.read(record.write(match)) == match, "notation", "a record reads back as another match")


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
    _require(isinstance(scene, Scene), "layout", "scene returns no Scene")
    far = [spot.id for area in scene.areas for spot in area.spots if not _is_near(spot.x, spot.y)]
    _require(not far, "layout", f"x and y of {far} are no whole numbers within {FARTHEST:,}")
    spots = [spot.id for area in scene.areas for spot in area.spots]
    things = {*spots, *(piece.id for piece in scene.pieces)}
    _require(len(things) == len(spots) + len(scene.pieces), "layout", "two spots or pieces have the same id")
    lost = {piece.spot for piece in scene.pieces} - {*spots} | {badge.spot for badge in scene.badges} - things
    _require(not lost, "layout", f"a piece or a badge stands on {lost}, which is no spot")
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
        scores = [position.score(player) for player in game.seats]
        _require(all(type(score) is int for score in scores), "rules", "score returns no whole number")
        _require(_agrees(result, position), "notation", f"result {result!r:.80} does not agree with {scores}")
        return
    _require(isinstance(game.words.asks(b, s), Text), "words", "asks returns no Text")
    outcomes, weights = position.outcome_actions()
    actions = position.legal_actions() or outcomes
    _require(
        sum(weights) <= HEAVIEST, "rules", f"the weights {weights} are {sum(weights):,}, above {HEAVIEST:,}"
    )
    _require(actions == sorted(set(actions)), "rules", f"the actions {actions} do not ascend")
    said = set()
    for a in actions:
        _require(a in game.tokens, "notation", f"action {a} is possible and has no token")
        words = game.words.step(b, s, a)
        _require(isinstance(words, Text), "words", f"step returns no Text for {game.tokens[a]}")
        _require(s.turn == CHANCE or words.en not in said, "words", f"step says {words.en!r} of two moves")
        said.add(words.en)
        touch = game.layout.touch(b, s, a)
        _require(isinstance(touch, Touch), "layout", "touch returns no Touch")
        there = {*touch.path, *touch.marks} <= things
        _require(there, "layout", f"touch names what is not on the table, for {game.tokens[a]}: {touch}")


def _is_near(*places: object) -> bool:
    return all(type(place) is int and abs(place) <= FARTHEST for place in places)


def _agrees(result: Any, position: Position) -> bool:
    """Return whether a result names the winner that the scores name, in a game for one whether it is won."""
    if not isinstance(result, dict):
        return False
    rewards = {player: position.reward(player) for player in position.game.seats}
    if len(rewards) == 1:
        return type(result.get("won")) is bool
    winner = result.get("winner")
    right = {player: 0 if winner == "draw" else 1 if player == winner else -1 for player in rewards}
    return rewards == right and (winner == "draw" or winner in rewards)
