"""A browser that hangs is found out by us, since Playwright waits for ever. None is started here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError

from guideact.browser import session as sessions
from guideact.browser.launch import Browser
from guideact.browser.session import Session
from guideact.errors import BrowserError
from guideact.types import Viewport

launching = import_module("guideact.browser.launch")


async def never(*_: object, **__: object) -> Any:
    await asyncio.Event().wait()


class Context:
    """A context that opens, and ends as it is told to."""

    def __init__(self, close: Callable[[], Awaitable[None]]) -> None:
        self.close = close

    def on(self, name: str, do: object) -> None: ...


class Chromium:
    """Stands for Playwright's browser."""

    version = "1"

    def __init__(self, new_context: Callable[..., Awaitable[Any]] = never) -> None:
        self.new_context = new_context

    def is_connected(self) -> bool:
        return True


def browser(inner: Chromium, folder: Path) -> Browser:
    return Browser(inner, Path("chromium"), folder)  # type: ignore[arg-type]


async def test_a_browser_that_opens_no_context_is_of_no_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "OPEN_SECONDS", 0.0)
    hanging = browser(Chromium(), tmp_path)
    assert hanging.alive
    with pytest.raises(BrowserError, match="The browser hangs: no context was opened within 0 s"):
        async with hanging.session():
            pass
    assert not hanging.alive


@pytest.mark.parametrize("hangs", [True, False])
async def test_a_browser_that_ends_no_context_is_of_no_use(
    hangs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ends() -> None: ...

    async def opened(inner: Any, **_: object) -> Session:
        context = Context(never if hangs else ends)
        return Session(inner, context, allow=None, viewport=Viewport(), dialogs="accept", downloads=None)

    if hangs:
        monkeypatch.setattr(sessions, "CLOSE", 0.0)
    monkeypatch.setattr(launching, "open_session", opened)
    used = browser(Chromium(), tmp_path)
    # What was done in it stands: nothing is raised.
    async with used.session():
        pass
    assert used.alive != hangs


async def test_a_context_that_a_living_browser_refuses_to_end_is_told() -> None:
    async def refuses() -> None:
        raise PlaywrightError("no such context")

    session = Session(
        Chromium(),  # type: ignore[arg-type]
        Context(refuses),
        allow=None,
        viewport=Viewport(),
        dialogs="accept",
        downloads=None,
    )
    with pytest.raises(PlaywrightError, match="no such context"):
        await session.close()
