"""Signing in to WebArena's sites: once, then kept, looked at before each episode, and done anew when it was lost.

What is kept is a storage state (cookies and what pages stored), by site; an episode's browser context begins with those
of its task. Whether a login still holds is asked over HTTP, with its cookies: a page that only its user may see.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.async_api import Error as PlaywrightError

from guideact.browser import Browser
from guideact.errors import InputError, SiteError
from guideact.tasks.webarena.setup import Account, Setup
from guideact.tasks.webarena.upkeep import client

SECONDS = 60.0
"""How long a form may take to be answered."""
REDIRECTS = 5

State = Mapping[str, Any]
"""A storage state, in Playwright's form."""


@dataclass(frozen=True)
class Form:
    """How one signs in to a site, and how one sees that it worked."""

    page: str
    """Path of the page with the form."""
    user_field: str
    password_field: str
    """CSS."""
    private: str
    """Path of a page that only a user sees; `{user}` stands for the name."""
    refused: tuple[str, ...]
    """Parts of a path to which strangers are sent from there."""
    shut: str = ""
    """A piece of markup that only a stranger is shown there."""


FORMS = {
    "shopping": Form(
        page="/customer/account/login/",
        user_field='#login-form [name="login[username]"], form.form-login [name="login[username]"]',
        password_field='#login-form [name="login[password]"], form.form-login [name="login[password]"]',
        private="/wishlist/",
        refused=("/customer/account/login",),
    ),
    "shopping_admin": Form(
        page="",
        user_field='[name="login[username]"]',
        password_field='[name="login[password]"]',
        private="/dashboard",
        refused=(),
        shut='name="login[username]"',
    ),
    "reddit": Form(
        page="/login",
        user_field='[name="_username"]',
        password_field='[name="_password"]',
        private="/user/{user}/account",
        refused=("/login",),
    ),
    "gitlab": Form(
        page="/users/sign_in",
        user_field='[name="user[login]"]',
        password_field='[name="user[password]"]',
        private="/-/profile",
        refused=("/users/sign_in",),
    ),
}


class Refused(SiteError):
    """The site does not take the account."""


@dataclass
class Logins:
    """The logins of a run. Safe to use from every task of an event loop."""

    setup: Setup
    _kept: dict[str, State] = field(default_factory=dict)
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def state(self, browser: Browser, sites: Sequence[str]) -> State:
        """A storage state that is signed in to all of these sites.

        Raises Refused where a site does not take its account, SiteError where it cannot be asked.
        """
        states = [await self._holding(browser, site) for site in sites]
        return {
            "cookies": [cookie for state in states for cookie in state.get("cookies", ())],
            "origins": [origin for state in states for origin in state.get("origins", ())],
        }

    def forget(self, sites: Sequence[str]) -> None:
        """The sites were put back, and know nobody any more."""
        for site in sites:
            self._kept.pop(site, None)

    async def _holding(self, browser: Browser, site: str) -> State:
        async with self._locks.setdefault(site, asyncio.Lock()):
            kept = self._kept.get(site) or self._read(site)
            if kept is None or not await self.holds(site, kept):
                kept = await self._sign_in(browser, site)
                self._write(site, kept)
            self._kept[site] = kept
            return kept

    async def holds(self, site: str, state: State) -> bool:
        """Whether a kept login is still good. Raises SiteError where the site cannot be asked."""
        form, address = FORMS[site], self.setup.addresses[site]
        url = address + form.private.replace("{user}", self.setup.accounts[site].username)
        headers = {"Cookie": "; ".join(f"{each['name']}={each['value']}" for each in _cookies_for(state, url))}
        try:
            async with client() as asking:
                answer = await asking.get(url, headers=headers, follow_redirects=False)
                for _ in range(REDIRECTS):
                    if not answer.is_redirect or any(word in answer.headers["location"] for word in form.refused):
                        break
                    further = answer.url.join(answer.headers["location"])
                    answer = await asking.get(further, headers=headers, follow_redirects=False)
        except httpx.HTTPError as error:
            raise SiteError(f"{site} cannot be asked who is signed in: {str(error) or type(error).__name__}") from error
        if answer.status_code >= 500:
            raise SiteError(f"{site} answers {answer.status_code} when asked who is signed in")
        if answer.is_redirect or answer.status_code >= 400:
            return False
        return not form.shut or form.shut not in answer.text

    async def _sign_in(self, browser: Browser, site: str) -> State:
        form, address, account = FORMS[site], self.setup.addresses[site], self.setup.accounts[site]
        async with browser.session(allow=self.setup.allow, timezone="UTC") as session:
            await session.goto(address + form.page)
            page = session.active_page
            try:
                await page.locator(form.user_field).first.fill(account.username)
                password = page.locator(form.password_field).first
                await password.fill(account.password.get_secret_value())
                async with page.expect_navigation(wait_until="load", timeout=SECONDS * 1000):
                    await password.press("Enter")
            except PlaywrightError as error:
                # What the driver says may quote what was typed.
                raise SiteError(f"the sign-in page of {site} at {address}{form.page} cannot be used") from _unsaid(
                    error, account
                )
            await session.settle()
            state: State = await page.context.storage_state()
        if not await self.holds(site, state):
            raise Refused(f"{site} does not accept the account {account.username}")
        return state

    # --- kept in a folder -----------------------------------------------------------------------------------------

    def _read(self, site: str) -> State | None:
        if self.setup.states is None:
            return None
        try:
            state = json.loads((self.setup.states / f"{site}_state.json").read_bytes())
        except (OSError, ValueError):
            # None was kept, or none that can be used: then one signs in.
            return None
        usable = isinstance(state, dict) and isinstance(state.get("cookies"), list)
        return state if usable else None

    def _write(self, site: str, state: State) -> None:
        if self.setup.states is None:
            return
        path = self.setup.states / f"{site}_state.json"
        part = path.with_suffix(".part")
        try:
            self.setup.states.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.unlink(missing_ok=True)
            # Whoever can read it is signed in.
            with open(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump(state, file)
            part.replace(path)
        except OSError as error:
            raise InputError(
                f"{self.setup.states} cannot be written: {error.strerror}", fix="Name another folder as states."
            ) from error


def _unsaid(error: PlaywrightError, account: Account) -> PlaywrightError | None:
    return None if account.password.get_secret_value() in str(error) else error


def _cookies_for(state: State, url: str) -> list[Mapping[str, Any]]:
    """The cookies that a browser would send: by host and path; ports make no difference to cookies."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return [
        cookie
        for cookie in state["cookies"]
        if (host == cookie["domain"].lstrip(".") or host.endswith("." + cookie["domain"].lstrip(".")))
        and (parts.path or "/").startswith(cookie["path"])
        and (parts.scheme == "https" or not cookie.get("secure"))
    ]
