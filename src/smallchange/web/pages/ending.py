"""What stands where the dice were once a game is over: the result, and where to go from here."""

from __future__ import annotations

from smallchange.web.view import View

from . import phrases as p
from .frame import button, copier, escape

SHORT = 32  # the most characters of a result that is shown large as a whole


def result(view: View, lang: str) -> str:
    """The result in words, its last sentence large; the scores of two players; and what to do next."""
    assert view.ended is not None
    said = view.ended.text[lang]
    stop = "。" if lang == "ja" else ". "
    cause, _, verdict = said.rstrip("。").rpartition(stop)
    if len(said) <= SHORT or not cause:
        cause, verdict = "", said
    elif lang == "ja":
        verdict += stop
    why = f'<p class="meaning">{escape(cause + stop)}</p>' if cause else ""
    return f'<h2 class="result">{escape(verdict)}</h2>{why}{_scores(view, lang)}{_ways(view, lang)}'


def _scores(view: View, lang: str) -> str:
    assert view.ended is not None
    points = view.ended.result.get("score")
    if not isinstance(points, dict):
        return ""
    lines = ""
    for i, seat in enumerate(view.seats):
        look = ' class="won"' if i in view.ended.winners else ""
        who, n = escape(seat.title[lang]), points.get(seat.player, "")
        lines += f'<tr{look}><th scope="row">{who}</th><td>{n}</td></tr>'
    return f'<table class="scores"><caption>{escape(p.SCORES[lang])}</caption>{lines}</table>'


def _ways(view: View, lang: str) -> str:
    if not view.started:  # it was withdrawn: there is nothing to look back on
        return f'<p class="fine ways"><a href="/games/{view.game}">{escape(p.NEW_GAME[lang])}</a></p>'
    drawn = ""
    if view.again:
        drawn += f'<a class="btn primary" href="/m/{view.again}">{escape(p.REMATCH[lang])}</a>'
    elif view.you:
        word = p.AGAIN if len(view.seats) == 1 else p.AGAIN_SWAPPED
        drawn += button(view.match, "again", word[lang], "", "primary")
    if view.you and view.proven and view.luck:
        drawn += button(view.match, "again", p.SAME_DEAL[lang], 'name="same" value="1"')
    before = max(0, view.length - 1)
    back = f'href="/m/{view.match}?at={before}" data-to="{before}"'
    drawn += f'<a class="btn" {back}>{escape(p.REPLAY[lang])}</a>{copier(f"/m/{view.match}", lang)}'
    proof = f' <a href="/m/{view.match}/envelope">{escape(p.ENVELOPE[lang])}</a>' if view.luck else ""
    more = (
        f'<p class="fine ways"><a href="/games/{view.game}">{escape(p.NEW_GAME[lang])}</a>'
        f'{proof} <a href="/m/{view.match}/record.txt">{escape(p.RECORD[lang])}</a></p>'
    )
    return f'<div class="buttons wrap">{drawn}</div>{more}'
