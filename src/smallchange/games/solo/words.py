"""Solo in words: the text of each step, and of the end."""

from smallchange.core.state import CHANCE, OVER
from smallchange.i18n.text import Plural, Text, capital, join_texts, plain
from smallchange.render.piece_names import DIE as DIES
from smallchange.render.piece_names import PAWN as PAWNS
from smallchange.render.piece_names import SUIT, SUITS, VALUE, VALUES, fill_phrase, tile

from .model import Board, State
from .notation import square, tile_name
from .rules import (
    ANYWHERE,
    CHOOSE,
    COIN,
    DIE,
    DONE,
    EMPTY,
    ENTER,
    FLIP,
    FREE,
    LAID,
    LAY,
    MOVE,
    NULL,
    ORDER,
    PICK,
    PLIGHT,
    RESCUE,
    RETIRE,
    SHIFT,
    STUCK,
    THROW,
    TO,
    coins_left,
    drawn_pawns,
    ends,
    kind,
    play,
    where,
)

TITLE = Text("Solo")
TAGLINE = Text("The coin you flip says how far you go. Clear the board before your last pawn is retired.")
DESIGNER = Text("By David Bruce Cousins, 2001.")
MINUTES = 15
OPTIONS = {
    "board": Text("Board"),
    "topology": Text("How the edges are joined"),
    "free_moves": Text("Free moves at the start"),
    "outside": Text("Moves over places without a tile"),
    "hole": Text("Moves over black holes"),
    "whip": Text("Gravity whip"),
    "entry": Text("Where a pawn enters if its number has no coin"),
    "stack_free_moves": Text("Free moves: several coins of a suit onto one empty tile"),
    "rescue": Text("Where a rescued pawn may stay or step"),
}
CHOICES = {
    "rectangle": Text("rectangle"),
    "galaxy": Text("galaxy"),
    "plane": Text("a plane: not at all"),
    "torus": Text("a torus: left to right, top to bottom"),
    "sphere": Text("a sphere: left to right, and over the poles"),
    "walls": Text("not allowed"),
    "virtual": Text("allowed", "passing through black holes"),
    "off": Text("not allowed"),
    "fly": Text("allowed", "flying over black holes"),
    "closest": Text("at the closest number"),
    "choose": Text("at the closest lower or the closest higher number, as you choose"),
    "coin": Text("on tiles with a coin"),
    "any": Text("on any tile"),
}
PLAYERS = {"player": Text("You")}

THEN = Text("{said}; {then}")
DECIDES = {
    FREE: Text("A tile that gives a coin keeps at least one."),
    MOVE: Text(
        "The pawn goes exactly that far, with one right-angled turn at most, and to a coin if it can."
    ),
    PLIGHT: Text(
        "A rescued pawn stays or steps to a tile next to it, which must have a coin, or a die says where."
    ),
    PICK: Text("Any of the 20 tiles will do."),
    ENTER: Text("A pawn enters on the tile of its suit with a coin and the closest number."),
}
DECIDES_ENTRY = Text(
    "A pawn enters on the tile of its suit with a coin and the closest number below or above the old one."
)
DECIDES_RESCUE = Text("A rescued pawn stays or steps to a tile next to it, or a die says where.")
WHY = {
    NULL: Text("A null."),
    EMPTY: Text("The tile is empty."),
    STUCK: Text("No tile can be reached."),
}


def pawn(s: State) -> Text:
    """Return the name of the pawn in play."""
    return PAWNS[SUITS[s.order[s.pawn]]]


def step(b: Board, s: State, a: int, flips: bool = False) -> Text:
    """Describe action `a` in state `s`, with the retirements and entering pawns that follow.

    If the next step `flips` a coin, these are left out.
    """
    sentence = capital(chance(b, s, a) if s.turn == CHANCE else choice(b, s, a))
    if a < DIE:
        return sentence  # before the first pawn enters
    after = s.copy()
    play(b, after, a)
    for then in [*describe_retirements(b, s, a, after), *([] if flips else entering(b, s, after))]:
        sentence = fill_phrase(THEN, said=sentence, then=then)
    return sentence


def chance(b: Board, s: State, a: int) -> Text:
    """Describe an outcome of chance."""
    if a < LAID:
        drawn = Text("pawn {n} of the order is the {pawn}")
        return fill_phrase(drawn, n=drawn_pawns(s).bit_count() + 1, pawn=PAWNS[SUITS[a]])
    if a < SHIFT:
        at, what = divmod(a - LAID, 20)
        laid = Text("the {tile} is laid on {square}")
        return fill_phrase(laid, tile=tile(*tile_name(what)), square=square(b, at))
    if a < CHOOSE:
        suit, face = divmod(a - DIE, 6)
        shown = Text("the {die} shows {value}")
        return fill_phrase(shown, die=DIES[SUITS[suit]], value=VALUE[VALUES[face]])
    flipped = Text("the {suit} coin on {square} shows {value}")
    suit_name = SUIT[SUITS[kind(s, s.at)]]
    return fill_phrase(flipped, suit=suit_name, square=square(b, s.at), value=VALUE[VALUES[a - FLIP]])


def choice(b: Board, s: State, a: int) -> Text:
    """Describe a choice of the player."""
    if a < DONE:
        start, end = divmod(a - SHIFT, 20)
        moved = Text("the top coin of {start} moves to {end}")
        return fill_phrase(moved, start=square(b, start), end=square(b, end))
    if a == DONE:
        return Text("end the free moves")
    if a < FLIP:
        placed = Text("the {pawn} is put on {square}")
        return fill_phrase(placed, pawn=pawn(s), square=square(b, a - CHOOSE))
    if a < RETIRE:
        went = Text("the {pawn} moves to {square}")
        return fill_phrase(went, pawn=pawn(s), square=square(b, a - TO))
    return rescue(b, s, a)


def rescue(b: Board, s: State, a: int) -> Text:
    if a == RETIRE:
        return Text("no rescue")
    if a == ANYWHERE:
        thrown = Text("an ace rescues the {pawn}: a random die says where it goes")
        return fill_phrase(thrown, pawn=pawn(s))
    stays = Text("an ace rescues the {pawn}: it stays on {square}")
    steps = Text("an ace rescues the {pawn}: it steps to {square}")
    at = a - RESCUE
    return fill_phrase(stays if at == s.at else steps, pawn=pawn(s), square=square(b, at))


def describe_retirements(b: Board, s: State, a: int, after: State) -> list[Text]:
    """Describe the pawns that a step retires, and why."""
    nowhere = Text("no {suit} tile has a coin, so the {pawn} is retired")
    sentences = [describe_reason(b, s, a)] if after.pawn > s.pawn else []
    for i in range(s.pawn + 1, after.pawn):  # SO-12
        suit = SUITS[s.order[i]]
        sentences.append(fill_phrase(nowhere, suit=SUIT[suit], pawn=PAWNS[suit]))
    return sentences


def describe_reason(b: Board, s: State, a: int) -> Text:
    """Why a step retires the pawn in play."""
    if a == RETIRE:
        return fill_phrase(Text("the {pawn} is retired"), pawn=pawn(s))
    if a == FLIP:
        return fill_phrase(Text("the null retires the {pawn}"), pawn=pawn(s))
    if FLIP < a < TO:
        stuck = Text("no tile can be reached, so the {pawn} is retired")
        return fill_phrase(stuck, pawn=pawn(s))
    bare = Text("{square} has no coin, so the {pawn} is retired")
    suit, face = divmod(a - DIE, 6)
    at = where(s, 5 * suit + face - 1) if a < CHOOSE else a - CHOOSE if a < FLIP else a - TO
    if a > RETIRE:
        at = a - RESCUE
    return fill_phrase(bare, square=square(b, at), pawn=pawn(s))


def entering(b: Board, s: State, after: State) -> list[Text]:
    """Describe the pawn that enters by itself."""
    if after.pawn == s.pawn or after.turn != CHANCE:
        return []
    enters = Text("the {pawn} enters on {square}")
    return [fill_phrase(enters, pawn=pawn(after), square=square(b, after.at))]


def asks(b: Board, s: State) -> Text:
    """Ask the player for an action, or announce the decision of chance."""
    if s.step == ORDER:
        which = Text("Pawn {n} of the order is about to be drawn.")
        return fill_phrase(which, n=drawn_pawns(s).bit_count() + 1)
    if s.step == LAY:
        laid = Text("The tile for {square} is about to be drawn.")
        return fill_phrase(laid, square=square(b, where(s, -1)))
    if s.step == FREE:
        free = Text(
            "Move the top coin of a stack to an empty tile next to it, or begin. Free moves left: {n}."
        )
        if b.stack:  # SO-18
            free = Text(
                "Move the top coin of a stack to a tile next to it that was empty, where coins of the same suit may "
                "lie by now, or begin. Free moves left: {n}."
            )
        return fill_phrase(free, n=s.free)
    if s.step == COIN:
        coin = Text("The top coin on {square} ({suit}) is about to be flipped.")
        return fill_phrase(coin, square=square(b, s.at), suit=SUIT[SUITS[kind(s, s.at)]])
    return moving(b, s) if s.step == MOVE else placing(b, s)


def placing(b: Board, s: State) -> Text:
    """Say how the pawn comes to a place without walking there."""
    if s.step == THROW:
        sentence = Text("A random die says where the {pawn} goes.")
    elif s.step == PICK:
        sentence = Text("The die shows null: choose any tile for the {pawn}.")
    elif s.step == ENTER:
        sentence = Text("Two tiles are equally close: choose where the {pawn} enters.")
        if b.choose_entry:  # SO-17
            sentence = Text(
                "Choose where the {pawn} enters: at the closest lower number or the closest higher one."
            )
    else:
        sentence = WHY[s.why] + Text("Spend an ace to rescue the {pawn}, or retire it.")
    return fill_phrase(sentence, pawn=pawn(s))


def moving(b: Board, s: State) -> Text:
    """Say how far the pawn has to move."""
    if s.flipped == 1:
        sentence = Text("An ace, which you keep. Move the {pawn} 1 tile")
    else:
        sentence = Text("Move the {pawn} {n} tiles")
    around = Text("{said} ({whipped} over a black hole).")
    straight = Text("{said}.", "a pawn to move")
    lengths = [str(n) for n in (s.flipped - 1, s.flipped + 1) if n > 1]  # no single step crosses a hole
    whipped = join_texts(map(plain, lengths), Text("{first} or {next}", "numbers"))
    sentence = fill_phrase(sentence, pawn=pawn(s), n=s.flipped)
    sentence = fill_phrase(around if b.whip and any(b.holes) else straight, said=sentence, whipped=whipped)
    if ends(b, s) & s.coins[0]:
        return sentence
    return sentence + Text("Only empty tiles can be reached.")


def decides(b: Board, s: State) -> Text:
    """Name the rule that limits the choices."""
    if s.step == PLIGHT and b.rescue_any:
        return DECIDES_RESCUE
    return DECIDES_ENTRY if s.step == ENTER and b.choose_entry else DECIDES[s.step]


def ending(b: Board, s: State) -> Text:
    """Say how the game ended, and why."""
    if coins_left(s) == 0:
        return Text("Cleared: all 24 coins have been found.")
    lost = Text("Every pawn is retired. Not cleared: {n} of 24 coins left.")
    return lost.fill(n=coins_left(s))


def score_text(score: int) -> Text:
    """Say a score in a few words."""
    return Plural("{n} coin left", "{n} coins left").fill(n=-score) if score else Text("cleared")


def phase(b: Board, s: State) -> str:
    """Return the anchor of the rulebook's section about this moment."""
    if s.turn == OVER:
        return "end"
    if s.step in (THROW, PICK):
        return "first-pawn" if s.at < 0 else "rescue"
    return {
        ORDER: "setup",
        LAY: "setup",
        FREE: "free-moves",
        COIN: "flip",
        MOVE: "move",
        PLIGHT: "rescue",
    }.get(s.step, "retire")
