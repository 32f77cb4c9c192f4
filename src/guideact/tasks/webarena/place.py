"""WebArena's sites as a run uses them: where they are, who is signed in, whose turn it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from guideact.browser import Browser
from guideact.errors import InputError
from guideact.tasks.webarena.links import serve_links
from guideact.tasks.webarena.login import Logins, Refused
from guideact.tasks.webarena.pages import refuse_unknown_helpers
from guideact.tasks.webarena.setup import ACCOUNTS, Setup, host_of
from guideact.tasks.webarena.tasks import WebArenaTask, needs
from guideact.tasks.webarena.turns import Turns
from guideact.tasks.webarena.upkeep import put_back, site_fault

SAME_COOKIE = ("shopping", "shopping_admin", "reddit")
"""Sites that keep their session under the name PHPSESSID."""


@dataclass(frozen=True)
class Place:
    """All that the episodes of a run share."""

    setup: Setup
    logins: Logins
    turns: Turns
    links: str
    """Address of the page of links."""

    @property
    def allow(self) -> tuple[str, ...]:
        """What a browser may reach."""
        return tuple(dict.fromkeys([*self.setup.allow, host_of(self.links)]))

    def signs_in(self, task: WebArenaTask) -> tuple[str, ...]:
        """The sites that a task is signed in to.

        Sites on one host share cookies, whatever their ports, and those of `SAME_COOKIE` call theirs the same: where no
        storage state says otherwise, only the first of them on a host is signed in to.
        """
        if task.storage_state is not None:
            return task.signs_in
        taken: set[str] = set()
        signed: list[str] = []
        for site in task.signs_in:
            host = self.setup.host_name(site)
            if site in SAME_COOKIE and host in taken:
                continue
            if site in SAME_COOKIE:
                taken.add(host)
            signed.append(site)
        return tuple(signed)


@asynccontextmanager
async def open_place(setup: Setup) -> AsyncIterator[Place]:
    """The sites of a setup. Nothing is asked of them yet."""
    logins = Logins(setup)

    async def back(sites: tuple[str, ...]) -> None:
        assert setup.reset is not None
        await put_back(setup, setup.reset, sites)
        logins.forget(sites)

    async with serve_links(setup) as links:
        yield Place(setup, logins, Turns(setup.reset, back), links)


def refuse_unready(setup: Setup, tasks: Sequence[WebArenaTask]) -> None:
    """Raise InputError, without asking anybody, where a site has no address or a task's check cannot be read."""
    setup.refuse_missing(needs(tasks))
    for task in tasks:
        if task.eval is not None:
            refuse_unknown_helpers(task.eval, f"task {task.id}")


async def probe_place(place: Place, tasks: Sequence[WebArenaTask], browser: Browser) -> None:
    """Raise InputError, naming the variable and the tasks, for a site that does not answer or refuses its account."""
    setup = place.setup
    for site, ids in needs(tasks).items():
        if fault := await site_fault(setup, site):
            more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
            raise InputError(
                f"{fault} ({ids[0]}{more} need it)",
                fix=f"Start the site, or correct {site.upper()} (or WA_{site.upper()}, --address {site}=...).",
            )
    for site in ACCOUNTS:
        if any(site in place.signs_in(task) for task in tasks):
            try:
                await place.logins.state(browser, [site])
            except Refused as error:
                raise InputError(
                    error.message,
                    fix=f"Set WA_{site.upper()}_USERNAME and WA_{site.upper()}_PASSWORD, or [accounts.{site}].",
                ) from error
