"""Opening a browser context, and a session over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from playwright._impl._api_structures import Geolocation, SetCookieParam, StorageState
from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError

from guideact.browser.bounds import proxy
from guideact.browser.session import ACT, Session
from guideact.errors import BrowserError
from guideact.types import Viewport


async def open_session(
    browser: PlaywrightBrowser,
    *,
    allow: tuple[str, ...] | None,
    viewport: Viewport,
    now: datetime | None,
    locale: str,
    timezone: str,
    dialogs: Literal["accept", "dismiss"],
    downloads: Path | None,
    cookies: Sequence[Mapping[str, str]],
    storage: Mapping[str, Any] | None = None,
    geolocation: Mapping[str, float] | None = None,
    har: Path | None = None,
) -> Session:
    """What `Browser.session` does; see there."""
    try:
        context = await browser.new_context(
            viewport={"width": viewport.width, "height": viewport.height},
            device_scale_factor=1,
            locale=locale,
            timezone_id=timezone,
            reduced_motion="reduce",
            color_scheme="light",
            accept_downloads=True,
            service_workers="block",
            proxy=proxy(allow),
            storage_state=cast(StorageState, dict(storage)) if storage is not None else None,
            geolocation=cast(Geolocation, dict(geolocation)) if geolocation is not None else None,
            permissions=["geolocation"] if geolocation is not None else None,
            record_har_path=har,
        )
        context.set_default_timeout(ACT * 1000)
        if now is not None:
            await context.clock.set_fixed_time(now)
        if cookies:
            await context.add_cookies([cast(SetCookieParam, dict(cookie)) for cookie in cookies])
        session = Session(browser, context, allow=allow, viewport=viewport, dialogs=dialogs, downloads=downloads)
        await context.new_page()
        await session._arrivals()
    except PlaywrightError as error:
        raise BrowserError(f"No context could be opened: {error.message.splitlines()[0]}") from error
    return session
