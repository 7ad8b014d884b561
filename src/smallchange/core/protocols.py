"""The parts of a game, as the rest of the program sees them.

A game is a folder whose modules have these functions and constants. `b` is its board, `s` a state,
`a` an action. A state is a plain object where people play and a record of an array in compiled code,
so its type is Any.

| module | protocol | a game without it |
| --- | --- | --- |
| `model`, `rules`, `notation` | Model, Rules, Notation | is no game |
| `words`, `layout`, `ai.heuristic` | Words, Layout, Heuristic | plays from Python alone |
| `summary` | Summary | has its steps described one by one |
| `reference` | Reference | has its rulebook alone to look things up in |
| `piecepack` | Piecepack | has no Portable Piecepack Notation |
| `guide` | Guide | has no guided first game |
| `presets` | Presets | is offered by its options alone |
| `memory` | Memory | always has its log in sight |
| `margin` | Margin | has a won match count the same whatever the margin |
| `invariants` | Invariants | accepts every state within its bounds |
| `ai.utility` | Utility | counts a score above 0 as a win |
| `ai.evaluation` | Evaluation | is searched without estimates |
| `ai.symmetry` | Symmetry | has no positions of equal value |
| `ai.ranking` | Ranking | is solved by a list of the positions that come up, if it has few |
| `ai.chance_layers` | ChanceLayers | is solved by a list of the positions that come up, if it has few |
| `ai.dice_moves` | DiceMoves | is searched one throw at a time |
| `ai.features` | Features | has no learned values |
| `ai.reasons` | Reasons | gives hints that do not say why |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import isfunction
from typing import Any, Protocol

from smallchange.i18n.text import Text
from smallchange.render.reference_sheet import Sheet
from smallchange.render.scene import Scene, Touch

from .lesson import Lesson
from .options import Option, Value
from .preset import Preset
from .reason import Reason
from .state import Fields

__all__ = [
    "ChanceLayers", "DiceMoves", "Evaluation", "Features", "Guide", "Heuristic", "Invariants", "Layout",
    "Margin", "Memory", "Model", "Notation", "Piecepack", "Presets", "Ranking", "Reasons", "Reference",
    "Rules", "Summary", "Symmetry", "Utility", "Words",
]  # fmt: skip


class Model(Protocol):
    """The fields of a board and of a state, and the options that make a board."""

    SEATS: tuple[str, ...]
    SOURCES: tuple[str, ...]  # the physical objects of chance, by the number that `source` returns
    OPTIONS: tuple[Option, ...]
    State: type[Fields]

    def build(self, options: dict[str, Value]) -> Fields:
        """Return the board with these options; BadOption where they do not go together."""


class Rules(Protocol):
    """The one source of legality, in the scalar dialect."""

    VERSION: int  # grows when a rule, a token or an action's number changes
    ACTIONS: int  # actions are numbered from 0 to ACTIONS - 1
    MOST: int  # legal actions or outcomes in one state, at most

    def setup(self, b: Any, s: Any) -> None:
        """Write the first state into `s`."""

    def legal(self, b: Any, s: Any, out: Any) -> int:
        """Write the mover's actions into `out`, ascending; return their number."""

    def odds(self, b: Any, s: Any, out: Any, weights: Any) -> int:
        """Write the outcomes of chance and their integer weights, ascending; return their number."""

    def source(self, b: Any, s: Any) -> int:
        """Return the number of the object that decides at a chance step."""

    def play(self, b: Any, s: Any, a: int) -> None:
        """Take one step in place."""

    def score(self, b: Any, s: Any, seat: int) -> int:
        """Return the score of a finished match for a seat; higher is better."""


class Notation(Protocol):
    """The tokens and the result of a game, for programs."""

    def token(self, b: Any, a: int) -> str | None:
        """Return the token of an action; None where this board has no such action."""

    def result(self, b: Any, s: Any) -> dict[str, object]:
        """Return the result of a finished match, with the fields that the rulebook names."""


class Words(Protocol):
    """The phrases of a game."""

    TITLE: Text
    TAGLINE: Text
    DESIGNER: Text  # who made the game and when, a sentence
    MINUTES: int
    OPTIONS: Mapping[str, Text]
    CHOICES: Mapping[Any, Text]
    PLAYERS: Mapping[str, Text]

    def step(self, b: Any, s: Any, a: int) -> Text:
        """Describe a step that is possible now."""

    def asks(self, b: Any, s: Any) -> Text:
        """Ask the player to move for a decision."""

    def decides(self, b: Any, s: Any) -> Text:
        """Name in a few words the decision of the player to move."""

    def ending(self, b: Any, s: Any) -> Text:
        """Say how a finished match ended."""

    def phase(self, b: Any, s: Any) -> str:
        """Return the anchor of the rulebook's section about this phase."""


class Layout(Protocol):
    """The place of every piece, and the touches that make a move."""

    def scene(self, b: Any, s: Any) -> Scene:
        """Return the position as plain data for drawing."""

    def touch(self, b: Any, s: Any, a: int) -> Touch:
        """Return the pieces and spots that a player touches to take an action."""


class Heuristic(Protocol):
    """A simple sensible player."""

    def move_score(self, b: Any, s: Any, a: int, t: Any) -> int:
        """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""


class Summary(Protocol):
    """A short account of several steps in a row."""

    def summarize(self, b: Any, s: Any, actions: list[int]) -> list[Text]:
        """Describe these steps from `s`, after they were taken, in a few phrases."""


class Reference(Protocol):
    """The sheets that a player looks up at the table, and the points by player where a game counts them."""

    TITLE: Text

    def sheets(self, b: Any, s: Any) -> Sequence[Sheet]:
        """Return the sheets as they are in this state."""

    def tally(self, b: Any, s: Any) -> dict[str, dict[str, int]]:
        """Return the points of each player if the game ended now, by source."""


class Piecepack(Protocol):
    """The game on a table with a real piecepack, for Portable Piecepack Notation.

    `SQUARE_INCHES` says, by area of the layout, how wide a square of it is: 2 where a square is a tile, 1
    where it is one of the four squares on the back of a tile. An area that it does not name has 1.
    """

    SQUARE_INCHES: Mapping[str, int]

    def tile_backs(self, b: Any) -> Iterable[tuple[str, int, int]]:
        """Return the tiles under the pieces, grid up, that the layout shows as squares.

        Each is its area and the place of its upper left corner there, in the units of a scene.
        """


class Guide(Protocol):
    """A guided first game: a fixed deal, and what is said and played step by step (`core/guide.py`).

    It may have `ADVICE`, a sequence of texts: how to play well, a sentence each, and `is_gentle(b, s)`: whether a first
    choice is one for whoever plays for the first time, against a bot.
    """

    DEAL: bytes
    OPTIONS: Mapping[str, Value]
    LESSONS: Sequence[Lesson]


class Presets(Protocol):
    """Ways of playing that are offered as cards, the gentlest first.

    A game may have DESIGNED beside them: boards that `smallchange design` found, as presets too.
    """

    PRESETS: Sequence[Preset]


class Memory(Protocol):
    """A log that is out of sight while a match goes on, because players have to remember it.

    UNSEEN are the fields of the state that the log would tell, and nothing else.
    """

    UNSEEN: Sequence[str]

    def is_by_memory(self, b: Any) -> bool:
        """Return whether this board is played by memory."""


class Margin(Protocol):
    """The margin of a match for two, by which equally many wins are compared."""

    def margin(self, b: Any, s: Any, seat: int) -> int:
        """Return by how much a seat is ahead at the end; below 0 if it is behind."""


class Invariants(Protocol):
    """The rule by which a typed position is told from one that cannot come up."""

    def can_be(self, b: Any, s: Any) -> bool:
        """Return whether a state can come up in a match; each of its fields is within its bounds."""


class Utility(Protocol):
    """The value of an end, for search and learning."""

    def utility(self, b: Any, s: Any, seat: int) -> int:
        """Return the utility of an end to a seat, from 0 to 1000; more than half is a win."""


class Evaluation(Protocol):
    """An estimate of a position, for a search that cannot see the end."""

    def evaluate(self, b: Any, s: Any, seat: int) -> int:
        """Return the estimate for a seat; the other seat's is its opposite."""

    def odds_scale(self, b: Any) -> int:
        """Return the estimate at which the odds of winning are e to 1."""

    def plies_to_draw(self, b: Any, s: Any) -> int:
        """Return the least number of plies before a rule can end the match as a draw."""

    def clear_history(self, b: Any, s: Any) -> None:
        """Reset the fields that only such a rule reads."""


class Symmetry(Protocol):
    """Positions of equal value, and lost ones."""

    def canonicalize(self, b: Any, s: Any) -> None:
        """Turn a state into the one that stands for all of equal value."""

    def is_lost(self, b: Any, s: Any) -> bool:
        """Return whether seat 0 cannot win any more; False where that is not known."""


class Ranking(Protocol):
    """A number for every position, for tables of solved ones."""

    LAYOUT: int  # grows when a position gets another number

    def same(self, b: Any, other: Any) -> bool:
        """Return whether two boards share their tables."""

    def shelves(self, b: Any) -> int:
        """Return the number of shelves; positions of a lower shelf have lower numbers."""

    def places(self, b: Any, shelf: int) -> int:
        """Return the number of positions on the shelves below this one."""

    def place(self, b: Any, s: Any) -> int:
        """Return the number of a position in which a player is to move; -1 where it has none."""

    def position(self, b: Any, s: Any, i: int, seat: int) -> None:
        """Write position number `i` with `seat` to move."""

    def progress(self, b: Any, s: Any) -> int:
        """Return a number that no step makes greater."""

    def layers(self, b: Any) -> int:
        """Return the number of layers."""

    def layer(self, b: Any, s: Any) -> int:
        """Return the layer of a position; steps lead to the same layer or to a lower one."""

    def board_squares(self, b: Any) -> int:
        """Return the number of squares on which a piece can stand."""

    def most_coins(self, b: Any) -> int:
        """Return the number of pieces of a side at the start."""

    def flip_side(self, b: Any, coins: int) -> int:
        """Return a set of squares as the other side numbers them."""

    def stand(self, b: Any, s: Any, mine: int, theirs: int) -> None:
        """Write the position with these pieces of seat 0, which is to move, and those of seat 1."""

    def side_coins(self, b: Any, s: Any, seat: int) -> int:
        """Return the squares of a seat's pieces."""

    def blocked_value(self, b: Any) -> int:
        """Return 1 where a player without a step wins, -1 where he loses, 0 where he passes."""


class ChanceLayers(Protocol):
    """A number for every position of a game with chance, in layers, for tables of values.

    Of a position whose value is not kept, such as that between a throw and the move, all steps lead to ones that are.
    """

    LAYOUT: int  # grows when a position gets another number

    def value_layers(self, b: Any) -> int:
        """Return the number of layers."""

    def layer_positions(self, b: Any, layer: int) -> int:
        """Return the number of positions of a layer."""

    def layers_ahead(self, b: Any, layer: int, out: Any) -> int:
        """Write the other layers that a step leads to, lower ones all; return their number."""

    def value_layer(self, b: Any, s: Any) -> int:
        """Return the layer of a position, -1 where the value is not kept."""

    def value_rank(self, b: Any, s: Any) -> int:
        """Return the number of a position in its layer."""

    def value_seat(self, b: Any, s: Any) -> int:
        """Return the seat to which a position has its value."""

    def write_valued(self, b: Any, s: Any, layer: int, i: int) -> None:
        """Write position number `i` of a layer, or one of equal value."""


class DiceMoves(Protocol):
    """The dice that open each move, for a search over all throws at once."""

    DICE: int
    FACES: int
    MAX_DICE_MOVES: int

    def dice_stage(self, b: Any, s: Any) -> int:
        """Return 1 where a die opens the move to choose, 2 where dice to roll are chosen, 0 elsewhere."""

    def may_keep_dice(self, b: Any) -> int:
        """Return 1 where any dice may be kept, 0 where all are rolled after every move."""

    def rolls_per_turn(self, b: Any) -> int:
        """Return how many times dice may be chosen and rolled after a move."""

    def rolls_to_come(self, s: Any) -> int:
        """Return how many rolls may follow the next one before a move."""

    def die_face(self, s: Any, i: int) -> int:
        """Return the face of die `i`."""

    def roll_action(self, dice: int) -> int:
        """Return the action of rolling these dice, a mask."""

    def pick_up_dice(self, b: Any, s: Any) -> None:
        """Take all dice up after a move, to be rolled."""

    def dice_moves(self, b: Any, s: Any, actions: Any, dice: Any, faces: Any) -> int:
        """Write every move with the die and the face that open it; return their number."""


class Features(Protocol):
    """The numbers from which positions are valued by learning. FLAGS and ROWS may be absent."""

    FEATURES: int

    def is_afterstate(self, b: Any, s: Any) -> bool:
        """Return whether an action can be judged by this state, which it led to."""

    def features(self, b: Any, s: Any, seat: int, out: Any) -> None:
        """Write the FEATURES numbers that describe a state to a seat."""


class Reasons(Protocol):
    """Features of moves in words, from which a hint says why."""

    REASONS: Sequence[Reason]

    def measure(self, b: Any, s: Any, a: int, t: Any) -> Sequence[int | None]:
        """Return the number of each reason for action `a` in `s`, given `t`, the state after it.

        It is None where a reason says nothing of this action.
        """


def missing_names(module: object, protocol: type) -> list[str]:
    """Return the functions and constants of a protocol that a module does not have.

    >>> missing_names(object(), Utility)
    ['utility']
    """
    names = [*protocol.__annotations__, *(name for name, it in vars(protocol).items() if isfunction(it))]
    return [name for name in names if not name.startswith("_") and not hasattr(module, name)]
