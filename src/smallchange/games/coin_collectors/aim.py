"""What good play of Coin Collectors aims at: to win; and short of that, coins."""

from .board import Board, State
from .rules import score


def aim(b: Board, s: State, seat: int) -> int:
    """What a state is worth, from 0 to 1000; more than half is a win."""
    coins = score(b, s, seat)
    return 1000 if coins == 24 else 20 * coins
