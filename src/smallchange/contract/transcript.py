"""Golden transcripts: seeded random matches of a game's default options, pinned in its folder.

The first match is told step by step, and of each there is a digest of its whole telling: phases, questions, legal
actions in their order, sentences and the result. That order, like the tokens and the numbers of the actions, is stored
in records and learned by models, so it changes only on purpose: `python -m smallchange.contract.transcript GAME...`
writes the transcripts anew, and `--tell` prints the whole telling. Read the difference before you keep it.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import smallchange
from smallchange import Game, Match
from smallchange.core.commitment import DEAL_BYTES, choose

MATCHES = 8  # of which digests are kept


def path(game: Game) -> Path:
    return game.folder / "tests" / "transcript.txt"


def command(game: Game) -> str:
    return f"python -m smallchange.contract.transcript {game.id}"


def transcript(game: Game) -> str:
    """Return the text of the transcript, as the rules stand."""
    numbered = "".join(f"{a} {token}\n" for a, token in game.tokens.items())
    lines = [
        f"Random matches of {game.id}, rules version {game.version}. Written by: {command(game)}",
        f"{len(game.tokens)} actions, numbers and tokens: {digest(numbered)}",
    ]
    tellings = [list(play_by_chance(Match(game, deal.to_bytes(DEAL_BYTES)))) for deal in range(MATCHES)]
    lines += [f"Match with deal {deal}: {digest(*told)}" for deal, told in enumerate(tellings)]
    lines += ["", "Match with deal 0", *(line for line in tellings[0] if not line.startswith(" "))]
    return "\n".join(lines) + "\n"


def digest(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def play_by_chance(match: Match) -> Iterator[str]:
    """Play a match to its end by chance alone, and tell it; lines that begin with a space only matter to digests."""
    game, position = match.game, match.position
    assert match.deal is not None
    while position.actor is not None:
        actions, weights = position.outcome_actions() if position.source else (position.legal_actions(), [])
        tokens = [game.tokens[a] for a in actions]
        asks = game.words.asks(game.board, position.s).en
        phase = game.words.phase(game.board, position.s)
        yield f"    {phase}: {asks}"
        yield "    " + " ".join(f"{t}*{w}" for t, w in zip(tokens, weights or [1] * len(tokens), strict=True))
        if weights:
            token = match.next_outcome()
        else:
            token = tokens[choose(match.deal, "players", len(match), [1] * len(tokens))]
        actor = position.source or position.actor
        yield f"{len(match) + 1}. {actor}: {token}  {position.describe(token).en}"
        match.play(token)
    yield f"{game.words.ending(game.board, position.s).en} {json.dumps(position.result)}"
    yield ", ".join(f"{player} {position.score(player)}" for player in game.seats)


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if word != "--tell"]
    for game in map(smallchange.game, chosen or smallchange.games()):
        if "--tell" in sys.argv:
            for deal in range(MATCHES):
                print(
                    f"Match with deal {deal}",
                    *play_by_chance(Match(game, deal.to_bytes(DEAL_BYTES))),
                    sep="\n",
                )
        else:
            path(game).write_text(transcript(game), encoding="utf-8")
