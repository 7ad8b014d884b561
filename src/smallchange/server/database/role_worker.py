"""Roles that are played by any process: each sweep is one transaction, which locks the role.

So several processes may play a role at once, and one that is killed leaves nothing undone or half done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from sqlalchemy import Connection

from smallchange.server.database import deadlines
from smallchange.server.table.table_service import TableService
from smallchange.server.web.background_tasks import sweep_forever

T = TypeVar("T")
SWEEP_PERIOD_S = 1.0


class RoleWorker(ABC, Generic[T]):
    """A role that is played again and again. `holder` names this process."""

    role: str

    def __init__(self, tables: TableService, holder: str) -> None:
        self._tables = tables
        self._holder = holder

    @abstractmethod
    def is_due(self, connection: Connection) -> bool:
        """Return whether there is anything to do."""

    @abstractmethod
    def work(self, connection: Connection, now: int) -> list[T]:
        """Do what is to be done, in one transaction, and return what was done."""

    @abstractmethod
    async def announce(self, done: list[T]) -> None:
        """Tell people what was done, once it is committed."""

    async def run(self) -> None:
        """Sweep until it is cancelled."""
        await sweep_forever(self.sweep, SWEEP_PERIOD_S)

    async def sweep(self) -> int:
        """Do what is to be done now, and return how many things that were."""
        store, now = self._tables.store, self._tables.now()
        if not await store.read(self.is_due):
            return 0

        def job(connection: Connection) -> list[T]:
            deadlines.lock_role(connection, self.role, self._holder, now)
            return self.work(connection, now)

        done = await store.write(self.role, job)
        await self.announce(done)
        return len(done)
