"""Solo in words: what is said at each step, and at the end."""

from smallchange.draw.words import DIE as DIES
from smallchange.draw.words import PAWN as PAWNS
from smallchange.draw.words import SUIT, SUITS, VALUE, VALUES, capital, filled, tile
from smallchange.state import CHANCE, OVER
from smallchange.text import Text

from .board import Board, State
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
    drawn_pawns,
    ends,
    kind,
    left,
    play,
    where,
)

TITLE = Text("Solo", "ソロ")
TAGLINE = Text(
    "The coin you flip says how far you go. Clear the board before your last pawn is retired.",
    "めくったコインの数字だけ進みます。最後のポーンが引退する前に、盤のコインをなくしましょう。",
)
MINUTES = 15
OPTIONS = {
    "board": Text("Board", "盤"),
    "topology": Text("How the edges are joined", "盤の端のつながり方"),
    "free_moves": Text("Free moves at the start", "最初の自由移動の回数"),
    "outside": Text("Moves over places without a tile", "タイルのない場所"),
    "hole": Text("Moves over black holes", "ブラックホール"),
    "whip": Text("Gravity whip", "重力の鞭"),
}
CHOICES = {
    "rectangle": Text("rectangle", "長方形"),
    "galaxy": Text("galaxy", "銀河"),
    "plane": Text("a plane: not at all", "平面(つながらない)"),
    "torus": Text("a torus: left to right, top to bottom", "トーラス(左右と上下がつながる)"),
    "sphere": Text("a sphere: left to right, and over the poles", "球面(左右がつながり、極を越える)"),
    "walls": Text("not allowed", "通れない"),
    "virtual": Text("allowed", "通れる"),
    "off": Text("not allowed", "通れない"),
    "fly": Text("allowed", "飛び越えられる"),
}
PLAYERS = {"player": Text("You", "あなた")}

THEN = Text("{said}; {then}", "{said}。{then}")
DECIDES = {
    FREE: Text(
        "A tile that gives a coin keeps at least one.", "コインを動かすタイルには、1枚以上が残ります。"
    ),
    MOVE: Text(
        "The pawn goes exactly that far, with one right-angled turn at most, and to a coin if it can.",
        "ちょうどその数だけ進み、1回だけ直角に曲がれます。コインのあるタイルに行けるなら、必ずそこへ進みます。",
    ),
    PLIGHT: Text(
        "A rescued pawn stays or steps to a tile next to it, which must have a coin, or a die says where.",
        "救出されたポーンは、その場か隣の、コインのあるタイルに立つか、サイコロで行き先を決めます。",
    ),
    PICK: Text("Any of the 20 tiles will do.", "20枚のタイルのどれでも選べます。"),
    ENTER: Text(
        "A pawn enters on the tile of its suit with a coin and the closest number.",
        "ポーンは、自分のスートでコインのあるタイルのうち、数が最も近いものに登場します。",
    ),
}
WHY = {
    NULL: Text("A null.", "ヌルです。"),
    EMPTY: Text("The tile is empty.", "タイルにコインがありません。"),
    STUCK: Text("No tile can be reached.", "行けるタイルがありません。"),
}


def pawn(s: State) -> Text:
    """The name of the pawn in play."""
    return PAWNS[SUITS[s.order[s.pawn]]]


def step(b: Board, s: State, a: int, flips: bool = False) -> Text:
    """What action `a` does in state `s`: all of it, retirements and entering pawns included, unless the next
    one `flips` a coin."""
    said = capital(chance(b, s, a) if s.turn == CHANCE else choice(b, s, a))
    if a < DIE:
        return said  # before the first pawn enters
    after = s.copy()
    play(b, after, a)
    for then in [*retired(b, s, a, after), *([] if flips else entering(b, s, after))]:
        said = filled(THEN, said=said, then=then)
    return said


def chance(b: Board, s: State, a: int) -> Text:
    """What chance has done."""
    if a < LAID:
        drawn = Text("pawn {n} of the order is the {pawn}", "{n}番目は{pawn}")
        return filled(drawn, n=drawn_pawns(s).bit_count() + 1, pawn=PAWNS[SUITS[a]])
    if a < SHIFT:
        at, what = divmod(a - LAID, 20)
        laid = Text("the {tile} is laid on {square}", "{square}に{tile}のタイル")
        return filled(laid, tile=tile(*tile_name(what)), square=square(b, at))
    if a < CHOOSE:
        suit, face = divmod(a - DIE, 6)
        shown = Text("the {die} shows {value}", "{die}の目は{value}")
        return filled(shown, die=DIES[SUITS[suit]], value=VALUE[VALUES[face]])
    flipped = Text("the {suit} coin on {square} shows {value}", "{square}の{suit}のコインは{value}")
    suit_name = SUIT[SUITS[kind(s, s.at)]]
    return filled(flipped, suit=suit_name, square=square(b, s.at), value=VALUE[VALUES[a - FLIP]])


def choice(b: Board, s: State, a: int) -> Text:
    """What the player has chosen."""
    if a < DONE:
        start, end = divmod(a - SHIFT, 20)
        moved = Text("the top coin of {start} moves to {end}", "{start}の一番上のコインを{end}へ")
        return filled(moved, start=square(b, start), end=square(b, end))
    if a == DONE:
        return Text("end the free moves", "自由移動を終える")
    if a < FLIP:
        placed = Text("the {pawn} is put on {square}", "{pawn}を{square}に置く")
        return filled(placed, pawn=pawn(s), square=square(b, a - CHOOSE))
    if a < RETIRE:
        went = Text("the {pawn} moves to {square}", "{pawn}が{square}へ進む")
        return filled(went, pawn=pawn(s), square=square(b, a - TO))
    return rescue(b, s, a)


def rescue(b: Board, s: State, a: int) -> Text:
    if a == RETIRE:
        return Text("no rescue", "救出しない")
    if a == ANYWHERE:
        thrown = Text(
            "an ace rescues the {pawn}: a random die says where it goes",
            "エースで{pawn}を救出し、行き先はサイコロで決める",
        )
        return filled(thrown, pawn=pawn(s))
    stays = Text("an ace rescues the {pawn}: it stays on {square}", "エースで{pawn}を救出し、{square}に残る")
    steps = Text("an ace rescues the {pawn}: it steps to {square}", "エースで{pawn}を救出し、{square}へ移る")
    at = a - RESCUE
    return filled(stays if at == s.at else steps, pawn=pawn(s), square=square(b, at))


def retired(b: Board, s: State, a: int, after: State) -> list[Text]:
    """The pawns that a step retires, and why."""
    nowhere = Text(
        "no {suit} tile has a coin, so the {pawn} is retired", "{suit}のタイルにコインがなく、{pawn}は引退"
    )
    gone = [fate(b, s, a)] if after.pawn > s.pawn else []
    for i in range(s.pawn + 1, after.pawn):  # SO-12
        suit = SUITS[s.order[i]]
        gone.append(filled(nowhere, suit=SUIT[suit], pawn=PAWNS[suit]))
    return gone


def fate(b: Board, s: State, a: int) -> Text:
    """Why a step retires the pawn in play."""
    if a == RETIRE:
        return filled(Text("the {pawn} is retired", "{pawn}は引退"), pawn=pawn(s))
    if a == FLIP:
        return filled(Text("the null retires the {pawn}", "ヌルなので{pawn}は引退"), pawn=pawn(s))
    if FLIP < a < TO:
        stuck = Text("no tile can be reached, so the {pawn} is retired", "行けるタイルがなく、{pawn}は引退")
        return filled(stuck, pawn=pawn(s))
    bare = Text("{square} has no coin, so the {pawn} is retired", "{square}にコインがなく、{pawn}は引退")
    suit, face = divmod(a - DIE, 6)
    at = where(s, 5 * suit + face - 1) if a < CHOOSE else a - CHOOSE if a < FLIP else a - TO
    return filled(bare, square=square(b, at), pawn=pawn(s))


def entering(b: Board, s: State, after: State) -> list[Text]:
    """The pawn that enters by itself."""
    if after.pawn == s.pawn or after.turn != CHANCE:
        return []
    enters = Text("the {pawn} enters on {square}", "{pawn}が{square}に登場")
    return [filled(enters, pawn=pawn(after), square=square(b, after.at))]


def asks(b: Board, s: State) -> Text:
    """What the player has to do, or what chance is about to decide."""
    if s.step == ORDER:
        which = Text("Pawn {n} of the order is about to be drawn.", "{n}番目のポーンを決めます。")
        return filled(which, n=drawn_pawns(s).bit_count() + 1)
    if s.step == LAY:
        laid = Text("The tile for {square} is about to be drawn.", "{square}に置くタイルを引きます。")
        return filled(laid, square=square(b, where(s, -1)))
    if s.step == FREE:
        free = Text(
            "Move the top coin of a stack to an empty tile next to it, or begin. Free moves left: {n}.",
            "重なったコインの一番上を隣の空いたタイルへ動かすか、ゲームを始めます。自由移動はあと{n}回です。",
        )
        return filled(free, n=s.free)
    if s.step == COIN:
        coin = Text(
            "The top coin on {square} ({suit}) is about to be flipped.",
            "{square}の一番上のコイン({suit})をめくります。",
        )
        return filled(coin, square=square(b, s.at), suit=SUIT[SUITS[kind(s, s.at)]])
    return moving(b, s) if s.step == MOVE else placing(s)


def placing(s: State) -> Text:
    """How the pawn comes to a place without walking there."""
    if s.step == THROW:
        said = Text("A random die says where the {pawn} goes.", "{pawn}の行き先をサイコロで決めます。")
    elif s.step == PICK:
        said = Text(
            "The die shows null: choose any tile for the {pawn}.",
            "目はヌルです。{pawn}を置くタイルを自由に選んでください。",
        )
    elif s.step == ENTER:
        said = Text(
            "Two tiles are equally close: choose where the {pawn} enters.",
            "同じ近さのタイルが2枚あります。{pawn}が登場するタイルを選んでください。",
        )
    else:
        said = WHY[s.why] + Text(
            "Spend an ace to rescue the {pawn}, or retire it.",
            "エースを使って{pawn}を救出するか、引退させてください。",
        )
    return filled(said, pawn=pawn(s))


def moving(b: Board, s: State) -> Text:
    """How far the pawn has to move."""
    if s.flipped == 1:
        said = Text("An ace, which you keep. Move the {pawn} 1 tile", "エースを得ました。{pawn}を1マス")
    else:
        said = Text("Move the {pawn} {n} tiles", "{pawn}を{n}マス")
    around = Text(
        "{said} ({whipped} over a black hole).",
        "{said}(ブラックホールを越えるなら{whipped}マス)動かしてください。",
    )
    straight = Text("{said}.", "{said}動かしてください。")
    lengths = [str(n) for n in (s.flipped - 1, s.flipped + 1) if n > 1]  # no single step crosses a hole
    whipped = Text(" or ".join(lengths), "か".join(lengths))
    said = filled(said, pawn=pawn(s), n=s.flipped)
    said = filled(around if b.whip and any(b.holes) else straight, said=said, whipped=whipped)
    if ends(b, s) & s.coins[0]:
        return said
    return said + Text("Only empty tiles can be reached.", "行けるのは空いたタイルだけです。")


def decides(b: Board, s: State) -> Text:
    """What says which choices there are."""
    return DECIDES[s.step]


def ending(b: Board, s: State) -> Text:
    """How the game ended, and why."""
    if left(s) == 0:
        return Text(
            "Cleared: all 24 coins have been found.", "クリアです。24枚のコインをすべて見つけました。"
        )
    lost = Text(
        "Every pawn is retired. Not cleared: {n} of 24 coins left.",
        "すべてのポーンが引退しました。クリアならず: 24枚中{n}枚が残りました。",
    )
    return lost.fill(n=left(s))


def phase(b: Board, s: State) -> str:
    """Where the rulebook speaks of this moment: the anchor of a heading."""
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
