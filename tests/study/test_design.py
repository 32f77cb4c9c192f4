"""Assignments are balanced, whatever the numbers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.errors import InputError
from guideact.study.design import assign

SMALL = st.integers(1, 5)


@given(tasks=st.integers(1, 9), conditions=SMALL, blocks=st.integers(1, 20), seed=SMALL, data=st.data())
def test_it_is_balanced(tasks: int, conditions: int, blocks: int, seed: int, data: st.DataObject) -> None:
    each = data.draw(st.integers(1, tasks))
    names, treatments = [f"t{n}" for n in range(tasks)], [f"c{n}" for n in range(conditions)]
    people = assign(names, treatments, participants=blocks * conditions, each=each, seed=seed)
    assert people == assign(names, treatments, participants=blocks * conditions, each=each, seed=seed)
    assert len(people) == blocks * conditions
    cells: Counter[tuple[str, str]] = Counter()
    for trials in people:
        assert len({trial.task for trial in trials}) == len(trials) == each
        own = Counter(trial.condition for trial in trials)
        assert max(own.values()) - min(own[name] for name in treatments) <= 1
        cells.update((trial.task, trial.condition) for trial in trials)
    for name in names:
        assert len({cells[name, treatment] for treatment in treatments}) == 1
    for block in range(blocks):
        members = people[block * conditions : (block + 1) * conditions]
        for place in range(each):
            assert len({trials[place].task for trials in members}) == 1
            assert {trials[place].condition for trials in members} == set(treatments)


@pytest.mark.parametrize("tasks", [2, 4, 5, 6, 7])
def test_orders_are_a_latin_square(tasks: int) -> None:
    names = [f"t{n}" for n in range(tasks)]
    rows = tasks if tasks % 2 == 0 else 2 * tasks
    people = assign(names, ["a"], participants=rows, each=tasks, seed=5)
    places = Counter((place, trial.task) for trials in people for place, trial in enumerate(trials))
    assert set(places.values()) == {rows // tasks}
    after = Counter((a.task, b.task) for trials in people for a, b in pairwise(trials))
    assert len(after) == tasks * (tasks - 1)
    assert len(set(after.values())) == 1


def test_numbers_that_cannot_be_balanced_are_refused() -> None:
    with pytest.raises(InputError, match="multiple of 3, such as 6"):
        assign(["a"], ["x", "y", "z"], participants=7, each=1, seed=0)
    with pytest.raises(InputError, match="--each is 2"):
        assign(["a"], ["x"], participants=1, each=2, seed=0)
