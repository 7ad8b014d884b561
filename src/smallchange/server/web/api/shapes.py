"""Shapes of the JSON API: the bodies and answers under /api.

Bodies of commands are made from the commands themselves. All shapes are described by /api/openapi.json.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from smallchange.server.table import commands
from smallchange.server.table.commands import Command
from smallchange.server.table.delay import MAX_DELAY
from smallchange.server.table.history import BOT, OPEN, PERSON
from smallchange.server.table.messages import Clock, Ended, Offered
from smallchange.server.table.time_control import SPEEDS
from smallchange.server.web.errors import ErrorCode


def command_body(command: type[Command]) -> type[Struct]:
    """Return the shape of a command's body: its fields without `match`, which is in the path."""
    fields = [(f.name, f.type) for f in msgspec.structs.fields(command) if f.name != "match"]
    namespace = {"__doc__": command.__doc__}
    return msgspec.defstruct(command.__name__, fields, namespace=namespace, forbid_unknown_fields=True)


Act = command_body(commands.Act)
Undo = command_body(commands.Undo)
Resign = command_body(commands.Resign)
Offer = command_body(commands.Offer)
Answer = command_body(commands.Answer)
Abort = command_body(commands.Abort)
Claim = command_body(commands.Claim)


class Option(Struct):
    """An option of a game."""

    name: str
    default: bool | int | str
    accepts: str
    text: dict[str, str]


class Game(Struct):
    """A game that can be played here."""

    id: str
    title: dict[str, str]
    tagline: dict[str, str]
    version: int
    players: list[str]
    minutes: int
    options: list[Option]


class Games(Struct):
    """The games that can be played here, and the names of the bots."""

    games: list[Game]
    bots: list[str]


class Seat(Struct):
    """A seat; an `open` one is still free."""

    player: str
    kind: Annotated[str, Meta(extra_json_schema={"enum": [OPEN, PERSON, BOT]})]
    name: str
    you: bool


class SeatRating(Struct):
    """The rating of the account at a seat of a rated table.

    `gain` is the change by this match, null before the match is rated. `provisional`: the deviation is still large.
    """

    points: float
    deviation: float
    provisional: bool
    gain: float | None


class BoardRating(Struct):
    """The rating of an account in a game at a speed, after so many rated `matches`."""

    game: str
    speed: Annotated[str, Meta(extra_json_schema={"enum": list(SPEEDS)})]
    points: float
    deviation: float
    provisional: bool
    matches: int


class HouseBot(Struct):
    """A house bot: an account of this site by which the bot `level` plays `game`, and accepts every challenge.

    Its rating in `points` is fixed at every speed; `low` and `high` are its 95 % interval.
    """

    name: str
    game: str
    level: str
    points: float
    low: float
    high: float


class PlayRating(Struct):
    """The mean odds that a choice gave away, in this many reviewed matches, with its 95 % interval.

    `level` is the level of bots that gives away as much, from 1 to 5, between `level_low` and `level_high`; they are
    null where levels were not measured. `deal_points` and `deal_deviation` are the rating against deals in a game for
    one, where the best bot has 2000; they are null elsewhere.
    """

    game: str
    matches: int
    choices: int
    given: float
    given_low: float
    given_high: float
    level: float | None
    level_low: float | None
    level_high: float | None
    deal_points: float | None = None
    deal_deviation: float | None = None


class Profile(Struct):
    """An account, with its ratings. `owner` is that of a bot of a stranger; `house` describes a house bot.

    `play` has the play ratings, by game, from 10 reviewed matches on; null where the account does not show them.
    """

    name: str
    ratings: list[BoardRating]
    bot: bool = False
    owner: str | None = None
    house: HouseBot | None = None
    play: list[PlayRating] | None = None


class Me(Struct):
    """The account of your token. `owner` is that of a bot."""

    name: str
    bot: bool
    owner: str | None


class Leader(Struct):
    """A place on a leaderboard."""

    name: str
    points: float
    deviation: float
    matches: int


class Leaders(Struct):
    """The best accounts in a game, by speed: those whose rating is certain enough.

    `house` are the house bots, which anchor the scale, the weakest first.
    """

    boards: dict[str, list[Leader]]
    house: list[HouseBot]


class NewAccount(Struct, forbid_unknown_fields=True):
    """Create an account, or sign in to it."""

    name: commands.Name
    password: Annotated[str, Meta(max_length=1000)]


class SignedIn(Struct):
    """An account that you are signed in to: send `token` as `Authorization: Bearer ..` from now on.

    `codes` are the recovery codes of a new account. They are told once, and each signs you in once.
    """

    name: str
    token: str
    codes: list[str] = field(default_factory=list)


class Wish(Struct, forbid_unknown_fields=True):
    """A game for two and a time control, one of those that the site offers."""

    game: str
    time: Annotated[str, Meta(max_length=20)]


class SeekOrder(Struct, forbid_unknown_fields=True):
    """Look for an opponent in any of these games."""

    wishes: list[Wish]
    rated: bool = True


class HouseOffer(Struct):
    """A rated game against a house bot, at this time."""

    bot: HouseBot
    time: str


class HouseAnswer(Struct, forbid_unknown_fields=True):
    """Play the house bot of this name, at one of the times of your search."""

    name: commands.Name
    time: str


class Seeking(Struct):
    """Your search for an opponent, which has waited for so long. `wishes` is empty while there is none.

    `match` is your table once you are paired. `offer` is a game against a house bot, once you have waited for a while.
    """

    wishes: list[Wish]
    rated: bool
    waiting_ms: int
    match: str | None
    offer: HouseOffer | None = None


class NewChallenge(Wish):
    """Challenge an account to a match. Sides are drawn.

    In a game for one it is a duel. A game for two with luck and an empty `time` is a duplicate pair: you both play the
    same two deals against the same bot, one from each side.
    """

    rated: bool = True


class Yes(Struct, forbid_unknown_fields=True):
    """Answer a challenge. Its sender can only answer no, which withdraws it."""

    yes: bool


class Challenge(Struct):
    """A challenge by name. `match` is its table once it is accepted; without a `time`, `tournament` is the duel."""

    id: str
    challenger: str
    challenged: str
    game: str
    time: str
    rated: bool
    state: Literal["waiting", "accepted", "declined"]
    match: str | None
    tournament: str | None = None


class Challenges(Struct):
    """The challenges of yours and to you that wait for an answer."""

    challenges: list[Challenge]


class NewTournament(Struct, forbid_unknown_fields=True):
    """Open a tournament.

    `rounds` counts in a Swiss and a league. `minutes` are those of an arena, or of each round of a league, which has a
    game for one and no `time`. A duel is a league of two entries and one round, which begins at once and closes when
    both have played; in a game for two it is a duplicate pair. It needs no `name`. A season has a `time` of days, and
    opens the next season when it is over. The others begin in `begins_in` minutes if two have entered by then.
    `delay`: spectators are so many moves behind the players.
    """

    name: Annotated[str, Meta(max_length=200)]
    kind: Literal["round-robin", "season", "swiss", "arena", "league", "duel"]
    game: str
    time: str = ""
    rounds: int = 5
    minutes: int = 60
    begins_in: int = 10
    rated: bool = True
    public: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    delay: Annotated[int, Meta(ge=0, le=MAX_DELAY)] = 0


class BotEntries(Struct, forbid_unknown_fields=True):
    """Enter a bot so many times."""

    bot: str
    count: Annotated[int, Meta(ge=1, le=32)] = 1


class TournamentHead(Struct):
    """A tournament in a list. `begins_at` is in milliseconds since 1970. `season` is the number of a season, else 0."""

    id: str
    name: str
    kind: str
    game: str
    options: dict[str, Any]
    time: str
    rated: bool
    public: bool
    phase: Literal["open", "running", "over", "cancelled"]
    begins_at: int
    delay: int
    season: int


class Tournaments(Struct):
    """The tournaments for everybody, and yours."""

    public: list[TournamentHead]
    yours: list[TournamentHead]


class TournamentStanding(Struct):
    """A place in the standings.

    `entry` is the number of the participant: the account `name`, or the bot `bot`. `points` are those of the table: a
    win counts 1, in an arena 2. `tie_breaks` decide one after another. In a season `division` counts from 1, the
    highest; 0 is none. `move` is added to it for the next season if the standings stay as they are: -1 rises, 1 falls.
    """

    place: int
    entry: int
    name: str
    bot: str
    withdrawn: bool
    points: float
    tie_breaks: dict[str, float]
    won: int
    drawn: int
    lost: int
    division: int = 0
    move: int = 0


class TournamentPairing(Struct):
    """A pairing of two entries; a bye where `second` is null. `points` are null while the match goes on."""

    round: int
    first: int
    second: int | None
    points: list[float] | None
    match: str | None


class TournamentPlay(Struct):
    """The result of an entry on the deal of a closed round of a league: its place, its score, its points, its match.

    In a duplicate pair there are two `matches`, `won` are the points of both games, which count first, and `score` is
    the sum of their margins.
    """

    round: int
    entry: int
    place: int
    score: int
    points: float
    match: str
    matches: list[str] = field(default_factory=list)
    won: float = 0.0


class Tournament(TournamentHead):
    """A tournament. `match` is your match that goes on; in a league, that of the open round.

    A league has `plays` in place of pairings, and the time when the open round closes. In a season, where several
    of your matches go on, `match` is null; `previous` and `next` are the ids of the seasons before and after it.
    """

    round: int
    rounds: int
    standings: list[TournamentStanding]
    pairings: list[TournamentPairing]
    match: str | None
    plays: list[TournamentPlay] = field(default_factory=list)
    closes_at: int | None = None
    previous: str | None = None
    next: str | None = None


class Match(Struct):
    """A table as you see it.

    `options` are those that differ from their defaults. `ply` counts all events and goes with every command.
    `tokens` are the steps that count. `actor` takes the next step ("" while a seat is free, null at the end),
    and `legal` are its tokens, if it is you. `offered` stands until it is answered or a step is taken. `seal`
    is the SHA-256 of a secret that is published (`secret`) at the end; `proven`: all luck was derived from
    it. `code` is that of the join link, for players only and while a seat is free. `practice` is the match
    that this one was forked from, `again` the rematch. `time` is the time control, null for none. `ratings` has
    those of each player at a rated table. Until the match is over, spectators get it `delay` moves behind, without
    the clock.
    """

    match: str
    game: str
    version: int
    options: dict[str, Any]
    ply: int
    started: bool
    actor: str | None
    legal: list[str]
    says: dict[str, str]
    position: str
    tokens: list[str]
    seats: list[Seat]
    undo: bool
    offered: Offered | None
    ended: Ended | None
    seal: str
    secret: str | None
    code: str | None
    practice: str | None
    proven: bool
    again: str | None
    time: str | None
    clock: Clock | None
    rated: bool = False
    ratings: dict[str, SeatRating] = field(default_factory=dict)
    delay: int = 0


class Event(Struct):
    """An event of your account: a `challenge` to you, or a `table` where it is your `turn` or an `offer` waits."""

    kind: Literal["challenge", "turn", "offer"]
    challenge: Challenge | None = None
    table: Match | None = None


class Seated(Struct):
    """A table where you now have a seat.

    Send `token` as `Authorization: Bearer ..` from now on. It is given once, and only if you sent none.
    """

    match: str
    token: str | None
    table: Match


class Daily(Struct):
    """The deal of the day of a game.

    `match` is your table, null before you begin. `place` counts from 1, and is 0 before you have finished.
    `entries` counts everybody who has finished. In a game for two the deal is a pair of games against the bot
    `opponent`: `matches` has your table by the side that you play, and `match` is that of the game to play now.
    """

    game: str
    options: dict[str, bool | int | str]
    match: str | None
    place: int
    entries: int
    matches: dict[str, str | None]
    opponent: str | None


class Dailies(Struct):
    """The deals of a day, counted from 1 January 1970 in UTC, and how long they stay open."""

    day: int
    closes_in_ms: int
    deals: list[Daily]


class Done(Struct):
    """A command was committed. `done` is the number of its event."""

    done: int
    table: Match


class Open(Struct):
    """A table with a free seat, open to anyone."""

    match: str
    game: str
    code: str
    name: str
    time: str | None
    rated: bool = False


class Opens(Struct):
    """The tables that are open to anyone."""

    tables: list[Open]


class Sitter(Struct):
    """A player at a running game; `points` is the rating at a rated table."""

    player: str
    name: str
    points: float | None


class PlayedGame(Struct):
    """A finished game of an account.

    `at` is when it was begun, in milliseconds since 1970. `result` is `won`, `drawn` or `lost`. `other` is the name of
    the other side, "" where there is none, and `bot` the bot there. `given` is the mean of the odds that a choice gave
    away, where the game was reviewed. `day` is the number of the day whose deal it was, counted from 1970.
    """

    match: str
    game: str
    at: int
    result: str
    rated: bool
    other: str
    bot: str
    given: float | None
    day: int | None


class Played(Struct):
    """Finished games of an account, the newest first. `more`: another page follows."""

    games: list[PlayedGame]
    more: bool


class WatchedTable(Struct):
    """A running game that anybody may watch, with the number of those who do, who are `delay` moves behind."""

    match: str
    game: str
    players: list[Sitter]
    time: str | None
    rated: bool
    spectators: int
    delay: int = 0


class Watched(Struct):
    """The running games that anybody may watch, the featured one first: that with the highest ratings."""

    tables: list[WatchedTable]


class Off(Struct):
    """Days off: those left this year, and the time until which you are off, in milliseconds since 1970, or 0."""

    left: int
    until: int


class Own(Struct):
    """A match of your own, and how it ended."""

    match: str
    game: str
    over: bool
    your_turn: bool
    ended: Ended | None


class Owns(Struct):
    """Your own matches."""

    matches: list[Own]


class Verified(Struct):
    """The verdict on a record: `holds` if its steps, its bytes and its luck are valid.

    `practice` is the match that it was forked from: its player may have known the luck before.
    """

    holds: bool
    why: str
    practice: str = ""


class Choice(Struct):
    """A choice of a review.

    `step` is the number of its step, from 1, and `move` that of the decision, as the log counts them. `odds` are
    the odds of winning after it, from 0 to 1, or null where the search did not look at it. `best` is the best
    move, `better` the odds after that. `cost` are the odds that the choice cost, or 0 where they are too few to
    tell. If `exact`, the odds are those of perfect play, not an estimate.
    """

    step: int
    move: int
    player: str
    token: str
    odds: float | None
    best: str
    better: float
    exact: bool
    cost: float


class Account(Struct):
    """A player's match in odds of winning.

    `promised` are the odds at the first choice. Less those `given` away by choices, plus the `rest`, which is
    luck and the opponent, they make the `result`: 1, 0.5 or 0. The last two are null in a match that was not
    played to its end. promised + `luck` - given + `others` + `doubt` = `end`, which is the result if there is
    one: `others` are the odds that the other side gave away, `doubt` is what the bot judged differently when it
    looked again. `share` is the part of the player's odds that the choices kept.
    """

    player: str
    promised: float
    given: float
    result: float | None
    rest: float | None
    luck: float
    others: float
    doubt: float
    end: float
    share: float


class Review(Struct):
    """The best bot's judgement of an ended match: `done` of `total` choices are judged.

    The choices are sent once all are judged: ask again.
    """

    done: int
    total: int
    choices: list[Choice] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)


class Error(Struct):
    """A refusal.

    Nothing was changed. Only after `late` and `closing` is this not known yet: the same command may be sent
    again. After a conflict, `table` is the current one. `why` is in the language of Accept-Language.
    """

    code: Annotated[str, Meta(extra_json_schema={"enum": sorted(ErrorCode)})]
    why: str
    table: Match | None = None


def decode(body: bytes, shape: type[Any]) -> Any:
    """Return the body as this shape. Raise msgspec.ValidationError or DecodeError."""
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except UnicodeDecodeError as wrong:
        raise msgspec.DecodeError(str(wrong)) from None
