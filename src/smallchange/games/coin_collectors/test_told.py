"""A turn of Coin Collectors as the log tells it."""

from .test_coin_collectors import lying, taken


def test_dice_are_told_as_rolled_once_they_were_and_together_with_what_they_show() -> None:
    position = taken(lying("a1=S4:2 e5=M3:n", "a2 d5 b3 c4", "2n5a"), "Sa1")
    button, (row,) = position.says("roll:SA"), position.told(["roll:SA"])
    assert (button.en, row.en) == ("Roll suns and arms", "Rolled suns and arms")
    assert position.told(["keep"])[0].en == "Kept all the dice"
    assert position.told(["roll:SMCA"])[0].en == "Rolled all four dice"
    (turn,) = position.told(["roll:SA", "S=5", "A=n"])
    assert (turn.en, turn.ja) == ("Rolled suns 5, arms null", "出た目: 太陽が5、紋章がヌル")
