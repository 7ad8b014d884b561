"""Guided first games: each plays through, points at spots of the board, and is short in every language."""

from __future__ import annotations

import re

import pytest

import smallchange
from smallchange.core.guide import MAX_READING_S, MAX_SENTENCES, guided_match
from smallchange.i18n.text import LANGUAGES

from .variants import GAMES

GUIDED = [id for id in GAMES if smallchange.game(id).guide]
CHARACTERS_A_SECOND = {"ja": 8.0}  # that somebody reads
DEFAULT_CHARACTERS_A_SECOND = 18.0
MOVE_S = 3.0  # to find and touch what a lesson asks for


@pytest.mark.parametrize("id", GUIDED)
def test_a_guided_game_plays_through_and_points_at_what_is_there(id: str) -> None:
    guide = smallchange.game(id).guide
    assert guide is not None
    for i, lesson in enumerate(guide.LESSONS):
        match = guided_match(smallchange.game(id), i)
        game, position = match.game, match.position
        scene = game.layout.scene(game.board, position.s)
        there = {spot.id for area in scene.areas for spot in area.spots}
        assert set(lesson.shows) <= there, f"lesson {i}"
        if lesson.move:
            assert lesson.move in list(position), f"lesson {i}"
            assert position.actor == game.seats[0]
    assert not guide.LESSONS[-1].move
    guided_match(smallchange.game(id), len(guide.LESSONS))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", GUIDED)
def test_a_guided_game_is_read_and_played_in_a_minute_and_a_half(id: str, lang: str) -> None:
    guide = smallchange.game(id).guide
    assert guide is not None
    said = [lesson.say[lang] for lesson in guide.LESSONS]
    assert len(re.findall(r"[.。!?](?=\s|$)|。", " ".join(said))) <= MAX_SENTENCES
    assert all(re.search(r"[.。!]$", text) for text in said)
    rate = CHARACTERS_A_SECOND.get(lang, DEFAULT_CHARACTERS_A_SECOND)
    moves = sum(bool(lesson.move) for lesson in guide.LESSONS)
    assert sum(map(len, said)) / rate + MOVE_S * moves <= MAX_READING_S
