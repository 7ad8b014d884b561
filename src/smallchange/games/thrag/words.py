"""One Man: Thrag! in words: the text of each step, and of the end."""

from functools import cache, lru_cache

from smallchange.i18n.text import Text, capital, join_texts, together
from smallchange.render.piece_names import DIE, PAWN, SUIT, VALUE, VALUES, fill_phrase

from .model import SUITS, Board, State
from .names import a_coin, beast
from .notation import payment_values
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

TITLE = Text("One Man: Thrag!")
TAGLINE = Text("Fifteen beasts to slay before breakfast. Coins make you strong, and they run out.")
DESIGNER = Text("By Jim Doherty, 2002.")
MINUTES = 25
OPTIONS = {
    "weapons": Text("Special weapons"),
    "null_coins": Text("Worth of a null attack coin"),
    "exhausted": Text("What happens when all attack coins are used while beasts live"),
    "show_used": Text("Keep used attack coins and healing tiles face up on the table"),
    "by_memory": Text("By memory: no log until the end"),
}
CHOICES = {
    "SCA": Text("suns, crowns and arms"),
    "SC": Text("suns and crowns"),
    "SA": Text("suns and arms"),
    "CA": Text("crowns and arms"),
    "S": Text("suns only"),
    "C": Text("crowns only"),
    "A": Text("arms only"),
    "none": Text("none"),
    "loss": Text("the game is lost"),
    "fight_on": Text("Thrag fights on"),
}
MARKING = Text("Coins to pay with"), Text("Pay with marked coins")
PLAYERS = {"player": Text("You")}


def step(b: Board, s: State, a: int) -> Text:
    """Describe action `a` in state `s`, before or after it is taken."""
    if a < ROLL:
        return fill_phrase(Text("The {beast} appears"), beast=beast(a // 6, a % 6))
    if a < COIN:
        return describe_throw(s, (a - ROLL) % 6)
    if a < HEAL:
        said = Text("The {suit} coin shows {value}, so {fought}")
        suit, value = SUIT[SUITS[s.flip]], VALUE[VALUES[a - COIN]]
        return fill_phrase(said, suit=suit, value=value, fought=describe_fight(b, s, a, s.suit))
    if a < FIGHT:
        return describe_healing(s, a - HEAL)
    if a < WEAPON:
        return describe_attack(b, s, a)
    if a < REST:
        black, x = divmod(a - WEAPON, 3)
        said = Text("Thrag spends the {pawn} to reroll the {die}")
        return fill_phrase(said, pawn=PAWN[SUITS[x]], die=DIE["M" if black else SUITS[x]])
    if a == REST:
        return Text("Thrag rests")
    paid = Text("Thrag pays for {damage} damage with {coins}")
    return fill_phrase(paid, damage=s.damage, coins=coins(a))


@cache
def coins(a: int) -> Text:
    """Return the names of the coins of a payment.

    >>> coins(PAY + 0b1001).en
    'the ace and the 4'
    >>> coins(PAY + 0b1001)["ja"]
    'エースと4のコイン'
    """
    row = [VALUE[VALUES[i]] for i in payment_values(a)]
    each = Text("the {value}", "a coin of a payment")
    between = Text("{first}, {next}", "coins of a payment")
    last = Text("{first} and {next}", "coins of a payment")
    paid = join_texts((each.fill(value=value) for value in row), between, last)
    return Text("{coins}", "a payment").fill(coins=paid)


def describe_throw(s: State, value: int) -> Text:
    die, shown = DIE[SUITS[s.suit]], VALUE[VALUES[value]]
    if s.suit == MOONS:
        said = Text("The {die} shows {value}: Thrag’s strength is {n}")
        return fill_phrase(said, die=die, value=shown, n=value)
    said = Text("The {die} shows {value}: the {beast} has strength {n}")
    return fill_phrase(
        said, die=die, value=shown, beast=beast(s.suit, s.beast[s.suit]), n=s.beast[s.suit] + value
    )


def describe_healing(s: State, value: int) -> Text:
    if s.hits >> value & 1:
        said = Text("The healing tile is the {value}: Thrag has that coin already")
    else:
        said = Text("The healing tile is the {value}: Thrag gets that coin back")
    return fill_phrase(said, value=VALUE[VALUES[value]])


def describe_attack(b: Board, s: State, a: int) -> Text:
    """Describe a fight: its outcome if no coin is flipped, else the two opponents."""
    x, coin = divmod(a - FIGHT, 4)
    foe = beast(x, s.beast[x])
    if coin == 0:
        said = Text("Thrag fights the {beast} without a coin, {fought}")
        return fill_phrase(said, beast=foe, fought=describe_fight(b, s, a, x))
    said = Text("Thrag fights the {beast} with {coin}: {n} and the coin against {foe}")
    return fill_phrase(said, beast=foe, coin=a_coin(coin - 1), n=s.die[MOONS], foe=s.beast[x] + s.die[x])


def describe_fight(b: Board, s: State, a: int, x: int) -> Text:
    """Say how the fight against the beast of suit `x` ends by action `a`."""
    then = after(b, s, a)
    foe = s.beast[x] + s.die[x]
    worth = 0 if a >= FIGHT else a - COIN if a > COIN else b.null_coins
    return describe_outcome(s.die[MOONS] + worth, foe, then.reason == KILLED, (s.hits & ~then.hits) >> 1)


def after(b: Board, s: State, a: int) -> State:
    """Return the state that an action leads to."""
    then = s.copy()
    play(b, then, a)
    return then


@lru_cache(maxsize=4096)
def describe_outcome(n: int, foe: int, killed: bool, paid: int) -> Text:
    """Say how a fight of `n` against the strength `foe` ends, at the cost of this mask of coins."""
    said = Text("{n} against {foe}: {lost} damage")
    if n >= foe:
        said = Text("{n} against {foe}: slain")
    elif killed:
        said = Text("{n} against {foe}: Thrag dies")
    elif paid:
        said = Text("{n} against {foe}: {lost} damage, paid with {coins}")
    return said.fill(n=n, foe=foe, lost=foe - n, coins=coins(PAY + paid))


def asks(b: Board, s: State) -> Text:
    """Ask the player for an action, or announce the coming draw."""
    suit, die = SUIT[SUITS[s.suit]], DIE[SUITS[s.suit]]
    if s.phase == PAYING:
        said = Text("Thrag takes {damage} damage. Which coins does he pay with?")
        return fill_phrase(said, damage=s.damage)
    if s.phase == HEALING:
        return Text("A healing tile is about to be drawn.")
    if s.phase == FLIPPING:
        need = s.beast[s.suit] + s.die[s.suit] - s.die[MOONS]
        said = Text("{coin} is about to be flipped. It takes {n} or more to slay the {beast}.")
        coin, foe = capital(a_coin(s.flip)), beast(s.suit, s.beast[s.suit])
        return fill_phrase(said, coin=coin, n=max(0, need), beast=foe)
    if s.phase == ROLLING:
        return fill_phrase(Text("The {die} is about to be rolled."), die=die)
    if s.phase == REROLLING:
        said = Text("The {die} is about to be rerolled.")
        return fill_phrase(said, die=die)
    if s.turn == 0:
        return fighting(s)
    said = Text("Hour {n} of 12. A beast of {suit} is about to appear.")
    return fill_phrase(said, n=s.hour + 1, suit=suit)


def fighting(s: State) -> Text:
    """Name the beasts that Thrag may fight, with their strength; a coin comes before the beast."""
    foes = [(x, s.beast[x], s.beast[x] + s.die[x]) for x in range(3) if s.beast[x]]
    coin = any(flippable(s, x, y) for x, _, _ in foes for y in range(3))
    return stands(s.die[MOONS], s.fought, coin, *foes)


@lru_cache(maxsize=4096)
def stands(strength: int, fought: int, coin: bool, *foes: tuple[int, int, int]) -> Text:
    """Thrag against beasts of these suits, values and strengths; `coin`: he has one to use."""
    foe = Text("{beast} has {n}")
    row = together(foe.fill(beast=beast(x, value), n=n) for x, value, n in foes)
    stand = Text("Thrag has strength {n}; {foes}.").fill(n=strength, foes=row)
    if coin and fought:
        return stand + Text("Fight on or rest. To use a coin, choose it first.")
    if coin:
        return stand + Text("Fight at least one beast. To use a coin, choose it first.")
    if fought:
        return stand + Text("Fight on or rest.")
    return stand + Text("Fight at least one beast.")


def decides(b: Board, s: State) -> Text:
    """Name the rule that limits the choices."""
    if s.phase == PAYING:
        return Text("Pay at least the damage, and no coin that is not needed for it.")
    rule = Text("A fight takes at most one coin, of the beast’s suit while that has any.")
    fatal = any(
        tile + die > s.die[MOONS] + WORTH[s.hits >> 1]
        for tile, die in zip(s.beast, s.die, strict=False)
        if tile
    )
    return rule + Text("A dagger (†) marks a fight that kills Thrag unless a coin helps.") if fatal else rule


def ending(b: Board, s: State) -> Text:
    """Say how the game ended, with its score."""
    if s.reason == SLAIN:
        said = Text(
            "All 15 beasts are slain in hour {n} of 12. "
            "Score {score}: {hours} for the hours left and {pawns} for unused weapons. "
            "Won: Thrag is home for breakfast."
        )
        pawns = s.pawns.bit_count()
        hours = HOURS - 1 - s.hour
        return said.fill(n=s.hour + 1, score=hours + pawns, hours=hours, pawns=pawns)
    if s.reason == KILLED:
        why = Text("Thrag dies in hour {n} of 12: {damage} damage, and his coins are worth {worth}.").fill(
            n=s.hour + 1, damage=s.damage, worth=WORTH[s.hits >> 1]
        )
    elif s.reason == EXHAUSTED:
        why = Text("The last attack coin is used in hour {n} of 12, and Thrag goes home to sleep.").fill(
            n=s.hour + 1
        )
    else:
        why = Text("Twelve hours are over, and so is breakfast.")
    lost = Text("Lost: {n} of 15 beasts left.")
    return why + lost.fill(n=beasts(s))


def score_text(score: int) -> Text:
    """Say a score in a few words."""
    return Text("{n} of 15 beasts left").fill(n=-score) if score < 0 else Text("a score of {n}").fill(n=score)


def phase(b: Board, s: State) -> str:
    """Return the anchor of the rulebook's section about this moment."""
    if s.reason:
        return "end"
    return ("draw", "draw", "fight", "fight", "weapons", "damage", "heal")[s.phase]
