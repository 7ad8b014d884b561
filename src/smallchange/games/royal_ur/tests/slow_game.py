"""The Royal Game of Ur once more, slowly: lists of names of squares, and nothing of the rules' own code.

It is what the rulebook says, for the rules to be compared with.
"""

WRITTEN = {
    "bell": {
        "sun": "d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 h1 g1",
        "moon": "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 h3 g3",
    },
    "masters": {
        "sun": "d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 g3 h3 h2 h1 g1",
        "moon": "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 g1 h1 h2 h3 g3",
    },
    "aseb": {
        "sun": "d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2",
        "moon": "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2",
    },
}
PATHS = {path: {seat: way.split() for seat, way in ways.items()} for path, ways in WRITTEN.items()}
WAYS = PATHS["bell"]
UR_ROSETTES = {"a1", "a3", "d2", "g1", "g3"}
ROSETTES = {"bell": UR_ROSETTES, "masters": UR_ROSETTES, "aseb": {"a1", "a3", "d2", "h2", "l2"}}
ODDS = {"four": {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}, "three": {1: 3, 2: 3, 3: 1, 4: 1}}  # of 16, of 8: squares
OTHER = {"sun": "moon", "moon": "sun"}


class SlowGame:
    """A game with its coins by name of square; `stage` is "throw", "move" or "over"."""

    def __init__(
        self,
        coins: int = 7,
        safe: bool = True,
        path: str = "bell",
        dice: str = "four",
        capture_again: bool = False,
    ) -> None:
        self.safe, self.capture_again = safe, capture_again
        self.ways, self.rosettes, self.odds = PATHS[path], ROSETTES[path], ODDS[dice]
        self.waiting = {"sun": coins, "moon": coins}
        self.home = {"sun": 0, "moon": 0}
        self.on = dict[str, str]()  # by square: whose coin lies there
        self.side, self.stage, self.heads, self.throws = "sun", "throw", -1, 0

    def target(self, token: str) -> str:
        """Return where the coin that `token` names would land: a square, "home", or "" where it cannot move."""
        way = ["enter", *self.ways[self.side], "home"]
        there = self.waiting[self.side] > 0 if token == "enter" else self.on.get(token) == self.side
        if not there or not self.heads or way.index(token) + self.heads >= len(way):
            return ""
        square = way[way.index(token) + self.heads]
        if self.on.get(square) == self.side or (square in self.rosettes and self.safe and square in self.on):
            return ""
        return square

    def moves(self) -> list[str]:
        """Return the tokens of the moves that are possible."""
        return [token for token in ["enter", *self.ways[self.side]] if self.target(token)]

    def throw(self, heads: int) -> None:
        self.heads, self.stage = heads, "move"
        self.throws += 1
        if not self.moves():
            self.next_throw(OTHER[self.side])

    def move(self, token: str) -> None:
        square = self.target(token)
        captures = square in self.on
        if token == "enter":
            self.waiting[self.side] -= 1
        else:
            del self.on[token]
        if square == "home":
            self.home[self.side] += 1
        else:
            if captures:
                self.waiting[self.on[square]] += 1
            self.on[square] = self.side
        if square == "home" and not self.waiting[self.side] and self.side not in self.on.values():
            self.stage = "over"
        else:
            again = square in self.rosettes or (captures and self.capture_again)
            self.next_throw(self.side if again else OTHER[self.side])

    def next_throw(self, side: str) -> None:
        self.side, self.stage = side, "throw" if self.throws < 1000 else "over"
