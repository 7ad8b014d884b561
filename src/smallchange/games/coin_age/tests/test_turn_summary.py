"""Turns of Coin Age, told in short."""

from .positions import play_tokens, position_with


def test_a_turn_and_the_tosses_after_it_are_told_in_a_phrase_each() -> None:
    position = position_with("b1:4h", "HHHH")
    row = "pay4 2@a1 1@b1 3@a3 1=T 2=H 3=T 4=H"
    assert [(said.en, said["ja"]) for said in position.summarize(row.split())] == [
        (
            "Heads pays the 4, places the 2 on a1, places the 1 on b1 over a 4 and places the 3 on a3",
            "表側が4を支払い、2をa1に配置、1をb1に配置(4の上)、3をa3に配置",
        ),
        ("Tails tosses tails with 1 and 3, heads with 2 and 4", "裏側のコイン投げ: 1・3が裏、2・4が表"),
    ]


def test_a_turn_that_ends_right_after_its_tosses_is_told_with_the_next() -> None:
    row = "1=T 2=T 3=T 4=T 1=T 2=H 3=H 4=H"
    assert [said.en for said in play_tokens("").summarize(row.split())] == [
        "Heads tosses tails with 1, 2, 3 and 4",
        "No move is possible, so the turn ends",
        "Tails tosses tails with 1, heads with 2, 3 and 4",
    ]
