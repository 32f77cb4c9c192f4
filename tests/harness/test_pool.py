"""Work on many tasks: what the surroundings break is begun anew, and no task ends the work on the others."""

from __future__ import annotations

import pytest

from guideact.errors import BrowserError, InfrastructureError, InputError
from guideact.harness.pool import Workplace, on_instances

from .pretend import without_browser


async def test_a_task_that_fails_every_time_ends_none_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    without_browser(monkeypatch)
    tries: list[tuple[str, bool]] = []
    anew: list[str] = []

    async def do(task_id: str, place: Workplace) -> str:
        tries.append((task_id, place.last_try))
        if task_id == "b" or (task_id == "c" and len([each for each in tries if each[0] == "c"]) < 3):
            raise BrowserError("it died")
        return f"did {task_id}"

    def given_up(task_id: str, error: InfrastructureError) -> str:
        return f"{task_id}: {error}"

    found = await on_instances(
        ["a", "b", "c", "d"], do, workers=1, begun_anew=lambda task_id, error: anew.append(task_id), given_up=given_up
    )
    assert list(found.items()) == [("a", "did a"), ("b", "b: it died"), ("c", "did c"), ("d", "did d")]
    assert anew == ["b", "b", "c", "c"]
    assert [last for task_id, last in tries if task_id == "b"] == [False, False, True]


async def test_what_is_no_failure_of_the_surroundings_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    without_browser(monkeypatch)

    async def do(task_id: str, place: Workplace) -> None:
        raise InputError("it cannot be")

    with pytest.raises(InputError, match="it cannot be"):
        await on_instances(["a"], do, workers=1, begun_anew=lambda *_: None, given_up=lambda *_: None)
