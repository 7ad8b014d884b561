"""Paragraphs as lines of a width, and joined again, in languages with spaces between words and without."""

from __future__ import annotations

import re

from .text_screen import wide

JAPANESE = "\u3000-\u9fff\uff00-\uffef"
PART = re.compile(rf" *(?:[{JAPANESE}][、。」）]*|[^ {JAPANESE}]+)")  # a line may end after each
MARK = re.compile(r" *(?:- |\d+\. )?")  # of an item of a list
GOES_ON = re.compile(r"(?<=[^\n|])\n *(?![\n#|]|- |\d+\. )(?=\S)")  # a line of Markdown, with the one before
CODE = "```"


def fold(line: str, width: int, hang: int | None = None) -> str:
    """Break a line between words, or signs of Japanese, so that it takes `width` columns where its words allow it.

    Further lines have `hang` spaces before them, at most half the width; without it they stand under an item's words.

    >>> print(fold("- one two three", 9))
    - one two
      three
    """
    mark = MARK.match(line)
    before = hang if hang is not None else mark.end() if mark else 0
    lines = [""]
    for part in PART.findall(line):
        if lines[-1].strip() and wide(lines[-1] + part) > width:
            lines.append(" " * min(before, width // 2) + part.lstrip())
        else:
            lines[-1] += part
    return "\n".join(lines)


def join_lines(markdown: str) -> str:
    """Return Markdown with one line for each paragraph, item and row; code stays as it is.

    >>> join_lines("- You\\n  win.\\n- コインを\\n  取ります。")
    '- You win.\\n- コインを取ります。'
    """
    parts = markdown.split(CODE)
    parts[::2] = [GOES_ON.sub(_space, part) for part in parts[::2]]
    return CODE.join(parts)


def _space(gap: re.Match[str]) -> str:
    around = gap.string[gap.start() - 1] + gap.string[gap.end()]
    return "" if re.search(f"[{JAPANESE}]", around) else " "
