"""One Man: Thrag! in words: what is said at each step, and at the end."""

from functools import cache, lru_cache

from smallchange.draw.words import DIE, PAWN, SUIT, VALUE, VALUES, capital, filled
from smallchange.text import Text, plain, together

from .board import SUITS, Board, State
from .names import a_coin, beast
from .notation import paid_with
from .rules import (
    COIN,
    EXHAUSTED,
    FIGHT,
    FLIPPING,
    HEAL,
    HEALING,
    HOURS,
    KILLED,
    MOONS,
    PAY,
    PAYING,
    REROLLING,
    REST,
    ROLL,
    ROLLING,
    SLAIN,
    WEAPON,
    WORTH,
    beasts,
    flippable,
    play,
)

TITLE = Text("One Man: Thrag!", "ワン・マン: スラグ!")
TAGLINE = Text(
    "Fifteen beasts to slay before breakfast. Coins make you strong, and they run out.",
    "朝食までに15体の獣を倒します。コインは力になりますが、数に限りがあります。",
)
MINUTES = 25
OPTIONS = {
    "weapons": Text("Special weapons", "特別な武器"),
    "null_coins": Text("Worth of a null attack coin", "ヌルの攻撃コインの値"),
    "exhausted": Text(
        "What happens when all attack coins are used while beasts live", "獣が残り、攻撃コインが尽きたとき"
    ),
    "show_used": Text("Show which attack coins are used", "使った攻撃コインを表示する"),
}
CHOICES = {
    "SCA": Text("suns, crowns and arms", "太陽・王冠・紋章"),
    "SC": Text("suns and crowns", "太陽・王冠"),
    "SA": Text("suns and arms", "太陽・紋章"),
    "CA": Text("crowns and arms", "王冠・紋章"),
    "S": Text("suns only", "太陽のみ"),
    "C": Text("crowns only", "王冠のみ"),
    "A": Text("arms only", "紋章のみ"),
    "none": Text("none", "なし"),
    "loss": Text("the game is lost", "負け"),
    "fight_on": Text("Thrag fights on", "戦い続ける"),
}
MARKING = Text("Coins to pay with", "支払うコイン"), Text("Pay with marked coins", "選んだコインで支払う")
PLAYERS = {"player": Text("You", "あなた")}


def step(b: Board, s: State, a: int) -> Text:
    """What action `a` does in state `s`, said of it before or after."""
    if a < ROLL:
        return filled(Text("The {beast} appears", "{beast}が現れる"), beast=beast(a // 6, a % 6))
    if a < COIN:
        return thrown(s, (a - ROLL) % 6)
    if a < HEAL:
        said = Text("The {suit} coin shows {value}, so {fought}", "{suit}のコインは{value}、{fought}")
        suit, value = SUIT[SUITS[s.flip]], VALUE[VALUES[a - COIN]]
        return filled(said, suit=suit, value=value, fought=fought(b, s, a, s.suit))
    if a < FIGHT:
        return healed(s, a - HEAL)
    if a < WEAPON:
        return attack(b, s, a)
    if a < REST:
        black, x = divmod(a - WEAPON, 3)
        said = Text("Thrag spends the {pawn} to reroll the {die}", "{pawn}を使い、{die}を振り直す")
        return filled(said, pawn=PAWN[SUITS[x]], die=DIE["M" if black else SUITS[x]])
    if a == REST:
        return Text("Thrag rests", "スラグは休む")
    paid = Text("Thrag pays for {damage} damage with {coins}", "{damage}ダメージを{coins}で支払う")
    return filled(paid, damage=s.damage, coins=coins(a))


@cache
def coins(a: int) -> Text:
    """The names of the coins of a payment.

    >>> coins(PAY + 0b1001).en
    'the ace and the 4'
    >>> coins(PAY + 0b1001).ja
    'エースと4のコイン'
    """
    row = [VALUE[VALUES[i]] for i in paid_with(a)]
    en = together(plain(f"the {value.en}") for value in row).en
    return Text(en, "と".join(value.ja for value in row) + "のコイン")


def thrown(s: State, value: int) -> Text:
    die, shown = DIE[SUITS[s.suit]], VALUE[VALUES[value]]
    if s.suit == MOONS:
        said = Text("The {die} shows {value}: Thrag’s strength is {n}", "{die}は{value}、スラグの強さは{n}")
        return filled(said, die=die, value=shown, n=value)
    said = Text("The {die} shows {value}: the {beast} has strength {n}", "{die}は{value}、{beast}の強さは{n}")
    return filled(said, die=die, value=shown, beast=beast(s.suit, s.beast[s.suit]), n=s.beast[s.suit] + value)


def healed(s: State, value: int) -> Text:
    if s.hits >> value & 1:
        said = Text(
            "The healing tile is the {value}: Thrag has that coin already",
            "回復タイルは{value}、そのコインはもう手元にある",
        )
    else:
        said = Text(
            "The healing tile is the {value}: Thrag gets that coin back",
            "回復タイルは{value}、そのコインが手元に戻る",
        )
    return filled(said, value=VALUE[VALUES[value]])


def attack(b: Board, s: State, a: int) -> Text:
    """A fight: its outcome where no coin is flipped, else who stands against whom."""
    x, coin = divmod(a - FIGHT, 4)
    foe = beast(x, s.beast[x])
    if coin == 0:
        said = Text(
            "Thrag fights the {beast} without a coin, {fought}", "コインなしで{beast}と戦う。{fought}"
        )
        return filled(said, beast=foe, fought=fought(b, s, a, x))
    said = Text(
        "Thrag fights the {beast} with {coin}: {n} and the coin against {foe}",
        "{coin}で{beast}と戦う。{n}とコインの値で{foe}に挑む",
    )
    return filled(said, beast=foe, coin=a_coin(coin - 1), n=s.die[MOONS], foe=s.beast[x] + s.die[x])


def fought(b: Board, s: State, a: int, x: int) -> Text:
    """How the fight against the beast of suit `x` ends that action `a` decides."""
    then = after(b, s, a)
    foe = s.beast[x] + s.die[x]
    worth = 0 if a >= FIGHT else a - COIN if a > COIN else b.null_coins
    return fate(s.die[MOONS] + worth, foe, then.reason == KILLED, (s.hits & ~then.hits) >> 1)


def after(b: Board, s: State, a: int) -> State:
    """The state that an action leads to."""
    then = s.copy()
    play(b, then, a)
    return then


@lru_cache(maxsize=4096)
def fate(n: int, foe: int, killed: bool, paid: int) -> Text:
    """How a fight of `n` against the strength `foe` ends, at the cost of this mask of coins."""
    said = Text("{n} against {foe}: {lost} damage", "{n}対{foe}で{lost}ダメージ")
    if n >= foe:
        said = Text("{n} against {foe}: slain", "{n}対{foe}で倒す")
    elif killed:
        said = Text("{n} against {foe}: Thrag dies", "{n}対{foe}でスラグは力尽きる")
    elif paid:
        said = Text(
            "{n} against {foe}: {lost} damage, paid with {coins}",
            "{n}対{foe}で{lost}ダメージ、{coins}で支払う",
        )
    return said.fill(n=n, foe=foe, lost=foe - n, coins=coins(PAY + paid))


def asks(b: Board, s: State) -> Text:
    """What has to be done now, or what is about to be drawn."""
    suit, die = SUIT[SUITS[s.suit]], DIE[SUITS[s.suit]]
    if s.phase == PAYING:
        said = Text(
            "Thrag takes {damage} damage. Which coins does he pay with?",
            "スラグは{damage}ダメージを受けます。どのコインで支払いますか。",
        )
        return filled(said, damage=s.damage)
    if s.phase == HEALING:
        return Text("A healing tile is about to be drawn.", "これから回復タイルを引きます。")
    if s.phase == FLIPPING:
        need = s.beast[s.suit] + s.die[s.suit] - s.die[MOONS]
        said = Text(
            "{coin} is about to be flipped. It takes {n} or more to slay the {beast}.",
            "これから{coin}をめくります。{beast}を倒すには{n}以上が必要です。",
        )
        coin, foe = capital(a_coin(s.flip)), beast(s.suit, s.beast[s.suit])
        return filled(said, coin=coin, n=max(0, need), beast=foe)
    if s.phase == ROLLING:
        return filled(Text("The {die} is about to be rolled.", "これから{die}を振ります。"), die=die)
    if s.phase == REROLLING:
        said = Text("The {die} is about to be rerolled.", "これから{die}を振り直します。")
        return filled(said, die=die)
    if s.turn == 0:
        return fighting(s)
    said = Text(
        "Hour {n} of 12. A beast of {suit} is about to appear.",
        "12時間のうち{n}時間目です。これから{suit}の獣が現れます。",
    )
    return filled(said, n=s.hour + 1, suit=suit)


def fighting(s: State) -> Text:
    """Whom Thrag may fight, how strong all are, and that a coin comes before the beast."""
    foes = [(x, s.beast[x], s.beast[x] + s.die[x]) for x in range(3) if s.beast[x]]
    coin = any(flippable(s, x, y) for x, _, _ in foes for y in range(3))
    return stands(s.die[MOONS], s.fought, coin, *foes)


@lru_cache(maxsize=4096)
def stands(strength: int, fought: int, coin: bool, *foes: tuple[int, int, int]) -> Text:
    """Thrag against beasts of these suits, values and strengths; `coin`: he has one to use."""
    foe = Text("{beast} has {n}", "{beast}が{n}")
    row = together(foe.fill(beast=beast(x, value), n=n) for x, value, n in foes)
    stand = Text("Thrag has strength {n}; {foes}.", "強さはスラグが{n}、{foes}です。").fill(
        n=strength, foes=row
    )
    if coin and fought:
        return stand + Text(
            "Fight on or rest. To use a coin, choose it first.",
            "続けて戦うか、休みます。コインを使うなら獣より先に選びます。",
        )
    if coin:
        return stand + Text(
            "Fight at least one beast. To use a coin, choose it first.",
            "少なくとも1回は戦います。コインを使うなら獣より先に選びます。",
        )
    if fought:
        return stand + Text("Fight on or rest.", "続けて戦うか、休みます。")
    return stand + Text("Fight at least one beast.", "少なくとも1回は戦います。")


def decides(b: Board, s: State) -> Text:
    """What says which choices there are."""
    if s.phase == PAYING:
        return Text(
            "The coins must be worth at least the damage, and too little without any one of them.",
            "合計がダメージ以上で、どの1枚を除いても足りなくなる組で支払います。",
        )
    return Text(
        "A fight takes at most one coin, of the beast’s suit while that has any.",
        "1回の戦いに使えるコインは1枚までで、獣のスートに残っていればそのスートのものです。",
    )


def ending(b: Board, s: State) -> Text:
    """How the game ended, and what it is worth."""
    if s.reason == SLAIN:
        said = Text(
            "All 15 beasts are slain in hour {n} of 12. "
            "Score {score}: {hours} for the hours left and {pawns} for unused weapons. "
            "Won: Thrag is home for breakfast.",
            "12時間のうち{n}時間目に15体の獣をすべて倒しました。"
            "得点は{score}点: 残り時間が{hours}点、使わなかった武器が{pawns}点です。"
            "勝ち: 朝食に間に合いました。",
        )
        pawns = s.pawns.bit_count()
        hours = HOURS - 1 - s.hour
        return said.fill(n=s.hour + 1, score=hours + pawns, hours=hours, pawns=pawns)
    if s.reason == KILLED:
        why = Text(
            "Thrag dies in hour {n} of 12: {damage} damage, and his coins are worth {worth}.",
            "12時間のうち{n}時間目に力尽きました: {damage}ダメージに対し、コインの合計は{worth}です。",
        ).fill(n=s.hour + 1, damage=s.damage, worth=WORTH[s.hits >> 1])
    elif s.reason == EXHAUSTED:
        why = Text(
            "The last attack coin is used in hour {n} of 12, and Thrag goes home to sleep.",
            "12時間のうち{n}時間目に最後の攻撃コインを使い、スラグは疲れて帰りました。",
        ).fill(n=s.hour + 1)
    else:
        why = Text("Twelve hours are over, and so is breakfast.", "12時間が過ぎ、朝食は終わりました。")
    lost = Text("Lost: {n} of 15 beasts left.", "負け: 15体の獣のうち{n}体が残りました。")
    return why + lost.fill(n=beasts(s))


def phase(b: Board, s: State) -> str:
    """Where the rulebook speaks of this moment: the anchor of a heading."""
    if s.reason:
        return "end"
    return ("draw", "draw", "fight", "fight", "weapons", "damage", "heal")[s.phase]
