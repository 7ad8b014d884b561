"""What stands below the dice once a game is over: the result, and where to go from here."""

from __future__ import annotations

from smallchange.draw.words import capital
from smallchange.mind.levels import percent
from smallchange.text import Text
from smallchange.web.view import Standing, View

from . import phrases as p
from .frame import button, copier, escape
from .measured import odds
from .review import review_title
from .seats import who
from .signs import signed

SHORT = 32  # the most characters of a result that is shown large as a whole


def result(view: View, lang: str) -> str:
    """The result, large; what to do next; the scores of two players. The status says why it is so."""
    verdict = f'<h2 class="result" tabindex="-1">{escape(_verdict(view, lang))}</h2>'
    return verdict + _meaning(view, lang) + _ways(view, lang)


def _verdict(view: View, lang: str) -> str:
    """Did the viewer win, where one of two can; else what the end is worth, its last sentence."""
    assert view.ended is not None
    if not view.started:
        return p.NOT_BEGUN[lang]
    if len(view.seats) == 2 and not view.ended.winners:
        return p.DRAWN[lang]
    mine = won(view.ended, view.you)
    return mine[lang] if mine else parted(view.ended.text, lang)[1]


def won(end: Standing, held: tuple[int, ...]) -> Text | None:
    """Whether who held one seat won; None where that is not said of them."""
    if len(held) != 1 or not end.winners:
        return None
    return p.YOU_WON if held[0] in end.winners else p.YOU_LOST


def parted(said: Text, lang: str) -> tuple[str, str]:
    """What was the cause of a result, "" if that is not said, and its last sentence.

    >>> parted(Text("The map is full. It is a draw.", ""), "en")
    ('', 'The map is full. It is a draw.')
    >>> parted(Text("Every pawn is retired. Not cleared: 14 coins left.", ""), "en")
    ('Every pawn is retired.', 'Not cleared: 14 coins left.')
    """
    text, stop = said[lang], "。" if lang == "ja" else ". "
    cause, _, verdict = text.rstrip("。").rpartition(stop)
    if len(text) <= SHORT or not cause:
        return "", text
    return (cause + stop).strip(), verdict + stop.strip(". ")


def _meaning(view: View, lang: str) -> str:
    """What a score of the base game is worth: how often a simple player does better, where that is known."""
    assert view.ended is not None
    measured, score = odds(view.game), view.ended.scores[0]
    if measured is None or view.options or view.practice or score is None:
        return ""
    better = measured.better(score)
    alike = measured.better(score - 1) - better
    said = p.BETTER if better else p.AS_WELL
    share = percent((better or alike) / measured.n)
    return f'<p class="meaning">{escape(said.fill(n=f"{measured.n:,}", share=share)[lang])}</p>'


def _scores(view: View, lang: str) -> str:
    assert view.ended is not None
    points = view.ended.result.get("score")
    if not isinstance(points, dict):
        return ""
    lines = ""
    for i, seat in enumerate(view.seats):
        look = ' class="won"' if i in view.ended.winners else ""
        title, sitter = capital(seat.title)[lang], (p.YOU if seat.you else who(seat))[lang]
        name = p.OPTION.fill(name=signed(title, view.game, lang), value=escape(sitter))[lang]
        n = points.get(seat.player, "")
        lines += f'<tr{look}><th scope="row">{name}</th><td>{n}</td></tr>'
    return f'<table class="scores"><caption>{escape(p.SCORES[lang])}</caption>{lines}</table>'


def _ways(view: View, lang: str) -> str:
    if not view.started:  # it was withdrawn: there is nothing to look back on
        new = f'<a class="btn primary" href="/games/{view.game}">{escape(p.NEW_GAME[lang])}</a>'
        return f'<div class="buttons wrap">{new}</div>'
    drawn = ""
    if view.again:
        drawn += f'<a class="btn primary" id="rematch" href="/m/{view.again}">{escape(p.REMATCH[lang])}</a>'
    elif view.you:
        word = p.AGAIN if len(view.you) == len(view.seats) else p.AGAIN_SWAPPED
        drawn += button(view.match, "again", word[lang], "", "primary")
    if view.you and view.proven and view.luck:
        drawn += button(view.match, "again", p.SAME_DEAL[lang], 'name="same" value="1"')
    decided = next((entry.number for entry in reversed(view.log) if entry.seat >= 0), view.length)
    before = max(0, decided - 1)
    back = f'href="/m/{view.match}?at={before}" data-to="{before}"'
    if view.review:
        drawn += f'<a class="btn" href="/m/{view.match}/review">{escape(review_title(view.luck)[lang])}</a>'
    drawn += f'<a class="btn" {back}>{escape(p.REPLAY[lang])}</a>{copier(f"/m/{view.match}", lang)}'
    proof = f' <a href="/m/{view.match}/envelope">{escape(p.ENVELOPE[lang])}</a>' if view.luck else ""
    more = (
        f'<p class="fine ways"><a href="/games/{view.game}">{escape(p.NEW_GAME[lang])}</a>'
        f'{proof} <a href="/m/{view.match}/record.txt">{escape(p.RECORD[lang])}</a></p>'
    )
    return f'<div class="buttons wrap">{drawn}</div>{_scores(view, lang)}{more}'
