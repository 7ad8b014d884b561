"""Routes of the JSON API, with the shapes of bodies and answers.

`endpoints.py` answers them, `openapi.py` describes them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from smallchange.server.table import commands, messages
from smallchange.server.web.api import shapes


class Call(NamedTuple):
    """One route of the API.

    `operation` names the function in `endpoints.py`. `body` is the shape of the request's body, None without
    one; `answer` that of the answer; `kind` its media type. `seated`: a token is needed. `query` lists the
    names that may follow `?`, each with its meaning.
    """

    method: str
    path: str
    operation: str
    body: type[Any] | None
    answer: type[Any] | None
    text: str
    status: int = 200
    kind: str = "application/json"
    seated: bool = False
    query: tuple[tuple[str, str], ...] = ()


CALLS = (
    Call("GET", "/games", "games", None, shapes.Games, "The games, with their options, and the bots."),
    Call("GET", "/tables", "tables", None, shapes.Opens, "Tables open to anyone, except your own."),
    Call(
        "GET",
        "/watch",
        "watch",
        None,
        shapes.Watched,
        "Running games that anybody may watch, the featured one first; at most 50.",
    ),
    Call(
        "GET",
        "/mine",
        "mine",
        None,
        shapes.Owns,
        "Your own matches: running ones first, then the newest; at most 50.",
        seated=True,
    ),
    Call(
        "POST",
        "/accounts",
        "sign_up",
        shapes.NewAccount,
        shapes.SignedIn,
        "Create an account. The answer has a new token; the seats of the present one come along.",
        201,
    ),
    Call(
        "POST",
        "/sign-in",
        "sign_in",
        shapes.NewAccount,
        shapes.SignedIn,
        "Sign in to an account by its password or a recovery code. The answer has a new token.",
    ),
    Call("GET", "/account", "account", None, shapes.Me, "The account of your token.", seated=True),
    Call(
        "GET",
        "/account/events",
        "account_events",
        None,
        shapes.Event,
        "Server-sent events of your account: each challenge to you, and each table as often as it waits for you. First "
        "those that wait already. While you follow it, you are present at all your tables.",
        kind="text/event-stream",
        seated=True,
    ),
    Call("GET", "/accounts/{name}", "profile", None, shapes.Profile, "An account, with its ratings."),
    Call(
        "GET",
        "/played/{name}",
        "player_games",
        None,
        shapes.Played,
        "The finished games of an account, the newest first, as on the page `/played/NAME`: all of yours, "
        "and of an account that shows them those that everybody could find.",
        query=(
            ("game", "Those of this game."),
            ("result", "`won`, `drawn` or `lost`."),
            ("against", "`people` or `bots`."),
            ("rated", "`1`: rated games alone."),
            ("page", "From 1; `more` says whether another follows."),
        ),
    ),
    Call(
        "GET",
        "/ratings/{game}",
        "leaders",
        None,
        shapes.Leaders,
        "The leaderboards of a game, by speed: accounts with enough rated games.",
    ),
    Call(
        "POST",
        "/accounts/{name}/challenge",
        "challenge",
        shapes.NewChallenge,
        shapes.Challenge,
        "Challenge an account to a match.",
        201,
        seated=True,
    ),
    Call(
        "GET",
        "/challenges",
        "challenges",
        None,
        shapes.Challenges,
        "The challenges of yours and to you that wait for an answer.",
        seated=True,
    ),
    Call(
        "POST",
        "/challenges/{id}/answer",
        "answer_challenge",
        shapes.Yes,
        shapes.Challenge,
        "Accept or decline a challenge, or withdraw your own.",
        seated=True,
    ),
    Call(
        "POST",
        "/seek",
        "seek",
        shapes.SeekOrder,
        shapes.Seeking,
        "Look for an opponent with your account, in place of any earlier search. For live games, ask for it again "
        "within half a minute, or follow its stream.",
        seated=True,
    ),
    Call("GET", "/seek", "current_seek", None, shapes.Seeking, "Your search for an opponent.", seated=True),
    Call(
        "POST",
        "/seek/bot",
        "play_house_bot",
        shapes.HouseAnswer,
        shapes.Seeking,
        "Begin a rated game against a house bot, in answer to your search. The answer has the match.",
        seated=True,
    ),
    Call(
        "POST",
        "/seek/withdraw",
        "withdraw_seek",
        None,
        shapes.Seeking,
        "Look for nobody any more. If you are paired already, the answer has the match.",
        seated=True,
    ),
    Call(
        "GET",
        "/seek/stream",
        "seek_stream",
        None,
        shapes.Seeking,
        "Server-sent events while you look for an opponent: your search every few seconds, and at once when you are "
        "paired, which ends the stream.",
        kind="text/event-stream",
        seated=True,
    ),
    Call(
        "GET",
        "/tournaments",
        "tournaments",
        None,
        shapes.Tournaments,
        "The tournaments for everybody, and those that you have opened or entered.",
    ),
    Call(
        "POST",
        "/tournaments",
        "open_tournament",
        shapes.NewTournament,
        shapes.Tournament,
        "Open a tournament for those who have its id. Only keepers open one for everybody.",
        201,
        seated=True,
    ),
    Call(
        "GET",
        "/tournaments/{id}",
        "tournament",
        None,
        shapes.Tournament,
        "A tournament: its entries, standings and pairings.",
    ),
    Call(
        "POST",
        "/tournaments/{id}/enter",
        "enter_tournament",
        None,
        shapes.Tournament,
        "Enter a tournament, or come back to it.",
        seated=True,
    ),
    Call(
        "POST",
        "/tournaments/{id}/withdraw",
        "withdraw_from_tournament",
        None,
        shapes.Tournament,
        "Withdraw from a tournament. A match that you play goes on.",
        seated=True,
    ),
    Call(
        "POST",
        "/tournaments/{id}/bots",
        "enter_bots",
        shapes.BotEntries,
        shapes.Tournament,
        "Enter a bot that answers at once in a tournament that you have opened.",
        seated=True,
    ),
    Call(
        "POST",
        "/tournaments/{id}/play",
        "play_league",
        None,
        shapes.Seated,
        "Begin the deal of the open round of a league, or go on with it. Nobody else sees the table until it closes.",
        seated=True,
    ),
    Call(
        "POST",
        "/tournaments/{id}/begin",
        "begin_tournament",
        None,
        shapes.Tournament,
        "Let a tournament that you have opened begin now.",
        seated=True,
    ),
    Call("GET", "/daily", "daily", None, shapes.Dailies, "The deals of the day: the same for everybody."),
    Call(
        "POST",
        "/daily/{game}",
        "play_daily",
        commands.Join,
        shapes.Seated,
        "Begin the deal of the day, or go on with it. Nobody else sees the table until the day has closed. "
        "In a game for two it is a pair of games, one from each side: call it again for the second.",
    ),
    Call(
        "POST",
        "/days-off",
        "days_off",
        commands.DaysOff,
        shapes.Off,
        "Stop all your clocks by correspondence for so many days; there are 30 in a year.",
        seated=True,
    ),
    Call("POST", "/matches", "create", commands.NewTable, shapes.Seated, "Open a table.", 201),
    Call(
        "POST",
        "/join/{code}",
        "join",
        commands.Join,
        shapes.Seated,
        "Take a free seat by the code of a join link.",
    ),
    Call("GET", "/matches/{id}", "match", None, shapes.Match, "A table as you see it."),
    Call("POST", "/matches/{id}/act", "act", shapes.Act, shapes.Done, "Take a step.", seated=True),
    Call(
        "POST",
        "/matches/{id}/undo",
        "undo",
        shapes.Undo,
        shapes.Done,
        "Take back your last decision.",
        seated=True,
    ),
    Call(
        "POST",
        "/matches/{id}/resign",
        "resign",
        shapes.Resign,
        shapes.Done,
        "Resign, or withdraw a table where a seat is still free.",
        seated=True,
    ),
    Call(
        "POST",
        "/matches/{id}/offer",
        "offer",
        shapes.Offer,
        shapes.Done,
        "Offer a `draw`, or ask for an `undo`; once the match is over, ask for a `rematch`. If you hold both seats, a "
        "`draw` ends the match.",
        seated=True,
    ),
    Call(
        "POST", "/matches/{id}/answer", "answer", shapes.Answer, shapes.Done, "Answer an offer.", seated=True
    ),
    Call(
        "POST",
        "/matches/{id}/abort",
        "abort",
        shapes.Abort,
        shapes.Done,
        "End a match with a time control without a result, before each side has taken a turn.",
        seated=True,
    ),
    Call(
        "POST",
        "/matches/{id}/claim",
        "claim",
        shapes.Claim,
        shapes.Done,
        "Claim the `win` or a `draw` of a live match, when the other player has been away for a minute.",
        seated=True,
    ),
    Call(
        "POST",
        "/matches/{id}/again",
        "again",
        commands.Rematch,
        shapes.Seated,
        "A rematch, seats swapped. Where another person has to agree, this asks them, and the answer is the table "
        "that is over: its `again` is the rematch once they have agreed, as they do by the same call.",
    ),
    Call(
        "POST",
        "/matches/{id}/fork",
        "fork",
        commands.Fork,
        shapes.Seated,
        "A practice table from an earlier step.",
    ),
    Call(
        "GET",
        "/matches/{id}/stream",
        "stream",
        None,
        messages.Told,
        "Server-sent events until the match has ended: the table as in the socket's `told`, at once and after "
        "every change.",
        kind="text/event-stream",
        query=(
            (
                "ply",
                "The last ply that you have seen of this table; without it, the first event has all steps.",
            ),
        ),
    ),
    Call(
        "GET",
        "/matches/{id}/review",
        "review",
        None,
        shapes.Review,
        "The best bot's judgement of every choice of an ended match. To begin one counts as a hint.",
        seated=True,
    ),
    Call(
        "GET", "/matches/{id}/record.txt", "record_text", None, None, "The record as text.", kind="text/plain"
    ),
    Call("GET", "/matches/{id}/record.json", "record_json", None, None, "The record as JSON."),
    Call("POST", "/verify", "verify", str, shapes.Verified, "Check a record, as text or JSON."),
    Call("GET", "/protocol", "protocol", None, None, "The messages over the socket.", kind="text/markdown"),
    Call("GET", "/openapi.json", "openapi", None, None, "This description."),
)
