"""Records: a match as text or JSON, read back to an equal match, believed only step by step.

>>> import smallchange
>>> match = smallchange.Match(smallchange.game(smallchange.games()[0]))
>>> match.play(next(iter(match.position)))
>>> read(write(match)) == match
True
>>> from_json(to_json(match)) == match
True
"""

from __future__ import annotations

import json
from typing import Any

from .dice import DEAL_BYTES, Envelope
from .errors import BadOption, BadRecord, IllegalMove, UnknownGame
from .game import Game
from .match import Match
from .notation import Draft, Said, digest, draft, parsed, written
from .text import printable

__all__ = ["dumped", "from_json", "read", "read_any", "to_json", "verify", "write"]

write = written


def read(text: str) -> Match:
    """The match that a record's text tells, checked step by step; BadRecord names what is wrong first."""
    return believed(draft(text))


def to_json(match: Match) -> dict[str, Any]:
    """The match as plain data, which `from_json` reads back to an equal match."""
    envelope = match.envelope
    said: dict[str, Any] = {
        "game": match.game.id,
        "rules": match.game.version,
        "options": match.game.chosen,
        "seats": {player: name for player, name in match.seats.items() if name},
        "seal": envelope.seal if envelope else None,
        "words": dict(envelope.words) if envelope else {},
        "secret": envelope.secret.hex() if envelope and envelope.secret else None,
        "deal": match.deal.hex() if match.deal is not None else None,
        "steps": [step.token for step in match],
        "result": match.result,
    }
    if match.practice:
        said["practice"] = match.practice
    return said | {"digest": digest(json.dumps(said))}


def dumped(match: Match) -> str:
    """The match as JSON text, on one line."""
    return json.dumps(to_json(match), ensure_ascii=False) + "\n"


def from_json(said: object) -> Match:
    """The match of `to_json`, checked. A conformance record, whose steps are objects with "actor", "legal"
    and "take", is read too."""
    if not isinstance(said, dict):
        raise BadRecord(f"a record in JSON is an object, not {type(said).__name__}")
    steps = said.get("steps")
    if not isinstance(steps, list) or "game" not in said:
        raise BadRecord("a record in JSON has at least 'game' and a list of 'steps'")
    told = [_said(f"step {i}", step) for i, step in enumerate(steps, 1)]
    names = ("game", "rules", "options", "seats", "result", "deal", "seal", "secret", "words", "practice")
    return believed(Draft(steps=told, **{name: said.get(name) for name in names}))


def read_any(text: str) -> Match:
    """The match of a record in either form."""
    return from_json(parsed(text)) if in_json(text) else read(text)


def in_json(text: str) -> bool:
    """Is a record's text JSON?"""
    return text.lstrip().startswith("{")


def verify(record: str) -> Match:
    """The finished match of a record whose luck is proven, or BadRecord.

    Every byte is as it was written, in JSON every value; every chance step is what the deal gives, and where
    there is a seal, there is the secret that opens it.
    """
    match = read_any(record)
    if in_json(record):
        if not _alike(parsed(record), parsed(dumped(match))):
            raise BadRecord("the record was altered: it does not say what this match is written as")
    elif record != written(match):
        raise BadRecord("the record was altered: it is not byte for byte what this match is written as")
    if not match.over:
        raise BadRecord("the match is not finished; only a finished one can be verified")
    if match.deal is None and match.game.sources:
        raise BadRecord("the record has no deal, so its luck cannot be verified")
    if match.envelope and not match.envelope.honest:
        raise BadRecord("the record has a seal but not the secret that opens it: its luck cannot be verified")
    return match


def _alike(one: Any, other: Any) -> bool:
    """Are plain data the same, 1 and 1.0 and true being three?"""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def believed(draft: Draft) -> Match:
    """The match of a draft, every step checked against the rules and the deal."""
    game = _game(draft)
    envelope = _envelope(draft, game)
    deal, names = _bytes("deal", draft.deal, DEAL_BYTES), _names("seats", draft.seats, game)
    match = Match(game, deal, names, envelope, _practice(draft.practice))
    if envelope and envelope.secret and not (envelope.honest and envelope.deal() == match.deal):
        raise BadRecord("the deal is not what the sealed secret and the players' words make")
    for said in draft.steps:
        _take(match, said)
    if isinstance(draft.result, dict) and "ended" in draft.result:
        _end(match, draft.result)
    result = match.result
    if not _alike(draft.result, result):
        raise BadRecord(
            f"the record's result is {json.dumps(draft.result):.80}; its steps give {json.dumps(result)}"
        )
    return match


def _end(match: Match, said: dict[str, Any]) -> None:
    """How it was ended before the rules ended it."""
    try:
        match.end(said["ended"], said.get("by", ""))
    except ValueError as wrong:
        raise BadRecord(str(wrong)) from wrong


def _game(draft: Draft) -> Game:
    options = {} if draft.options is None else draft.options
    if not isinstance(draft.game, str) or not isinstance(options, dict):
        raise BadRecord("'game' must be a game's id, and 'options' names with their values")
    try:
        game = Game(draft.game, options)
    except (UnknownGame, BadOption) as wrong:
        raise BadRecord(str(wrong)) from wrong
    if draft.rules is not None and (type(draft.rules), draft.rules) != (int, game.version):
        raise BadRecord(
            f"the record follows version {draft.rules!r:.80} of the rules of {game.id}; "
            f"here is {game.version}"
        )
    return game


def _envelope(draft: Draft, game: Game) -> Envelope | None:
    if draft.seal is None:
        return None
    seal, secret = _bytes("seal", draft.seal, 32), _bytes("secret", draft.secret, 32)
    assert seal is not None
    return Envelope(seal.hex(), tuple(_names("words", draft.words, game).items()), secret)


def _practice(said: object) -> str:
    if said is None:
        return ""
    if not (printable(said) and said):
        raise BadRecord(f"the practice must be the id of a match, not {said!r:.80}")
    return said


def _bytes(name: str, said: object, length: int) -> bytes | None:
    if said is None:
        return None
    try:
        value = bytes.fromhex(said) if isinstance(said, str) else b""
    except ValueError:
        value = b""
    if len(value) != length:
        raise BadRecord(f"the {name} must be {length} bytes in hexadecimal, not {said!r:.80}")
    return value


def _names(name: str, said: object, game: Game) -> dict[str, str]:
    names = {} if said is None else said
    if not isinstance(names, dict) or not all(map(printable, names.values())):
        raise BadRecord(f"the {name} must be names of players with printable texts, not {said!r:.80}")
    for player in names:
        if player not in game.seats:
            raise BadRecord(f"unknown player {player!r:.80}; the players are: {', '.join(game.seats)}")
    return names


def _said(place: str, step: object) -> Said:
    if isinstance(step, dict):
        return Said(place, step.get("take"), step.get("actor"), None, step.get("legal"))
    return Said(place, step)


def _take(match: Match, said: Said) -> None:
    """One step of a record; what it says beside the token is checked too."""
    position = match.position
    actor = position.actor or "nobody"
    claimed = "chance" if said.chance else said.actor
    if claimed not in (None, actor) or (said.chance is False and actor == "chance"):
        whose = "a player" if claimed is None else f"{claimed!r:.80}"
        raise BadRecord(f"{said.place}: the record has {said.take!r:.80} as a step of {whose}; it is {actor}")
    if said.legal is not None:
        now: list[Any] = position.legal() or [list(chance) for chance in position.chances()]
        if not _alike(said.legal, now):
            raise BadRecord(f"{said.place}: the record says {said.legal!r:.80} was possible; it was {now}")
    if not isinstance(said.take, str):
        raise BadRecord(f"{said.place}: a step is a token, not {said.take!r:.80}")
    try:
        match.play(said.take)
    except IllegalMove as wrong:
        raise BadRecord(f"{said.place}: {wrong}") from wrong
