"""Golden transcripts: seeded random matches of a game's default options, pinned in its folder.

A transcript shows the legal actions in their order. That order, like the tokens and the numbers of the
actions, is stored in records and learned by models, so it changes only on purpose: `python -m
smallchange.contract.transcript GAME...` writes the transcripts anew. Read the difference before you keep it.
"""

import hashlib
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import smallchange
from smallchange import Game, Match
from smallchange.core.commitment import DEAL_BYTES, choose

STEPS = 120  # at least so many in a transcript: one match, or several short ones


def path(game: Game) -> Path:
    return game.folder / "tests" / "transcript.txt"


def command(game: Game) -> str:
    return f"python -m smallchange.contract.transcript {game.id}"


def transcript(game: Game) -> str:
    """Return the text of the transcript, as the rules stand."""
    numbered = "".join(f"{a} {token}\n" for a, token in game.tokens.items())
    lines = [
        f"Random matches of {game.id}, rules version {game.version}. Written by: {command(game)}",
        f"{len(game.tokens)} actions, numbers and tokens: {hashlib.sha256(numbered.encode()).hexdigest()}",
    ]
    number = steps = 0
    while steps < STEPS:
        match = Match(game, number.to_bytes(DEAL_BYTES))
        lines += ["", f"Match with deal {number}", *play_by_chance(match)]
        steps += len(match)
        number += 1
    return "\n".join(lines) + "\n"


def play_by_chance(match: Match) -> Iterator[str]:
    """Play a match to its end by chance alone, and tell it."""
    game, position = match.game, match.position
    assert match.deal is not None
    while position.actor is not None:
        actions, weights = position.odds() if position.source else (position.actions(), [])
        tokens = [game.tokens[a] for a in actions]
        asks = game.words.asks(game.board, position.s).en
        phase = game.words.phase(game.board, position.s)
        yield f"{len(match) + 1}. {position.source or position.actor}, {phase}: {asks}"
        yield from wrap_words(
            [f"{t}*{w}" for t, w in zip(tokens, weights, strict=True)] if weights else tokens
        )
        if weights:
            token = match.next_outcome()
        else:
            token = tokens[choose(match.deal, "players", len(match), [1] * len(tokens))]
        yield f"   > {token}  {position.describe(token).en}"
        match.play(token)
    yield f"{game.words.ending(game.board, position.s).en} {json.dumps(position.result())}"
    yield ", ".join(f"{player} {position.score(player)}" for player in game.seats)


def wrap_words(words: list[str]) -> list[str]:
    return textwrap.wrap(
        " ".join(words), 110, initial_indent="   ", subsequent_indent="   ", break_on_hyphens=False
    )


if __name__ == "__main__":
    for id in sys.argv[1:] or smallchange.games():
        game = smallchange.game(id)
        path(game).write_text(transcript(game), encoding="utf-8")
