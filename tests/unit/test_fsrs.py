"""FSRS-6: the laws of memory that a schedule rests on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smallchange.core.fsrs import Memory, first_memory, next_memory, recall_chance

MEMORIES = st.builds(Memory, st.floats(0.001, 36_500), st.floats(1, 10))
DAYS = st.floats(0, 36_500)


@given(MEMORIES, DAYS)
def test_a_right_answer_never_shortens_what_a_wrong_one_never_lengthens(memory: Memory, days: float) -> None:
    right, wrong = (next_memory(memory, answer, days) for answer in (True, False))
    assert wrong.stability <= memory.stability <= right.stability
    assert wrong.days <= memory.days <= right.days
    assert wrong.difficulty >= right.difficulty
    for one in (right, wrong):
        assert one.days >= 1
        assert 1 <= one.difficulty <= 10
    assert right == next_memory(memory, True, days)


@given(MEMORIES, DAYS, DAYS)
def test_the_more_is_forgotten_the_more_a_right_answer_lengthens(memory: Memory, a: float, b: float) -> None:
    soon, late = sorted((a, b))
    assert recall_chance(memory.stability, late) <= recall_chance(memory.stability, soon)
    assert next_memory(memory, True, soon).stability <= next_memory(memory, True, late).stability


def test_nine_of_ten_are_right_when_it_is_time() -> None:
    for memory in (first_memory(True), first_memory(False), Memory(100, 5)):
        assert abs(recall_chance(memory.stability, memory.stability) - 0.9) < 1e-12
    assert (
        next_memory(Memory(10, 5), True, 20).stability > next_memory(Memory(10, 5), True, 10).stability > 10
    )
