"""Unrelated deeds: what a careless agent might do besides. Gold plus any of them must fail its task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from guideact.browser import Browser, Session
from guideact.errors import GuideActError
from guideact.sites.server import SiteServer
from guideact.sites.state import diff
from guideact.sites.world import NOW
from guideact.tasks.solve import Page, Solution, Solver
from guideact.types import Check, Observation, Task

_SAY = ("Not part of any guide.", "Nobody reads this one.")


def _newsletter(page: Page) -> Solver:
    yield from page.type("Email address for the newsletter", "a.stranger@example.com", say=_SAY)
    yield from page.click("button", "Subscribe", say=_SAY)


def _message(page: Page) -> Solver:
    yield from page.type("Name", "A. Stranger", say=_SAY)
    yield from page.type("Email", "a.stranger@example.com", say=_SAY)
    yield from page.type("What is on your mind?", "Nothing in particular.", say=_SAY)
    yield from page.click("button", "Send message", say=_SAY)


def _unread_message(page: Page) -> Solver:
    yield from page.click("button", "Mark as unread", say=_SAY)


def _rejected_review(page: Page) -> Solver:
    yield from page.click("button", "Reject", say=_SAY)


class NothingDisturbed(GuideActError):
    """An unrelated deed had no effect: it would prove nothing."""


@dataclass(frozen=True)
class Disturbance:
    """A deed on one site that changes one table."""

    name: str
    site: str
    table: str
    path: str
    solve: Callable[[Page], Solver]


DISTURBANCES: tuple[Disturbance, ...] = (
    Disturbance("a stranger's newsletter", "shopping", "newsletter_subscriber", "/contact", _newsletter),
    Disturbance("a message to the shop", "shopping", "contact_message", "/contact", _message),
    Disturbance("a read message made unread", "shopping_admin", "contact_message", "/messages/1", _unread_message),
    Disturbance("an approved review rejected", "shopping_admin", "review", "/reviews/1", _rejected_review),
)


def _tables(check: Check) -> set[str]:
    return {change.table for state in check.state for change in (*state.required, *state.allowed)}


def disturbance_for(task: Task) -> Disturbance:
    """The first deed on the task's last site that touches no table of its check. Raises ValueError for none."""
    taken = _tables(task.check)
    for site in reversed(task.sites):
        for disturbance in DISTURBANCES:
            if disturbance.site == site and disturbance.table not in taken:
                return disturbance
    raise ValueError(f"no unrelated deed is known for {task.id}: add one to tasks/disturb.py")


async def disturb(disturbance: Disturbance, task: Task, browser: Browser, server: SiteServer, instance: int) -> None:
    """Do it, in a browser context of its own, signed in as the task is.

    Raises SolverStuck where a page is not as expected, NothingDisturbed where the deed changed nothing.
    """
    before = server.database(instance, disturbance.site).snapshot()
    cookies = [server.cookie(instance, site, user) for site, user in task.logins.items()]
    async with browser.session(allow=server.allow(instance), now=NOW, cookies=cookies) as session:
        await session.goto(server.url(disturbance.site, instance) + disturbance.path)
        await session.settle()
        solution = Solution(f"{task.id}+{disturbance.name}", disturbance.solve)
        seen = await _look(session)
        while (act := solution.next(seen)) is not None:
            outcome = await session.execute(act.action)
            if outcome is not None:
                raise NothingDisturbed(f"{disturbance.name}: {outcome.code}: {outcome.detail}")
            await session.settle()
            seen = await _look(session)
    after = server.database(instance, disturbance.site).snapshot()
    if not any(change.table == disturbance.table for change in diff(before, after)):
        raise NothingDisturbed(f"{disturbance.name}: the table {disturbance.table} did not change")


async def _look(session: Session) -> Observation:
    return await session.observe(screenshot=False)
