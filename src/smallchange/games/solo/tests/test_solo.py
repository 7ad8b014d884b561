"""Solo: a test for every ruling, with its number, and the worked example of both rulebooks."""

import re
from typing import Any

import pytest

import smallchange
from smallchange import Position
from smallchange.core.variants import idle_options
from smallchange.i18n.text import LANGUAGES

from ..notation import square as square_name
from ..rules import CHOOSE, coins_left
from .positions import after, position_with_tiles, scene, stands

HOLE = "#o#########\n##########."  # a2, a hole on b2, c2 to k2; a1 to j1
CORNER = ".......##.\n#o########\n.#########"  # from a2, b1 lies behind the hole b2 or the empty place a1


def reachable_squares(position: Position, flip: str) -> list[str]:
    """Return the squares of the legal moves after this flip."""
    position.play(f"flip:{flip}")
    return [token.removeprefix("to:") for token in position.legal() if token.startswith("to:")]


def test_so_1_free_moves_are_one_coin_at_a_time_and_never_empty_a_tile() -> None:
    """ "Free moves are one coin at a time; a source never becomes empty." """
    position = position_with_tiles(free_moves=3)
    ways = [f"{way[0]}{row}>{way[1]}{row}" for row in (1, 2, 3, 4) for way in ("ab", "cb", "cd")]
    assert position.legal() == sorted([*ways, "done"])
    position.play("c1>d1")
    assert not [token for token in position.legal() if token.startswith("c1>") or token.endswith("d1")]
    assert "a1>b1" in position.legal()


def test_so_2_a_tile_with_a_coin_comes_before_an_empty_one() -> None:
    """ "A move must end on a tile with a coin if any such tile can be reached." """
    assert reachable_squares(scene("a1=S1 c1=S1", "a1"), "2") == ["c1"]
    assert reachable_squares(scene("a1=S1 e4=A1", "a1"), "2") == ["a3", "b2", "c1"]
    assert reachable_squares(scene("a1=S1 e4=A1", "a1"), "a") == ["a2", "b1"]


def test_so_2_holds_for_all_destinations_of_a_whip_together() -> None:
    """ "All destinations of the flip are one set." """
    whip: dict[str, Any] = {"board": HOLE, "hole": "fly", "whip": True}
    assert reachable_squares(scene("a2=S1 c2=S1", "a2", **whip), "a") == ["c2"]
    assert reachable_squares(scene("a2=S1 j1=S1", "a2", **whip), "a") == ["a1", "b1", "c2"]


def test_so_3_a_pawn_without_any_destination_must_be_retired_where_it_stands() -> None:
    """ "If no tile at all can be reached, the pawn must be retired where it stands." """
    for square in ("c2", "c3"):
        assert stands(after(scene(f"{square}=S1 a2=M1", square), "flip:5")) == ("M", "a2")
        rescued = after(scene(f"{square}=S2 a2=M1", square, aces="S"), "flip:5")
        assert rescued.legal() == ["rescue:?", f"rescue:{square}", "retire"]


def test_so_4_coins_never_block() -> None:
    """ "Coins and pawns never block." """
    assert reachable_squares(scene("a1=S1 b1=S1 c1=S1 d1=S1", "a1"), "3") == ["d1"]


def test_so_4_a_path_may_return_to_its_start_where_the_edges_allow_it() -> None:
    """ "A path may return to its starting tile only if topology lets it." """
    two_rows = "##########\n##########"
    assert reachable_squares(scene("a1=S2", "a1", board=two_rows, topology="torus"), "2") == ["a1"]
    assert "a1" not in reachable_squares(scene("a1=S2", "a1", board=two_rows), "2")


def test_so_5_a_move_goes_over_places_without_a_tile_only_when_they_are_virtual() -> None:
    """ "walls: every place on the way must be a tile; virtual: it may also cross places without one." """
    coins = "b4=S1 d2=M1"
    assert "d2" not in reachable_squares(scene(coins, "b4", board="galaxy"), "4")
    assert reachable_squares(scene(coins, "b4", board="galaxy", outside="virtual"), "4") == ["d2"]
    corner = CORNER.replace("o", ".")
    assert reachable_squares(scene("a2=S1 j1=A1", "a2", board=corner, outside="virtual"), "2") == ["b1", "c2"]


def test_so_6_a_hole_is_crossed_or_turned_on_only_when_it_may_be_flown_over() -> None:
    """ "The turn may be made on any place the path may pass, a hole or a place without a tile included." """
    coins = "a2=S1 j1=A1"
    assert reachable_squares(scene(coins, "a2", board=CORNER), "2") == []
    assert reachable_squares(scene(coins, "a2", board=CORNER, hole="fly"), "2") == ["b1", "c2"]
    assert reachable_squares(scene(coins, "a2", board=CORNER, outside="virtual"), "2") == ["b1"]
    assert reachable_squares(scene("c4=S1 a5=A1", "c4", board="galaxy", hole="fly"), "a") == [
        "b4",
        "c3",
        "c5",
    ]


def test_so_7_a_whipped_move_is_one_longer_or_one_shorter_over_the_hole() -> None:
    """ "A path of length k may not cross a hole; one of length k - 1 or k + 1 may be used if it does." """
    fly: dict[str, Any] = {"board": HOLE, "hole": "fly"}
    assert reachable_squares(scene("a2=S1 j1=S1", "a2", **fly), "2") == ["b1", "c2"]
    assert reachable_squares(scene("a2=S1 j1=S1", "a2", **fly, whip=True), "2") == ["b1", "c1", "d2"]
    assert reachable_squares(scene("a2=S1 j1=S1", "a2", **fly), "a") == ["a1"]
    assert reachable_squares(scene("a2=S1 j1=S1", "a2", **fly, whip=True), "a") == ["a1", "b1", "c2"]


def test_so_7_the_way_over_a_hole_is_said_with_the_lengths_it_can_have() -> None:
    whip: dict[str, Any] = {"board": HOLE, "hole": "fly", "whip": True}
    for flip, straight, over in (("a", "1 tile", "2"), ("2", "2 tiles", "3"), ("3", "3 tiles", "2 or 4")):
        position = after(scene("a2=S1 j1=S1 k2=S1", "a2", **whip), f"flip:{flip}")
        said = position.game.words.asks(position.game.board, position.s)
        assert f"{straight} ({over} over a black hole)." in said.en


def test_so_8_a_torus_with_walls_joins_the_ends_of_each_row_and_column_of_tiles() -> None:
    """ "A step off the outermost place of a row or column lands on the outermost place at the other end." """
    torus: dict[str, Any] = {"board": "##########.\n##########.", "topology": "torus"}
    assert reachable_squares(scene("a1=S1 f1=S1", "a1", **torus), "a") == ["a2", "b1", "j1"]


def test_so_8_on_the_galaxy_a_torus_joins_rows_of_unequal_length() -> None:
    """ "The rightmost tile of the same row" is one step to the left of the leftmost."""
    galaxy: dict[str, Any] = {"board": "galaxy", "topology": "torus"}
    assert reachable_squares(scene("a5=S1 c1=S1", "a5", **galaxy), "a") == ["b5", "e5"]


def test_so_8_gaps_stay_walls_and_a_line_of_one_tile_does_not_join_itself() -> None:
    """ "Gaps between stay walls; a line of a single place does not join itself." """
    gap: dict[str, Any] = {"board": "#####.#####\n##########.", "topology": "torus"}
    assert reachable_squares(scene("e2=S1 k2=S1", "e2", **gap), "a") == ["d2", "e1"]
    line: dict[str, Any] = {"board": "#" * 20, "topology": "torus"}
    assert reachable_squares(scene("a1=S1 f1=S1", "a1", **line), "a") == ["b1", "t1"]


def test_so_8_with_outside_virtual_a_path_may_wrap_around_the_whole_drawing_instead() -> None:
    """ "Row and column wrapping around the whole drawing, its empty edge rows and columns included." """
    torus: dict[str, Any] = {"board": "##########.\n##########.", "topology": "torus"}
    assert "j1" not in reachable_squares(scene("a1=S1 f1=S1", "a1", **torus), "2")
    assert "j1" in reachable_squares(scene("a1=S1 f1=S1", "a1", **torus, outside="virtual"), "2")
    assert "j1" in reachable_squares(scene("a1=S1 f1=S1", "a1", **torus, outside="virtual"), "a")


def test_so_8_a_path_goes_the_one_way_or_the_other_as_a_whole() -> None:
    """ "With `outside = virtual` a path may also be made the other way, as a whole." """
    torus: dict[str, Any] = {"board": ".#########.\n###########", "topology": "torus", "outside": "virtual"}
    # From b2 four to the left: j2 i2 h2 g2 with walls, a2 k2 j2 i2 over places without a tile; no mixture leads to h2.
    ends = reachable_squares(scene("b2=S1 g2=A1 i2=A1 h2=M1", "b2", **torus), "4")
    assert {"g2", "i2"} <= set(ends)
    assert "h2" not in ends


def test_so_8_over_a_pole_of_the_sphere_the_way_goes_straight_on() -> None:
    """ "A step up from the top row lands on the top row N/2 columns further; this is not a turn." """
    assert reachable_squares(scene("a5=S1 c2=A1", "a5", topology="sphere"), "a") == ["a4", "b5", "c5", "d5"]
    both = ["a3", "b4", "b5", "c4", "c5", "d4", "d5"]
    assert reachable_squares(scene("a5=S1 c2=A1", "a5", topology="sphere"), "2") == both
    assert reachable_squares(scene("a5=S1 c3=A1", "a5", topology="sphere"), "3") == ["c3"]  # up, and two down
    assert reachable_squares(scene("a1=S1 d2=A1", "a1", topology="sphere"), "3") == [
        "d2"
    ]  # down, up, to the side


def test_so_9_next_to_means_one_step_without_a_hole_and_with_the_joined_edges() -> None:
    """ "Adjacent means one step under SO-5, SO-6 and SO-8 with no crossing of a hole." """
    coins = "a2=S1 a1=S1 b1=S1 c2=S1 k2=S1"
    whip: dict[str, Any] = {"board": HOLE, "hole": "fly", "whip": True}
    assert after(scene(coins, "a2", "M", **whip), "flip:n").legal() == ["rescue:?", "rescue:a1", "retire"]
    joined = after(scene(coins, "a2", "M", board=HOLE, topology="torus"), "flip:n")
    assert joined.legal() == ["rescue:?", "rescue:a1", "rescue:k2", "retire"]
    values = "5342a"
    assert "d1>d4" not in position_with_tiles(values).legal()
    assert "a1>e1" in position_with_tiles(values, topology="torus").legal()


def test_so_10_staying_or_stepping_needs_a_coin_and_the_oldest_ace_is_spent() -> None:
    """ "Rescue by staying or stepping needs a tile with a coin; the oldest ace is spent." """
    assert after(scene("a1=S1 a2=M1", "a1", "C"), "flip:n").legal() == ["rescue:?", "rescue:a2", "retire"]
    position = after(scene("a1=S2 e4=A1", "a1", "CM"), "flip:n")
    assert position.legal() == ["rescue:?", "rescue:a1", "retire"]
    position.play("rescue:a1")
    assert stands(position) == ("S", "a1")
    pieces = position.game.layout.scene(position.game.board, position.s).pieces
    assert {p.id: p.state for p in pieces if p.id in ("coin-Ca", "coin-Ma")} == {
        "coin-Ca": "spent",
        "coin-Ma": "",
    }


def test_so_10_with_rescue_any_a_pawn_may_stay_or_step_where_no_coin_lies_and_is_retired_there() -> None:
    """ "With `rescue` at `any` it may stay on an empty tile or step to one; there it must be retired again." """
    position = after(scene("a1=S2 e4=A1", "a1", "CM", rescue="any"), "flip:n")
    assert position.legal() == ["rescue:?", "rescue:a1", "rescue:a2", "rescue:b1", "retire"]
    position.play("rescue:b1")
    assert position.legal() == ["rescue:?", "rescue:a1", "rescue:b1", "rescue:b2", "rescue:c1", "retire"]
    assert "c1 has no coin, so the suns pawn is retired" in position.describe("rescue:c1").en
    position.play("rescue:c1")
    assert stands(position) == ("A", "e4"), "moons and crowns have no coin left to enter on"


def test_so_11_the_first_pawn_cannot_be_rescued_from_an_empty_tile() -> None:
    """ "The first pawn's empty tile cannot be rescued from." """
    position = after(position_with_tiles(free_moves=0), "S=a")
    assert (stands(position), position.actor) == (("M", "e2"), "chance")


def test_so_12_a_pawn_whose_suit_has_no_coin_is_retired_as_it_would_enter() -> None:
    """ "That pawn is retired at once, no rescue; the next pawn uses the same number." """
    assert stands(after(scene("c1=S1 c4=S1 a4=A1", "c1"), "flip:n")) == ("A", "c4")
    lost = after(scene("c1=S2 a1=S1", "c1", "M"), "flip:n", "retire")
    assert lost.result == {"score": 2, "won": False, "aces_left": 1}


def test_so_12_the_suit_of_the_coin_does_not_matter() -> None:
    """ "When none of the five tiles of the pawn's suit holds a coin (of whatever suit)." """
    assert stands(after(scene("c1=S1 d2=C1", "c1"), "flip:n")) == ("M", "d2")


def test_so_13_entering_on_the_same_number_or_the_closest_is_compulsory() -> None:
    """ "Entering on a tile of the same number is compulsory when it has a coin." """
    assert stands(after(scene("c1=S1 a2=M1 c2=M1 e2=M1", "c1"), "flip:n")) == ("M", "c2")
    assert stands(after(scene("c1=S1 a2=M1 d2=M1", "c1"), "flip:n")) == ("M", "a2")


def test_so_13_between_a_lower_and_a_higher_number_equally_close_the_player_chooses() -> None:
    """ "On a tie between lower and higher the player chooses." """
    position = after(scene("c1=S1 a2=M1 e2=M1", "c1"), "flip:n")
    assert position.legal() == ["@a2", "@e2"]
    assert stands(after(position, "@e2")) == ("M", "e2")


@pytest.mark.parametrize(("coin", "aces"), [("n", 1), ("5", 1), ("a", 2)])
def test_so_14_the_last_coin_ends_the_game_whatever_it_is(coin: str, aces: int) -> None:
    """ "When the last coin of the board has been flipped the game ends at once, score 0." """
    position = after(scene("c1=S1", "c1", "M"), f"flip:{coin}")
    assert position.result == {"score": 0, "won": True, "aces_left": aces}
    assert position.score("player") == 0


def test_so_15_a_null_on_the_die_lets_the_player_choose_any_tile() -> None:
    """ "The player may choose any of the 20 tiles." """
    first = after(position_with_tiles(free_moves=0), "C=n")
    assert len(first.legal()) == 20
    assert stands(after(first, "@b1")) == ("M", "e2")  # an ace without coins: the three is closest
    rescued = after(scene("a1=S1 a2=M1 e4=A1", "a1", "CM"), "flip:n", "rescue:?", "A=n")
    assert len(rescued.legal()) == 20
    assert "rescue:?" in after(rescued, "@d1").legal()  # empty, and a second ace is held


def test_so_16_the_number_for_entering_is_that_of_the_empty_tile_moved_to() -> None:
    """ "The number is that of the tile the pawn stood on last, the empty tile it moved to included." """
    position = after(scene("b2=M1 d2=M1 e2=M1", "b2"), "flip:5", "to:e4")  # from an ace to a three
    assert stands(position) == ("M", "e2")


def test_so_17_with_entry_choose_the_closest_lower_and_the_closest_higher_are_offered() -> None:
    """ "closest below or closest above, however far each is" """
    coins = "c1=S1 a2=M1 d2=M1"  # from a four: the moons five is one away, the moons two is two away
    far = scene(coins, "c1", entry="choose")
    near = scene(coins, "c1")
    assert stands(after(near, "flip:n")) == ("M", "a2")
    assert after(far, "flip:n").legal() == ["@a2", "@d2"]
    assert stands(after(far, "@d2")) == ("M", "d2")
    assert stands(after(scene("c1=S1 c2=M1 a2=M1", "c1", entry="choose"), "flip:n")) == ("M", "c2")


def test_so_18_several_coins_of_a_suit_may_be_moved_to_one_empty_tile() -> None:
    """ "a tile without coins at the start may get several free-moved coins, all of one suit" """
    position = position_with_tiles(stack_free_moves=True, free_moves=3)
    first = next(
        token for token in position.legal() if token != "done" and token in position.played(token).legal()
    )
    stacked = after(position, first, first)
    source, target = (stacked.game.actions[f"@{name}"] - CHOOSE for name in first.split(">"))
    assert [level >> target & 1 for level in stacked.s.coins] == [1, 1, 0]
    assert [level >> source & 1 for level in stacked.s.coins] == [1, 0, 0]
    assert not any(token.startswith(first.split(">")[1]) for token in stacked.legal()), "moved coins stay"
    assert Position.parse(stacked.key()) == stacked
    suits = {i: n for n, squares in enumerate(stacked.s.suit) for i in range(20) if squares >> i & 1}
    for token in stacked.legal():
        if token.endswith(">" + first.split(">")[1]):
            assert suits[stacked.game.actions["@" + token.split(">")[0]] - CHOOSE] == suits[target]
    assert first not in after(position_with_tiles(free_moves=3), first).legal()


def test_so_18_changes_nothing_with_fewer_than_two_free_moves() -> None:
    for n, idle in ((0, ["stack_free_moves"]), (1, ["stack_free_moves"]), (2, [])):
        assert idle_options(smallchange.game("solo", free_moves=n, stack_free_moves=True)) == idle


def test_an_ace_rescues_once_even_the_move_that_it_makes_itself() -> None:
    position = after(scene("c1=S1 e4=A1", "c1"), "flip:a", "to:b1")
    assert position.legal() == ["rescue:?", "retire"]
    assert stands(after(position, "rescue:?", "A=3")) == ("S", "e4")


def test_a_random_rescue_onto_an_empty_tile_retires_the_pawn_unless_another_ace_is_held() -> None:
    coins = "a1=S1 a2=M1 e4=A1"
    assert stands(after(scene(coins, "a1", "C"), "flip:n", "rescue:?", "S=2")) == ("M", "a2")
    again = after(scene(coins, "a1", "CA"), "flip:n", "rescue:?", "S=a")
    assert again.legal() == ["rescue:?", "retire"]


@pytest.mark.parametrize("n", [0, 1, 4])
def test_free_moves_end_by_themselves(n: int) -> None:
    position = position_with_tiles(free_moves=n)
    for _ in range(n):
        assert position.actor == "player"
        position.play(next(token for token in position.legal() if token != "done"))
    assert position.source == "random die"
    # No stack is next to an empty tile.
    assert position_with_tiles("a2345", free_moves=12).source == "random die"


def test_all_24_coins_lie_on_tiles_of_their_own_suit() -> None:
    position = position_with_tiles()
    assert [mask.bit_count() for mask in position.s.coins] == [12, 8, 4]
    assert coins_left(position.s) == 24
    assert len(after(position_with_tiles(free_moves=0), "S=5").weights()) == 6


def test_a_coin_shows_a_number_of_its_suit_not_yet_seen() -> None:
    position = after(scene("a1=S2 a2=M1", "a1"), "flip:a", "to:a2")
    assert (position.source, len(position.weights())) == ("moons coins", 6)
    position = after(position, "flip:a", "to:a1")
    assert (position.source, [token for token, _ in position.weights()]) == (
        "suns coins",
        ["flip:2", "flip:3", "flip:4", "flip:5", "flip:n"],
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worked_example_can_be_played(lang: str) -> None:
    game = smallchange.game("solo", free_moves=2)
    block = re.search(r"```steps\n(.*?)```", game.rulebook(lang), re.DOTALL)
    assert block is not None
    position = after(game.start(), *(line.split("  ")[0] for line in block[1].splitlines()))
    assert position.result == {"score": 12, "won": False, "aces_left": 0}


def test_so_1_the_last_stack_of_two_may_be_moved_wherever_it_stands() -> None:
    position = position_with_tiles()
    names = [square_name(position.game.board, i) for i in range(20)]
    for i in range(20):
        after, other = position.copy(), (i + 10) % 20
        after.s.coins = [1 << i | 1 << other, 1 << i | 1 << other, 0]
        after.s.suit = [1 << i | 1 << other, 0, 0, 0]
        after.play(next(token for token in after.legal() if token.startswith(names[other])))
        assert any(token.startswith(names[i]) for token in after.legal()), names[i]
