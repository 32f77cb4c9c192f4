"""The environment keeps its contract, on the real sites in a real browser."""

from __future__ import annotations

import asyncio
import threading

import pytest

from guideact import env as environment
from guideact.browser import launch
from guideact.env import WebEnv, open_env, open_sync_env
from guideact.env_checker import check_env
from guideact.errors import InputError, SiteError
from guideact.models.judge import Verdict
from guideact.sites.server import serve
from guideact.types import (
    AnswerCheck,
    Change,
    Check,
    Click,
    Finish,
    GoBack,
    JudgeCheck,
    Mark,
    Observation,
    PageCheck,
    Point,
    StateCheck,
    Task,
    UrlCheck,
)

EMMA = {"shopping": "emma.lopez@example.com"}
ANSWER = Check(answer=AnswerCheck(kind="number", expected=("3",)))


def task(**fields: object) -> Task:
    base = {"id": "t", "intent": "How many?", "sites": ("shopping",), "start_url": "__SHOPPING__/", "check": ANSWER}
    return Task.model_validate(base | {"logins": EMMA} | fields)


def mark(observation: Observation, name: str) -> Mark:
    return Mark(mark=next(c.mark for c in observation.candidates if c.name.startswith(name)))


async def test_the_embedded_environment_keeps_the_contract() -> None:
    async with open_env(screenshots=False) as env:
        assert await check_env(env, task()) == ()


async def test_addresses_name_the_site_and_never_the_instance_or_the_port() -> None:
    async with serve() as server, launch() as browser:
        env = WebEnv(browser, server, instance=7)
        first = await env.reset(task())
        assert first.url == "http://shopping.localhost/"
        assert first.tabs[0].url == first.url
        assert first.screenshot is not None
        assert first.screenshot.png.startswith(b"\x89PNG")
        assert (first.screenshot.width, first.screenshot.height) == (1440, 900)
        await env.close()


async def test_a_step_reports_what_it_changed_and_reset_undoes_it() -> None:
    wish = task(start_url="__SHOPPING__/account/wishlist")
    async with open_env(screenshots=False) as env:
        observation = await env.reset(wish)
        result = await env.step(Click(target=mark(observation, "Remove")))
        assert [(change.table, change.op) for change in result.changes] == [("wishlist_item", "delete")]
        assert env.changes() == result.changes
        again = await env.reset(wish)
        assert env.changes() == ()
        assert again.candidates == observation.candidates


async def test_both_groundings_act_alike() -> None:
    async with open_env(screenshots=False) as env:
        observation = await env.reset(task())
        by_mark = Click(target=mark(observation, "Contact us"))
        candidate = env.target_of(by_mark)
        assert candidate is not None
        x, y = candidate.point
        by_point = Click(target=Point(x=x, y=y))
        assert env.target_of(by_point) == candidate
        there = (await env.step(by_mark)).observation.url
        await env.reset(task())
        assert (await env.step(by_point)).observation.url == there


async def test_every_part_of_a_check_is_tested_at_the_end() -> None:
    checks = Check(
        answer=AnswerCheck(kind="number", expected=("3",)),
        url=UrlCheck(site="shopping", path="/contact"),
        page=(PageCheck(site="shopping", path="/account/wishlist", contains=("Wish list",)),),
        state=(StateCheck(site="shopping", required=(Change(table="wishlist_item", op="delete"),)),),
    )
    async with open_env(screenshots=False) as env:
        await env.reset(task(check=checks))
        await env.step(Finish(answer="three apples: 3"))
        verdict = await env.check()
        assert not verdict.passed
        passed = {part.part: part.passed for part in verdict.parts}
        assert passed["page"]
        assert not passed["url"]
        assert not passed["state"]


async def test_a_sites_500_is_no_failure_of_the_agent() -> None:
    async with serve() as server, launch() as browser:
        env = WebEnv(browser, server, screenshots=False)
        observation = await env.reset(task())
        connection = server.database(0, "shopping").connection
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DROP TABLE wishlist_item")
        with pytest.raises(SiteError, match="wishlist_item"):
            await env.step(Click(target=mark(observation, "Wish list")))
        await env.close()


async def test_an_unknown_user_is_an_input_error() -> None:
    async with open_env(screenshots=False) as env:
        with pytest.raises(InputError, match="nobody@example"):
            await env.reset(task(logins={"shopping": "nobody@example.com"}))


async def test_steps_need_an_episode() -> None:
    async with open_env(screenshots=False) as env:
        with pytest.raises(ValueError, match="reset first"):
            await env.step(GoBack())
        with pytest.raises(ValueError, match="end of an episode"):
            await env.check()


async def test_the_sync_face_works_inside_a_running_loop_and_leaves_no_thread() -> None:
    before = threading.active_count()
    with open_sync_env(screenshots=False) as env:
        observation = env.reset(task())
        assert observation.url == "http://shopping.localhost/"
        result = env.step(Click(target=mark(observation, "Contact us")))
        assert result.outcome is None
        assert env.changes() == ()
        assert env.step(Finish(answer="3")).terminated
        assert env.check().passed
    assert threading.active_count() == before
    assert asyncio.get_running_loop().is_running()


async def test_what_a_judge_takes_is_not_in_the_deadline_of_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        async def judge(self, question: str, reference: str, note: str, answer: str) -> Verdict:
            for _ in range(20):
                await asyncio.sleep(0)
            return Verdict(correct=answer == "3")

    # Past when the check begins: it would end whatever is waited for.
    monkeypatch.setattr(environment, "CHECK_SECONDS", 0)
    async with serve() as server, launch() as browser:
        env = WebEnv(browser, server, screenshots=False, judge=Slow())
        await env.reset(task(check=Check(judge=JudgeCheck(reference="three"))))
        await env.step(Finish(answer="3"))
        assert (await env.check()).passed
        await env.close()
