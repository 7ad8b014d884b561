"""A turn of Coin Collectors as the log tells it."""

from .positions import position_with, take_tokens


def test_dice_are_told_as_rolled_once_they_were_and_together_with_what_they_show() -> None:
    position = take_tokens(position_with("a1=S4:2 e5=M3:n", "a2 d5 b3 c4", "2n5a"), "Sa1")
    button, (row,) = position.describe("roll:SA"), position.summarize(["roll:SA"])
    assert (button.en, row.en) == ("Roll suns and arms", "Rolled suns and arms")
    assert position.summarize(["keep"])[0].en == "Kept all the dice"
    assert position.summarize(["roll:SMCA"])[0].en == "Rolled all four dice"
    (turn,) = position.summarize(["roll:SA", "S=5", "A=n"])
    assert (turn.en, turn["ja"]) == ("Rolled suns 5, arms null", "出た目: 太陽が5、紋章がヌル")
