"""The pages, as pure functions of plain data; every one returns a whole page unless it says otherwise.

Rules for all of them: no inline script or style (the policy is default-src 'self'); names are rendered as
text; a page works without JavaScript, as links and as forms that POST.

Forms. A page has one form outside its fragments, so that fragments are the same for all who hold the same
seats and typed text survives a patch:

    <form id="command-form" method="post">
      <input type="hidden" name="move" value="..">
    </form>

Buttons in fragments point to it, `<button form="command-form" formaction="/m/ID/act" name="token" ..>`,
and a fragment with buttons carries `<input type="hidden" form="command-form" name="ply" value="..">`.
`smallchange admin routes` lists the posts of a table. Each answers with a redirect to the table's page, or with
the page and `Visit.wrong`.

The client (static/) speaks the messages of `messages.py` over /ws: `watch` with the page's ply, then `changes`
brings fragments by element id, and rows of the log: keep the first `kept`, then add `rows`.
"""

from __future__ import annotations

from smallchange.server.accounts.bots_view import bots_page
from smallchange.server.accounts.view import account_page, authenticate_page, go_on_page, transfer_page
from smallchange.server.daily.picture import daily_picture
from smallchange.server.daily.view import daily_page, day_of, standings_page
from smallchange.server.insight.analysis_view import analysis_page
from smallchange.server.insight.explorer_view import explorer_page
from smallchange.server.insight.learn import learn_page, lesson_count
from smallchange.server.insight.review_view import review_page, review_progress_page
from smallchange.server.insight.statistics_view import statistics_page
from smallchange.server.insight.tip import tip_markup
from smallchange.server.meeting.lobby import join_page, lobby_lists, lobby_page, own_tables_page
from smallchange.server.meeting.player_games_view import games_page
from smallchange.server.meeting.view import (
    challenge_page,
    challenge_row,
    leaders_page,
    play_page,
    profile_page,
    seek_page,
)
from smallchange.server.meeting.watching import watch_page
from smallchange.server.moderation.view import keepers_page, report_page, reported_page
from smallchange.server.notifications.mail_view import mail_page
from smallchange.server.notifications.model import KINDS as NOTIFICATION_KINDS
from smallchange.server.notifications.view import notifications_page, switches
from smallchange.server.offline.view import offline_page
from smallchange.server.ratings.house_bot_view import house_bot_page
from smallchange.server.table.board import quarter_turns
from smallchange.server.table.embedding import (
    embed_page,
    embed_picture,
    embed_refusal_page,
    oembed_description,
)
from smallchange.server.table.fairness import fairness_page
from smallchange.server.table.log import log_rows
from smallchange.server.table.options import (
    OWN_TIME_FIELD,
    deal_page,
    describe_bad_option,
    difficulty_page,
    options_page,
    parse_options,
)
from smallchange.server.table.playback import turn_fragments
from smallchange.server.table.table_page import (
    SharedFragments,
    all_fragments,
    seat_fragments,
    shared_fragments,
    table_page,
)
from smallchange.server.tournaments.view import tournament_page, tournaments_page
from smallchange.server.tournaments.view import version as tournament_version
from smallchange.server.variants.view import (
    TITLE_FIELD,
    drawing_option,
    editor_page,
    variant_page,
    variant_picture,
)
from smallchange.server.web.documents import (
    about_page,
    envelope_page,
    error_page,
    record_page,
    reference_page,
    rulebook_page,
)
from smallchange.server.web.frame import PREVIEW_FILE
from smallchange.server.web.settings_page import settings_page

__all__ = [
    "NOTIFICATION_KINDS",
    "OWN_TIME_FIELD",
    "PREVIEW_FILE",
    "TITLE_FIELD",
    "SharedFragments",
    "about_page",
    "account_page",
    "all_fragments",
    "analysis_page",
    "authenticate_page",
    "bots_page",
    "challenge_page",
    "challenge_row",
    "daily_page",
    "daily_picture",
    "day_of",
    "deal_page",
    "describe_bad_option",
    "difficulty_page",
    "drawing_option",
    "editor_page",
    "embed_page",
    "embed_picture",
    "embed_refusal_page",
    "envelope_page",
    "error_page",
    "explorer_page",
    "fairness_page",
    "games_page",
    "go_on_page",
    "house_bot_page",
    "join_page",
    "keepers_page",
    "leaders_page",
    "learn_page",
    "lesson_count",
    "lobby_lists",
    "lobby_page",
    "log_rows",
    "mail_page",
    "notifications_page",
    "oembed_description",
    "offline_page",
    "options_page",
    "own_tables_page",
    "parse_options",
    "play_page",
    "profile_page",
    "quarter_turns",
    "record_page",
    "reference_page",
    "report_page",
    "reported_page",
    "review_page",
    "review_progress_page",
    "rulebook_page",
    "seat_fragments",
    "seek_page",
    "settings_page",
    "shared_fragments",
    "standings_page",
    "statistics_page",
    "switches",
    "table_page",
    "tip_markup",
    "tournament_page",
    "tournament_version",
    "tournaments_page",
    "transfer_page",
    "turn_fragments",
    "variant_page",
    "variant_picture",
    "watch_page",
]
