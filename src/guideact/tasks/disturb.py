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


def _forum_joined(page: Page) -> Solver:
    yield from page.click("button", "Join", say=_SAY)


def _member_blocked(page: Page) -> Solver:
    yield from page.click("button", "Block", say=_SAY)


def _talk_answered(page: Page) -> Solver:
    yield from page.type("Your answer", "Nothing in particular.", say=_SAY)
    yield from page.click("button", "Send answer", say=_SAY)


def _star(page: Page) -> Solver:
    yield from page.click("button", "Star", say=_SAY)


def _todo_done(page: Page) -> Solver:
    yield from page.click("button", "Mark as done", say=_SAY)


def _map_list(page: Page) -> Solver:
    yield from page.type("Name", "A stranger's list", say=_SAY)
    yield from page.click("button", "Make list", say=_SAY)


def _map_member(page: Page) -> Solver:
    yield from page.type("Full name", "A. Stranger", say=_SAY)
    yield from page.type("User name", "a.stranger", say=_SAY)
    yield from page.type("Email", "a.stranger@example.com", say=_SAY)
    yield from page.type("Password", "a-long-password", say=_SAY)
    yield from page.click("button", "Create account", say=_SAY)


def _watched_article(page: Page) -> Solver:
    yield from page.click("button", "Watch", say=_SAY)


def _talk_word(page: Page) -> Solver:
    yield from page.type("Topic", "By the way", say=_SAY)
    yield from page.type("Comment", "Nothing in particular.", say=_SAY)
    yield from page.click("button", "Add topic", say=_SAY)


def _thanked_edit(page: Page) -> Solver:
    yield from page.click("button", "Thank for revision 1", say=_SAY)


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
    Disturbance("a forum joined", "reddit", "subscription", "/f/tea", _forum_joined),
    Disturbance("a member blocked", "reddit", "blocked", "/user/bramv", _member_blocked),
    Disturbance("a message answered", "reddit", "message", "/messages/3", _talk_answered),
    Disturbance("an approved review rejected", "shopping_admin", "review", "/reviews/1", _rejected_review),
    Disturbance("a stranger's account", "map", "member", "/register", _map_member),
    Disturbance("another list of places", "map", "place_list", "/saved", _map_list),
    Disturbance("a star for a stranger", "gitlab", "star", "/gracie_b/glaze-notebook", _star),
    Disturbance("a to-do ticked off", "gitlab", "todo", "/dashboard/todos", _todo_done),
    Disturbance("an article watched", "wikipedia", "watch", "/wiki/Umbrella", _watched_article),
    Disturbance("a word on a talk page", "wikipedia", "talk_comment", "/talk/Umbrella", _talk_word),
    Disturbance("thanks for an edit", "wikipedia", "thanks", "/history/Umbrella", _thanked_edit),
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
        solution = Solution(f"{task.id}+{disturbance.name}", disturbance.solve, server.skin(instance))
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
