"""Dodg'em in words: what is said at each step, and at the end."""

from functools import cache

from smallchange.draw.words import place
from smallchange.text import Text

from .board import SEATS, Board, State
from .rules import HOME, OFF, PASS, QUIET, WINS, movable

TITLE = Text("Dodg’em", "ドッジェム")
TAGLINE = Text(
    "Slip past each other. First to get every coin off the far side wins. No luck at all.",
    "すれ違って進み、先にすべてのコインを向こう側から出した方が勝ち。運の要素はありません。",
)
MINUTES = 15
OPTIONS = {
    "size": Text("Squares on a side", "盤の一辺のマス数"),
    "start": Text("Starting position", "初期配置"),
    "blocked": Text("What a player without a legal move does", "動かせる手がないとき"),
    "quiet_limit": Text(
        "A draw after this many plies without a forward move", "前進のない手がこの数続くと引き分け"
    ),
}
CHOICES = {
    "facing": Text("facing (piecepack)", "向かい合わせ(ピースパック)"),
    "crosswise": Text("crosswise (classic)", "直交(クラシック)"),
    "pass": Text("passes", "パスする"),
    "wins": Text("wins", "勝つ"),
    "loses": Text("loses", "負ける"),
}
PLAYERS = {"red": Text("Red", "赤"), "green": Text("Green", "緑")}
BLOCKED_PASSES = Text("{who} has no move and passes", "{who}は動けずパス")
LEAVES = Text("{who} leaves the board from {start}", "{who}が{start}から盤の外へ")
MOVES = Text("{who} moves from {start} to {end}", "{who}が{start}から{end}へ")
BLOCKED_SAID = Text("{who} is blocked and passes.", "{who}は動けないのでパスです。")
HAVE_TO_PASS = [BLOCKED_SAID.fill(who=PLAYERS[seat]) for seat in SEATS]
NEXT = Text("{who} to move. Move a coin forward or sideways.", "{who}の番です。コインを前か横に動かします。")
WAYS = Text("One square forward or sideways, if it is empty.", "前か横へ1マス、空いているマスに動けます。")
TO_MOVE = [NEXT.fill(who=PLAYERS[seat]) for seat in SEATS]


def step(b: Board, s: State, a: int) -> Text:
    """What action `a` does in state `s`, said of it before or after."""
    start, way = a // 5, a % 5
    if a == PASS:
        return moves(PASS, s.turn, b.width, 0, 0)
    return moves(way, s.turn, b.width, start, start if way == OFF else start + b.step[way])


@cache
def moves(way: int, seat: int, width: int, start: int, end: int) -> Text:
    """A move of this seat on a board of this width; `way` may be OFF or PASS."""
    said = BLOCKED_PASSES if way == PASS else LEAVES if way == OFF else MOVES
    squares = {name: place(i // width, i % width) for name, i in (("start", start), ("end", end))}
    return said.fill(who=PLAYERS[SEATS[seat]], **squares)


def asks(b: Board, s: State) -> Text:
    """What the player to move has to do."""
    return (TO_MOVE if movable(b, s, s.turn) else HAVE_TO_PASS)[s.turn]


def decides(b: Board, s: State) -> Text:
    """What says which moves are possible."""
    return WAYS


def ending(b: Board, s: State) -> Text:
    """How the game ended, and why."""
    if s.reason == QUIET:
        drawn = Text("A draw: {n} plies without a forward move.", "引き分け: 前進のない手が{n}手続きました。")
        return drawn.fill(n=b.quiet_limit)
    who = PLAYERS[SEATS[s.winner]]
    if s.reason == HOME:
        return Text(
            "{who} wins: every coin is off the board.", "{who}の勝ち: すべてのコインが盤を出ました。"
        ).fill(who=who)
    loser = PLAYERS[SEATS[1 - s.winner]]
    if b.blocked == WINS:
        return Text("{who} is blocked, and so wins.", "{who}は動けないので勝ちです。").fill(who=who)
    return Text("{loser} is blocked, so {who} wins.", "{loser}は動けないので{who}の勝ちです。").fill(
        loser=loser, who=who
    )


def phase(b: Board, s: State) -> str:
    """Where the rulebook speaks of this moment: the anchor of a heading."""
    return "end" if s.reason else "turn"
