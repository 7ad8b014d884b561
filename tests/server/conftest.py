"""A server for each test module, and two people at it; a PostgreSQL for those that ask for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from smallchange.core import commitment
from tests.support.repeatable_deals import RepeatableDeals

from .outside import postgresql
from .serving import TIMEOUT_S, Person, Served, serving


@pytest.fixture(scope="session", autouse=True)
def patient_requests() -> Iterator[None]:
    """Let requests wait for a worker's result, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("smallchange.server.insight.reviews.WAIT_S", TIMEOUT_S)
        patched.setattr("smallchange.server.insight.service.SOLVE_WAIT_S", TIMEOUT_S)
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_cryptography(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let clients load no certificates of authorities, which takes each 20 ms, and a password's hash cost nothing."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("smallchange.server.accounts.credentials._hasher", lambda: hasher)
        patched.delenv("SSL_CERT_FILE", raising=False)
        patched.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("certificates")))
        yield


@pytest.fixture(autouse=True)
def repeatable_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the servers in this process make the same deals at every run."""
    monkeypatch.setattr(commitment, "secrets", RepeatableDeals(lambda: request.node.name))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgresql() as url:
        yield url


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as ann:
        yield ann


@pytest.fixture
def bo(served: Served) -> Iterator[Person]:
    with Person(served) as bo:
        yield bo
