"""What can be told of WebArena's environment without its sites."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from guideact import webarena
from guideact.models.judge import Verdict
from guideact.tasks.checks.webarena import Eval
from guideact.tasks.webarena.login import Logins
from guideact.tasks.webarena.place import Place
from guideact.tasks.webarena.setup import Setup
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.tasks.webarena.turns import Turns


async def test_what_a_judge_takes_is_not_in_the_deadline_of_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, str, str]] = []

    class Slow:
        async def judge(self, question: str, reference: str, note: str, answer: str) -> Verdict:
            for _ in range(20):
                await asyncio.sleep(0)
            asked.append((question, reference, note, answer))
            return Verdict(correct=True)

    async def never(sites: tuple[str, ...]) -> None:
        raise AssertionError(sites)

    setup = Setup(addresses={"shopping": "http://h:1"})
    task = WebArenaTask(
        id="t.1",
        intent="How many?",
        sites=("shopping",),
        start_url="__SHOPPING__",
        start_urls=("__SHOPPING__",),
        number=1,
        eval=Eval(eval_types=("string_match",), reference_answers={"fuzzy_match": ("three",)}),
        kind="retrieve",
    )
    # Past when the check begins: it would end whatever is waited for.
    monkeypatch.setattr(webarena, "CHECK_SECONDS", 0)
    place = Place(setup, Logins(setup), Turns(None, never), "http://127.0.0.1:1/")
    env = webarena.WebArenaEnv(cast(Any, None), place, judge=Slow())
    env._task, env._over, env._answer = task, True, "3"
    env._session = cast(Any, SimpleNamespace(url="http://h:1/"))
    assert (await env.check()).passed
    assert asked == [("How many?", "three", "", "3")]
