"""A position prints what it parses, and no text is a position that breaks something later."""

import copy
import json
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import smallchange
from smallchange import BadOption
from smallchange.core.errors import UnknownMove
from smallchange.core.options import Drawing

GALAXY = "....#..\n...##..\n#####..\n.##o##.\n..#####\n..##...\n..#...."


def test_a_drawn_option_stays_on_the_one_line_of_the_position() -> None:
    drawn = {"solo": {"board": GALAXY}, "coin-age": {"map": "a b\n c d"}}
    with_drawings = [
        id for id in smallchange.games() for o in smallchange.game(id).offered if isinstance(o, Drawing)
    ]
    assert sorted(drawn) == sorted(with_drawings)
    for id, options in drawn.items():
        start = smallchange.game(id, **options).start()
        assert "\n" not in start.key()
        assert smallchange.Position.parse(start.key()) == start


@pytest.mark.parametrize("id", smallchange.games())
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_field_is_a_position_or_one_clear_error(id: str, data: st.DataObject) -> None:
    start = smallchange.game(id).start()
    for name, (low, high, length, _) in start.s.ranges.items():
        if data.draw(st.booleans()):
            numbers = st.integers(low, high)
            setattr(
                start.s,
                name,
                data.draw(st.lists(numbers, min_size=length, max_size=length) if length else numbers),
            )
    try:
        position = smallchange.Position.parse(start.key())
    except smallchange.BadPosition:
        return
    assert position == start
    for token in position:
        assert position.describe(token).en
        after = position.played(token)
        assert not after.s.violations()
        assert list(after) or after.result


@pytest.mark.parametrize("id", smallchange.games())
def test_a_position_in_json_follows_the_published_schema(id: str) -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs/position.schema.json").read_text(encoding="utf-8"))
    checker, luck = Draft202012Validator(schema), random.Random(1)
    position = smallchange.game(id).start()
    while True:
        said = json.loads(json.dumps(position.to_json()))
        checker.validate(said)
        assert smallchange.Position.parse(said["key"]) == position
        assert sorted(position) == said["legal"] + [*said["weights"]]
        for name in schema["required"]:
            assert not checker.is_valid({key: value for key, value in said.items() if key != name}), name
            assert not checker.is_valid(said | {name: 0.5}), name
        if position.over:
            break
        position.play(luck.choice([*position]))


COLLECTORS = (
    "coin-collectors / turn=0 phase=4 at=0 "
    "spot=2,7,17,23,9,15,14,20,11,5,1,18,6,24,10,3,0,19,21,4,13,16,8,22 "
    "coins=524800,17696,16777232,0,32777,0 dice=0,3,0,2 hand=0 pawns=21,6,23,11 left=15"
)
SOLO = (
    "solo / turn=0 step=6 order=3,0,2,1 tile=7,9,3,4,18,12,11,1,16,8,17,13,14,6,15,5,0,10,19,2 "
    "coins=950079,264214,2 suit=524556,16899,14368,394256 free=0 pawn=1 at=3 flipped=2 why=0 seen=4,0,32,0 "
    "aces=-1,-1,-1,-1 spent=0"
)
DODGEM = "dodgem size=3 / turn=1 coins=17,384 quiet=0 plies=1 winner=0 reason=0"
THRAG = (
    "thrag / turn=0 phase=2 hour=2 stack=6,18,36,50 discards=24,32,8,12 slain=0,8,16 beast=5,2,1 die=1,3,5,1 "
    "coins=63,31,46 hits=49 pawns=7 fought=1 suit=0 flip=2 damage=0 reason=0"
)
AGE = (
    "coin-age / turn=0 mover=0 map=0 bank=4,3,1,0,3,2,1,1 coins=0,0,6,512,1,512,0,0 tossed=7 tails=3 match=0 "
    "matches=1 placed=1 paid=0 captured=0 moved=0 quiet=0 reason=0"
)


@pytest.mark.parametrize(
    ("sound", "was", "now"),
    [
        (COLLECTORS, ",18,6,24,", ",20,6,24,"),
        (COLLECTORS, "spot=2,", "spot=-1,"),
        (COLLECTORS, "left=15", "left=7"),
        (COLLECTORS, "dice=0,3,0,2", "dice=0,3,-1,2"),
        (COLLECTORS, "pawns=21,", "pawns=0,"),
        (SOLO, "tile=7,9,3,", "tile=7,9,5,"),
        (SOLO, "seen=4,", "seen=0,"),
        (SOLO, "aces=-1,", "aces=2,"),
        (SOLO, "at=3", "at=-1"),
        (DODGEM, "17,384", "0,0"),
        (DODGEM, "17,384", "17,17"),
        (DODGEM, "17,384", "511,0"),
        (DODGEM, "17,384", "17,1536"),
        (DODGEM, "quiet=0 plies=1", "quiet=536 plies=600"),
        (DODGEM, "plies=1", "plies=99999"),
        (DODGEM, "winner=0", "winner=1"),
        (DODGEM, "turn=1", "turn=-2"),
        (DODGEM, "turn=1", "turn=-1"),
        (THRAG, "slain=0,", "slain=2,"),
        (THRAG, "hour=2", "hour=3"),
        (THRAG, "hits=49", "hits=48"),
        (THRAG, "die=1,3,5,1", "die=1,3,5,-1"),
        (THRAG, "damage=0", "damage=3"),
        (AGE, "matches=1", "matches=4"),
        (AGE, "bank=4,", "bank=3,"),
        (AGE, "1,512,0,0", "1,513,0,0"),
        (AGE, "placed=1", "placed=0"),
        (AGE, "turn=0", "turn=1"),
    ],
)
def test_a_position_that_contradicts_itself_is_refused(sound: str, was: str, now: str) -> None:
    smallchange.Position.parse(sound)
    assert was in sound
    with pytest.raises(smallchange.BadPosition, match="its fields contradict"):
        smallchange.Position.parse(sound.replace(was, now, 1))


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
        (("turn=0", "turn=0,7"), "turn has 2 numbers, not 1"),
        (("coins=", "coins=1,"), "coins has 3 numbers, not 2"),
        (("coins=", "coins=" + "1," * 999), "coins has 1001 numbers, not 2"),
        (("quiet=0", "noise=0"), "the fields must be turn"),
        (("dodgem", "dodgem size=9"), "'size' must be a whole number from 3 to 7"),
        (("dodgem", "dodgem size=" + "9" * 5000), "'size' must be a whole number from 3 to 7, not '99"),
        (("dodgem", "dodgem colour=red"), "unknown option 'colour'"),
        (("dodgem", "chess"), "unknown game 'chess'"),
    ],
)
def test_what_is_wrong_with_a_position_is_named(change: tuple[str, str], says: str) -> None:
    text = smallchange.game("dodgem").start().key()
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
            position.play(luck.choice(list(position)))
    assert eval(repr(position), {"smallchange": smallchange}) == position


@pytest.mark.parametrize("move", ["", "pass ", None, 5, b"a1-b1", [], {}])
def test_whatever_is_no_token_is_no_move_and_changes_nothing(move: object) -> None:
    position = smallchange.game("dodgem").start()
    with pytest.raises(smallchange.IllegalMove, match="possible now"):
        position.play(move)  # type: ignore[arg-type]
    assert position == smallchange.game("dodgem").start()


@pytest.mark.parametrize("id", smallchange.games())
def test_a_field_or_option_given_twice_is_refused(id: str) -> None:
    text = smallchange.game(id).start().key()
    with pytest.raises(smallchange.BadPosition, match="turn is given twice"):
        smallchange.Position.parse(f"{text} turn=0")
    with pytest.raises(smallchange.BadPosition, match="x is given twice"):
        smallchange.Position.parse(text.replace(" / ", " x=1 x=1 / ", 1))


def test_a_score_is_of_a_player_of_the_game_and_of_its_end() -> None:
    start = smallchange.game("dodgem").start()
    assert start.score("red") is None
    with pytest.raises(ValueError, match="unknown player 'blue'; the players are: red, green"):
        start.score("blue")


def test_what_python_cannot_write_is_refused_as_anything_else() -> None:
    with pytest.raises(BadOption, match=r"'size' must be .*, not an int"):
        smallchange.game("dodgem", size=10**5000)
    with pytest.raises(UnknownMove, match="an int is no move of dodgem"):
        smallchange.game("dodgem").start().play(10**5000)  # type: ignore[arg-type]


@pytest.mark.parametrize("id", smallchange.games())
def test_what_is_frozen_equals_what_is_not_and_has_its_hash(id: str) -> None:
    state = smallchange.game(id).start().s
    frozen = state.copy().freeze()
    assert (frozen, hash(frozen)) == (state, hash(state))
    assert {frozen: "found"}[state] == "found"
    for again in (
        pickle.loads(pickle.dumps(frozen)),
        copy.deepcopy(frozen),
        copy.copy(frozen),
        frozen.freeze(),
    ):
        assert (again, hash(again)) == (state, hash(state))
        with pytest.raises(AttributeError, match="turn does not change"):
            again.turn = 0
    other = state.copy()
    other.turn += 1
    assert frozen != other
