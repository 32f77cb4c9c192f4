"""Who does which task under which condition, and in which order.

Participants come in blocks of as many as there are conditions. In a block all do the same tasks in the same order, and
at each place each has another condition: so each block by itself has every one of its tasks under every condition once,
and a condition is neither early nor late. The orders of the blocks are the rows of a balanced Latin square (Williams):
over as many blocks as tasks, each task stands at each place equally often, and after each other task equally often.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from guideact.errors import InputError
from guideact.types import Frozen


class Trial(Frozen):
    """One task for one participant."""

    task: str
    condition: str


def assign(
    tasks: Sequence[str], conditions: Sequence[str], *, participants: int, each: int, seed: int
) -> tuple[tuple[Trial, ...], ...]:
    """For each participant their trials in order; the same for the same arguments.

    Each participant does `each` different tasks, and has the conditions equally often (or one more of some, where
    `each` is no multiple of their number). Raises InputError for numbers that cannot be balanced.
    """
    if participants < 1 or participants % len(conditions):
        near = max(1, round(participants / len(conditions))) * len(conditions)
        raise InputError(
            f"--participants {participants} cannot be balanced over {len(conditions)} conditions",
            fix=f"Give a multiple of {len(conditions)}, such as {near}.",
        )
    if not 1 <= each <= len(tasks):
        raise InputError(f"--each is {each}, and there are {len(tasks)} tasks", fix=f"Give 1 to {len(tasks)}.")
    rng = random.Random(f"guideact study {seed}")
    named = rng.sample(list(tasks), len(tasks))
    rows = _williams(len(named))
    people: list[tuple[Trial, ...]] = []
    for block in range(participants // len(conditions)):
        if block % len(rows) == 0:
            rng.shuffle(rows)
        order = [named[at] for at in rows[block % len(rows)][:each]]
        base: list[int] = []
        while len(base) < each:
            base += rng.sample(range(len(conditions)), len(conditions))
        members = [
            tuple(
                Trial(task=task, condition=conditions[(base[at] + shift) % len(conditions)])
                for at, task in enumerate(order)
            )
            for shift in range(len(conditions))
        ]
        people += rng.sample(members, len(members))
    return tuple(people)


def _williams(n: int) -> list[list[int]]:
    """Rows in which each number stands at each place equally often, and after each other one equally often."""
    zigzag = [(at + 1) // 2 if at % 2 else -(at // 2) % n for at in range(n)]
    rows = [[(one + shift) % n for one in zigzag] for shift in range(n)]
    # An odd square needs its mirror image as well.
    return rows if n % 2 == 0 else rows + [row[::-1] for row in rows]
