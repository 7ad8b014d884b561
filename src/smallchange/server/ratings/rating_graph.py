"""The graph of a rating over its games, with its deviation as a band."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from smallchange.server.ratings.rows import RatedPoint

STEP_POINTS = 100  # the scale begins and ends at a multiple


def rating_graph(history: Sequence[RatedPoint]) -> Markup:
    """Return the ratings after these games as a picture, the oldest game on the left.

    The vertical scale covers every rating with its deviation, in whole hundreds of points.
    """
    low = min(one.points - one.deviation for one in history) // STEP_POINTS * STEP_POINTS
    high = -(-max(one.points + one.deviation for one in history) // STEP_POINTS) * STEP_POINTS
    spread = max(1, len(history) - 1)

    def place(n: int, points: float) -> str:
        return f"{100 * n / spread:.4g} {100 * (high - points) / (high - low):.4g}"

    upper = [place(n, one.points + one.deviation) for n, one in enumerate(history)]
    lower = [place(n, one.points - one.deviation) for n, one in enumerate(history)]
    line = ", ".join(place(n, one.points) for n, one in enumerate(history))
    return Markup(
        f'<span class="scale" aria-hidden="true"><span>{high:.0f}</span><span>{low:.0f}</span></span>'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="grid" d="M0 0H100M0 100H100"/>'
        f'<polygon class="deviation" points="{", ".join(upper + lower[::-1])}"/>'
        f'<polyline class="rating" points="{line}"/></svg>'
    )
