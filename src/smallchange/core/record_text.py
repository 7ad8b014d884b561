"""The text form of a record: written from a match, and read into a draft that is not believed yet.

    [Game "a-game"]
    [Rules 1]
    [Option map "lagoon"]
    [Seat heads "Ann"]
    [Deal "000102030405060708090a0b0c0d0e0f"]

    (1=H 2=T 3=H 4=T)
    1. heads: 1@a1 3@b1 (1=T 2=T 3=H 4=T)
    2. tails: end  # a comment runs to the end of its line
    = unfinished
    digest 9c5b..

Values in tags are JSON. A game of a simulation has `[Seed 7]` and `[Number 12]` in place of the deal.
`[RulesDigest ".."]` has the SHA-256 of the rules of a foreign game; `[Practice "ID"]`
says that this is practice of another match, whose luck may have been known. A turn is all steps of one player
until chance answers or another plays; chance stands in brackets, in its place; players are named where there are
two.
The line `=` has the result, or says `unfinished`, or
`{"ended": "resigned", "by": "heads"}` (or `timeout`, `abandoned`, `abandoned-draw` by a player), or
`{"ended": "agreed"}` (or `aborted`); where it is missing, the record was cut off.
The digest is the SHA-256 of every byte before its line.
"""

from __future__ import annotations

import hashlib
import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from .errors import BadRecord
from .json_text import read_json
from .match import Match

UNFINISHED = "unfinished"
WIDTH = 100  # of a line
TAG = re.compile(
    r"\[(Game|Rules|RulesDigest|Practice|Deal|Seed|Number|Seal|Secret|(?:Option|Seat|Words) [\w-]+) (.*)\]"
)


class RecordedStep(NamedTuple):
    """A step as a record says it; None where it says nothing of that."""

    place: str
    take: object
    actor: object = None
    chance: bool | None = None
    legal: object = None


class Draft(NamedTuple):
    """The content of a record before it is checked. Its steps are read as they are replayed, up to the first fault."""

    game: object
    rules: object
    options: object
    seats: object
    steps: Iterable[RecordedStep]
    result: object
    deal: object = None
    seal: object = None
    secret: object = None
    words: object = None
    practice: object = None
    rules_digest: object = None
    seed: object = None
    number: object = None


def to_text(match: Match, version: int | None = None) -> str:
    """Return the match as text, digest included; under its game's version of the rules, or as before under another."""
    tags = [("Game", match.game.id), ("Rules", version or match.game.version)]
    if match.game.foreign_digest:
        tags += [("RulesDigest", match.game.foreign_digest)]
    tags += [(f"Option {name}", value) for name, value in match.game.non_default_options.items()]
    tags += [(f"Seat {player}", name) for player, name in match.seats.items() if name]
    tags += [("Practice", match.practice)] if match.practice else []
    if match.envelope:
        tags += [("Seal", match.envelope.seal)]
        tags += [(f"Words {player}", words) for player, words in match.envelope.words]
        tags += [("Secret", match.envelope.secret.hex())] if match.envelope.secret else []
    if match.deal is not None:
        tags += [("Deal", match.deal.hex())]
    if match.simulated:
        tags += [("Seed", match.simulated.seed), ("Number", match.simulated.number)]
    ending = json.dumps(match.result) if match.over else UNFINISHED
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags]
    body = "\n".join([*head, "", *_turns(match), f"= {ending}", ""])
    return f"{body}digest {text_digest(body)}\n"


def text_digest(body: str) -> str:
    """SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(body.encode()).hexdigest()


def _turns(match: Match) -> Iterator[str]:
    """One paragraph a turn: a player's tokens, then the outcomes of chance."""
    number = 0
    line = ""
    for actor, steps in groupby(match, key=lambda step: step.actor):
        tokens = " ".join(step.token for step in steps)
        if actor == "chance":
            yield from _wrap(f"{line} ({tokens})".strip())
            line = ""
            continue
        if line:
            yield from _wrap(line)
        number += 1
        name = f"{actor}: " if len(match.game.seats) > 1 else ""
        line = f"{number}. {name}{tokens}"
    if line:
        yield from _wrap(line)


def _wrap(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(line, WIDTH, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)


def parse_text(text: str) -> Draft:
    """Read a record's text; BadRecord names the line where it stops making sense."""
    if not isinstance(text, str):
        raise BadRecord(f"a record is text, not {text!r:.80}")
    tags, words, ending = _split(text)
    if "Game" not in tags:
        raise BadRecord('the record does not begin with a tag like [Game "its-id"]')
    steps = _steps(words)
    if ending is None:
        raise BadRecord(
            f"the record is cut off after step {sum(1 for _ in steps)}: it has no line '= {UNFINISHED}' or '= result'"
        )
    return Draft(
        game=tags["Game"],
        rules=tags.get("Rules"),
        options=_family(tags, "Option"),
        seats=_family(tags, "Seat"),
        steps=steps,
        result=None if ending == UNFINISHED else parse_json(ending),
        deal=tags.get("Deal"),
        seal=tags.get("Seal"),
        secret=tags.get("Secret"),
        words=_family(tags, "Words"),
        practice=tags.get("Practice"),
        rules_digest=tags.get("RulesDigest"),
        seed=tags.get("Seed"),
        number=tags.get("Number"),
    )


def _split(text: str) -> tuple[dict[str, Any], list[tuple[str, int]], str | None]:
    """Return the tags, the words of the body with their line numbers, and the text after the "=", or None."""
    tags: dict[str, Any] = {}
    words: list[tuple[str, int]] = []
    ending: str | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            continue
        if line.startswith("["):
            name, value = _tag(line, number)
            if name in tags or words:
                raise BadRecord(f"line {number}: the tag {name:.80} stands twice, or after the first step")
            tags[name] = value
            continue
        line = (re.sub(r"(^|\s)#.*", "", line) if "#" in line else line).strip()
        if ending is not None:
            if line and not line.startswith("digest "):
                raise BadRecord(
                    f"line {number}: nothing but the digest may follow the result, not {line!r:.80}"
                )
        elif line.startswith("="):
            ending = line[1:].strip()
        else:
            words += [(word, number) for word in line.split()]
    return tags, words, ending


def parse_json(text: str) -> Any:
    """JSON text as plain data; BadRecord where it is none, or says something twice."""
    try:
        return read_json(text, object_pairs_hook=_unique_names)
    except BadRecord:
        raise
    except ValueError as wrong:  # a number too long is a ValueError of its own
        raise BadRecord(f"expected JSON, not {text[:40]!r}: {wrong}") from None


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise BadRecord(f"{name!r:.80} stands twice in an object of JSON")
        fields[name] = value
    return fields


def _tag(line: str, number: int) -> tuple[str, Any]:
    found = TAG.fullmatch(line.rstrip())
    if not found:
        raise BadRecord(
            f'line {number}: expected a tag like [Game "its-id"] or [Option name 4], not {line!r:.80}'
        )
    return found[1], parse_json(found[2])


def _family(tags: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name.split()[1]: value for name, value in tags.items() if name.startswith(f"{kind} ")}


def _steps(words: list[tuple[str, int]]) -> Iterator[RecordedStep]:
    """Yield the tokens of the body in order; turn numbers and brackets are checked and left out."""
    turn = step = 0
    is_turn = re.compile(r"\d+\.").fullmatch
    actor = None
    inside = 0  # the line where the bracket around chance opens
    for word, number in words:
        place = f"line {number}"
        if is_turn(word):
            turn += 1
            actor = None
            if word != f"{turn}." or inside:
                raise BadRecord(f"{place}: expected turn {turn}., not {word:.80}")
            continue
        if word.endswith(":"):
            actor = word[:-1]
            continue
        opens, closes = word.startswith("("), word.endswith(")")
        if (opens and inside) or (closes and not (opens or inside)):
            raise BadRecord(f"{place}: the brackets around chance do not match at {word!r:.80}")
        inside = inside or (number if opens else 0)
        step += 1
        token = word.removeprefix("(").removesuffix(")")
        yield RecordedStep(f"{place}, step {step}", token, None if inside else actor, bool(inside))
        inside = 0 if closes else inside
    if inside:
        raise BadRecord(f"line {inside}: the bracket around chance does not close before the record ends")
