"""The pages, as pure functions of plain data; every one returns a whole page unless it says otherwise.

Rules for all of them: no inline script or style (the policy is default-src 'self'); names are rendered as
text; a page works without JavaScript, as links and as forms that POST.

Forms. A page has one form outside its fragments, so that fragments are the same for all who hold the same
seats and typed text survives a patch:

    <form id="deed" method="post"><input type="hidden" name="forgery" value=".."><input name="move" ..></form>

Buttons in fragments point to it: `<button form="deed" formaction="/m/ID/act" name="token" value="a1-b1">`,
and a fragment with buttons carries `<input type="hidden" form="deed" name="ply" value="..">`. The posts of a
table are listed in `web/app.py`; each answers with a redirect to the table's page, or with the page and
`Visit.wrong`.

The client (static/) speaks the messages of `wire.py` over /ws: `watch` with the page's ply, then `shown`
brings fragments by element id, and rows of the log: keep the first `kept`, then add `rows`.
"""

from __future__ import annotations

from .frame import PREVIEW
from .glance import glance
from .lobby import join, lists, lobby, mine
from .log import rows
from .options import chosen, difficulty, fault, new
from .review import review, reviewing
from .sheets import about, envelope, kept, rules, wrong
from .table import Common, common, fragments, own, table

__all__ = [
    "PREVIEW",
    "Common",
    "about",
    "chosen",
    "common",
    "difficulty",
    "envelope",
    "fault",
    "fragments",
    "glance",
    "join",
    "kept",
    "lists",
    "lobby",
    "mine",
    "new",
    "own",
    "review",
    "reviewing",
    "rows",
    "rules",
    "table",
    "wrong",
]
