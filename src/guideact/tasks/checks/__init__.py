"""The functional test of success: answer, judge, url, page and state, each with a reason where it fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from guideact.tasks.checks.answer import check_answer
from guideact.tasks.checks.judge import Judge, check_judge
from guideact.tasks.checks.page import check_page
from guideact.tasks.checks.state import ALLOWED, check_states
from guideact.tasks.checks.url import check_url
from guideact.types import Check, CheckResult, RowChange

__all__ = ["ALLOWED", "Evidence", "run_check"]


@dataclass(frozen=True)
class Evidence:
    """The end of an episode, as a check needs it."""

    answer: str
    """What `finish` gave; "" without one."""
    url: str
    """The last url of the active tab."""
    changes: tuple[RowChange, ...]
    """All differences of the sites' data since the start."""
    page_text: Callable[[str, str, str], Awaitable[str]]
    """Reads (site, path, selector) and gives the visible text, in a browser context of its own."""
    intent: str = ""
    """What the task asked: a judge reads it."""
    judge: Judge | None = None


async def run_check(check: Check, evidence: Evidence) -> CheckResult:
    """All parts of a check. The state is always looked at: a task that only asks must leave everything as it was."""
    parts = []
    if check.answer is not None:
        parts.append(check_answer(check.answer, evidence.answer))
    if check.judge is not None:
        parts.append(await check_judge(check.judge, evidence.judge, evidence.intent, evidence.answer))
    if check.url is not None:
        parts.append(check_url(check.url, evidence.url))
    for page in check.page:
        parts.append(check_page(page, await evidence.page_text(page.site, page.path, page.selector)))
    parts.extend(check_states(check.state, evidence.changes))
    return CheckResult(passed=all(part.passed for part in parts), parts=tuple(parts))
