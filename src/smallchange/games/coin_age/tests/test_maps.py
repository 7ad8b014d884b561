"""Maps of Coin Age: the four that come with it, and what may be drawn instead."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import BadOption, Game, IllegalMove
from smallchange.core.variants import idle_options
from smallchange.i18n.text import LANGUAGES

from ..layout import the_map
from ..maps import DRAWN, read


def game_on(text: str) -> Game:
    return smallchange.game("coin-age", map=text)


def borders(text: str) -> int:
    spaces = read(text)
    return sum(one.touches(other) for i, one in enumerate(spaces) for other in spaces[:i])


def regions(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for here in read(text):
        found.setdefault(here.region, []).append(here.name)
    return found


def test_no_two_maps_have_regions_of_the_same_sizes() -> None:
    """The original promises region sizes that are unique to each map."""
    sizes = {name: tuple(sorted(map(len, regions(name).values()), reverse=True)) for name in DRAWN}
    assert sizes == {
        "forest": (4, 3, 2, 1),
        "frozen": (3, 3, 2, 2),
        "lagoon": (4, 2, 2, 2),
        "volcano": (3, 3, 3, 1),
    }


@pytest.mark.parametrize(
    ("name", "number"), [("forest", 19), ("frozen", 17), ("lagoon", 10), ("volcano", 18)]
)
def test_each_map_has_ten_spaces_and_its_borders(name: str, number: int) -> None:
    assert (len(read(name)), borders(name)) == (10, number)


def test_the_regions_of_the_forest() -> None:
    found = regions("forest")
    assert (found["m"], found["t"]) == (["a3", "b3", "c3", "a2"], ["b1"])


def test_spaces_are_side_by_side_two_apart_in_a_row_or_one_apart_in_the_next() -> None:
    tokens = set(smallchange.game("coin-age").tokens.values())
    assert {t for t in tokens if t.startswith("b2>")} == {
        "b2>a1",
        "b2>b1",
        "b2>a2",
        "b2>c2",
        "b2>a3",
        "b2>b3",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rulebook_shows_the_maps_as_they_are(lang: str) -> None:
    block = game_on("forest").rulebook(lang).split("```text\n")[1].split("```")[0].splitlines()[2:]
    starts = (0, 13, 27, 39, 60)
    for k, name in enumerate(DRAWN):
        text = "\n".join(line[starts[k] : starts[k + 1]] for line in block)
        assert regions(text) == regions(name), name
        assert borders(text) == borders(name), name


@pytest.mark.parametrize(
    "text", ["a b\n c d", "\n  \na b\n c d\n\n   \n", "a b\r\n c d", "  .a b.\n . .c d. ."]
)
def test_blank_lines_at_the_ends_and_places_without_a_space_change_nothing(text: str) -> None:
    game, plain = game_on(text), game_on("a b\n c d")
    assert game.board == plain.board
    assert game.tokens == plain.tokens


def test_a_row_of_dots_counts_in_the_numbering() -> None:
    placings = {token for token in game_on("a b\n c d\n. .\n.").actions if token.startswith("1@")}
    assert placings == {"1@a3", "1@b3", "1@a4", "1@b4"}


def test_capitals_are_regions_of_their_own() -> None:
    assert list(regions("a A\n a A")) == ["a", "A"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "4 to 16 spaces, not 0"),
        ("a b\n c", "4 to 16 spaces, not 3"),
        ("a a a a a a\n a a a a a a\na a a a a a", "not 18; number 17 is at line 3, character 9"),
        ("a b\n c é", "not 'é' at line 2, character 4"),
        ("a b\n\tc d", r"not '\\t' at line 2, character 1"),
        ("a b\n c 1", "not '1' at line 2, character 4"),
        ("a bcd", "one row stand an even number apart; line 1 has one at character 3 and one at 4"),
        ("a b\nc d", "neighbouring rows stand an odd number apart; .*character 3, line 2 at 1"),
        ("a b\n c   d", r"connected; b1 \(line 2, character 6\) is cut off from a2 \(line 1, character 1\)"),
        ("a b\n. .\nc d", r"connected; a1 \(line 3, character 1\) is cut off from a3"),
        ("a b\n\n c d", r"connected; a1 \(line 3, character 2\) is cut off"),
        (
            "a b a\n c d",
            r"region must be connected; in region a, c2 \(line 1, character 5\) is cut off from a2",
        ),
    ],
)
def test_a_map_that_breaks_a_rule_says_which_and_where(text: str, fault: str) -> None:
    with pytest.raises(BadOption, match=rf"'map'.*{fault}.*one of forest, .*, random, or a drawing"):
        game_on(text)


def test_a_drawing_has_room_for_every_map_and_no_more() -> None:
    row = "a " * 16
    steps = "\n".join(" " * (i + 16) + "a" for i in range(16))
    blank_ends = "\n" * 500 + "a b" + " " * 500 + "\n c d" + "\n" * 500
    for text in (row, steps, "a b\n c d" + "\n." * 496, blank_ends):
        assert len(read(text)) in (4, 16)
    for text in ("a b\n c d" + "\n." * 497, "a b\n c d" + "\n." * 30_000):
        with pytest.raises(
            BadOption, match=rf"'map': a drawing has at most 1000 characters.*not {len(text)}\."
        ):
            game_on(text)


@pytest.mark.parametrize("limit", [1, 1001, True, "20"])
def test_a_wrong_quiet_limit_is_named_with_what_it_accepts(limit: object) -> None:
    with pytest.raises(BadOption, match=r"quiet_limit.*2 to 1000"):
        smallchange.game("coin-age", quiet_limit=limit)


@pytest.mark.parametrize("value", [5, None, ["a b"]])
def test_a_map_that_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(BadOption, match=r"'map' must be one of forest"):
        smallchange.game("coin-age", map=value)


def test_a_map_by_lot_is_drawn_before_the_first_toss() -> None:
    position = smallchange.game("coin-age", map="random").start()
    maps = ["map=forest", "map=frozen", "map=lagoon", "map=volcano"]
    assert (position.source, position.weights()) == ("map", [(name, 1) for name in maps])
    position.play("map=volcano")
    assert (position.source, position.weights()) == ("heads 1", [("1=H", 1), ("1=T", 1)])
    with pytest.raises(IllegalMove):
        position.play("map=forest")


@pytest.mark.parametrize("name", DRAWN)
def test_a_match_on_a_map_by_lot_is_as_on_the_map_of_that_name(name: str) -> None:
    luck = Random(name)
    lot, chosen = smallchange.game("coin-age", map="random").start(), game_on(name).start()
    lot.play(f"map={name}")
    while lot.actor:
        token = luck.choice(list(lot))
        assert (lot.actor, list(lot), lot.source) == (chosen.actor, list(chosen), chosen.source)
        assert lot.describe(token) == chosen.describe(token)
        lot.play(token)
        chosen.play(token)
    assert lot.result == chosen.result


LETTERS = st.text(st.sampled_from("aabB. .\n\n"), max_size=60)
ROWS = st.lists(st.lists(st.sampled_from("aaab."), min_size=1, max_size=5), min_size=1, max_size=5).map(
    lambda rows: "\n".join(" " * (i % 2) + " ".join(row) for i, row in enumerate(rows))
)


@given(st.text(max_size=40) | LETTERS | ROWS)
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_map_or_a_bad_option(text: str) -> None:
    try:
        game = game_on(text)
    except BadOption:
        return  # another error would fail here
    assert not game.board.violations()
    assert 4 <= len(read(text)) <= 16
    assert len(game.actions) == len(game.tokens)
    assert game.start().weights() == [("1=H", 1), ("1=T", 1)]
    spots = game.layout.scene(game.board, game.start().s).areas[0].spots
    assert len({(spot.x, spot.y) for spot in spots}) == len(read(text))


def test_regions_have_names_on_our_maps_and_on_drawings_by_the_letters_of_the_editor() -> None:
    def names(**options: str) -> set[str]:
        game = smallchange.game("coin-age", **options)
        return {str(spot.text["en"]).partition(", ")[2] for spot in the_map(game.board, 0)[0].spots}

    assert names() == {"Copper Peaks", "Forests of Coindor", "Plains of Kashe", "Silver City"}
    assert len(names(map="lagoon") | names(map="frozen") | names(map="volcano")) == 12
    assert names(map="a a\n b b") == {"Amber Hills", "Birch Wood"}
    assert names(map="a a\n x x") == {"Amber Hills", "region x"}


def test_the_maker_of_a_drawing_names_its_regions_and_changes_no_rule() -> None:
    plainly, named = game_on("a a b\n b b c"), game_on("a a b\n b b c\na = Old Port\nb = Ölmühle")
    badges = named.layout.scene(named.board, named.start().s).badges
    assert [badge.text["de"] for badge in badges if not badge.marks] == ["Old Port", "Ölmühle", "Wolkensee"]
    ranges = type(named.board).ranges
    assert {name: getattr(named.board, name) for name in ranges} == {
        name: getattr(plainly.board, name) for name in ranges
    }


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ("a = " + 21 * "x", "1 to 20 characters, wide ones counted twice, not 21"),
        ("a = " + 11 * "\u6d77", "not 22"),
        ("a =", "not 0"),
        ("a = Old\u202ePort", "not '\\u202e'"),
        ("a = Old\u3164Port", "not '\\u3164'"),
        ("a = x" + 3 * "\u0301", "not '\\u0301'"),
        ("a = <b>", "not '<'"),
        ("a = one\na = two", "region a is named twice"),
        ("x = one", "no region x"),
        ("a = ONE\nb = \uff4fne", "regions a and b have the same name"),
        ("a = birkenwald", "regions a and b have the same name"),
        ("a = one\n b b", "line 4 is a row of it"),
    ],
)
def test_a_name_of_a_region_that_is_not_accepted_is_refused_with_its_fault(names: str, fault: str) -> None:
    with pytest.raises(BadOption, match=re.escape(fault)):
        game_on(f"a a b\n b b b\n{names}")


def test_a_drawing_of_a_known_map_is_the_same_variant() -> None:
    assert idle_options(game_on(" m m m\nm f f p\n f t p")) == ["map"]
