"""One episode's browser: a context of its own, its tabs, and what happened in them.

The agent always sees one tab, the active one. A new tab becomes active; when it closes, its opener does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, cast

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Dialog as PlaywrightDialog
from playwright.async_api import Download, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from guideact.browser import execute as hands
from guideact.browser import observe as eyes
from guideact.browser.bounds import allowed, named
from guideact.browser.downloads import keep
from guideact.browser.settle import settle
from guideact.browser.tab import Tab, Vanished, attach
from guideact.errors import BrowserError, DeadlineExceeded, InputError, SiteError
from guideact.types import (
    Action,
    Candidate,
    Click,
    Dialog,
    Finish,
    GoBack,
    Mark,
    Observation,
    Outcome,
    Point,
    Screenshot,
    Scroll,
    Select,
    Type,
    Viewport,
)
from guideact.types import Tab as TabView

GOTO = 30.0
ACT = 15.0
SETTLE = 10.0
LOOK = 8.0
CAPTURE = 5.0
SAVE, CLOSE = 5.0, 10.0
WINDOW = 5.0
OBSERVE = 20.0
"""Deadlines, seconds."""


class Session:
    """A context, as `Browser.session` opens it."""

    def __init__(
        self,
        browser: PlaywrightBrowser,
        context: Any,
        *,
        allow: tuple[str, ...] | None,
        viewport: Viewport,
        dialogs: Literal["accept", "dismiss"],
        downloads: Path | None,
    ) -> None:
        self._browser = browser
        self._context = context
        self._allow = allow
        self._viewport = viewport
        self._policy = dialogs
        self._downloads = downloads
        self._tabs: list[Tab] = []
        self._active: Tab | None = None
        self._arriving: set[asyncio.Task[None]] = set()
        self._saving: set[asyncio.Task[None]] = set()
        self._expected: list[float] = []
        """When windows were asked for that have not arrived yet."""
        self._window = asyncio.Event()
        self._rest: tuple[Tab, int] | None = None
        """The tab that was last seen at rest, and its document by number; None since an action."""
        self._files = 0
        """Downloads since the last action."""
        self._opening_ours = 0
        self._newcomers: list[Callable[[Tab], Awaitable[None]]] = []
        self._dialogs: list[Dialog] = []
        self._dialog_count = 0
        self._notices: list[str] = []
        self._look = eyes.Look()
        self._looked_at: Tab | None = None
        self._screenshot: Screenshot | None = None
        self._eager = False
        self._resolved: tuple[Action, Candidate | None] | None = None
        self.timings: dict[str, float] = {}
        """Milliseconds of the last `execute` (act, settle) and `observe`."""
        context.on("page", self._page)
        context.on("dialog", self._dialog)

    # --- going somewhere ------------------------------------------------------------------------------------

    async def goto(self, url: str, *, begin: bool = True) -> None:
        """Open a url in the active tab and wait until it is at rest.

        Args:
            begin: `go_back` does not go behind this page.

        Raises:
            InputError: its host is not among the allowed ones.
            SiteError: it cannot be reached, or answers 5xx.
            BrowserError: the browser or the page crashed.
            DeadlineExceeded: not within 30 s.
        """
        if not allowed(url, self._allow):
            raise InputError(f"{url} is not among the hosts this session may reach: {', '.join(self._allow or ())}")
        async with self._deadline("goto", GOTO):
            tab = await self._current()
            tab.status = 0
            self._rest = None
            try:
                await tab.page.goto(url, wait_until="domcontentloaded", timeout=GOTO * 1000)
            except PlaywrightTimeout as error:
                raise DeadlineExceeded("goto", GOTO) from error
            except PlaywrightError as error:
                self._check(tab)
                first = error.message.splitlines()[0]
                if "Download is starting" not in first:
                    raise SiteError(f"{url} cannot be opened: {first}") from error
            await self.settle()
            tab = await self._current()
            history = await tab.send("Page.getNavigationHistory")
            if begin:
                tab.floor = history["currentIndex"]
            tab.good = tab.page.url
        if tab.status >= 500:
            raise SiteError(f"{url} answered {tab.status}")

    async def open_tab(self, url: str) -> None:
        """Open a url in a new tab, which becomes the active one; `go_back` closes it. Raises what `goto` does."""
        below = await self._current()
        below.title = await below.page.title()
        await self._new_page()
        await self._arrivals()
        # Nobody has acted yet, so nothing has happened that an agent would have to be told.
        self._notices.clear()
        await self.goto(url)

    def notice(self, text: str) -> None:
        """Say something in the next observation."""
        self._notices.append(text)

    @property
    def last_status(self) -> int:
        """HTTP status of the active tab's last main document; 0 when there was none."""
        return self._active.status if self._active else 0

    @property
    def url(self) -> str:
        """Address of the active tab."""
        return self._active.page.url if self._active else ""

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, in the order in which they were opened."""
        return tuple(self._tabs)

    def when_a_tab_opens(self, call: Callable[[Tab], Awaitable[None]]) -> None:
        """Have something done to every tab that opens from now on, before anybody sees it."""
        self._newcomers.append(call)

    def seen_by_element(self) -> dict[tuple[str, int], Candidate]:
        """The candidates of the last observation by their frame and their element's number there."""
        look = self._look
        return {(r.frame, r.element): c for r, c in zip(look.references, look.candidates, strict=True)}

    @property
    def active_page(self) -> Page:
        """Playwright's page of the active tab, for what this class does not offer.

        Raises:
            BrowserError: no tab is open.
        """
        if self._active is None:
            raise BrowserError("No tab is open")
        return self._active.page

    async def settle(self) -> None:
        """Wait until the active tab is at rest, new tabs included; at most ten seconds.

        `goto` and `execute` do so themselves; right after them this returns at once.

        Raises:
            BrowserError: the browser or the page crashed.
        """
        await self._arrivals()
        tab = await self._current()
        if self._rest == (tab, tab.commits) and not (tab.busy or tab.tasks):
            return
        await settle(tab, eager=self._eager, cap=SETTLE)
        if self._saving:
            await asyncio.wait(self._saving, timeout=SAVE)
        if self._arriving or self._expected or tab.closed:
            await self._arrivals()
            await settle(await self._current(), eager=self._eager, cap=SETTLE)
        tab = await self._current()
        if self._files and tab.opener is not None and not tab.page.url:
            await tab.page.close()  # it was opened for the file alone and has nothing to show
        tab = await self._current()
        self._rest = (tab, tab.commits)
        self._check(await self._current())

    # --- seeing ---------------------------------------------------------------------------------------------

    async def observe(self, screenshot: bool = True, *, steady: bool = False) -> Observation:
        """What the active tab shows, as it is now. What is missing is said in `partial`.

        Args:
            steady: take the screenshot again until two in a row are the same, as demonstrations want it.

        Raises:
            BrowserError: the browser or the page crashed.
            DeadlineExceeded: the page does not answer at all.
        """
        start = time.perf_counter()
        async with self._deadline("observe", OBSERVE):
            tab = await self._current()
            found, shot = await asyncio.gather(self._see(tab), self._shoot(tab, screenshot, steady))
            self._check(tab)
        picture, problem = shot
        tab.title = found.title
        self._look, self._looked_at, self._resolved = found, tab, None
        if found.prints:
            self._notices.append("The page asked to print; no print dialog was opened.")
        observation = Observation(
            url=tab.page.url,
            title=found.title,
            viewport=self._viewport,
            scroll=found.scroll,
            candidates=found.candidates,
            texts=found.texts,
            tabs=tuple(TabView(title=t.title, url=t.page.url, active=t is tab) for t in self._tabs),
            dialogs=tuple(self._dialogs),
            notices=tuple(self._notices),
            screenshot=picture,
            partial="; ".join([*dict.fromkeys(found.problems), *([problem] if problem else [])]),
        )
        self._dialogs.clear()
        self._notices.clear()
        self.timings["observe"] = (time.perf_counter() - start) * 1000
        return observation

    async def _see(self, tab: Tab) -> eyes.Look:
        try:
            async with asyncio.timeout(LOOK):
                found = await eyes.look(tab)
                if found.problems and not found.candidates:
                    # A document that was being replaced: once more when it is there.
                    await settle(tab, cap=2)
                    again = await eyes.look(tab)
                    return again if again.candidates or not again.problems else found
                return found
        except TimeoutError as error:
            raise DeadlineExceeded("observe", LOOK) from error

    async def _shoot(self, tab: Tab, wanted: bool, steady: bool) -> tuple[Screenshot | None, str]:
        if not wanted:
            return None, ""
        confirmed = True
        try:
            if steady:
                self._screenshot, confirmed = await eyes.steady(lambda: eyes.capture(tab, self._viewport, CAPTURE))
            else:
                self._screenshot = await eyes.capture(tab, self._viewport, CAPTURE)
        except TimeoutError:
            problem = f"no screenshot within {CAPTURE:g} s"
        except (BrowserError, Vanished) as error:
            self._check(tab)
            problem = f"no screenshot: {error}"
        else:
            return self._screenshot, "" if confirmed else eyes.MOVING
        return self._screenshot, problem + (f": {eyes.STALE}" if self._screenshot else "")

    def target_of(self, action: Action) -> Candidate | None:
        """The candidate of the last observation that an action points at.

        By mark, or by point: what was hit when the action has been executed, else the smallest candidate around it.
        """
        target = action.target if isinstance(action, Click | Type | Select | Scroll) else None
        if isinstance(target, Mark):
            ok = 1 <= target.mark <= len(self._look.candidates)
            return self._look.candidates[target.mark - 1] if ok else None
        if isinstance(target, Point):
            if self._resolved is not None and self._resolved[0] == action and self._resolved[1] is not None:
                return self._resolved[1]
            return eyes.smallest(self._look.candidates, target.x, target.y)
        return None

    # --- acting ---------------------------------------------------------------------------------------------

    async def execute(self, action: Action) -> Outcome | None:
        """Do it, wait until the page is at rest, and see to it that it is still a page of an allowed host.

        Marks are those of the last observation. None: done, as far as one can tell.

        Raises:
            SiteError: an allowed host cannot be reached.
            BrowserError: the browser or the page crashed.
            DeadlineExceeded: the page does not answer any more.
        """
        start = time.perf_counter()
        tab = await self._current()
        self._eager = False
        self._rest = None
        self._files = 0
        try:
            async with asyncio.timeout(ACT):
                outcome = await self._perform(tab, action)
        except TimeoutError:
            outcome = Outcome(code="timeout", detail=f"The page did not react within {ACT:g} s.")
        except PlaywrightError as error:
            self._check(tab)
            raise BrowserError(error.message.splitlines()[0]) from error
        acted = time.perf_counter()
        await self.settle()
        outcome = await self._keep_in_bounds() or outcome
        self.timings = {"act": (acted - start) * 1000, "settle": (time.perf_counter() - acted) * 1000}
        return outcome

    async def _perform(self, tab: Tab, action: Action) -> Outcome | None:
        if isinstance(action, Finish):
            return None
        if isinstance(action, GoBack):
            return await self._go_back(tab)
        page = hands.Page(
            tab=tab,
            references=self._look.references if self._looked_at is tab else (),
            viewport=self._viewport,
            note=self._notices.append,
            dialogs=lambda: self._dialog_count,
        )
        done = await hands.perform(page, action)
        self._eager = done.eager
        if self._looked_at is tab and done.found is not None:
            places = [(r.frame, r.element) for r in self._look.references]
            key = (done.found.frame, done.found.element)
            self._resolved = (action, self._look.candidates[places.index(key)] if key in places else None)
        return done.outcome

    async def _go_back(self, tab: Tab) -> Outcome | None:
        history = await tab.send("Page.getNavigationHistory")
        index, entries = history["currentIndex"], history["entries"]
        if index > tab.floor and entries[index - 1]["url"] != "about:blank":
            await tab.send("Page.navigateToHistoryEntry", {"entryId": entries[index - 1]["id"]})
            return None
        if tab.opener is not None and not tab.opener.closed:
            await tab.page.close()
            return None
        return Outcome(code="no_history", detail="There is no page to go back to.")

    # --- staying within bounds ------------------------------------------------------------------------------

    async def _keep_in_bounds(self) -> Outcome | None:
        tab = await self._current()
        where = tab.refused or tab.page.url
        if allowed(where, self._allow):
            if tab.refused and self._allow is not None:
                raise SiteError(f"{where} cannot be reached")
            tab.good = where
            return None
        if tab.opener is not None and not tab.opener.closed and not tab.good:
            await tab.page.close()
        else:
            await self._take_back(tab)
        self._rest = None
        await self.settle()
        return Outcome(
            code="refused_host", detail=f"{named(where)} is out of bounds for this task; the page was taken back."
        )

    async def _take_back(self, tab: Tab) -> None:
        history = await tab.send("Page.getNavigationHistory")
        index, entries = history["currentIndex"], history["entries"]
        previous = entries[index - 1] if index > tab.floor else None
        if previous is not None and previous["url"] != "about:blank" and allowed(previous["url"], self._allow):
            await tab.send("Page.navigateToHistoryEntry", {"entryId": previous["id"]})
        elif tab.good:
            await tab.send("Page.navigate", {"url": tab.good})

    # --- tabs, dialogs and other interruptions --------------------------------------------------------------

    async def _current(self) -> Tab:
        """The active tab; a blank one is opened when the last has closed."""
        if self._active is None or self._active.closed:
            await self._arrivals()
        if self._active is None or self._active.closed:
            self._check(None)
            await self._new_page()
            await self._arrivals()
        tab = self._active
        if tab is None:
            raise BrowserError("The browser opens no tab")
        self._check(tab)
        return tab

    def _check(self, tab: Tab | None) -> None:
        if not self._browser.is_connected():
            raise BrowserError("The browser has died")
        if tab is not None and tab.crashed:
            raise BrowserError(f"The page {tab.page.url} crashed")

    async def _arrivals(self) -> None:
        """Wait for windows that are opening: told of when asked for, there only when their first answer is."""
        while self._arriving or self._expected:
            if self._arriving:
                await asyncio.wait(self._arriving, timeout=WINDOW)
                continue
            self._window.clear()
            try:
                async with asyncio.timeout(self._expected[0] + WINDOW - time.monotonic()):
                    await self._window.wait()
            except TimeoutError:
                self._expected.pop(0)

    def _page(self, page: Page) -> None:
        if self._opening_ours:
            return
        opener = self._active
        if self._expected:
            self._expected.pop(0)
        self._window.set()
        task = asyncio.get_running_loop().create_task(self._arrive(page, opener))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)

    async def _arrive(self, page: Page, opener: Tab | None) -> None:
        page.on("filechooser", self._file_chooser)
        page.on("download", self._download)
        try:
            tab = await attach(self._context, page, opener)
        except Vanished:
            return
        tab.cdp.on("Page.windowOpen", lambda _: self._expected.append(time.monotonic()))
        page.on("close", lambda _: self._closed(tab))
        page.on("crash", lambda _: self._crashed(tab))
        for call in self._newcomers:
            await call(tab)
        if page.is_closed():
            return
        self._tabs.append(tab)
        self._active = tab
        if opener is not None:
            self._notices.append("A new tab opened and is now the active one.")

    def _closed(self, tab: Tab) -> None:
        tab.close()
        if tab in self._tabs:
            self._tabs.remove(tab)
        if self._active is tab:
            living = tab.opener if tab.opener is not None and not tab.opener.closed else None
            self._active = living or (self._tabs[-1] if self._tabs else None)
            if self._active is not None:
                self._notices.append("The tab closed; the one it was opened from is active again.")

    def _crashed(self, tab: Tab) -> None:
        tab.crashed = True
        tab.changed.set()

    async def _dialog(self, dialog: PlaywrightDialog) -> None:
        kind = cast(Literal["alert", "confirm", "prompt", "beforeunload"], dialog.type)
        accept = kind == "alert" or self._policy == "accept"
        self._dialog_count += 1
        # A message may hold half a character, which no file can.
        message = dialog.message.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._dialogs.append(Dialog(kind=kind, message=message, answer="accepted" if accept else "dismissed"))
        try:
            if accept:
                await dialog.accept(dialog.default_value) if kind == "prompt" else await dialog.accept()
            else:
                await dialog.dismiss()
        except PlaywrightError as error:
            if not dialog.page or dialog.page.is_closed() or "already handled" in error.message:
                return
            raise

    def _file_chooser(self, _: object) -> None:
        self._notices.append("A file chooser was opened and closed: files cannot be uploaded here.")

    def _download(self, download: Download) -> None:
        self._files += 1
        task = asyncio.get_running_loop().create_task(self._keep(download))
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def _keep(self, download: Download) -> None:
        self._notices.append(await keep(download, self._downloads))

    # --- for the checker --------------------------------------------------------------------------------------

    async def page_text(self, url: str, selector: str) -> str:
        """Visible text of the first element that matches, on a page opened in a tab of its own; "" without a match.

        Raises:
            SiteError: it cannot be reached, or answers 5xx.
            DeadlineExceeded: not within 30 s.
        """
        page = await self._page_aside()
        try:
            async with self._deadline("page_text", GOTO):
                await self._open(page, url)
                found = page.locator(selector)
                return await found.first.inner_text() if await found.count() else ""
        except PlaywrightError as error:
            self._check(None)
            raise SiteError(f"{url} cannot be read: {error.message.splitlines()[0]}") from error
        finally:
            if not page.is_closed():
                await page.close()

    async def _page_aside(self) -> Page:
        self._opening_ours += 1
        try:
            return await self._new_page()
        finally:
            self._opening_ours -= 1

    async def _new_page(self) -> Page:
        try:
            return cast(Page, await self._context.new_page())
        except PlaywrightError as error:
            self._check(None)
            raise BrowserError(error.message.splitlines()[0]) from error

    async def _open(self, page: Page, url: str) -> None:
        try:
            response = await page.goto(url, wait_until="load", timeout=GOTO * 1000)
        except PlaywrightError as error:
            self._check(None)
            raise SiteError(f"{url} cannot be opened: {error.message.splitlines()[0]}") from error
        if response is not None and response.status >= 500:
            raise SiteError(f"{url} answered {response.status}")

    @asynccontextmanager
    async def beside(self, url: str) -> AsyncIterator[Page]:
        """A page in a tab of its own, at rest, with the cookies of this session; the agent's tabs do not see it.

        Raises:
            SiteError: it cannot be reached, or answers 5xx.
            DeadlineExceeded: not within 30 s.
        """
        page = await self._page_aside()
        try:
            async with self._deadline("page", GOTO):
                tab = await attach(self._context, page, None)
                await self._open(page, url)
                await settle(tab, cap=SETTLE)
            yield page
        finally:
            if not page.is_closed():
                await page.close()

    async def selector_fault(self, selector: str) -> str:
        """What is wrong with a selector, in the browser's words; empty where it can be used."""
        try:
            await self.active_page.locator(selector).count()
        except PlaywrightError as error:
            self._check(None)
            return error.message.splitlines()[0].partition(": ")[2]
        return ""

    async def close(self) -> None:
        """End the context. Raises TimeoutError where the browser no longer answers: then it ends with that alone."""
        if self._saving:
            await asyncio.wait(self._saving, timeout=SAVE)
        for task in (*self._arriving, *self._saving):
            task.cancel()
        for tab in list(self._tabs):
            tab.close()
        try:
            async with asyncio.timeout(CLOSE):
                await self._context.close()
        except PlaywrightError:
            if self._browser.is_connected():
                raise

    @asynccontextmanager
    async def _deadline(self, layer: str, seconds: float) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError as error:
            raise DeadlineExceeded(layer, seconds) from error
        except Vanished as error:
            self._check(self._active)
            raise BrowserError(f"The page went away: {error}") from error
