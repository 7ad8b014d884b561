"""The option of pytest that chooses the games of the contract suite."""

import os

import pytest

VARIABLE = "SMALLCHANGE_CONTRACT"  # ids of games, separated by commas


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--game`."""
    parser.addoption("--game", action="append", metavar="NAME", help="test this game by smallchange.contract")


def pytest_configure(config: pytest.Config) -> None:
    """Hand the chosen games to the suite, which reads them when it is imported."""
    if chosen := config.getoption("--game"):
        os.environ[VARIABLE] = ",".join(chosen)
