"""Meeting: the page to look for an opponent, the pages that wait, and the profile of an account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from smallchange.bots.play_rating import MIN_MATCHES
from smallchange.core.game import Game, games
from smallchange.i18n.formats import clock_digits
from smallchange.i18n.text import Text, plain
from smallchange.server.daily.days import daily_games, paired_games
from smallchange.server.meeting.pairing import HouseOffer
from smallchange.server.meeting.player_games import FinishedGame, game_row, games_path
from smallchange.server.meeting.rows import Challenge, SoughtWish, StoredSeek
from smallchange.server.ratings.anchors import HouseBot
from smallchange.server.ratings.reviewed import GamePlayRating
from smallchange.server.ratings.rows import BoardStanding, Leaderboard, RatedPoint
from smallchange.server.ratings.statistics import ReviewedGame, statistics_rows
from smallchange.server.ratings.view import (
    SPEED_NAMES,
    house_rows,
    house_title,
    play_rating_rows,
    profile_rows,
    rating_digits,
    standing_rows,
)
from smallchange.server.table.model import clock
from smallchange.server.table.model.clock import PRESETS
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.view.board_pictures import scene_picture
from smallchange.server.table.view.options import describe_options, gentle_seats
from smallchange.server.table.view.seats import occupant
from smallchange.server.table.view.table_view import USUAL_TIME, SeatView, WatchedTable, control_text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

BOT_OFFERED_MS = 10_000  # of waiting, after which a bot is offered meanwhile


def games_for_two() -> list[Game]:
    """Return the games in which people meet."""
    return [game for game in map(Game, games()) if len(game.seats) == 2]


def play_page(
    standings: Sequence[BoardStanding],
    followed: Sequence[str],
    bots: Sequence[str],
    house: Sequence[HouseBot],
    sought: Sequence[SoughtWish],
    visit: PageContext,
) -> str:
    """Return the page to look for an opponent; for a guest, the way to an account.

    `followed` are the names of the people whom the visitor follows, `bots` those of bots of strangers that can be
    challenged, `house` the house bots, `sought` what others look for now.
    """
    return render_page(
        "play.html",
        visit,
        p.FIND_OPPONENT,
        offered=games_for_two(),
        times=[(str(control), control_text(control)) for control in PRESETS],
        usual=USUAL_TIME,
        ratings=standing_rows(standings),
        followed=followed,
        bots=bots,
        house=house_rows(house),
        sought=[(one, Game(one.wish.game).words.TITLE, _time_text(one.wish.time)) for one in sought],
    )


def seek_page(seek: StoredSeek, offer: HouseOffer | None, now: int, visit: PageContext) -> str:
    """Return the page of somebody who looks for an opponent, with the house bot that is offered after a while."""
    waited = max(0, now - seek.since)
    bot_game = Game(seek.wishes[0].game)
    return render_page(
        "seeking.html",
        visit,
        p.LOOKING,
        seek=seek,
        wishes=[wish_text(wish) for wish in seek.wishes],
        waited=clock_digits(waited),
        waited_ms=waited,
        bot_offered_ms=BOT_OFFERED_MS,
        offer=offer,
        offered_name=house_title(offer.bot) if offer else None,
        offered_wish=wish_text(offer.wish) if offer else None,
        offered_rating=round(offer.bot.anchor.points) if offer else None,
        bot_game=bot_game,
        bot_seats=gentle_seats(bot_game),
    )


def challenge_page(found: Challenge, own: bool, waiting: bool, visit: PageContext) -> str:
    """Return the page of a challenge: to wait for the answer, or to give it."""
    title = p.CHALLENGE_TO if own else p.CHALLENGE_BY
    who = found.challenged if own else found.challenger
    return render_page(
        "challenge.html",
        visit,
        title.fill(who=who),
        found=found,
        own=own,
        waiting=waiting,
        wish=wish_text(found.wish),
    )


class Ownership(NamedTuple):
    """The names of a bot's owner ("" for a person), and of the bots that an account owns."""

    owner: str
    bots: Sequence[str]


class ProfileRatings(NamedTuple):
    """The standings of an account with the history of each, and those of the visitor, none on the own profile."""

    standings: Sequence[BoardStanding]
    histories: Sequence[Sequence[RatedPoint]]
    visitors: Sequence[BoardStanding]


class ShownResults(NamedTuple):
    """Results of an account on its page: counted by game, summed over reviews, the play ratings, and the best games.

    `public`: everybody sees them, else the owner alone.
    """

    results: Mapping[str, tuple[int, int, int]]
    reviewed: Sequence[ReviewedGame]
    play: Sequence[GamePlayRating]
    best: Sequence[FinishedGame]
    public: bool


def profile_page(
    name: str,
    ratings: ProfileRatings,
    own: bool,
    blocked: bool,
    follows: bool,
    ownership: Ownership,
    shown: ShownResults | None,
    visit: PageContext,
) -> str:
    """Return the profile of an account. `own`: it is the visitor's; `blocked`, `follows`: by the visitor.

    `shown` is what the visitor may see of results.
    """
    return render_page(
        "profile.html",
        visit,
        plain(name),
        name=name,
        own=own,
        blocked=blocked,
        follows=follows,
        ownership=ownership,
        offered=games_for_two(),
        duels=[] if ownership.owner else [Game(id) for id in daily_games()],
        pairs=[] if ownership.owner else [Game(id) for id in paired_games()],
        times=[(str(control), control_text(control)) for control in PRESETS],
        usual=USUAL_TIME,
        ratings=profile_rows(*ratings),
        shown=shown,
        results=statistics_rows(shown.results, shown.reviewed) if shown else [],
        play=play_rating_rows(shown.play) if shown else [],
        best=[game_row(one) for one in shown.best] if shown else [],
        games_path=games_path(name),
        least=MIN_MATCHES,
    )


def leaders_page(
    game: Game, boards: Mapping[str, Leaderboard], house: Sequence[HouseBot], visit: PageContext
) -> str:
    """Return the leaderboards of a game, by speed, and the house bots that anchor its scale, the best first."""
    listed = [
        (
            SPEED_NAMES[speed],
            [
                (one.name, rating_digits(one.standing.rating.points, one.standing.rating.deviation))
                for one in board.leaders
            ],
            board.least_matches,
        )
        for speed, board in boards.items()
    ]
    return render_page(
        "leaders.html",
        visit,
        p.LEADERS_OF.fill(game=game.words.TITLE),
        game=game,
        boards=listed,
        house=house_rows(house)[::-1],
    )


def challenge_row(found: Challenge, account_id: str) -> dict[str, object]:
    """Return a challenge for a list of its challenger or of the challenged account."""
    own = found.challenger_id == account_id
    who = found.challenged if own else found.challenger
    return {"found": found, "own": own, "who": who, "wish": wish_text(found.wish)}


def _time_text(time: str) -> Text:
    """Describe the time control of a wish."""
    control = clock.read(time)
    return control_text(control) if control else plain("")


def wish_text(wish: Wish) -> Text:
    """Describe a game and its time, or a duel."""
    control = clock.read(wish.time)
    if control is None:
        kind = p.DUPLICATE_PAIR if wish.game in paired_games() else p.DUEL
        return p.OPTION.fill(name=Game(wish.game).words.TITLE, value=kind)
    return p.OPTION.fill(name=Game(wish.game).words.TITLE, value=control_text(control))


def watch_page(found: Sequence[WatchedTable], visit: PageContext) -> str:
    """Return the page of running games; the first of them is the featured one."""
    return render_page(
        "watch.html",
        visit,
        p.WATCH_GAMES,
        rows=[_row(table) for table in found],
        picture=scene_picture(found[0].scene, visit.lang) if found else "",
    )


def _row(watched: WatchedTable) -> dict[str, object]:
    """Return a running game for the list."""
    table = watched.listed
    options = describe_options(table.game, table.options)
    about = [
        options,
        table.control and control_text(table.control),
        p.RATED if table.rated else None,
        p.SPECTATORS.fill(n=watched.spectators) if watched.spectators else None,
    ]
    return {
        "match": table.match,
        "title": table.title,
        "players": [(_player(seat), seat.turn) for seat in table.players],
        "about": [text for text in about if text],
    }


def _player(seat: SeatView) -> Text:
    """Name a player, with the rating at a rated table."""
    if seat.rating is None:
        return occupant(seat)
    return occupant(seat) + plain(rating_digits(seat.rating.points, seat.rating.deviation))
