"""The container and compose files pass their linter and name settings that there are."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from pathlib import Path

from msgspec.structs import fields

from smallchange.server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FOLDERS = {"SMALLCHANGE_DATA", "SMALLCHANGE_CACHE"}  # they are read before the settings


def test_the_container_file_passes_its_linter() -> None:
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    checked = subprocess.run([hadolint, DEPLOY / "Containerfile"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_files_of_a_deployment_name_settings_that_there_are() -> None:
    settings = {f"SMALLCHANGE_{field.name.upper()}" for field in fields(Settings)}
    for name in ("Containerfile", "compose.yaml"):
        named = set(re.findall(r"SMALLCHANGE_\w+", (DEPLOY / name).read_text(encoding="utf-8")))
        assert named, name
        assert named <= settings | FOLDERS, name


def test_a_container_is_built_of_files_that_there_are() -> None:
    copied = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"]
    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name
