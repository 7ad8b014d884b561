"""A position prints what it parses, and no text is a position that breaks something later."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange.options import Drawing

GALAXY = "....#..\n...##..\n#####..\n.##o##.\n..#####\n..##...\n..#...."


def test_a_drawn_option_stays_on_the_one_line_of_the_position() -> None:
    drawn = {"solo": {"board": GALAXY}, "coin-age": {"map": "a b\n c d"}}
    with_drawings = [
        id for id in smallchange.games() for o in smallchange.game(id).offered if isinstance(o, Drawing)
    ]
    assert sorted(drawn) == sorted(with_drawings)
    for id, options in drawn.items():
        start = smallchange.game(id, **options).start()
        assert "\n" not in str(start)
        assert smallchange.Position.parse(str(start)) == start


@pytest.mark.parametrize("id", smallchange.games())
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_field_is_a_position_or_one_clear_error(id: str, data: st.DataObject) -> None:
    start = smallchange.game(id).start()
    for name, (low, high, length) in start.s.ranges.items():
        if data.draw(st.booleans()):
            numbers = st.integers(low, high)
            setattr(
                start.s,
                name,
                data.draw(st.lists(numbers, min_size=length, max_size=length) if length else numbers),
            )
    try:
        position = smallchange.Position.parse(str(start))
    except smallchange.BadPosition:
        return
    assert position == start
    for token in position:
        assert position.says(token).en
        after = position.after(token)
        assert not after.s.faults()
        assert list(after) or after.result()


def test_a_position_that_cannot_be_played_is_refused_at_once() -> None:
    """The toss could match a fifth coin."""
    text = str(smallchange.game("coin-age").start())
    assert "matches=0" in text
    with pytest.raises(smallchange.BadPosition, match="its fields contradict one another"):
        smallchange.Position.parse(text.replace("matches=0", "matches=4"))


@pytest.mark.parametrize(
    ("id", "steps", "field", "place", "number"),
    [
        ("coin-age", 8, "coins", 5, (1 << 16) - 1),  # coins of one kind on all spaces
        ("coin-collectors", 40, "spot", 6, -1),  # a tile is missing
        ("dodgem", 20, "coins", 1, (1 << 36) - 1),  # more coins than there are
        ("solo", 20, "suit", 0, (1 << 20) - 1),  # all coins of one suit
        ("thrag", 20, "stack", 3, 47),  # more tiles than there are
    ],
)
def test_a_contradiction_that_shows_some_steps_later_is_refused_at_once(
    id: str, steps: int, field: str, place: int, number: int
) -> None:
    position, luck = smallchange.game(id).start(), random.Random(1)
    for _ in range(steps):
        position.take(luck.choice(list(position)))
    assert smallchange.Position.parse(str(position)) == position
    getattr(position.s, field)[place] = number
    with pytest.raises(smallchange.BadPosition, match="its fields contradict one another"):
        smallchange.Position.parse(str(position))


@pytest.mark.parametrize(
    "text", ["", "/", "x", "dodgem", "dodgem /", "dodgem / turn=0", "dodgem size / turn=0", '"']
)
def test_other_texts_are_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"position|fields|game|name=value"):
        smallchange.Position.parse(text)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("turn=0", "turn=9"), "turn is 9, outside -2..1"),
        (("turn=0", "turn=x"), "turn must be whole numbers"),
        (("quiet=0", "noise=0"), "the fields must be turn"),
        (("dodgem", "dodgem size=9"), "'size' must be a whole number from 3 to 6"),
        (("dodgem", "dodgem colour=red"), "unknown option 'colour'"),
        (("dodgem", "chess"), "unknown game 'chess'"),
    ],
)
def test_what_is_wrong_with_a_position_is_named(change: tuple[str, str], says: str) -> None:
    text = str(smallchange.game("dodgem").start())
    assert change[0] in text
    with pytest.raises(ValueError, match=says):
        smallchange.Position.parse(text.replace(*change, 1))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 9999,
        "dodgem / " + "a=1 b" * 9999,
        "dodgem / " + "a" * 9999,
        "dodgem / " + " ".join(f"a{n}=1" for n in range(999)),
        "dodgem / turn={} coins=1,1 quiet=0 plies=1 winner=0 reason=0".format("1" * 3000),
        "dodgem size={} / turn=1".format("3" * 9999),
        "coin-age map={} / turn=1".format("é" * 9999),
        "coin-age map=1 {0}=1 {0}=1 / turn=1".format("a" * 9999),
    ],
)
def test_of_a_long_text_that_is_no_position_an_error_repeats_little(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as wrong:
        smallchange.Position.parse(text)
    assert len(str(wrong.value)) < 250


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_repr_is_an_expression_for_the_same_position(seed: int) -> None:
    luck = random.Random(seed)
    position = smallchange.game(luck.choice(smallchange.games())).start()
    for _ in range(luck.randrange(60)):
        if position.actor:
            position.take(luck.choice(list(position)))
    assert eval(repr(position), {"smallchange": smallchange}) == position


@pytest.mark.parametrize("move", ["", "pass ", None, 5, b"a1-b1", [], {}])
def test_whatever_is_no_token_is_no_move_and_changes_nothing(move: object) -> None:
    position = smallchange.game("dodgem").start()
    with pytest.raises(smallchange.IllegalMove, match="possible now"):
        position.take(move)  # type: ignore[arg-type]
    assert position == smallchange.game("dodgem").start()


@pytest.mark.parametrize("id", smallchange.games())
def test_a_field_or_option_given_twice_is_refused(id: str) -> None:
    text = str(smallchange.game(id).start())
    with pytest.raises(smallchange.BadPosition, match="turn is given twice"):
        smallchange.Position.parse(f"{text} turn=0")
    with pytest.raises(smallchange.BadPosition, match="x is given twice"):
        smallchange.Position.parse(text.replace(" / ", " x=1 x=1 / ", 1))
