"""The rules of Coin Collectors.

Actions, for suits X (0 suns, 1 moons, 2 crowns, 3 arms), tiles 6 * suit + value and masks of dice:

    COLLECT + 25 X + square  pawn X takes a coin    TILE + 24 square + tile  tile laid
    ROLL + dice              none: keep them all    COIN + 6 square + value  coin laid
    GIVE_UP + X              pawn X is removed      DIE + 6 X + value        die rolled
"""

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import GONE, Board, State

VERSION = 1
COLLECT, ROLL, GIVE_UP = 0, 100, 116
DIE, TILE, COIN = 120, 144, 744
ACTIONS = COIN + 150
MOST = 24  # tiles to be drawn
LAYING, COINING, ROLLING, COLLECTING, CHOOSING, LOSING = 0, 1, 2, 3, 4, 5
HOLE = 12


def setup(b: Board, s: State) -> None:
    for tile in range(24):
        s.spot[tile] = -1
    for i in range(4):
        s.dice[i] = -1
        s.pawns[i] = HOLE
    s.phase = LAYING
    s.turn = CHANCE


def uncollected_squares(s: State) -> int:
    """Return the squares that still have a coin."""
    return s.coins[0] | s.coins[1] | s.coins[2] | s.coins[3] | s.coins[4] | s.coins[5]


def beside(b: Board, s: State, i: int, live: int) -> int:
    """Which of the coins `live` lie one step from pawn `i`, whatever the dice show."""
    if s.pawns[i] == HOLE and count(s.left) >= b.leavers:  # CC-7
        return 0
    return b.near[s.pawns[i]] & live  # CC-1


def tiles_shown_by_dice(s: State) -> int:
    """Return the squares whose tile is shown by the die of its suit."""
    squares = bit(s.spot[s.dice[0]])
    for i in range(1, 4):
        squares |= bit(s.spot[6 * i + s.dice[i]])
    return squares


def takes(b: Board, s: State, i: int, live: int, tiles: int) -> int:
    """Which of the coins `live` pawn `i` can collect, given the tiles shown."""
    return beside(b, s, i, live) & (tiles | s.coins[s.dice[i]])  # CC-4


def opens(s: State, i: int, face: int, mine: int, reach: int) -> int:
    """Which coins die `i` opens with this face, where its pawn reaches those in `mine`, some pawn `reach`."""
    return (reach & bit(s.spot[6 * i + face])) | (mine & s.coins[face])  # CC-4


def collectable(b: Board, s: State) -> int:
    """Return the squares where some pawn can collect with the dice as they lie."""
    live = uncollected_squares(s)
    tiles = tiles_shown_by_dice(s)
    squares = 0
    for i in range(4):
        squares |= takes(b, s, i, live, tiles)
    return squares


def remaining(s: State) -> int:
    """Return the number of pawns that are left in the game."""
    n = 0
    for i in range(4):
        if s.pawns[i] != GONE:
            n += 1
    return n


def legal(b: Board, s: State, out: list[int]) -> int:
    n = 0
    if s.phase == COLLECTING:
        live = uncollected_squares(s)
        tiles = tiles_shown_by_dice(s)
        for i in range(4):
            squares = takes(b, s, i, live, tiles)
            while squares != 0:
                square = lowest(squares)
                squares ^= bit(square)
                out[n] = COLLECT + 25 * i + square
                n += 1
    elif s.phase == CHOOSING:
        for dice in range(16):  # CC-5
            out[dice] = ROLL + dice
        n = 16
    else:
        n = losable(s, out, n)
    return n


def losable(s: State, out: list[int], n: int) -> int:
    """Write from out[n] on which pawns may be given up; where the next action is written."""
    for i in range(4):
        if s.pawns[i] != GONE:
            out[n] = GIVE_UP + i
            n += 1
    return n


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    n = 0
    if s.phase == LAYING:
        for tile in range(24):
            if s.spot[tile] == -1:
                out[n] = TILE + 24 * s.at + tile
                weights[n] = 1
                n += 1
    elif s.phase == COINING:
        for value in range(6):
            left = 4 - count(s.coins[value])
            if left != 0:
                out[n] = COIN + 6 * s.at + value
                weights[n] = left
                n += 1
    else:
        die = lowest(s.hand)
        for value in range(6):
            out[value] = DIE + 6 * die + value
            weights[value] = 1
        n = 6
    return n


def source(b: Board, s: State) -> int:
    if s.phase == LAYING:
        return 0
    if s.phase == COINING:
        return 1
    return 2 + lowest(s.hand)


def play(b: Board, s: State, a: int) -> None:
    if a >= COIN:
        s.coins[(a - COIN) % 6] |= bit(s.at)
        advance(s)
    elif a >= TILE:
        s.spot[(a - TILE) % 24] = s.at
        advance(s)
    elif a >= DIE:
        die = (a - DIE) // 6
        s.dice[die] = (a - DIE) % 6
        s.hand ^= bit(die)
        if s.hand == 0 and s.rolls_left > 0:
            s.rolls_left -= 1
            choose_dice(s)  # CC-10
        elif s.hand == 0:
            begin_collecting(b, s)
    elif a >= GIVE_UP:
        s.pawns[a - GIVE_UP] = GONE  # CC-8: it stays in s.left
        roll(s, 15)
    elif a > ROLL:
        roll(s, a - ROLL)
    elif a == ROLL:
        s.rolls_left = 0
        begin_collecting(b, s)
    else:
        collect(b, s, a // 25, a % 25)


def advance(s: State) -> None:
    """On to the next square of the setup; after the last coin, the first roll."""
    square = s.at + 2 if s.at + 1 == HOLE else s.at + 1
    s.at = square % 25
    if square == 25:
        if s.phase == LAYING:
            s.phase = COINING
        else:
            roll(s, 15)


def roll(s: State, dice: int) -> None:
    s.hand = dice
    for i in range(4):
        if dice & bit(i) != 0:
            s.dice[i] = -1
    s.phase = ROLLING
    s.turn = CHANCE


def acceptable(b: Board, s: State) -> bool:
    """Return whether a player whose dice fit no coin gives up a pawn instead of losing."""
    return b.losses == 1 and remaining(s) > 1  # CC-8


def begin_collecting(b: Board, s: State) -> None:
    """Ask for the next action once the dice lie: collect, give up a pawn, or lose."""
    s.turn = 0
    if collectable(b, s) != 0:
        s.phase = COLLECTING
    elif acceptable(b, s):
        s.phase = LOSING
    else:
        s.turn = OVER  # CC-2


def collect(b: Board, s: State, pawn: int, square: int) -> None:
    for value in range(6):
        s.coins[value] &= ~bit(square)
    s.pawns[pawn] = square
    s.left |= bit(pawn)
    if uncollected_squares(s) == 0:
        s.turn = OVER  # CC-3
    elif b.stud == 1:
        roll(s, 15)  # CC-6
    else:
        s.rolls_left = b.rolls - 1  # CC-9, CC-10
        choose_dice(s)


def choose_dice(s: State) -> None:
    """Ask the player which dice to roll."""
    s.phase = CHOOSING
    s.turn = 0


def score(b: Board, s: State, seat: int) -> int:
    """Return the number of coins collected."""
    return 24 - count(uncollected_squares(s))
