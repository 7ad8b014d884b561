"""The help of commands where `python -OO` drops docstrings: read from the source instead."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import click


def restore_help(command: click.Command) -> click.Command:
    """Return a command with the help that its docstrings have, and with that of its subcommands."""
    function = getattr(command, "run", None) or command.callback
    if command.help is None and function is not None:
        command.help = source_docstring(function)
    for subcommand in getattr(command, "commands", {}).values():
        restore_help(subcommand)
    return command


def source_docstring(function: Callable[..., Any]) -> str | None:
    """Return a function's docstring as its source has it; None without a docstring or a source."""
    try:
        source = dedent(inspect.getsource(inspect.unwrap(function)))
    except OSError:
        return None
    definition = ast.parse(source).body[0]
    return ast.get_docstring(definition) if isinstance(definition, ast.FunctionDef) else None
