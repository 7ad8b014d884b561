"""A database connection that dies where a test says."""

from __future__ import annotations

import threading

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError


class Deaths:
    """The writer's connection, which dies at the statement or commit that `countdown` is counted down to.

    `number` counts its deaths.
    """

    def __init__(self, engine: Engine) -> None:
        self.countdown, self.number = 0, 0
        event.listen(engine, "before_cursor_execute", lambda *of: self._count(of[2]))
        event.listen(engine, "commit", lambda _: self._count("COMMIT"))

    def _count(self, statement: str) -> None:
        if self.countdown and threading.current_thread().name == "writer":
            self.countdown -= 1
            if self.countdown == 0:
                self.number += 1
                raise OperationalError(statement, None, Exception("the connection died"))
