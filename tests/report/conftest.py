"""A real browser that opens reports from disk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from guideact.browser.launch import find_chromium

Open = Callable[..., Awaitable[Page]]


@pytest.fixture
async def open_report() -> AsyncIterator[Open]:
    """`page = await open_report(path, viewport=..., java_script_enabled=False, ...)`.

    Whatever goes wrong on a page (a script error, a dialog, a refusal by the policy, a request) fails the test.
    """
    trouble: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), chromium_sandbox=False)

        async def open_page(path: Path, **options: object) -> Page:
            context = await browser.new_context(**options)  # type: ignore[arg-type]
            context.set_default_timeout(10_000)
            page = await context.new_page()
            page.on("pageerror", lambda error: trouble.append(f"script error: {error}"))
            page.on("console", lambda message: trouble.append(f"console: {message.text}"))
            page.on(
                "request", lambda request: trouble.append(f"request: {request.url}") if _outside(request.url) else None
            )

            async def refuse(dialog: object) -> None:
                trouble.append(f"dialog: {dialog}")
                await dialog.dismiss()  # type: ignore[attr-defined]

            page.on("dialog", refuse)
            await page.goto(path.as_uri())
            return page

        yield open_page
        await browser.close()
    assert trouble == []


def _outside(url: str) -> bool:
    return not url.startswith(("file:", "data:"))
