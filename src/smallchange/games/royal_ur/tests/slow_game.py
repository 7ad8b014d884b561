"""The Royal Game of Ur once more, slowly: lists of names of squares, and nothing of the rules' own code.

It is what the rulebook says, for the rules to be compared with.
"""

WAYS = {
    "sun": ["d1", "c1", "b1", "a1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "h1", "g1"],
    "moon": ["d3", "c3", "b3", "a3", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "h3", "g3"],
}
ROSETTES = {"a1", "a3", "d2", "g1", "g3"}
OTHER = {"sun": "moon", "moon": "sun"}


class SlowGame:
    """A game with its coins by name of square; `stage` is "throw", "move" or "over"."""

    def __init__(self, coins: int, safe: bool) -> None:
        self.safe = safe
        self.waiting = {"sun": coins, "moon": coins}
        self.home = {"sun": 0, "moon": 0}
        self.on = dict[str, str]()  # by square: whose coin lies there
        self.side, self.stage, self.heads, self.throws = "sun", "throw", -1, 0

    def target(self, token: str) -> str:
        """Return where the coin that `token` names would land: a square, "home", or "" where it cannot move."""
        way = ["enter", *WAYS[self.side], "home"]
        there = self.waiting[self.side] > 0 if token == "enter" else self.on.get(token) == self.side
        if not there or not self.heads or way.index(token) + self.heads >= len(way):
            return ""
        square = way[way.index(token) + self.heads]
        if self.on.get(square) == self.side or (square == "d2" and self.safe and square in self.on):
            return ""
        return square

    def moves(self) -> list[str]:
        """Return the tokens of the moves that are possible."""
        return [token for token in ["enter", *WAYS[self.side]] if self.target(token)]

    def throw(self, heads: int) -> None:
        self.heads, self.stage = heads, "move"
        self.throws += 1
        if not self.moves():
            self.next_throw(OTHER[self.side])

    def move(self, token: str) -> None:
        square = self.target(token)
        if token == "enter":
            self.waiting[self.side] -= 1
        else:
            del self.on[token]
        if square == "home":
            self.home[self.side] += 1
        else:
            if square in self.on:
                self.waiting[self.on[square]] += 1
            self.on[square] = self.side
        if square == "home" and not self.waiting[self.side] and self.side not in self.on.values():
            self.stage = "over"
        else:
            self.next_throw(self.side if square in ROSETTES else OTHER[self.side])

    def next_throw(self, side: str) -> None:
        self.side, self.stage = side, "throw" if self.throws < 1000 else "over"
