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

from smallchange.i18n.text import printable

from .commitment import DEAL_BYTES, Envelope
from .errors import BadOption, BadRecord, IllegalMove, UnknownGame
from .game import Game
from .match import Match
from .record_text import Draft, RecordedStep, parse_json, parse_text, text_digest, to_text
from .simulated_deal import SimulatedDeal

__all__ = ["from_json", "read", "read_any", "to_json", "to_json_text", "verify", "write"]

write = to_text


def read(text: str) -> Match:
    """Read a match from a record's text and check it step by step; BadRecord names the first fault."""
    return replay(parse_text(text))


def to_json(match: Match) -> dict[str, Any]:
    """Return the match as plain data, which `from_json` reads back to an equal match."""
    return _to_json(match, match.game.version)


def _to_json(match: Match, version: int) -> dict[str, Any]:
    """Return a match as plain data, as it was written under this version of the rules."""
    envelope = match.envelope
    document: dict[str, Any] = {
        "game": match.game.id,
        "rules": version,
        "options": match.game.non_default_options,
        "seats": {player: name for player, name in match.seats.items() if name},
        "seal": envelope.seal if envelope else None,
        "words": dict(envelope.words) if envelope else {},
        "secret": envelope.secret.hex() if envelope and envelope.secret else None,
        "deal": match.deal.hex() if match.deal is not None else None,
        "steps": [step.token for step in match],
        "result": match.result,
    }
    if match.practice:
        document["practice"] = match.practice
    if match.simulated:
        document |= {"seed": match.simulated.seed, "number": match.simulated.number}
    if match.game.foreign_digest:
        document["rules_digest"] = match.game.foreign_digest
    return document | {"digest": text_digest(json.dumps(document))}


def to_json_text(match: Match) -> str:
    """Return the match as JSON text, on one line."""
    return json.dumps(to_json(match), ensure_ascii=False) + "\n"


def from_json(document: object) -> Match:
    """Read and check the match of `to_json`.

    A conformance record, whose steps are objects with "actor", "legal" and "take", is read too.
    """
    return replay(_draft(document))


def _draft(document: object) -> Draft:
    if not isinstance(document, dict):
        raise BadRecord(f"a record in JSON is an object, not {type(document).__name__}")
    steps = document.get("steps")
    if not isinstance(steps, list) or "game" not in document:
        raise BadRecord("a record in JSON has at least 'game' and a list of 'steps'")
    recorded = [_recorded_step(f"step {i}", step) for i, step in enumerate(steps, 1)]
    names = (name for name in Draft._fields if name != "steps")
    return Draft(steps=recorded, **{name: document.get(name) for name in names})


def read_any(text: str) -> Match:
    """Read the match of a record in either form, as `read` does."""
    return replay(_draft(parse_json(text)) if in_json(text) else parse_text(text))


def in_json(text: str) -> bool:
    """Return whether a record's text is JSON."""
    return isinstance(text, str) and text.lstrip().startswith("{")


def verify(record: str) -> Match:
    """Return the finished match of a record whose luck is proven, or raise BadRecord.

    Every byte is as it was written, in JSON every value; every chance step is the outcome that the deal gives, or
    the seed and number of a simulated game, and where there is a seal, there is the secret that opens it.
    """
    data = parse_json(record) if in_json(record) else None
    draft = parse_text(record) if data is None else _draft(data)
    match = replay(draft)
    version = draft.rules if isinstance(draft.rules, int) else match.game.version
    if data is not None:
        if not _equal_data(data, parse_json(json.dumps(_to_json(match, version)))):
            raise BadRecord("the record was altered: it does not say what this match is written as")
    elif record != to_text(match, version):
        raise BadRecord("the record was altered: it is not byte for byte what this match is written as")
    if not match.over:
        raise BadRecord("the match is not finished; only a finished one can be verified")
    if not match.is_dealt and match.game.sources:
        raise BadRecord("the record has no deal, so its luck cannot be verified")
    if match.envelope and not match.envelope.is_valid:
        raise BadRecord("the record has a seal but not the secret that opens it: its luck cannot be verified")
    return match


def _equal_data(one: Any, other: Any) -> bool:
    """Return whether plain data are equal; 1, 1.0 and true are three different values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal_data(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_equal_data, one, other))
    return bool(one == other)


def replay(draft: Draft) -> Match:
    """Return the match of a draft, every step checked against the rules and the deal.

    A draft that follows an earlier version of the rules is one of these rules too if all of it agrees with them.
    """
    game = _game(draft)
    try:
        return _replay(draft, game)
    except BadRecord as wrong:
        if draft.rules in (None, game.version):
            raise
        raise BadRecord(
            f"the record follows version {draft.rules} of the rules of {game.id}; here is {game.version}, by "
            f"which it is not possible: {wrong}"
        ) from wrong


def _replay(draft: Draft, game: Game) -> Match:
    envelope = _envelope(draft, game)
    deal, names = _bytes("deal", draft.deal, DEAL_BYTES), _names("seats", draft.seats, game)
    match = Match(game, deal, names, envelope, _practice(draft.practice), _simulated_deal(draft))
    if envelope and envelope.secret and not (envelope.is_valid and envelope.deal() == match.deal):
        raise BadRecord("the deal is not what the sealed secret and the players' words make")
    for recorded in draft.steps:
        _replay_step(match, recorded)
    if isinstance(draft.result, dict) and "ended" in draft.result:
        _end(match, draft.result)
    result = match.result
    if not _equal_data(draft.result, result):
        raise BadRecord(
            f"the record's result is {json.dumps(draft.result):.80}; its steps give {json.dumps(result)}"
        )
    return match


def _end(match: Match, document: dict[str, Any]) -> None:
    """End the match as the record says it was ended before the rules ended it."""
    try:
        match.end(document["ended"], document.get("by", ""))
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
    if draft.rules is not None and not (type(draft.rules) is int and 1 <= draft.rules <= game.version):
        raise BadRecord(
            f"the record follows version {draft.rules!r:.80} of the rules of {game.id}; "
            f"here is {game.version}"
        )
    if draft.rules_digest not in (None, game.foreign_digest):
        raise BadRecord(
            f"the record follows other rules of {game.id}: their digest is {draft.rules_digest!r:.20}, "
            f"here it is {game.foreign_digest!r:.20}"
        )
    return game


def _envelope(draft: Draft, game: Game) -> Envelope | None:
    if draft.seal is None:
        return None
    seal, secret = _bytes("seal", draft.seal, 32), _bytes("secret", draft.secret, 32)
    assert seal is not None
    return Envelope(seal.hex(), tuple(_names("words", draft.words, game).items()), secret)


def _practice(value: object) -> str:
    if value is None:
        return ""
    if not (printable(value) and value):
        raise BadRecord(f"the practice must be the id of a match, not {value!r:.80}")
    return value


def _simulated_deal(draft: Draft) -> SimulatedDeal | None:
    seed, number = draft.seed, draft.number
    if seed is None and number is None:
        return None
    if not (type(seed) is type(number) is int and 0 <= seed < 1 << 64 and 0 <= number < 1 << 63):
        raise BadRecord(
            f"a simulated game has a seed and a number, from 0 to 2^64 - 1 and 2^63 - 1, not {seed!r:.80} "
            f"and {number!r:.80}"
        )
    if draft.deal is not None or draft.seal is not None:
        raise BadRecord("a simulated game has a seed and a number, and no deal or seal beside them")
    return SimulatedDeal(seed, number)


def _bytes(name: str, digits: object, length: int) -> bytes | None:
    if digits is None:
        return None
    try:
        value = bytes.fromhex(digits) if isinstance(digits, str) else b""
    except ValueError:
        value = b""
    if len(value) != length:
        raise BadRecord(f"the {name} must be {length} bytes in hexadecimal, not {digits!r:.80}")
    return value


def _names(name: str, value: object, game: Game) -> dict[str, str]:
    names = {} if value is None else value
    if not isinstance(names, dict) or not all(map(printable, names.values())):
        raise BadRecord(f"the {name} must be names of players with printable texts, not {value!r:.80}")
    for player in names:
        if player not in game.seats:
            raise BadRecord(f"unknown player {player!r:.80}; the players are: {', '.join(game.seats)}")
    return names


def _recorded_step(place: str, step: object) -> RecordedStep:
    if isinstance(step, dict):
        return RecordedStep(place, step.get("take"), step.get("actor"), None, step.get("legal"))
    return RecordedStep(place, step)


def _replay_step(match: Match, recorded: RecordedStep) -> None:
    """One step of a record; the rest of its line is checked too."""
    position = match.position
    actor = position.actor or "nobody"
    claimed = "chance" if recorded.chance else recorded.actor
    if claimed not in (None, actor) or (recorded.chance is False and actor == "chance"):
        whose = "a player" if claimed is None else f"{claimed!r:.80}"
        raise BadRecord(
            f"{recorded.place}: the record has {recorded.take!r:.80} as a step of {whose}; it is {actor}"
        )
    if recorded.legal is not None:
        now: list[Any] = position.legal() or [list(chance) for chance in position.weights()]
        if not _equal_data(recorded.legal, now):
            raise BadRecord(
                f"{recorded.place}: the record says {recorded.legal!r:.80} was possible; it was {now}"
            )
    if not isinstance(recorded.take, str):
        raise BadRecord(f"{recorded.place}: a step is a token, not {recorded.take!r:.80}")
    try:
        match.play(recorded.take)
    except IllegalMove as wrong:
        raise BadRecord(f"{recorded.place}: {wrong}") from wrong
