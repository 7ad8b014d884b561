"""Backends that play an experiment's games: processes of this machine, or a cluster of Dask or Ray."""

from __future__ import annotations

import logging
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from numbers import Integral
from socket import create_connection
from threading import Thread
from time import sleep
from typing import Any, TypeVar

from smallchange.core.errors import BadExperiment, format_warning
from smallchange.extras import require

BACKENDS = {  # name: the extra, and what of it is needed
    "loky": ("lab", "joblib"),
    "dask": ("dask", "distributed"),
    "ray": ("ray", "ray"),
}
AHEAD = 4  # jobs for each worker that wait at a cluster
CLUSTER_TIMEOUT_S = 5  # seconds for a cluster to answer; Dask takes 30 to see that none is there, Ray minutes

A = TypeVar("A")
B = TypeVar("B")


def distribute(
    work: Callable[[A], B], jobs: Iterable[A], backend: str = "loky", workers: int | None = None
) -> Iterator[B]:
    """work(job) for every job, as they are done, in any order.

    `backend`: "loky", processes here; "dask" or "ray", a cluster of that kind made here for the purpose, or
    one that runs: "dask@tcp://HOST:8786", "ray@ray://HOST:10001". `workers`: how many processes, by default
    one a core, or all of a running cluster. BadExperiment for another backend, ModuleNotFoundError names the
    command that installs it.
    """
    name, address = parse_backend(backend)
    require(*BACKENDS[name])
    by = {"loky": _by_loky, "dask": _by_dask, "ray": _by_ray}[name]
    yield from by(work, jobs, address, check_workers(workers))


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
    if name not in BACKENDS or (name == "loky" and address):
        raise BadExperiment(f"unknown backend {backend!r}: loky, dask, ray, dask@ADDRESS or ray@ADDRESS")
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


def _end_with_parent(parent: int) -> None:
    """End this worker as soon as the process that made it is gone, even if that was killed.

    Warnings of the worker take one line, as they do there.
    """
    warnings.formatwarning = format_warning

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _by_loky(work: Callable[[A], B], jobs: Iterable[A], _: str, workers: int) -> Iterator[B]:
    """Distribute jobs to processes of this machine."""
    from joblib import Parallel, delayed, parallel_config

    warnings.filterwarnings("ignore", r"\d+ tasks ", module=r"joblib\.parallel")  # Ctrl-C says what it does
    with parallel_config("loky", n_jobs=workers, initializer=_end_with_parent, initargs=(os.getpid(),)):
        with _deaf():
            done = Parallel(return_as="generator_unordered", batch_size=1)(delayed(work)(job) for job in jobs)
        yield from done


def _by_dask(work: Callable[[A], B], jobs: Iterable[A], address: str, workers: int) -> Iterator[B]:
    """Distribute jobs through Dask's own interface: joblib's backend makes clients that outlive the cluster."""
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


def _connect_to_cluster(address: str, connect: Callable[..., Any], **how: Any) -> Any:
    """Return a cluster that runs elsewhere."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        if host and port.isdecimal():
            create_connection((host.strip("[]"), port), CLUSTER_TIMEOUT_S).close()
        return connect(address, **how)
    except (OSError, ValueError) as wrong:
        raise BadExperiment(f"there is no cluster at {address!r}: {wrong}") from wrong


def _by_ray(work: Callable[[A], B], jobs: Iterable[A], address: str, workers: int) -> Iterator[B]:
    """Distribute jobs through Ray's own interface: joblib's backend yields nothing before all is done."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # as it will be; Ray warns otherwise
    import ray as engine

    ray: Any = engine
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        _connect_to_cluster(address, ray.init, **quiet)
    else:
        ray.init("local", num_cpus=workers, include_dashboard=False, **quiet)  # not one that was left behind
    try:
        task = ray.remote(lambda job: work(job))  # it takes a function, and no other callable
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
