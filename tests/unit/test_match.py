"""A match replays itself, and its luck depends on the deal and the object alone."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange.core.commitment import Envelope, draw


def start_match(id: str, deal: bytes) -> smallchange.Match:
    match = smallchange.Match(smallchange.game(id), deal)
    match.settle()
    return match


@pytest.mark.parametrize("id", smallchange.games())
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_undo_takes_back_exactly_one_step(id: str, seed: int) -> None:
    luck = random.Random(seed)
    match = start_match(id, luck.randbytes(16))
    for _ in range(luck.randrange(20)):
        if not match.over:
            match.play(luck.choice(match.position.legal()))
            match.settle()
    positions = [match.until(ply).position for ply in range(len(match))]
    while len(match):
        expected = positions.pop()
        match.undo()
        assert match.position == expected
    with pytest.raises(IndexError, match="no step to take back"):
        match.undo()


@pytest.mark.parametrize("id", smallchange.games())
@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))],
    ids=["flat", "deep", "far"],
)
def test_a_copy_is_equal_and_goes_on_by_itself(copied: Callable[[Any], Any], id: str) -> None:
    match = start_match(id, bytes(16))
    token = match.position.legal()[0]
    twin, position = copied(match), copied(match.position)
    assert (twin, position, copied(match.game)) == (match, match.position, match.game)
    twin.play(token)
    position.play(token)
    assert twin.position == position == match.position.played(token) != match.position
    assert len(twin) == len(match) + 1


@pytest.mark.parametrize("id", smallchange.games())
def test_the_deal_gives_the_same_luck_after_an_undo(id: str) -> None:
    match = start_match(id, bytes(16))
    while not match.over and len(match) < 80:
        token = match.position.legal()[0]
        match.play(token)
        answered = match.settle()
        for _ in range(len(answered) + 1):
            match.undo()
        match.play(token)
        assert match.settle() == answered


def test_two_players_of_one_deal_meet_the_same_throws_of_each_object() -> None:
    deal = bytes(range(16))
    throws = []
    for seed in (1, 2):
        luck = random.Random(seed)
        for id in (id for id in smallchange.games() if smallchange.game(id).sources):
            match = start_match(id, deal)
            seen: dict[tuple[str, str], list[str]] = {}
            while not match.over:
                match.play(luck.choice(match.position.legal()))
                while match.position.actor == "chance":
                    width = len(match.position.weights())
                    key = (id, f"{match.position.source}/{width}")
                    seen.setdefault(key, []).append(match.next_outcome())
                    match.play(match.next_outcome())
            throws.append({k: v for k, v in seen.items() if "die" in k[1]})
    for first in throws:
        for second in throws:
            for key in first.keys() & second.keys():
                both = min(len(first[key]), len(second[key]))
                assert first[key][:both] == second[key][:both]


def test_a_secret_and_words_make_the_deal_that_is_written_down() -> None:
    """HMAC-SHA256 of "red=apple", a new line and "green=äpple", as any other program computes it."""
    envelope = Envelope("", (("red", "apple"), ("green", "äpple")), bytes(range(32)))
    assert envelope.deal().hex() == "e9d618a2a71a66a71aa1470e65f81bac"
    with pytest.raises(ValueError, match="closed"):
        envelope.without_secret().deal()


def test_draws_from_a_large_total_leave_out_the_words_above_it() -> None:
    total = 2**63 + 1
    assert [draw(bytes(16), "urn", k, total) for k in (0, 1, 2)] == [
        4776118181740525777,
        7946652771906951361,
        2334261599465307665,
    ]
    assert draw(bytes(16), "urn", 33, total) == 2738347547009335141, (
        "all four words lie above: the next message counts"
    )


@given(k=st.integers(0, 1000), total=st.integers(1, 10**6))
@settings(deadline=None)
def test_a_draw_lies_within_its_odds(k: int, total: int) -> None:
    assert 0 <= draw(bytes(16), "any", k, total) < total


def test_draws_are_even_over_the_faces_of_a_die() -> None:
    counts = [0] * 6
    for k in range(6000):
        counts[draw(bytes(16), "suns die", k, 6)] += 1
    chi_squared = sum((n - 1000) ** 2 / 1000 for n in counts)
    assert (
        chi_squared < 20.5
    )  # 0.1 % point of 5 degrees of freedom; the draws are pinned, so this is no gamble


def test_a_chance_step_other_than_the_deals_is_refused() -> None:
    id = next(id for id in smallchange.games() if smallchange.game(id).sources)
    match = smallchange.Match(smallchange.game(id), bytes(16))
    other = next(token for token, _ in match.position.weights() if token != match.next_outcome())
    with pytest.raises(smallchange.IllegalMove, match="not what the deal gives"):
        match.play(other)
    assert len(match) == 0


@pytest.mark.parametrize(("id", "deal"), [("coin-age", None), ("dodgem", bytes(16))])
def test_nothing_is_dealt_without_a_deal_or_where_a_player_chooses(id: str, deal: bytes | None) -> None:
    with pytest.raises(ValueError, match="nothing is dealt here"):
        smallchange.Match(smallchange.game(id), deal).next_outcome()


def test_chance_takes_no_step_after_an_end_that_was_not_by_the_rules() -> None:
    match = smallchange.Match(smallchange.game("coin-age"), bytes(16))
    match.end("resigned", "heads")
    with pytest.raises(smallchange.IllegalMove, match="the match was resigned"):
        match.settle()
    assert len(match) == 0


def test_a_deal_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a deal is 16 bytes, not b'x'"):
        smallchange.Match(smallchange.game("coin-age"), b"x")


@pytest.mark.parametrize("id", smallchange.games())
def test_how_it_ended_is_said_and_taken_back_with_the_last_step(id: str) -> None:
    match = start_match(id, bytes(16))
    match.play(match.position.legal()[0])
    player = match.game.seats[0]
    with pytest.raises(ValueError, match="not over"):  # no words that it was won, as there were
        _ = match.ending
    match.end("resigned", player)
    assert match.ending.en.lower() == f"{match.game.words.PLAYERS[player].en} resigned.".lower()
    assert match.game.words.PLAYERS[player]["ja"] in match.ending["ja"]
    match.undo()
    assert not match.over


def test_a_seat_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown player 'blue'; the players are: red, green"):
        smallchange.Match(smallchange.game("dodgem"), seats={"blue": "Ann"})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seats": {"heads": 5}}, "printable, not 5"),
        ({"seats": {"heads": "Ann\nBob"}}, "printable, not 'Ann"),
        ({"deal": "0" * 16}, "a deal is 16 bytes, not '000"),
        ({"practice": None}, "printable, not None"),
        ({"envelope": Envelope("", (("heads", "a\ntails=b"),))}, "words of players are one line"),
    ],
)
def test_a_match_is_not_made_of_what_its_record_could_not_hold(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        smallchange.Match(smallchange.game("coin-age"), **given)


def test_a_match_did_not_stand_anywhere_before_its_start() -> None:
    match = start_match("coin-age", bytes(16))
    with pytest.raises(ValueError, match="not -1"):
        match.until(-1)
