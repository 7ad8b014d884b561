"""Who does the work: processes of this machine, or a cluster of Dask or Ray."""

from __future__ import annotations

import logging
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from socket import create_connection
from threading import Thread
from time import sleep
from typing import Any, TypeVar

from smallchange.errors import BadExperiment, in_one_line
from smallchange.extras import need

from .simulate import cores

BACKENDS = {  # name: the extra, and what of it is needed
    "loky": ("lab", "joblib"),
    "dask": ("dask", "distributed", "joblib"),
    "ray": ("ray", "ray"),
}
AHEAD = 4  # jobs for each worker that wait at a cluster
PATIENCE = 5  # seconds for a cluster to answer; Dask takes 30 to see that none is there, Ray minutes

A = TypeVar("A")
B = TypeVar("B")


def spread(
    work: Callable[[A], B], jobs: Iterable[A], backend: str = "loky", workers: int | None = None
) -> Iterator[B]:
    """work(job) for every job, as they are done, in any order.

    `backend`: "loky", processes here; "dask" or "ray", a cluster of that kind made here for the purpose, or
    one that runs: "dask@tcp://HOST:8786", "ray@ray://HOST:10001". `workers`: how many processes, by default
    one a core, or all of a running cluster. BadExperiment for another backend, ModuleNotFoundError says what
    to install.
    """
    name, address = named(backend)
    need(*BACKENDS[name])
    count = workers or cores()
    if name == "ray":
        yield from _by_ray(work, jobs, address, count)
        return
    from joblib import Parallel, delayed, parallel_config

    warnings.filterwarnings("ignore", r"\d+ tasks ", module=r"joblib\.parallel")  # Ctrl-C says what it does
    here: dict[str, Any] = {"initializer": _bound, "initargs": (os.getpid(),)} if name == "loky" else {}
    with (
        _dask(address, count) if name == "dask" else _here() as n,
        parallel_config(name, n_jobs=n or count, **here),
    ):
        with _deaf():
            done = Parallel(return_as="generator_unordered", batch_size=1)(delayed(work)(job) for job in jobs)
        yield from done


def named(backend: str) -> tuple[str, str]:
    """A backend's name, and the address where it runs, "" for one made here. BadExperiment for another."""
    name, _, address = backend.partition("@")
    if name not in BACKENDS or (name == "loky" and address):
        raise BadExperiment(f"unknown backend {backend!r}: loky, dask, ray, dask@ADDRESS or ray@ADDRESS")
    return name, address


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes made meanwhile do not hear Ctrl-C, which would have each say where it was; here it is heard
    afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    resource_tracker.ensure_running()  # else a worker starts it, where some Pythons unblock the signal
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _bound(parent: int) -> None:
    """End this worker as soon as the process that made it is gone: killed, that cannot do so itself. What it
    warns of is one line, as there."""
    warnings.formatwarning = in_one_line

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _here() -> Iterator[int]:
    yield 0


@contextmanager
def _dask(address: str, workers: int) -> Iterator[int]:
    """A client of a Dask cluster, which joblib's backend finds; how many threads work there."""
    import distributed

    dask: Any = distributed
    if address:
        with _reached(address, dask.Client) as client:
            yield sum(client.nthreads().values())
        return
    here: dict[str, Any] = {"host": "127.0.0.1", "dashboard_address": None, "silence_logs": logging.ERROR}
    with dask.LocalCluster(workers, threads_per_worker=1, **here) as cluster, dask.Client(cluster):
        yield workers


def _reached(address: str, connect: Callable[..., Any], **how: Any) -> Any:
    """A cluster that runs somewhere."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        if host and port.isdecimal():
            create_connection((host.strip("[]"), port), PATIENCE).close()
        return connect(address, **how)
    except (OSError, ValueError) as wrong:
        raise BadExperiment(f"there is no cluster at {address!r}: {wrong}") from wrong


def _by_ray(work: Callable[[A], B], jobs: Iterable[A], address: str, workers: int) -> Iterator[B]:
    """Through Ray's own interface: its backend of joblib hands out nothing before all is done."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # as it will be; Ray warns otherwise
    import ray as engine

    ray: Any = engine
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        _reached(address, ray.init, **quiet)
    else:
        ray.init("local", num_cpus=workers, include_dashboard=False, **quiet)  # not one that was left behind
    try:
        task = ray.remote(work)
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", workers)))
        waiting: list[Any] = []
        for job in jobs:
            waiting.append(task.remote(job))
            if len(waiting) >= most:
                done, waiting = ray.wait(waiting)
                yield from ray.get(done)
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)
    except ray.exceptions.RayTaskError as wrong:  # what it says is a whole traceback
        raise wrong.cause from wrong
    finally:
        ray.shutdown()
