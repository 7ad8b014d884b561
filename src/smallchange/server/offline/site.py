"""The site as one browser has it: the pages and tables of the server, drawn where they are shown, without a server.

A script asks for pages by path (`respond`) and speaks the messages of the WebSocket (`answer`, `bot_move`); what it
is to keep of tables comes by `take_unsaved`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from random import Random
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from smallchange import bots
from smallchange.bots.levels import LEVELS, load_bots
from smallchange.core import record
from smallchange.core.errors import BadOption, BadRecord
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import Rating
from smallchange.core.match import Match
from smallchange.core.measurements import Rate
from smallchange.core.puzzle import Puzzle
from smallchange.core.training import (
    DAY_MS,
    Shown,
    Standing,
    Trained,
    after_try,
    find_puzzle,
    kept_card,
    next_id,
    overview,
    puzzle_of_day,
)
from smallchange.i18n.text import LANGUAGES, Text, plain
from smallchange.server.daily import days
from smallchange.server.daily.days import DailyCard
from smallchange.server.daily.view import daily_page
from smallchange.server.insight.learn import learn_page, lesson_count, rulebook_page
from smallchange.server.meeting.lobby import lobby_lists, lobby_page, own_tables_page
from smallchange.server.offline.tables import Kept, LocalTable, kept_match, new_match
from smallchange.server.table.view.best_so_far import compare_scores, tally_text
from smallchange.server.table.view.documents import reference_page
from smallchange.server.table.view.ending import card_page, match_card
from smallchange.server.table.view.measured_odds import WinRates
from smallchange.server.table.view.options import (
    describe_bad_option,
    difficulty_page,
    drawing_option,
    editor_page,
    options_page,
    parse_options,
)
from smallchange.server.table.view.seats import bot_name
from smallchange.server.table.view.table_page import table_page
from smallchange.server.table.view.table_view import ListedTable, LobbyView, TableView, Tally
from smallchange.server.training.view import overview_page, page_of_puzzle, puzzle_path, solution_path
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused, refusal_text
from smallchange.server.web.frame import PageContext, templates
from smallchange.server.web.view import PREFERENCES, chosen_preferences, error_page, settings_page


class LocalTraining:
    """The puzzles that came with the games, for the one person here. `kept` is a text of `to_keep`, or ""."""

    def __init__(self, kept: str, now_ms: Callable[[], int]) -> None:
        known = json.loads(kept or '{"cards": [], "standings": {}}')
        self._cards = {card.puzzle: card for card in (kept_card(*row) for row in known["cards"])}
        self._standings = {
            game: Standing(Rating(*rating), *rest) for game, (rating, *rest) in known["standings"].items()
        }
        self._now = now_ms

    def to_keep(self) -> str:
        """Return the cards and standings as a text, from which the next visit begins."""
        return json.dumps({"cards": list(self._cards.values()), "standings": self._standings})

    def overview(self) -> list[Trained]:
        """Return the games that have puzzles, with the standing in each."""
        return overview(self._cards.values(), self._standings, self._now())

    def of_day(self) -> Puzzle | None:
        """Return the puzzle of today."""
        return puzzle_of_day(self._now() // DAY_MS)

    def next_puzzle(self, game: str) -> str:
        """Return the id of the puzzle that comes next: one that is due, or a new one of one's level."""
        luck = Random(f"{game} {len(self._cards)}")
        cards = [card for card in self._cards.values() if card.game == game]
        id = next_id(game, cards, self._standings.get(game, Standing()).rating.points, luck, self._now())
        if id is None:
            raise Refused(ErrorCode.NO_PAGE)
        return id

    def show(self, game: str, id: str) -> Shown:
        """Return a puzzle of a game. Refuse where there is none with this id."""
        found = find_puzzle(game, id, card := self._cards.get(id))
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return Shown(found, card, self._standings.get(game, Standing()))

    def answer(self, shown: Shown, token: str) -> None:
        """Count a try with a move that is possible."""
        card, self._standings[shown.puzzle.game.id] = after_try(shown, token, "", self._now())
        self._cards[card.puzzle] = card


TRAINING = "training"  # the id of what is kept of it, beside the tables
PRESSED_MS = 60_000  # for which a second press of a button has the first answer
MEASURED_S = 2.0  # for which games are played to tell the odds of a variant
MAX_DIGITS = 9
Fields = Mapping[str, str]


class Answer(NamedTuple):
    """The answer to a request of a page: a page, data, or the path to go on to.

    `record` is to be sent to the server of which these files come.
    """

    html: str = ""
    json: Any = None
    path: str = ""
    record: str = ""


class Site:
    """All pages and tables of one browser. `saved` are the tables that it kept, by id; `now_ms` tells the time."""

    def __init__(self, saved: Mapping[str, str], now_ms: Callable[[], int], home: str = "") -> None:
        self._kept = {id: Kept(*json.loads(text)) for id, text in saved.items() if id != TRAINING}
        self.training = LocalTraining(saved.get(TRAINING, ""), now_ms)
        self._tables: dict[str, LocalTable] = {}
        self._now = now_ms
        self._home = home
        self._unsaved: dict[str, str] = {}
        self._changed = set[str]()  # ids of tables
        self._pressed: dict[
            str, tuple[Answer, int]
        ] = {}  # the answer to the last press of a button that creates something

    def respond(self, method: str, path: str, fields: Fields, cookies: Fields) -> str:
        """Return the answer to a request, as JSON. `fields` are those of a form; a query has fields too."""
        self._note_changes()
        asked, lang = urlsplit(path), cookies.get("lang", "")
        pairs = parse_qsl(asked.query, keep_blank_values=True)
        visit = PageContext(
            lang if lang in LANGUAGES else LANGUAGES[0],
            path,
            move=secrets.token_urlsafe(12),
            pick=tuple(value for name, value in pairs if name == "pick"),
            theme=cookies.get("theme", ""),
            preferences=chosen_preferences(cookies),
            offline=True,
            home=self._home,
        )
        first, *rest = asked.path.strip("/").split("/")
        press = repr((path, sorted(item for item in fields.items() if item[0] != "added")))
        try:
            answer, at = self._pressed.get(press, (None, 0))  # a second press has the first answer
            if answer is None or self._now() - at > PRESSED_MS:
                answer = self._find(method, first, rest)(visit, dict(pairs) | dict(fields), *rest)
            if "press" in fields:
                self._pressed = {press: (answer, self._now())}
        except Refused as refused:
            answer = Answer(error_page(refusal_text(refused), visit))
        return json.dumps({name: value for name, value in answer._asdict().items() if value})

    def _find(self, method: str, first: str, rest: list[str]) -> Callable[..., Answer]:
        """Return the function that answers: `_get_rules` answers `GET /rules/GAME`."""
        count = 2 if first in ("m", "games") else 1
        name = "_".join([method.lower(), first or "lobby", *rest[1:count]]).replace(".", "_")
        found: Callable[..., Answer] | None = getattr(self, f"_{name}", None)
        named = first in ("games", "rules", "learn") or (first == "train" and rest)
        known = not named or (rest[:1] and rest[0] in games())
        if found is None or not known or (first == "m" and (not rest or rest[0] not in self._kept)):
            raise Refused(ErrorCode.NO_PAGE)
        try:
            signature(found).bind(None, None, *rest)
        except TypeError:
            raise Refused(ErrorCode.NO_PAGE) from None
        return found

    # tables, as messages of the socket

    def answer(self, id: str, message: str, lang: str) -> str:
        """Return the message that answers one of the page of a table."""
        self._changed.add(id)
        return self.table(id).answer(message, lang, self._now())

    def bot_move(self, id: str, lang: str) -> str | None:
        """Let the bot on turn move; None where it is no bot's turn."""
        moved = self.table(id).bot_move(lang, self._now())
        if moved:
            self._changed.add(id)
        return moved

    def take_unsaved(self) -> str:
        """Return the tables that have changed since this was asked last, as JSON: texts by their ids."""
        self._note_changes()
        taken, self._unsaved = self._unsaved, {}
        return json.dumps(taken)

    def adopt(self, id: str, text: str) -> None:
        """Take over a table as it is kept, in the place of the one with this id."""
        self._tables.pop(id, None)
        self._changed.discard(id)
        self._keep(id, Kept(*json.loads(text)))

    def table(self, id: str) -> LocalTable:
        """Return a table."""
        if id not in self._tables:
            self._tables[id] = LocalTable(id, self._kept[id], may_bring=bool(self._home))
        return self._tables[id]

    def _note_changes(self) -> None:
        """Write down the tables that have changed: not while a page waits for its answer."""
        while self._changed:
            id = self._changed.pop()
            self._keep(id, self._tables[id].to_keep(self._now()))

    def _keep(self, id: str, kept: Kept) -> None:
        self._kept[id] = kept
        self._unsaved[id] = json.dumps(kept)

    def _open(self, kept: Kept) -> Answer:
        id = secrets.token_hex(8)
        self._keep(id, kept)
        return Answer(path=f"/m/{id}")

    # pages

    def _get_lobby(self, visit: PageContext, fields: Fields) -> Answer:
        return Answer(lobby_page(self._lobby(visit), visit))

    def _get_lists(self, visit: PageContext, fields: Fields) -> Answer:
        return Answer(lobby_lists(self._lobby(visit), visit))

    def _get_mine(self, visit: PageContext, fields: Fields, kind: str = "") -> Answer:
        if kind == "statistics":
            return self._statistics(visit)
        if kind:
            raise Refused(ErrorCode.NO_PAGE)
        tallies = [Tally(Game(id).words.TITLE, plain(""), *counts) for id, counts in self._results().items()]
        return Answer(own_tables_page(self._rows(visit), visit, tallies))

    def _statistics(self, visit: PageContext) -> Answer:
        from smallchange.server.ratings.statistics import ReviewedGame, statistics_page  # not at first

        reviewed: dict[str, list[Sequence[float]]] = {}
        for kept in self._kept.values():
            if kept.reviewed:
                reviewed.setdefault(kept.record["game"], []).append(kept.reviewed)
        sums = [
            ReviewedGame(id, len(found), *map(sum, zip(*found, strict=True)))
            for id, found in reviewed.items()
        ]
        return Answer(statistics_page(self._results(), sums, (), visit))

    def _post_mine(self, visit: PageContext, fields: Fields, _: str) -> Answer:
        """Take a record from elsewhere."""
        try:
            match = record.read_any(fields.get("record", ""))
        except BadRecord as wrong:
            raise Refused(ErrorCode.BAD_RECORD, why=str(wrong)) from None
        kept = kept_match(match, self._now())
        known = [id for id, other in self._kept.items() if other.record == kept.record]
        return Answer(path=f"/m/{known[0]}") if known else self._open(kept)

    def _get_settings(self, visit: PageContext, fields: Fields) -> Answer:
        return Answer(settings_page(PREFERENCES, visit, fields.get("back", "/")))

    def _get_rules(self, visit: PageContext, fields: Fields, id: str) -> Answer:
        return Answer(rulebook_page(Game(id), visit))

    def _get_learn(self, visit: PageContext, fields: Fields, id: str) -> Answer:
        step, answered = _number(fields, "step"), fields.get("answered") != "0"
        if step >= lesson_count(Game(id)):
            raise Refused(ErrorCode.NO_PAGE)
        return Answer(learn_page(Game(id), step, answered, visit))

    def _get_games(self, visit: PageContext, fields: Fields, id: str) -> Answer:
        return Answer(options_page(Game(id), visit, fields))

    def _get_games_difficulty(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        game = _variant(id, fields)
        return Answer(difficulty_page(game, _simple_rates(game), visit, urlsplit(visit.path).query))

    def _get_games_draw(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        option = drawing_option(Game(id))
        if option is None:
            raise Refused(ErrorCode.NO_PAGE)
        return Answer(editor_page(Game(id), option, visit, fields))

    def _post_games(self, visit: PageContext, fields: Fields, id: str) -> Answer:
        """Open a table: a seat is a bot's, or that of somebody who sits here."""
        game = _variant(id, fields)
        sitters = [fields.get(f"seat.{player}", "me") for player in game.seats]
        if fields.get("toss") and secrets.randbelow(2):
            sitters.reverse()
        chosen = {
            player: sitter.removeprefix("bot:")
            for player, sitter in zip(game.seats, sitters, strict=True)
            if sitter.startswith("bot:")
        }
        if not load_bots(game).keys() >= set(chosen.values()) or len(chosen) == len(game.seats):
            raise Refused(ErrorCode.BAD_SEATS)
        return self._open(new_match(game, chosen, self._now(), first=fields.get("first", "")))

    def _get_train(self, visit: PageContext, fields: Fields, game: str = "", id: str = "") -> Answer:
        if id:
            return Answer(page_of_puzzle(self.training.show(game, id), fields, visit))
        if game:
            return Answer(path=puzzle_path(game, self.training.next_puzzle(game)))
        return Answer(overview_page(self.training.overview(), self.training.of_day(), visit))

    def _post_train(self, visit: PageContext, fields: Fields, game: str, id: str) -> Answer:
        """Count a choice, and lead to the solution."""
        token, shown = fields.get("choice", ""), self.training.show(game, id)
        path = solution_path(shown.puzzle, token, fields)
        self.training.answer(shown, token)
        self._unsaved[TRAINING] = self.training.to_keep()
        return Answer(path=path)

    def _get_daily(self, visit: PageContext, fields: Fields) -> Answer:
        """Return today's deals: the same for everybody, made of the date."""
        now = self._now()
        day = days.day_number(now)
        cards = [self._card(id, day) for id in days.daily_games()]
        played = {kept.day for kept in self._kept.values() if kept.day >= 0 and kept.is_over}
        return Answer(daily_page(cards, days.closing_ms(day) - now, days.streak(played, day), (), visit))

    def _post_daily(self, visit: PageContext, fields: Fields, id: str) -> Answer:
        day = days.day_number(self._now())
        if id not in days.daily_games():
            raise Refused(ErrorCode.NO_PAGE)
        if self._of_day(id, day):
            raise Refused(ErrorCode.NO_DEAL)
        secret = hashlib.sha256(f"Small Change {day} {id}".encode()).digest()
        return self._open(new_match(days.daily_game(id, day), {}, self._now(), secret, day))

    def _get_m(self, visit: PageContext, fields: Fields, id: str) -> Answer:
        at = fields.get("at", "")
        view = self.table(id).view(int(at) if at.isdigit() else None)
        best = self._best_so_far(id)
        return Answer(table_page(view, replace(visit, path=f"/m/{id}", best=best)))

    def _get_m_look(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return Answer(json=self.table(id).look(_number(fields, "at"), visit.lang))

    def _get_m_turns(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return Answer(json=self.table(id).turns(_number(fields, "after"), visit.lang))

    def _get_m_sheet(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        if self.table(id).game.reference is None:
            raise Refused(ErrorCode.NO_PAGE)
        return Answer(reference_page(id, self.table(id).match.position, visit))

    def _get_m_tip(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        """Return the tip after a match, and the best so far. Until its review is done, that goes on."""
        from smallchange.server.insight.review_view import tip_markup  # not at first

        table, best = self.table(id), self._best_so_far(id)
        found, total = table.review()
        is_done = len(found) == total
        if is_done:
            self._changed.add(id)
        html = tip_markup(id, table.match, found if is_done else None, table.held, visit.lang)
        return Answer(json={"html": html, "best": best[visit.lang] if best else "", "done": is_done})

    def _get_m_review(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        from smallchange.server.insight import review_view  # not at first
        from smallchange.server.insight.analysis_view import marks_of

        table = self.table(id)
        found, total = table.review()
        if len(found) < total:
            return Answer(review_view.review_progress_page(id, table.match, found, total, visit, table.held))
        self._changed.add(id)
        at = _number(fields, "at") if "at" in fields else None
        marks = marks_of(_query(visit))
        return Answer(review_view.review_page(id, table.match, found, visit, table.held, at, 0, marks))

    def _get_m_analysis(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        """Return the analysis board, as the server does (`insight/pages.py`)."""
        from smallchange.server.insight.analysis_view import (
            analysis_page,
            go_on,
            read_variation,
        )  # not at first

        match = self.table(id).match
        line = read_variation(id, len(match), _query(visit))
        position = line.position(match) if line else None
        if line is None or position is None or not self.table(id).view().may_review:
            raise Refused(ErrorCode.NO_PAGE)
        if onward := go_on(line, position, fields):
            return Answer(path=onward.path())
        found = self.table(id).survey(position) if position.legal() else None
        return Answer(analysis_page(match, line, position, found, False, False, 0, visit))

    def _get_m_card(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return Answer(card_page(self._find_ended(id), visit, ("svg",)))

    def _get_m_card_svg(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return Answer(match_card(self._find_ended(id), "", visit.lang))

    def _find_ended(self, id: str) -> TableView:
        view = self.table(id).view()
        if not view.can_share:
            raise Refused(ErrorCode.NO_PAGE)
        return view

    def _get_m_record_json(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        table = self.table(id)
        table.refuse_past()
        return Answer(json=record.to_json(table.match))

    def _post_m_fork(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return self._open(self.table(id).fork(_number(fields, "at"), self._now()))

    def _post_m_rematch(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return self._open(self.table(id).again(fields.get("same") == "1", self._now()))

    def _post_m_bring(self, visit: PageContext, fields: Fields, id: str, _: str) -> Answer:
        return Answer(record=record.to_json_text(self.table(id).match))

    # lists

    def _results(self) -> dict[str, tuple[int, int, int]]:
        """Return how many games were won, drawn and lost, by game: alone or against a bot."""
        counts: dict[str, Counter[str]] = {id: Counter() for id in games()}
        for kept in self._kept.values():
            if kept.is_over and kept.own_seat:
                counts[kept.record["game"]][_points(kept)] += 1
        return {id: (found["won"], found["drawn"], found["lost"]) for id, found in counts.items() if found}

    def _best_so_far(self, id: str) -> Text | None:
        """Compare a match that is over with the others of the same game and options."""
        self._note_changes()
        this = self._kept[id]
        if not (this.is_over and this.own_seat):
            return None
        same = [
            kept
            for kept in self._kept.values()
            if kept.is_over
            and kept.own_seat
            and all(kept.record[name] == this.record[name] for name in ("game", "options"))
        ]
        if this.bots:
            (bot,) = this.bots.values()
            counts = Counter(_points(kept) for kept in same if bot in kept.bots.values())
            return tally_text(bot_name(bot), counts["won"], counts["drawn"], counts["lost"])
        scores = [kept.record["result"].get("score") for kept in same if kept is not this]
        best = max((score for score in scores if score is not None), default=None)
        own = this.record["result"].get("score")
        return None if own is None else compare_scores(Game(this.record["game"]).words, own, best)

    def _lobby(self, visit: PageContext) -> LobbyView:
        rows = self._rows(visit)
        return LobbyView(tuple(games()), (), tuple(row for row in rows if not row.over), bool(rows))

    def _rows(self, visit: PageContext) -> list[ListedTable]:
        newest = sorted(self._kept.items(), key=lambda item: -item[1].at)
        return [_row(id, kept) for id, kept in newest]

    def _of_day(self, id: str, day: int) -> str | None:
        """Return the table on which the deal of a day is played."""
        tables = self._kept.items()
        return next((table for table, kept in tables if kept.day == day and kept.record["game"] == id), None)

    def _card(self, id: str, day: int) -> DailyCard:
        table = self._of_day(id, day)
        verdict = self.table(table).view().prompt if table and self._kept[table].is_over else None
        return DailyCard(day, days.daily_game(id, day), table, verdict)


def _number(fields: Fields, name: str) -> int:
    """Return a field that is a whole number, 0 if it is missing. Refuse another."""
    text = fields.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < MAX_DIGITS):
        raise Refused(ErrorCode.NO_PAGE)
    return int(text)


def _query(visit: PageContext) -> list[tuple[str, str]]:
    """Return the fields of an address, in which a name may stand several times."""
    return parse_qsl(urlsplit(visit.path).query, keep_blank_values=True)


def _variant(id: str, fields: Fields) -> Game:
    game = Game(id)
    try:
        return Game(id, parse_options(game, fields))
    except BadOption as wrong:
        raise Refused(ErrorCode.BAD_OPTIONS, why=describe_bad_option(game, wrong)) from None


def _row(id: str, kept: Kept) -> ListedTable:
    game, result = Game(kept.record["game"]), kept.record["result"]
    who: Text = bot_name(next(iter(kept.bots.values()))) if kept.bots else plain("")
    return ListedTable(
        id,
        game.id,
        game.words.TITLE,
        kept.record["options"],
        (),
        who,
        p.OVER if result is not None else p.YOUR_TURN,
        result is not None,
        result is None,
        kept.at,
        False,
    )


def _points(kept: Kept) -> str:
    """Return whether a game that is over was "won", "drawn" or "lost"."""
    result, player = kept.record["result"], kept.own_seat
    if not kept.bots:
        return "won" if result.get("won") else "lost"
    if "by" in result:
        return "lost" if result["by"] == player else "won"
    winner = result.get("winner")
    return "drawn" if winner is None else "won" if winner == player else "lost"


def _simple_rates(game: Game) -> WinRates:
    """Return how often the simple bot wins each side, in as many games as there is time for."""
    wins, n, until, luck = dict.fromkeys(game.seats, 0), 0, monotonic() + MEASURED_S, Random(1)
    while not n or monotonic() < until:
        match = Match(game, luck.randbytes(16))
        match.settle()
        while not match.over:
            thumb = bots.level("greedy", game)
            match.play(thumb.choose(match.position, 1.0, luck))
            match.settle()
        result, n = match.result or {}, n + 1
        for player in game.seats:
            wins[player] += bool(result.get("won")) if len(wins) == 1 else result.get("winner") == player
    return WinRates(n, {player: Rate.of(won, n) for player, won in wins.items()}, "")


def warm_up() -> list[str]:
    """Draw every kind of page, and play a little: then all modules are loaded that drawing needs. Return the pages."""
    site = Site({}, lambda: 0)
    pages = play_a_little(site)
    trained = json.loads(site.respond("GET", f"/train/{games()[0]}", {}, {}))["path"]
    answer = {"choice": site.training.show(*trained.split("/")[2:]).puzzle.best}
    solved = json.loads(site.respond("POST", trained, answer, {}))["path"]
    paths = ["/mine", "/daily", "/settings", "/none", "/train", trained, solved]
    paths += [f"/learn/{id}" for id in games()] + [f"/games/{games()[0]}/difficulty", "/mine/statistics"]
    # one without choices: a snapshot of Python cannot hold a compiled search
    over = next(id for id, kept in site._kept.items() if kept.is_over and not kept.bots)
    paths += [f"/m/{over}/{kind}" for kind in ("review", "tip")]
    paths += [f"/games/{id}/draw" for id in games() if drawing_option(Game(id))]
    for name in ("reviewing.html", "analysis.html"):  # whose moves only a compiled search judges
        templates().get_template(name)
    return pages + [site.respond("GET", path, {}, {}) for path in paths]


def play_a_little(site: Site) -> list[str]:
    """Draw the pages of the first minutes, play a little of each game, and return the pages."""
    pages = [site.respond("GET", path, {}, {}) for path in ("/", "/lists")]
    for id in games():
        pages.append(site.respond("GET", f"/games/{id}", {}, {}))
        (first, *others) = Game(id).seats
        seats = {f"seat.{first}": "me"} | {f"seat.{other}": f"bot:{LEVELS[0]}" for other in others}
        path = json.loads(site.respond("POST", f"/games/{id}", seats, {}))["path"]
        match = path.rpartition("/")[2]
        while site.bot_move(match, "ja"):
            pass
        whole = site.answer(match, json.dumps({"is": "watch", "match": match, "ply": -1}), "en")
        ply = json.loads(whole)["ply"]
        for text in (
            {"is": "hint", "match": match, "ply": ply},
            {"is": "resign", "match": match, "ply": ply, "move": "move-one"},
        ):
            site.answer(match, json.dumps(text), "de")
        pages += [
            site.respond("GET", path + page, {}, {})
            for page in ("", "/look", "/sheet", "/record.json", "/card", "/card.svg")
        ]
    return pages
