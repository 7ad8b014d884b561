"""Long answers come one at a time, and hold up no short ones."""

from __future__ import annotations

import asyncio

from smallchange.server.web.limits import LONG_STEPS, LongAnswers


def test_long_answers_are_made_one_after_another() -> None:
    made: list[str] = []

    async def answer(turns: LongAnswers, name: str) -> None:
        async with turns.turn(LONG_STEPS):
            made.append(f"{name} begins")
            await asyncio.sleep(0)
            made.append(f"{name} ends")

    async def two() -> None:
        turns = LongAnswers()
        await asyncio.gather(answer(turns, "one"), answer(turns, "two"))

    asyncio.run(two())
    assert made == ["one begins", "one ends", "two begins", "two ends"]


def test_a_short_answer_waits_for_no_long_one() -> None:
    async def both() -> bool:
        turns = LongAnswers()
        async with turns.turn(LONG_STEPS), turns.turn(LONG_STEPS - 1):
            return True

    assert asyncio.run(both())
