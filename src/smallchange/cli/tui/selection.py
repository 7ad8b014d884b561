"""The touches on the way to a move: the moves that fit the touches so far, and the next touches."""

from __future__ import annotations

from collections.abc import Mapping

from smallchange.core.game import Position
from smallchange.render.scene import Scene, Touch


class Selection:
    """The moves of a position with their touches, and the touches so far."""

    def __init__(self, position: Position, legal: list[str]) -> None:
        game = position.game
        self.scene: Scene = game.layout.scene(game.board, position.s)
        self._spot_of = {piece.id: piece.spot for piece in self.scene.pieces}
        self._touches: Mapping[str, Touch] = {
            token: game.layout.touch(game.board, position.s, game.actions[token]) for token in legal
        }
        self.first = ""  # the spot where a path begins
        self.marks: frozenset[str] = frozenset()  # the spots marked, as dice to roll

    def spot(self, id: str) -> str:
        """Return the spot of a piece, or the spot itself."""
        return self._spot_of.get(id, id)

    def _paths(self) -> dict[str, list[str]]:
        return {token: [self.spot(id) for id in touch.path] for token, touch in self._touches.items()}

    def _markings(self) -> dict[str, frozenset[str]]:
        marks = {token: frozenset(map(self.spot, touch.marks)) for token, touch in self._touches.items()}
        return {token: spots for token, spots in marks.items() if spots}

    @property
    def targets(self) -> set[str]:
        """The spots that can be touched next."""
        paths = self._paths().values()
        if self.first:
            return {path[1] for path in paths if len(path) > 1 and path[0] == self.first}
        return {path[0] for path in paths if path} | {
            spot for spots in self._markings().values() for spot in spots
        }

    @property
    def selected_spots(self) -> set[str]:
        """The spots touched so far."""
        return {self.first} - {""} | self.marks

    @property
    def possible_moves(self) -> list[str]:
        """The moves that fit the touches so far; all before the first."""
        if self.marks:
            return [token for token, spots in self._markings().items() if spots == self.marks]
        if self.first:
            return [token for token, path in self._paths().items() if path and path[0] == self.first]
        return list(self._touches)

    def touch(self, spot: str) -> str:
        """Touch a spot; return the token of the move if that completes one, else ""."""
        if any(spot in spots for spots in self._markings().values()):
            self.marks ^= {spot}
            return ""
        complete = [spot] if not self.first else [self.first, spot]
        moves = [token for token, path in self._paths().items() if path == complete]
        if len(moves) == 1:
            return moves[0]
        begins = any(path[:1] == [spot] for path in self._paths().values())
        self.first = spot if begins and spot != self.first else ""
        return ""
