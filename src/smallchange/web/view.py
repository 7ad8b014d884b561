"""What one viewer sees of a table, as plain data. Pages are pure functions of it.

    story + the viewer's seats + who is there  ->  View  ->  pages.table, pages.fragments

A View says nothing that its viewer may not know, and nothing about the viewer beyond the seats held, so
everyone with the same seats shares one View and what is drawn from it. It is built once for each ply.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from smallchange.dice import Envelope
from smallchange.draw.table import Table, Touch
from smallchange.options import Value
from smallchange.text import Text


class Choice(NamedTuple):
    """An action that this viewer may take now: what to send, what it does in words, what one touches for it.

    Ids in `touch` are those of `View.table`.
    """

    token: str
    text: Text
    touch: Touch


class Entry(NamedTuple):
    """One line of the log. `number` counts the steps of the line from 1; /m/ID?at=NUMBER shows the table
    right after it. `seat` is the index of who did it, -1 for chance. `decided` counts the decisions up to it:
    all that chance did not do."""

    number: int
    seat: int
    actor: str
    token: str
    text: Text
    decided: int


class Sitter(NamedTuple):
    """A seat as the page shows it. `kind` is "open", "person" or "bot"; `name` is what the person typed (show
    it as text, never as markup), "" if nothing, or the bot's name."""

    player: str
    title: Text
    kind: str
    name: str
    you: bool
    turn: bool
    here: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """The end: how ("played", "resigned", "agreed", "withdrawn"), in words, each seat's score (None where it
    was not played to the end), the seats that won, and the fields of the rulebook's result."""

    how: str
    text: Text
    scores: tuple[int | None, ...]
    winners: tuple[int, ...]
    result: dict[str, Any] = field(default_factory=dict)


class View(NamedTuple):
    """Everything a page needs to show a table to one kind of viewer.

    match: the table's id; its page is /m/MATCH
    ply: the version of the table: it grows with everything that happens here, undo included. Forms and
        messages that change something say the ply that they were made for
    length, at: steps on the line, and how many of them this view shows. at == length is now; else a look
        back, where there are no choices
    game, title, options: the game's id, its title, the options that differ from their defaults
    table: the pieces, with ids that stay with their piece from ply to ply
    marking: what the game calls marking pieces: above them, and on the button (None: the pages' own words)
    choices: what this viewer may do now; () for a spectator, on another's turn, looking back, and after the
    end
    happened: what the last turn did, in words; before the first decision, what the game is about; asks: whose
        turn it is and what to do; for the whole status line say both
    log: the line so far, oldest first
    last: ids of the pieces and spots that the last decision touched; rolled: those that chance answered with,
    dice until the next throw
    preview: ids of the spots that are open, which is no move yet
    phase: the rulebook's anchor for this moment (/rules/GAME#PHASE)
    decides: what says which choices there are, for who wants another; "" where chance is next, and at the end
    seats: who sits where; you: the seats that the viewer holds, () for a spectator
    presence: who is there, as one sentence, "" when that says nothing
    ended: the end, or None
    started: does somebody sit on every seat? If not, `invite` is the path of the join link (only for those
    seated)
    undo: what Undo would do, in words, or None where it is not possible; undo_rule: the rule, always
    ask: what may be offered to the other player now: some of "draw", "undo"; to who plays both,
        "draw" at most, which they agree on by themselves
    offered: an offer that stands: its words; offered_to_you: may this viewer answer it?
    declined: the same of an offer that was just declined or withdrawn
    resign: may this viewer resign, or withdraw a table that waits for somebody?
    luck: does chance decide anything in this game?
    envelope: closed (its secret None) until the end
    practice: the table this was forked from, or None; told: after how many of its steps; proven: does its
        luck still verify?
    review: can the match be reviewed, now that it is over? (/m/MATCH/review)
    fork: may this viewer fork a practice table from here (POST /m/MATCH/fork with `at`)?
    again: the rematch's table, once there is one
    """

    match: str
    ply: int
    length: int
    at: int
    game: str
    title: Text
    options: dict[str, Value]
    table: Table
    marking: tuple[Text, Text] | None
    choices: tuple[Choice, ...]
    happened: Text
    asks: Text
    log: tuple[Entry, ...]
    last: tuple[str, ...]
    rolled: tuple[str, ...]
    preview: tuple[str, ...]
    phase: str
    decides: Text
    seats: tuple[Sitter, ...]
    you: tuple[int, ...]
    presence: Text
    ended: Standing | None
    started: bool
    invite: str | None
    undo: Text | None
    undo_rule: Text
    ask: tuple[str, ...]
    offered: Text | None
    declined: Text | None
    offered_to_you: bool
    resign: bool
    luck: bool
    envelope: Envelope
    practice: str | None
    told: int
    proven: bool
    review: bool
    fork: bool
    again: str | None
    alone: bool


@dataclass(frozen=True, slots=True)
class Visit:
    """The visitor of a page: language, the anti-forgery token for forms, the name used last, the page's own
    path, a fresh id for the next move, pieces picked so far (/m/ID?pick=PIECE, for play without JavaScript),
    what went wrong with the last form, if something did, a hint, if one was asked for by a form, whether the
    address of the page is this computer's own, which nobody else can open, and our origin."""

    lang: str
    forgery: str
    path: str
    name: str = ""
    move: str = ""
    pick: tuple[str, ...] = ()
    wrong: Text | None = None
    theme: str = ""
    hint: Text | None = None
    local: bool = False
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list: the lobby's open tables, or one's own. `options` are those that differ from their
    defaults, `who` whom one plays with (may be empty), `at` when something happened last, in milliseconds
    since 1970."""

    match: str
    game: str
    title: Text
    options: dict[str, Value]
    players: tuple[Sitter, ...]
    who: Text
    state: Text
    over: bool
    your_turn: bool
    at: int
    practice: bool
    code: str | None = None


class Tally(NamedTuple):
    """What one's finished matches of a game came to, against one kind of opponent (may be empty)."""

    title: Text
    against: Text
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """What the first page shows: every game's id, tables open to anyone, and one's own running games."""

    games: tuple[str, ...]
    open: tuple[Listed, ...]
    mine: tuple[Listed, ...]
