"""The application: all routes, put together.

Pages (GET; `?lang=en|ja` wins over the cookie, which wins over Accept-Language)

| path | page |
| --- | --- |
| / | lobby |
| /games/GAME | one game's options as a form, and who sits where |
| /rules/GAME | its rulebook; `#anchor` is `View.phase` |
| /m/ID | a table. `?at=N`: as it was after N steps. `?pick=PIECE`: play without JavaScript. `?why=CODE` |
| /m/ID/look?at=N | the same view as JSON fragments, {"at": N, "html": {id: markup}}, for stepping through the log |
| /m/ID/envelope | the sealed envelope, explained and verified |
| /m/ID/record.txt, /m/ID/record.json | the record to download |
| /j/CODE | a join link: who opened it first may take the seat by one button; others are led to the table |
| /mine | one's running and finished games |
| /static/FILE | style sheet, client, icons |
| /healthz, /metrics | for who runs the server |

Forms (POST, with `forgery`; all but the first three also `move` and `ply`). Answer: a redirect to the table's page.

| path | fields |
| --- | --- |
| /games/GAME | every option by its name; `seat.PLAYER`: me, open, or bot:NAME; `name`; `words`; `open` |
| /j/CODE | `name`, `words` |
| /lang | `lang`, `back` (a path of ours) |
| /theme | `theme` (light, dark, or empty for the system's), `back` |
| /m/ID/act | `token`, or `marks` (several; the ids of `Touch.marks`) |
| /m/ID/undo, /m/ID/resign | |
| /m/ID/offer | `what`: draw, undo |
| /m/ID/answer | `yes`: 1 or 0 |
| /m/ID/again | `same`: 1 for the same deal; else seats are swapped and the luck is fresh |
| /m/ID/fork | `at` |

Socket: /ws, messages in `wire.py`. Programs: /api, described by /api/openapi.json.
"""
