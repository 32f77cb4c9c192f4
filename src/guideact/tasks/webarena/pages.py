"""What WebArena's page evaluators read: pages of the sites at the end of an episode, in the browser that the agent had.

`last` is the agent's own page as it left it, with what stands in its fields. Every other page is opened in a tab beside
it, with the agent's cookies. (The published evaluator drives the agent's own page on; no published task looks at `last`
after another page, so that makes no difference.) Helper functions are read, never evaluated: a call of a name that is
known, with strings as arguments.
"""

from __future__ import annotations

import ast
import asyncio
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from guideact.browser import Session
from guideact.errors import InputError, SiteError
from guideact.tasks.checks.webarena import LAST, Eval, Target, shortfall
from guideact.tasks.webarena.setup import SITES, Setup
from guideact.tasks.webarena.upkeep import client

PATIENCE = 3.0
"""Seconds that a page has after it has come to rest, as in the published evaluator."""
AGAIN = 0.25

_FUNCTION = "func:"
_PAGE = "__page__"
_LAST_URL = "__last_url__"

_ROLE = """name => {
    const cells = [...document.querySelectorAll("td[data-label='Account'] span.gl-avatar-labeled-sublabel")];
    const at = cells.findIndex(cell => cell.outerText === '@' + name);
    const role = at < 0 ? undefined : document.querySelectorAll('td.col-max-role span')[at];
    return role ? role.outerText : '';
}"""


class LivePages:
    """Reads pages for one check."""

    def __init__(self, setup: Setup, session: Session, *, strict: bool = False) -> None:
        self._setup = setup
        self._session = session
        self._helpers = Helpers(setup, strict=strict)
        self._last_url = session.url

    async def read(self, target: Target) -> str:
        """What the target's locator finds; "" where there is nothing, or the page is another one than expected.

        Raises SiteError where a page cannot be reached or answers 5xx.
        """
        url = await self._url(target.url)
        if url == LAST:
            return await self._find(self._session.active_page, target)
        async with self._session.beside(url) as page:
            return await self._patiently(page, target)

    async def _patiently(self, page: Page, target: Target) -> str:
        """Shops build parts of their pages long after they have loaded: what is missing is looked for a while."""
        end = time.monotonic() + PATIENCE
        while True:
            found = await self._find(page, target)
            if not shortfall(target, found) or time.monotonic() >= end:
                return found
            await asyncio.sleep(AGAIN)

    async def _url(self, url: str) -> str:
        if not url.startswith(_FUNCTION):
            return url
        return await self._helpers.call(url.removeprefix(_FUNCTION).replace(_LAST_URL, self._last_url))

    async def _find(self, page: Page, target: Target) -> str:
        locator = target.locator.strip()
        if not locator:
            return await _tried(page.content)
        if locator.startswith(_FUNCTION):
            name, arguments = parse_call(locator.removeprefix(_FUNCTION))
            if arguments[:1] == (_PAGE,):
                return await _tried(lambda: page.evaluate(_ROLE, arguments[1]))
            return str(await self._helpers.call_named(name, arguments))
        for script in target.prep_actions:
            # Whether it works or not: the locator then finds nothing.
            if await _evaluated(page, script) is _FAILED:
                break
        found = await _evaluated(page, locator)
        return "" if found is _FAILED else str(found)


_FAILED = object()


async def _evaluated(page: Page, script: str) -> Any:
    """The value of a script of a task, or `_FAILED` where the page has not what it wants."""
    try:
        return await page.evaluate(f"() => {script}")
    except PlaywrightError as error:
        if page.is_closed():
            raise SiteError(f"the page {page.url} closed while it was checked") from error
        return _FAILED


async def _tried(read: Callable[[], Any]) -> str:
    try:
        return str(await read())
    except PlaywrightError as error:
        raise SiteError(f"a page could not be read: {error.message.splitlines()[0]}") from error


# --- helper functions -------------------------------------------------------------------------------------------


def parse_call(text: str) -> tuple[str, tuple[str, ...]]:
    """Name and arguments of a call such as `reddit_get_post_url('http://...')`; `__page__` is an argument too.

    Raises InputError for anything else than a known name with strings.
    """
    wrong = InputError(f"{text!r} is no call of a helper function of WebArena", fix=f"Known are {', '.join(HELPERS)}.")
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise wrong from error
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        raise wrong
    arguments: list[str] = []
    for each in call.args:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            arguments.append(each.value)
        elif isinstance(each, ast.Name) and each.id == _PAGE:
            arguments.append(_PAGE)
        else:
            raise wrong
    if HELPERS.get(call.func.id) != len(arguments):
        raise wrong
    return call.func.id, tuple(arguments)


HELPERS = {
    "reddit_get_post_url": 1,
    "shopping_get_latest_order_url": 0,
    "shopping_get_sku_latest_review_author": 1,
    "shopping_get_sku_latest_review_rating": 1,
    "gitlab_get_project_memeber_role": 2,
}
"""The helper functions of WebArena's evaluators, misspelling included, with how many arguments each takes."""


def refuse_unknown_helpers(check: Eval, place: str) -> None:
    """Raise InputError, before anything is run, for a helper function or a locator that is none."""
    for target in check.program_html:
        for text in (target.url, target.locator.strip()):
            if text.startswith(_FUNCTION):
                try:
                    parse_call(text.removeprefix(_FUNCTION))
                except InputError as error:
                    raise InputError(f"{place}: {error.message}", fix=error.fix) from error
        if target.url != LAST and not target.url.startswith(
            (_FUNCTION, "http://", "https://", *(f"__{site.upper()}__" for site in SITES))
        ):
            raise InputError(
                f"{place}: the page {target.url!r} is on none of the sites",
                fix="Begin it with func: or a placeholder such as __SHOPPING__, or write last.",
            )
        locator = target.locator.strip()
        if locator and not locator.startswith((_FUNCTION, "document.", "[...document.")):
            raise InputError(
                f"{place}: the locator {locator!r} is none of WebArena's", fix="Begin it with document. or func:."
            )


class Helpers:
    """The helper functions that ask a site over its interface for programs."""

    def __init__(self, setup: Setup, *, strict: bool = False) -> None:
        self._setup = setup
        self._strict = strict

    async def call(self, text: str) -> str:
        """The value of a call. Raises InputError for one that is none, SiteError where the site cannot be asked."""
        return await self.call_named(*parse_call(text))

    async def call_named(self, name: str, arguments: tuple[str, ...]) -> str:
        match name, arguments:
            case "reddit_get_post_url", (url,):
                return post_url(url)
            case "shopping_get_latest_order_url", ():
                return await self._latest_order()
            case "shopping_get_sku_latest_review_author", (sku,):
                review = await self._latest_review(sku)
                return str(review["nickname"]) if review else ""
            case "shopping_get_sku_latest_review_rating", (sku,):
                review = await self._latest_review(sku)
                return str(review["ratings"][0]["percent"]) if review else ""
        raise InputError(f"{name} cannot be called here", fix="Give it as a locator.")

    async def _latest_order(self) -> str:
        query = {
            "searchCriteria[sortOrders][0][field]": "created_at",
            "searchCriteria[sortOrders][0][direction]": "DESC",
            "searchCriteria[pageSize]": "1",
        }
        orders = (await self._rest("/rest/V1/orders", query))["items"]
        shop = self._setup.addresses["shopping"]
        if not orders:
            return f"{shop}/sales/order/history/"
        # The address wants the row's id. The published helper gives the number that is shown to customers.
        number = int(orders[0]["increment_id"]) if self._strict else int(orders[0]["entity_id"])
        return f"{shop}/sales/order/view/order_id/{number}/"

    async def _latest_review(self, sku: str) -> dict[str, Any] | None:
        reviews = await self._rest(f"/rest/V1/products/{sku}/reviews", {})
        if not reviews:
            return None
        found: dict[str, Any] = reviews[-1]
        return found

    async def _rest(self, path: str, query: dict[str, str]) -> Any:
        shop, account = self._setup.addresses["shopping"], self._setup.accounts["shopping_admin"]
        try:
            async with client() as asking:
                token = await asking.post(
                    f"{shop}/rest/default/V1/integration/admin/token",
                    json={"username": account.username, "password": account.password.get_secret_value()},
                )
                if token.status_code >= 400:
                    raise SiteError(f"shopping gives {account.username} no token: {token.status_code}")
                answer = await asking.get(
                    shop + path, params=query, headers={"Authorization": f"Bearer {token.json()}"}
                )
        except httpx.HTTPError as error:
            raise SiteError(f"{shop}{path} cannot be reached: {str(error) or type(error).__name__}") from error
        if answer.status_code >= 400:
            raise SiteError(f"{shop}{path} answers {answer.status_code}")
        try:
            return answer.json()
        except ValueError as error:
            raise SiteError(f"{shop}{path} does not answer with JSON") from error


def post_url(url: str) -> str:
    """The address of the post that an address lies under (`/f/FORUM/NUMBER/...`); any other stays as it is."""
    parts = urlsplit(url)
    words = parts.path.split("/")
    if len(words) < 4 or words[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{words[2]}/{words[3]}/"
