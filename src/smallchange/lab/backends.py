"""Backends that play an experiment's games: processes of this machine, or a cluster of Dask."""

from __future__ import annotations

import logging
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from numbers import Integral
from socket import create_connection
from threading import Thread
from time import sleep
from traceback import format_exc
from typing import Any, TypeVar

from smallchange.core.errors import BadExperiment, format_warning
from smallchange.extras import require

__all__ = ["check_workers", "cores", "distribute", "parse_backend"]

AHEAD = 4  # jobs for each worker that wait
CLUSTER_TIMEOUT_S = 5  # seconds for a cluster to answer; Dask takes 30 to see that none is there

A = TypeVar("A")
B = TypeVar("B")


def distribute(
    work: Callable[[A], B], jobs: Iterable[A], backend: str = "processes", workers: int | None = None
) -> Iterator[B]:
    """work(job) for every job, as they are done, in any order.

    `backend`: "processes" here; "dask", a cluster made here for the purpose, or "dask@tcp://HOST:8786", one that
    runs. `workers`: how many processes (for one, this one), by default one a core, or all of a running cluster.
    BadExperiment for another backend, ModuleNotFoundError names the command that installs it.
    """
    name, address = parse_backend(backend)
    if name == "dask":
        require("dask", "distributed")
        yield from _by_dask(work, jobs, address, check_workers(workers))
    elif check_workers(workers) == 1:
        yield from map(work, jobs)
    else:
        yield from _by_processes(work, jobs, check_workers(workers))


def check_workers(workers: object) -> int:
    """Return a number of workers, one a core for None. ValueError if it is no whole number from 1 on."""
    if workers is None:
        return cores()
    if not isinstance(workers, Integral) or workers < 1:
        raise ValueError(
            f"workers must be a whole number from 1 on, or None for one a core; not {workers!r:.80}"
        )
    return int(workers)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parse_backend(backend: str) -> tuple[str, str]:
    """Return a backend's name, and its address, "" for one made here. BadExperiment for an unknown one."""
    name, _, address = backend.partition("@")
    if name not in ("processes", "dask") or (name == "processes" and address):
        raise BadExperiment(f"unknown backend {backend!r}: processes, dask or dask@ADDRESS")
    return name, address


@contextmanager
def _deaf() -> Iterator[None]:
    """Shield processes made meanwhile from Ctrl-C, so that they do not print tracebacks.

    This process handles Ctrl-C afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    resource_tracker.ensure_running()  # else a worker starts it, where some Pythons unblock the signal
    former_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former_mask)


def _serve(work: Callable[[A], B], line: Connection[Any, Any], parent: int) -> None:
    """Do the jobs that come by a line in this worker, until that is cut or who made it is gone, even if killed.

    Warnings of the worker take one line, as they do there.
    """
    warnings.formatwarning = format_warning

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            job = line.recv()
            try:
                line.send((work(job), None))
            except Exception as wrong:
                wrong.add_note(format_exc())
                line.send((None, wrong))


def _by_processes(work: Callable[[A], B], jobs: Iterable[A], workers: int) -> Iterator[B]:
    """Distribute jobs to processes of this machine, which end at once where the caller does not go on.

    An executor would not do: interrupted while it holds one of its locks, it waits for its own thread for ever.
    Raise BrokenProcessPool where a worker was killed.
    """
    context, waiting = get_context("spawn"), iter(jobs)
    made: list[SpawnProcess] = []
    busy: list[Connection[Any, Any]] = []
    try:
        for job in islice(waiting, workers):
            mine, theirs = context.Pipe()
            busy.append(mine)
            worker = context.Process(target=_serve, args=(work, theirs, os.getpid()), daemon=True)
            with _deaf():
                made.append(worker)
                worker.start()
            theirs.close()
            mine.send(job)
        while busy:
            ready = wait(busy)
            for line in [one for one in busy if one in ready]:
                following = [*islice(waiting, 1)]
                try:
                    done, wrong = line.recv()
                    for job in following:
                        line.send(job)
                except (EOFError, OSError):
                    raise BrokenProcessPool("a worker was killed") from None
                if wrong is not None:
                    raise wrong
                if not following:
                    busy.remove(line)
                yield done
    finally:
        for worker in made:
            if worker.pid is not None:
                worker.kill()
                worker.join()


def _by_dask(work: Callable[[A], B], jobs: Iterable[A], address: str, workers: int) -> Iterator[B]:
    """Distribute jobs to a cluster of Dask."""
    import distributed

    dask: Any = distributed
    with ExitStack() as stack:
        if address:
            client = stack.enter_context(_connect_to_cluster(address, dask.Client))
        else:
            no_page: dict[str, Any] = {
                "dashboard_address": "127.0.0.1:0",
                "scheduler_kwargs": {"dashboard": False},
            }
            cluster = dask.LocalCluster(
                workers, threads_per_worker=1, host="127.0.0.1", silence_logs=logging.CRITICAL, **no_page
            )
            client = stack.enter_context(dask.Client(stack.enter_context(cluster)))
        most = AHEAD * max(1, sum(client.nthreads().values()))
        waiting = dask.as_completed()
        for job in jobs:
            waiting.add(client.submit(work, job, pure=False))
            if waiting.count() >= most:
                yield next(waiting).result()
        for done in waiting:
            yield done.result()


def _connect_to_cluster(address: str, connect: Callable[[str], Any]) -> Any:
    """Return a cluster that runs elsewhere."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        if host and port.isdecimal():
            create_connection((host.strip("[]"), port), CLUSTER_TIMEOUT_S).close()
        return connect(address)
    except (OSError, ValueError) as wrong:
        raise BadExperiment(f"there is no cluster at {address!r}: {wrong}") from wrong
