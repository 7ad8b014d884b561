"""The rulebooks as pages."""

import re

import smallchange
from smallchange.contract.variants import every_game
from smallchange.server.insight import learn


@every_game
def test_no_line_breaks_beside_a_japanese_letter_where_it_would_show_as_a_space(id: str) -> None:
    shown = re.sub(
        r"<pre.*?</pre>",
        "",
        learn.markdown_to_html(smallchange.game(id).rulebook("ja"))[0],
        flags=re.DOTALL,
    )
    around = [shown[i - 1] + shown[i + 1] for i, letter in enumerate(shown[:-1]) if letter == "\n"]
    assert len(around) > 20
    assert not [pair for pair in around if learn.JAPANESE_CHARACTER.search(pair)]
