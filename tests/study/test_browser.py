"""A participant in a real browser: follows a guide on the live shop over a kill of the server, gives up, withdraws."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from guideact.browser import Browser, launch
from guideact.study.folder import Study, read_study
from guideact.study.state import Person, person
from guideact.study.store import Store, starts
from guideact.types import Viewport
from tests.study.conftest import TASKS, code_of


@pytest.fixture
def folder(tmp_path: Path, pristine_study: Path) -> Path:
    return Path(shutil.copytree(pristine_study, tmp_path / "study"))


async def start(folder: Path, port: str = "0") -> tuple[Process, str]:
    """Serve the study in a process of its own; the process and the port."""
    words = (sys.executable, "-m", "guideact", "study", "serve", str(folder), "--port", port)
    process = await asyncio.create_subprocess_exec(*words, stdout=PIPE, env={**os.environ, "COLUMNS": "200"})
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    assert found, line
    return process, found[1]


async def kill(process: Process) -> None:
    process.send_signal(signal.SIGKILL)
    await process.wait()


def stands(study: Study, number: int) -> Person:
    store = Store.open(study.folder)
    try:
        return person(number, study.trials(number), store.events(number), starts(store.events(0)))
    finally:
        store.close()


async def enter(page: Page, port: str, code: str) -> None:
    # A tab that opens on a busy machine takes its time.
    page.context.set_default_timeout(60_000)
    await page.goto(f"http://127.0.0.1:{port}/")
    await page.get_by_label("Your code").fill(code.lower())
    await page.get_by_role("button", name="Enter", exact=True).click()


async def consent(page: Page) -> None:
    await page.get_by_label("I have read this").check()
    await page.get_by_role("button", name="Go on", exact=True).click()
    await page.get_by_role("button", name="Begin", exact=True).wait_for()


@asynccontextmanager
async def open_website(page: Page) -> AsyncIterator[Page]:
    async with page.context.expect_page() as opened:
        await page.get_by_role("link", name="Open the website").click()
    site = await opened.value
    await site.wait_for_load_state("domcontentloaded")
    yield site
    await site.close()


async def answer(page: Page) -> None:
    for question in ("confidence", "difficulty"):
        await page.locator(f'[name="{question}"][value="6"]').check()
    await page.get_by_label("At which step").select_option("1")
    await page.get_by_role("button", name="Go on", exact=True).click()


async def follow(browser: Browser, folder: Path, number: int) -> None:
    """Do the wish list's task by its guide; the server is killed in the middle."""
    study = read_study(folder)
    process, port = await start(folder)
    try:
        async with browser.session() as session:
            page = session.active_page
            await enter(page, port, code_of(study, number))
            await consent(page)
            await page.get_by_role("button", name="Begin", exact=True).click()
            await page.get_by_text("I give up", exact=True).click()
            await page.get_by_role("button", name="Give up this task").click()
            await answer(page)
            await page.get_by_role("button", name="Begin", exact=True).click()
            await expect(page.locator(".steps li")).to_have_count(5)
            async with open_website(page) as shop:
                assert await shop.evaluate("[Date.now(), new Date().getFullYear()]") == [1773648000000, 2026]
                await shop.get_by_label("Search products").fill("Picnic Stacking Cups, Set of 4")
                await shop.get_by_label("Search products").press("Enter")
                await shop.get_by_role("link", name="Picnic Stacking Cups, Set of 4").first.click()
                await shop.get_by_role("button", name="Add to wish list").click()
                await shop.get_by_text("was added to your wish list").wait_for()
                await kill(process)
                process, _ = await start(folder, port)
                await shop.reload()
                assert await shop.get_by_role("button", name="Emma").count() == 1, "signed in as before"
            await page.reload()
            await page.get_by_role("button", name="I am done").click()
            await page.get_by_label("At which step").wait_for()
            await answer(page)
            first, tried = stands(study, number).trials
            assert (first.how, first.passed) == ("gave_up", False)
            assert (tried.how, tried.passed, tried.interrupted) == ("done", True, 1)
            assert tried.pages[0].url == "http://shopping.localhost/"
            assert len(tried.pages) >= 4
            await page.get_by_text("Withdraw from the study").click()
            await page.get_by_role("button", name="Withdraw and delete my records").click()
            await expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
            assert stands(study, number).withdrawn
            assert all(each.began is None for each in stands(study, number).trials)
    finally:
        if process.returncode is None:
            await kill(process)


async def test_a_participant_follows_gives_up_and_withdraws(folder: Path) -> None:
    study = read_study(folder)
    # Somebody whose second task is the wish list's, under the guide as it should be.
    number = next(
        at
        for at, trials in enumerate(study.settings.assignment, 1)
        if trials[1].task == TASKS[0] and trials[1].condition == "complete"
    )
    async with launch() as browser:
        await follow(browser, folder, number)


async def test_on_a_phone_nothing_is_cut_off(folder: Path) -> None:
    study = read_study(folder)
    process, port = await start(folder)
    try:
        async with launch() as browser, browser.session(viewport=Viewport(width=390, height=844), locale="zh-CN") as s:
            page = s.active_page

            async def fits() -> None:
                assert await page.evaluate("document.documentElement.scrollWidth") <= 390
                assert await page.locator("html").get_attribute("lang") == "zh"

            await page.goto(f"http://127.0.0.1:{port}/")
            await fits()
            await page.get_by_label("您的代码").fill(code_of(study, 1))
            await page.get_by_role("button", name="进入", exact=True).click()
            await fits()
            await page.get_by_label("我已阅读").check()
            await page.get_by_role("button", name="继续", exact=True).click()
            await page.get_by_role("button", name="开始", exact=True).click()
            await page.get_by_role("button", name="我完成了").wait_for()
            await fits()
            await page.get_by_role("button", name="我完成了").click()
            await page.locator("[name=confidence]").first.wait_for()
            await fits()
    finally:
        await kill(process)
