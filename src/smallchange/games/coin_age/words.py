"""Coin Age in words: what is said at each step, and at the end."""

from functools import cache, lru_cache

from smallchange.state import CHANCE, OVER
from smallchange.text import Text, plain

from .board import MAPS, SEATS, Board, State
from .notation import space
from .rules import (
    BANK,
    CAPTURE,
    END,
    FULL,
    MAP,
    MOVE,
    PAY,
    PLACE,
    PLACES,
    QUIET,
    TOSS,
    bank_value,
    capturable,
    movable,
    next_toss,
    payable,
    placeable,
    play,
    points,
    score,
)

TITLE = Text("Coin Age", "コインエイジ")
TAGLINE = Text(
    "Toss your coins, then fight over a small map with them: a small coin covers a larger one.",
    "コインを投げ、小さな地図を取り合います。小さいコインが大きいコインを覆います。",
)
MINUTES = 10
OPTIONS = {
    "map": Text("Map", "地図"),
    "quiet_limit": Text(
        "The game ends after this many turns in a row without a coin placed",
        "コインを置かない手番がこの数続くと終了",
    ),
}
CHOICES = {
    "forest": Text("forest", "森"),
    "frozen": Text("frozen", "氷原"),
    "lagoon": Text("lagoon", "礁湖"),
    "volcano": Text("volcano", "火山"),
    "random": Text("one of the four at random", "4つからランダムに1つ"),
}
PLAYERS = {"heads": Text("Heads", "表"), "tails": Text("Tails", "裏")}
SIDES = (Text("heads", "表"), Text("tails", "裏"))
COINS = (
    Text("dime (1)", "ダイム(1)"),
    Text("penny (2)", "ペニー(2)"),
    Text("nickel (3)", "ニッケル(3)"),
    Text("quarter (4)", "クォーター(4)"),
)
WHO = [PLAYERS[seat] for seat in SEATS]
ENDS = [Text("{who} ends the turn", "{who}が手番を終了").fill(who=who) for who in WHO]
LOT = [Text("The map is {map}", "地図は{map}").fill(map=CHOICES[name]) for name in MAPS]
PLACE_COINS = [Text("place up to {n} coins", "コイン{n}枚までの配置").fill(n=n) for n in range(4)]
PLACE_COINS[1] = Text("place a coin", "コイン1枚の配置")
PAY_COIN = Text("pay a coin to place one more", "1枚支払って配置を1枚追加")
CAPTURE_COIN = Text("capture a top coin", "一番上のコイン1枚の捕獲")
MOVE_COINS = Text("move the coins of a space", "1つのスペースのコインの移動")
IDLE = Text("Nothing can be done, so the turn ends", "何もできないので手番が終わる")
DECIDES = (
    Text(
        "With no match you may capture a top coin, and move the coins of a space to an empty one beside it.",
        "一致がなければ、一番上のコインの捕獲と、隣の空きスペースへのコインの移動ができます。",
    ),
    Text(
        "A matching coin goes on an empty space or over a higher rank, a move to an empty space beside it.",
        "一致したコインは空きスペースかランクの高いコインの上に置け、移動先は隣の空きスペースです。",
    ),
    Text(
        "A matching coin goes on an empty space or over a higher rank.",
        "一致したコインは、空きスペースか、ランクの高いコインの上に置けます。",
    ),
)


def stack(s: State, i: int) -> list[tuple[int, int]]:
    """The coins on a space as (rank, side), the top one first."""
    return [(rank, side) for rank in range(4) for side in (0, 1) if s.coins[4 * side + rank] >> i & 1]


def step(b: Board, s: State, a: int) -> Text:
    """What action `a` does in state `s`."""
    if a == END:
        return ENDS[s.mover]
    if a < TOSS:
        return LOT[a - MAP]
    if a < PAY:
        return tossed(s.mover, (a - TOSS) // 2, (a - TOSS) % 2, idle(b, s, a))
    if a < CAPTURE:
        return paid(s.mover, a - PAY)
    if a < PLACE:
        at = a - CAPTURE
        return captured(s.mover, space(b, at), *stack(s, at)[0])
    first, at = divmod(a - (PLACE if a < MOVE else MOVE), 16)
    if a < MOVE:
        return placed(s.mover, first, space(b, at), *stack(s, at)[:1])
    return moved(s.mover, space(b, first), space(b, at))


def idle(b: Board, s: State, a: int) -> bool:
    """Can nothing be done after a toss (CA-6)?"""
    after = s.copy()
    play(b, after, a)
    return after.turn == OVER or after.mover != s.mover


@cache
def tossed(seat: int, rank: int, side: int, idle: bool) -> Text:
    said = Text("{who} tosses the {coin}: {side}{so}", "{who}が{coin}を投げ、{side}が出る{so}")
    so = Text(". {idle}", "。{idle}").fill(idle=IDLE) if idle else plain("")
    return said.fill(who=WHO[seat], coin=COINS[rank], side=SIDES[side], so=so)


@cache
def paid(seat: int, rank: int) -> Text:
    said = Text("{who} pays the {coin} to {other}", "{who}が{other}に{coin}を支払う")
    return said.fill(who=WHO[seat], other=SIDES[1 - seat], coin=COINS[rank])


@lru_cache(maxsize=4096)
def captured(seat: int, at: str, rank: int, side: int) -> Text:
    said = Text("{who} captures the {coin} on {at}, {side} up", "{who}が{at}の{coin}を捕獲({side}が上)")
    return said.fill(who=WHO[seat], at=at, coin=COINS[rank], side=SIDES[side])


@lru_cache(maxsize=4096)
def moved(seat: int, start: str, at: str) -> Text:
    said = Text("{who} moves the coins on {start} to {at}", "{who}が{start}のコインを{at}へ移動")
    return said.fill(who=WHO[seat], start=start, at=at)


@lru_cache(maxsize=4096)
def placed(seat: int, coin: int, at: str, below: tuple[int, int] | None = None) -> Text:
    """A coin of this rank is put on a space, over the top coin `below` as (rank, side)."""
    if below is None:
        said = Text("{who} places the {coin} on {at}", "{who}が{coin}を{at}に配置")
        return said.fill(who=WHO[seat], coin=COINS[coin], at=at)
    rank, side = below
    said = Text(
        "{who} places the {coin} on {at}, over the {lower} that shows {side}",
        "{who}が{coin}を{at}に配置、{side}が上の{lower}に重ねる",
    )
    return said.fill(who=WHO[seat], coin=COINS[coin], at=at, lower=COINS[rank], side=SIDES[side])


def asks(b: Board, s: State) -> Text:
    """What the player to move has to do, or what chance is about to decide."""
    if s.map == -1:
        return Text(
            "One of the four maps is about to be drawn at random.", "4つの地図から1つをランダムに選びます。"
        )
    if s.turn == CHANCE:
        return to_toss(s.mover, next_toss(s))
    return to_play(s.mover, s.matches, s.tossed.bit_count(), *open_deeds(b, s))


@cache
def to_toss(seat: int, rank: int) -> Text:
    return Text("{who} to toss the {coin}.", "{who}が{coin}を投げます。").fill(
        who=WHO[seat], coin=COINS[rank]
    )


@lru_cache(maxsize=4096)
def to_play(seat: int, matches: int, tosses: int, *deeds: Text) -> Text:
    """So many coins match, and these are the deeds open."""
    matched = Text("{who} to play. Matching coins: {n} of {all}.", "{who}の番です({all}枚中{n}枚一致)。")
    may = Text("{deeds}, or end the turn.", "できること: {deeds}、手番の終了。")
    row = Text(", ".join(deed.en for deed in deeds).capitalize(), "、".join(deed.ja for deed in deeds))
    return matched.fill(who=WHO[seat], n=matches, all=tosses) + may.fill(deeds=row)


def open_deeds(b: Board, s: State) -> list[Text]:
    """What the mover may still do this turn besides ending it."""
    deeds = []
    if any(placeable(b, s, rank) for rank in range(4)):
        left = min(PLACES[s.matches] + s.paid - s.placed, s.match.bit_count())
        deeds.append(PLACE_COINS[left])
    if payable(s):
        deeds.append(PAY_COIN)
    if capturable(s):
        deeds.append(CAPTURE_COIN)
    if movable(b, s):
        deeds.append(MOVE_COINS)
    return deeds


def decides(b: Board, s: State) -> Text:
    """What says which actions are possible."""
    return DECIDES[min(s.matches, 2)]


def ending(b: Board, s: State) -> Text:
    """How the game ended, who won, and why."""
    why = {
        FULL: Text("The map is full.", "地図が埋まりました。"),
        BANK: Text("{who} has placed the last coin of the bank.", "{who}が銀行の最後のコインを置きました。"),
        QUIET: Text("{n} turns in a row without a coin placed.", "コインを置かない手番が{n}回続きました。"),
    }[s.reason].fill(who=WHO[s.mover], n=b.quiet_limit)
    counted = Text("Points: heads {heads}, tails {tails}.", "得点は表が{heads}点、裏が{tails}点です。").fill(
        heads=points(b, s, 0), tails=points(b, s, 1)
    )
    return why + counted + verdict(b, s)


def verdict(b: Board, s: State) -> Text:
    """Who won, and by what where the points are equal."""
    lead = score(b, s, 0)
    if lead == 0:
        return Text(
            "The banks are worth the same too: a draw.",
            "銀行のコインのランクの合計も同じなので、引き分けです。",
        )
    who = PLAYERS[SEATS[0 if lead > 0 else 1]]
    if points(b, s, 0) == points(b, s, 1):
        banks = sorted((bank_value(s, 0), bank_value(s, 1)))
        tie = Text(
            "{who} wins: the coins in the bank are worth more, {more} to {less}.",
            "銀行のコインのランクの合計が{more}対{less}で多い{who}の勝ちです。",
        )
        return tie.fill(who=who, more=banks[1], less=banks[0])
    return Text("{who} wins.", "{who}の勝ちです。").fill(who=who)


def phase(b: Board, s: State) -> str:
    """Where the rulebook speaks of this moment: the anchor of a heading."""
    if s.map == -1:
        return "setup"
    return {CHANCE: "toss", OVER: "end"}.get(s.turn, "turn")
