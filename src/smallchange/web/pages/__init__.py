"""The pages, as pure functions of plain data; every one returns a whole page unless it says otherwise.

Rules for all of them: no inline script or style (the policy is default-src 'self'); names are rendered as text; a
page works without JavaScript, as links and as forms that POST.

Forms. A page has one form outside its fragments, so that fragments are the same for all who hold the same seats and
typed text survives a patch:

    <form id="deed" method="post"><input type="hidden" name="forgery" value=".."><input name="move" ..></form>

Buttons in fragments point to it: `<button form="deed" formaction="/m/ID/act" name="token" value="a1-b1">`, and a
fragment with buttons carries `<input type="hidden" form="deed" name="ply" value="..">`. The posts of a table are
listed in `web/app.py`; each answers with a redirect to the table's page, with ?why=CODE if it was refused.
"""

from __future__ import annotations
