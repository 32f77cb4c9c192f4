"""A rotating sample of all tasks is proved at every run; `guideact tasks prove --all` proves every one."""

from __future__ import annotations

import os
import random

import pytest

from guideact.tasks.catalogue import all_tasks
from guideact.tasks.prove import prove
from tests.tasks.conftest import Bench

SEED = os.environ.get("GUIDEACT_PROOF_SEED", "0")
"""Give it a number that changes from run to run (a build number) to prove other tasks each time."""
SIZE = int(os.environ.get("GUIDEACT_PROOF_SAMPLE", "2"))

SAMPLE = random.Random(SEED).sample([task.id for task in all_tasks()], SIZE)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", SAMPLE)
async def test_the_task_is_sound(task_id: str, bench: Bench) -> None:
    proof = await prove(task_id, bench.env, browser=bench.browser, server=bench.server)
    assert proof.passed, "\n".join(proof.lines())
