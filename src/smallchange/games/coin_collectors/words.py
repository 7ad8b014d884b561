"""Coin Collectors in words: what is said at each step, and at the end."""

from functools import cache, lru_cache

from smallchange.draw.words import DIE as DICE
from smallchange.draw.words import PAWN, SUIT, SUITS, VALUE, VALUES, capital, filled
from smallchange.draw.words import tile as tile_name
from smallchange.state import OVER
from smallchange.text import Text, listed, plain, together

from .board import Board, State
from .notation import dice, rating, square
from .rules import (
    CHOOSING,
    COIN,
    COINING,
    COLLECTING,
    DIE,
    GIVE_UP,
    LAYING,
    LOSING,
    ROLL,
    ROLLING,
    TILE,
    collectable,
    score,
)

TITLE = Text("Coin Collectors", "コイン・コレクターズ")
TAGLINE = Text(
    "Four pawns, four dice, 24 coins. Take one every turn, and choose well which dice to roll again.",
    "4つのポーンと4つのサイコロで24枚のコインを集めます。毎回1枚取り、どのサイコロを振り直すかを選びます。",
)
MINUTES = 10
OPTIONS = {
    "stud": Text(
        "Four Die Stud: all four dice are rolled every turn", "フォー・ダイ・スタッド: 毎回4つとも振る"
    ),
    "stay_home": Text(
        "Last One Out: pawns that never leave the hole", "ラスト・ワン・アウト: 穴から出ないポーンの数"
    ),
    "acceptable_losses": Text(
        "Acceptable Losses: when stuck, give up a pawn and roll again",
        "アクセプタブル・ロス: 行き詰まったらポーンを1つあきらめて振り直す",
    ),
}
CHOICES: dict[str, Text] = {}
MARKING = Text("Dice to roll", "振るサイコロ"), Text("Roll marked dice", "選んだサイコロを振る")
PLAYERS = {"player": Text("You", "あなた")}
RATINGS = {
    "win": Text("win", "勝ち"),
    "above average": Text("above average", "平均以上"),
    "sad": Text("sad", "残念"),
}
STUCK = Text("No pawn can collect with these dice.", "この目では、どのポーンもコインを取れません。")
DECIDES = {
    COLLECTING: Text(
        "A pawn takes a coin one step away whose tile is shown by the die of the tile’s suit, or whose "
        "number by the pawn’s own die.",
        "隣のコインを取れるのは、タイルのスートのサイコロがタイルの値を示すか、"
        "ポーンと同じスートのサイコロがコインの数字を示すときです。",
    ),
    CHOOSING: Text(
        "Choose the dice to roll again, none or all four; the others keep their faces.",
        "振り直すサイコロを選びます。0個でも4個でもかまいません。ほかの目はそのままです。",
    ),
    LOSING: Text(
        "Any pawn will do, on the board or in the hole.", "盤のポーンでも穴のポーンでもかまいません。"
    ),
}
ANCHORS = {LAYING: "setup", COINING: "setup", ROLLING: "roll", COLLECTING: "collect", CHOOSING: "roll"}


def coin_at(s: State, i: int) -> int:
    """The number of the coin on a square; 0, which is null's too, where there is no coin."""
    return next((n for n, squares in enumerate(s.coins) if squares >> i & 1), 0)


def step(b: Board, s: State, a: int) -> Text:
    """What action `a` does in state `s`."""
    if a >= COIN:
        at, value = divmod(a - COIN, 6)
        laid = Text("Coin {value} on {square}", "{square}に{value}のコイン")
        return filled(laid, square=square(at), value=VALUE[VALUES[value]])
    if a >= TILE:
        at, tile = divmod(a - TILE, 24)
        name = tile_name(SUITS[tile // 6], VALUES[tile % 6])
        return filled(
            Text("Tile {tile} on {square}", "{square}に{tile}のタイル"), tile=name, square=square(at)
        )
    if a >= DIE:
        die, value = divmod(a - DIE, 6)
        rolled = Text("{die} shows {value}", "{die}は{value}")
        return filled(rolled, die=capital(DICE[SUITS[die]]), value=VALUE[VALUES[value]])
    if a >= GIVE_UP:
        gone = Text("{pawn} is given up", "{pawn}をあきらめる")
        return filled(gone, pawn=capital(PAWN[SUITS[a - GIVE_UP]]))
    if a >= ROLL:
        return rolling(a - ROLL)
    pawn, at = divmod(a, 25)
    return collects(pawn, coin_at(s, at), at)


@cache
def collects(pawn: int, number: int, at: int) -> Text:
    taken = Text("{pawn} collects the {value} on {square}", "{pawn}が{square}の{value}を取る")
    return taken.fill(pawn=capital(PAWN[SUITS[pawn]]), value=VALUE[VALUES[number]], square=square(at))


@cache
def rolling(mask: int) -> Text:
    """The choice of dice to roll again.

    >>> rolling(0).en, rolling(0b11).en, rolling(0b1111).en
    ('Keep all the dice', 'Roll suns and moons', 'Roll all four dice')
    """
    if mask == 0:
        return Text("Keep all the dice", "サイコロをすべて残す")
    if mask == 15:
        return Text("Roll all four dice", "サイコロを4つとも振る")
    names = together(SUIT[suit] for suit in dice(mask))
    return Text("Roll {names}", "{names}のサイコロを振る").fill(names=names)


def asks(b: Board, s: State) -> Text:
    """What the player has to do, or what chance is about to decide."""
    if s.phase in (LAYING, COINING):
        drawn = Text("Drawing the tile for {square}.", "{square}に置くタイルを引きます。")
        if s.phase == COINING:
            drawn = Text("Drawing the coin for {square}.", "{square}に置くコインを引きます。")
        return filled(drawn, square=square(s.at))
    if s.phase == ROLLING:
        return about_to_roll(s.hand)
    if s.phase == COLLECTING:
        return Text("Collect a coin with one of your pawns.", "ポーンを1つ動かして、コインを取ってください。")
    if s.phase == CHOOSING:
        return to_choose(collectable(b, s))
    return STUCK + Text("Which pawn do you give up?", "どのポーンをあきらめますか。")


@cache
def about_to_roll(mask: int) -> Text:
    names = together(SUIT[suit] for suit in dice(mask))
    return Text("Rolling: {names}.", "サイコロを振ります: {names}。").fill(names=names)


@lru_cache(maxsize=4096)
def to_choose(squares: int) -> Text:
    """Which coins could be collected next if all dice were kept, and the question."""
    lie = Text("As the dice lie, nothing is open.", "今の目のままで取れるコインはありません。")
    if squares:
        lie = Text("Open as the dice lie: {squares}.", "今の目のままで取れるコイン: {squares}。").fill(
            squares=listed(plain(square(i)) for i in range(25) if squares >> i & 1)
        )
    return lie + Text("Which dice will you roll again?", "どのサイコロを振り直しますか。")


def decides(b: Board, s: State) -> Text:
    """What says which choices there are."""
    return DECIDES[s.phase]


def ending(b: Board, s: State) -> Text:
    """How the game ended, and why."""
    coins = score(b, s, 0)
    if coins == 24:
        return Text("All 24 coins: won.", "24枚すべて集めました。勝ちです。")
    had = Text("{n} of 24 coins: {rating}.", "24枚中{n}枚: {rating}。")
    return STUCK + had.fill(n=coins, rating=RATINGS[rating(coins)])


def phase(b: Board, s: State) -> str:
    """Where the rulebook speaks of this moment: the anchor of a heading."""
    return "end" if s.turn == OVER else ANCHORS.get(s.phase, "losses")
