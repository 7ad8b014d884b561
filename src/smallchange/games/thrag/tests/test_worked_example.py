"""One Man: Thrag!: the worked example of both rulebooks, the options, and what is seen and said."""

import random
import re

import pytest

import smallchange
from smallchange import BadOption, Position
from smallchange.core.state import CHANCE
from smallchange.i18n.text import LANGUAGES
from smallchange.render.svg import describe_scene

from ..rules import FIGHT, HEALING
from .positions import SUITS, VALUES, hour_space, mask, meet, night, take_tokens


def ninth_hour() -> Position:
    """Return the position from which the worked example starts."""
    position = night()
    s = position.s
    s.hour = 8
    s.stack = [mask("5"), mask("25"), mask("3"), mask("34")]
    s.discards = [mask("3"), 0, 0, mask("a25")]
    s.slain = [mask("a24"), mask("a34"), mask("a245")]
    s.coins = [mask("na35"), 0, mask("24")]
    s.pawns = 0b110
    s.hits = mask("na45")
    return position


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worked_example_can_be_played(lang: str) -> None:
    block = re.search(r"```steps\n(.*?)```", smallchange.game("thrag").rulebook(lang), re.DOTALL)
    assert block is not None
    position = take_tokens(ninth_hour(), " ".join(line.split("  ")[0] for line in block[1].splitlines()))
    s = position.s
    assert (s.hour, hour_space(position), s.hits, s.pawns) == (9, (0, 300), mask("na45"), 0)
    assert (s.stack, s.discards) == ([mask("35"), mask("5"), 0, mask("3")], [0, 0, 0, mask("a245")])
    assert s.slain == [mask("a24"), mask("a234"), mask("a2345")]


@pytest.mark.parametrize(
    ("option", "value", "accepts"),
    [
        ("weapons", "CX", "SCA, SC, SA, CA, S, C, A, none"),
        ("weapons", "", "SCA, SC, SA, CA, S, C, A, none"),
        ("null_coins", 6, "0 to 5"),
        ("null_coins", -1, "0 to 5"),
        ("null_coins", True, "0 to 5"),
        ("exhausted", "win", "loss, fight_on"),
        ("show_used", 1, "true or false"),
    ],
)
def test_a_wrong_option_is_named_with_what_it_accepts(option: str, value: object, accepts: str) -> None:
    with pytest.raises(BadOption, match=f"{option}.*{accepts}"):
        smallchange.game("thrag", **{option: value})


def test_thrag_must_fight_once_an_hour_and_may_rest_only_then() -> None:
    position = meet("a23", "2223")
    assert "rest" not in position.legal()
    assert "rest" in take_tokens(position, "fight:S").legal()


def test_with_no_beast_left_in_front_of_him_thrag_heals_without_being_asked() -> None:
    position = take_tokens(meet("aaa", "nnn5"), "fight:S fight:C fight:A")
    assert (position.s.phase, position.s.turn) == (HEALING, CHANCE)


def test_a_null_coin_is_worth_what_the_option_says() -> None:
    assert take_tokens(meet("5aa", "nnn2", null_coins=3), "fight:S+S coin:n").s.slain[0] == mask("5")
    assert take_tokens(meet("5aa", "nnn2", null_coins=2), "fight:S+S coin:n").s.slain[0] == 0


def test_thrag_has_the_weapons_of_the_option_only() -> None:
    assert [t for t in meet("345", "5555", weapons="SA").legal() if "weapon" in t] == ["weapon:A", "weapon:S"]
    assert [t for t in meet("345", "5555", weapons="none").legal() if "weapon" in t] == []


def test_used_coins_lie_on_the_table_only_where_they_may_be_seen() -> None:
    for shown in (False, True):
        position = take_tokens(meet("5aa", "nnn2", show_used=shown), "fight:S+S coin:4")
        table = position.game.layout.scene(position.game.board, position.s)
        assert any(piece.id == "coin-S4" for piece in table.pieces) == shown
        assert sum(piece.spot == "coins-S" for piece in table.pieces) == 5
        position = take_tokens(position, "rest heal:3")
        table = position.game.layout.scene(position.game.board, position.s)
        assert any(piece.id == "tile-M3" for piece in table.pieces) == shown


@pytest.mark.parametrize("shown", [False, True])
def test_the_log_names_each_coin_as_the_rulebooks_say(shown: bool) -> None:
    position = take_tokens(meet("5aa", "nnn2", show_used=shown), "fight:S+S")
    said = position.game.words.step(position.game.board, position.s, position.game.actions["coin:4"])
    assert "The suns coin shows 4" in said.en
    for lang, words in (
        ("en", "the log names each coin"),
        ("de", "der Verlauf nennt"),
        ("ja", "コインが1枚ずつ"),
    ):
        (line,) = re.findall(r"- `show_used`(?s:.*?)(?=\n\n)", position.game.rulebook(lang))
        assert words in line, lang


def test_what_hurts_thrag_for_certain_takes_two_touches() -> None:
    for dice, hits, touches in (("nnn5", VALUES, 1), ("2222", VALUES, 2), ("222n", "na", 2)):
        position = meet("345", dice)
        position.s.hits = mask(hits)
        for x in range(3):
            touch = position.game.layout.touch(position.game.board, position.s, FIGHT + 4 * x)
            assert len(touch.path) == touches


def test_that_a_coin_comes_first_is_said_while_there_is_one_to_use() -> None:
    position = meet("345", "2222", exhausted="fight_on")
    for coins, said in (([63, 0, 0], True), ([0, 0, 0], False)):
        position.s.coins = coins
        asked = position.game.words.asks(position.game.board, position.s)
        assert ("To use a coin" in asked.en, "コインを使うなら" in asked["ja"]) == (said, said)


def test_how_strong_all_are_is_said_without_signs() -> None:
    position = meet("a45", "n223")
    asked = position.game.words.asks(position.game.board, position.s)
    assert asked.en.startswith("Thrag has strength 3; suns ace has 1, crowns 4 has 6 and arms 5 has 7. ")
    assert asked["ja"].startswith("強さはスラグが3、太陽のエースが1、王冠の4が6、紋章の5が7です。")


def test_a_stack_of_coins_is_counted_in_words() -> None:
    position = night()
    words = describe_scene(position.game.layout.scene(position.game.board, position.s))
    assert "arms coins not yet used: arms coin, face down, 6 of them" in words.en
    assert "未使用の紋章のコイン: 伏せた紋章のコイン、6枚" in words["ja"]


def test_every_ending_says_how_many_beasts_are_left() -> None:
    luck = random.Random(7)
    told: dict[str, str] = {}
    while len(told) < 4:
        position = night(weapons="SC")
        while position.actor:
            position.play(luck.choice([t for t in position if t not in hopeless(position)] or list(position)))
        ended = position.result
        assert ended is not None
        told[ended["reason"]] = position.game.words.ending(position.game.board, position.s).en
        if not ended["won"]:
            assert f"Lost: {ended['beasts_left']} of 15 beasts left." in told[ended["reason"]]


def hopeless(position: Position) -> set[str]:
    """Return the fights that Thrag cannot win with any coin, and those without a coin that he loses."""
    s = position.s
    lack = [s.beast[x] + s.die[x] - s.die[3] for x in range(3)]
    lost = {f"fight:{SUITS[x]}" for x in range(3) if lack[x] > 0}
    return lost | {f"fight:{SUITS[x]}+{y}" for x in range(3) for y in SUITS if lack[x] > 3 or lack[x] <= 0}


def test_what_happened_until_thrag_decides_again_is_told_in_short() -> None:
    position = meet("a23", "2225")
    hit = ["fight:S+S", "coin:3"]
    assert [said.en for said in position.summarize(hit)] == [
        "Thrag fights the suns ace, the coin shows 3: 8 against 3: slain"
    ]
    again = ["weapon:C", "C=n"]
    assert position.summarize(again) == [take_tokens(position.copy(), "weapon:C").describe("C=n")]
    rested = take_tokens(position, "fight:S rest")
    row = ["heal:2", "S:2", "C:3", "A:4", "S=n", "C=n", "A=n", "M=n"]
    assert [said.en for said in rested.summarize(row)] == ["Thrag has the healing tile’s 2 already"]
    assert [said.en for said in rested.summarize(["heal:3", *row[1:]])] == ["Thrag gets the 3 back"]
    assert [said.en for said in take_tokens(rested, "heal:3").summarize(row[1:])] == [
        "The suns 2, crowns 3 and arms 4 appear"
    ]


def test_by_memory_neither_the_log_nor_used_coins_are_in_sight() -> None:
    game = smallchange.game("thrag", by_memory=True)
    assert (game.is_by_memory, smallchange.game("thrag").is_by_memory) == (True, False)
    with pytest.raises(BadOption, match="'by_memory' can be true only with show_used = false"):
        smallchange.game("thrag", by_memory=True, show_used=True)
    for lang in LANGUAGES:
        assert "`by_memory`" in game.rulebook(lang)
