"""The comparison of an ended match with its player's others: the best so far, or the count against one opponent."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select

from smallchange.i18n.text import Text, plain
from smallchange.server.database import schema
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import Points, Status, outcome
from smallchange.server.table.view.bot_faces import NAMES
from smallchange.server.table.view.ending import score_text
from smallchange.server.web import phrases as p

FIRST = Text("Your first result.")
BEST = Text("Your best so far. Before: {best}.")
EQUAL = Text("As good as your best so far.")
LESS = Text("Your best so far: {best}.")
AGAINST = Text("Against {who} so far: {won} won, {lost} lost.")
AGAINST_DRAWN = Text("Against {who} so far: {won} won, {drawn} drawn, {lost} lost.")


def best_so_far(connection: Connection, history: History, holder: str) -> Text | None:
    """Compare the result of an ended match with its player's others of the same game and options.

    None where the match does not count for the player, and where one person played both sides.
    """
    held = history.seats_of(holder)
    if history.ending is None or len(held) != 1:
        return None
    if len(history.seats) == 1:
        return _best_score(connection, history, holder)
    return _score_against(connection, history, holder, held[0])


def _own_results(history: History, holder: str) -> Any:
    """Select the holder's results of ended matches that count, with the game and options of this one."""
    match, seat = schema.match.c, schema.seat.c
    this = select(match.options).where(match.id == history.head.id).scalar_subquery()
    return (
        select()
        .select_from(schema.seat.join(schema.match, match.id == seat.match_id))
        .where(seat.holder == holder, match.status == Status.OVER, seat.points.is_not(None))
        .where(match.game == history.head.game.id, match.options == this)
    )


def _best_score(connection: Connection, history: History, holder: str) -> Text | None:
    """Compare the score of a match for one with the best of the others."""
    assert history.ending is not None
    (score,) = outcome(history.match, history.ending).scores
    if score is None or history.head.fork_length:
        return None
    seat = schema.seat.c
    query = _own_results(history, holder).add_columns(func.max(seat.score))
    best = connection.execute(query.where(seat.match_id != history.head.id)).scalar()
    if best is None:
        return FIRST
    if best == score:
        return EQUAL
    return (BEST if score > best else LESS).fill(best=score_text(history.head.game.words, best))


def _score_against(connection: Connection, history: History, holder: str, held: int) -> Text | None:
    """Count the matches against the same opponent."""
    other = history.seats[1 - held]
    match, seat, beside = schema.match.c, schema.seat.c, schema.seat.alias().c
    is_bot = other.kind == SeatKind.BOT
    same = beside.bot == other.bot if is_bot else beside.holder == other.holder
    query = _own_results(history, holder).add_columns(seat.points, func.count().label("n"))
    query = query.where(beside.match_id == match.id, beside.number != seat.number, same).group_by(seat.points)
    found = {row.points: row.n for row in connection.execute(query)}
    if not found:
        return None
    who = NAMES.get(other.bot) if is_bot else plain(other.name) if other.name else p.A_PERSON
    won, drawn, lost = (found.get(points, 0) for points in (Points.WIN, Points.DRAW, Points.LOSS))
    who = who or plain(other.bot)
    if drawn:
        return AGAINST_DRAWN.fill(who=who, won=won, drawn=drawn, lost=lost)
    return AGAINST.fill(who=who, won=won, lost=lost)
