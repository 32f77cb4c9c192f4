"""The functional test of success: answer, url, page and state, each with a reason where it fails."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.checks.answer import check_answer
from guideact.tasks.checks.page import check_page
from guideact.tasks.checks.state import ALLOWED, check_states
from guideact.tasks.checks.url import check_url
from guideact.types import Check, CheckResult, RowChange

__all__ = ["ALLOWED", "run_check"]


def run_check(
    check: Check,
    *,
    answer: str,
    url: str,
    changes: Sequence[RowChange],
    page_texts: Sequence[str] = (),
) -> CheckResult:
    """All parts of a check on the end of an episode; the state is always looked at, even where a task only asks.

    `answer` is what `finish` gave ("" without one), `url` the active tab's last url, `changes` all differences of the
    sites' data since the start, `page_texts` the visible text of each of `check.page`, in order, as fetched by the
    caller in a context of its own. Raises ValueError when a page text is missing.
    """
    parts = []
    if check.answer is not None:
        parts.append(check_answer(check.answer, answer))
    if check.url is not None:
        parts.append(check_url(check.url, url))
    parts.extend(check_page(page, text) for page, text in zip(check.page, page_texts, strict=True))
    parts.extend(check_states(check.state, changes))
    return CheckResult(passed=all(part.passed for part in parts), parts=tuple(parts))
