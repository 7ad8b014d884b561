"""The container, compose and unit files pass their linter, and name settings, commands and extras that there are."""

from __future__ import annotations

import re
import shlex
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import click
import yaml
from msgspec.structs import fields

from smallchange.cli import main
from smallchange.server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FOLDERS = {"SMALLCHANGE_DATA", "SMALLCHANGE_CACHE"}  # they are read before the settings
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
ENVIRONMENT = (DEPLOY / "systemd" / "small-change.env").read_text(encoding="utf-8")


def test_the_container_file_passes_its_linter() -> None:
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    checked = subprocess.run([hadolint, DEPLOY / "Containerfile"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_files_of_a_deployment_name_settings_that_there_are() -> None:
    settings = {f"SMALLCHANGE_{field.name.upper()}" for field in fields(Settings)}
    for text in (CONTAINER, (DEPLOY / "compose.yaml").read_text(encoding="utf-8"), ENVIRONMENT):
        named = set(re.findall(r"SMALLCHANGE_\w+", text))
        assert named
        assert named <= settings | FOLDERS


def test_a_container_is_built_of_files_that_there_are() -> None:
    copied = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"]
    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name


def test_the_image_has_what_its_settings_offer() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras, named = set[str](), set(re.findall(r"/source\[([\w,]+)\]", CONTAINER)[0].split(","))
    while named:
        extras |= named
        needed = " ".join(one for extra in named for one in offered["optional-dependencies"][extra])
        named = {
            name for group in re.findall(r"smallchange\[([\w,]+)\]", needed) for name in group.split(",")
        }
    assert extras >= {"web", "fast", "notify", "postgresql", "swiss"}
    assert "postgresql-client" in CONTAINER
    assert "static --out /offline" in CONTAINER
    assert "SMALLCHANGE_OFFLINE=/offline" in CONTAINER


def test_units_and_containers_start_commands_that_there_are() -> None:
    lines = [
        line.removeprefix("ExecStart=")
        for unit in UNITS
        for line in unit.read_text(encoding="utf-8").splitlines()
        if line.startswith("ExecStart=")
    ]
    lines += [shlex.join(["smallchange", *COMPOSE["services"]["worker"]["command"]])]
    lines += [shlex.join(COMPOSE["services"]["worker"]["healthcheck"]["test"][1:])]
    lines += COMPOSE["services"]["backup"]["command"]
    assert len(lines) == len(UNITS) + 3
    for line in lines:
        (call,) = re.findall(r"\bsmallchange ([^;']+)", re.sub(r"\$\(.*?\)", "1", line.replace("%i", "8765")))
        command: click.Command = main
        words, context = call.split(), click.Context(main, **main.context_settings)
        while isinstance(command, click.Group):
            inner = command.get_command(context, words[0])
            assert inner is not None, line
            command = inner
            name = words.pop(0)
        command.make_context(name, words, context)


def test_units_and_containers_are_the_same_deployment() -> None:
    units = {line.partition("=")[0] for line in ENVIRONMENT.splitlines() if line[0] != "#"}
    containers = set(COMPOSE["services"]["first"]["environment"])
    mails = {"SMALLCHANGE_MAIL_FROM", "SMALLCHANGE_MAIL_SERVER"}
    assert units - {"SMALLCHANGE_DATA"} == containers - mails
    assert ENVIRONMENT.count("SMALLCHANGE_DRAIN_SECONDS=5\n") == 1
    assert COMPOSE["services"]["second"]["environment"]["SMALLCHANGE_DRAIN_SECONDS"] == 5
