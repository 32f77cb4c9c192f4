"""Does a page show what it should? The text is fetched by the checker, in a context of its own."""

from __future__ import annotations

import re
import unicodedata

from guideact.types import CheckPart, PageCheck


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def check_page(check: PageCheck, text: str) -> CheckPart:
    """The verdict on the visible text of `check.selector`; case and white space do not matter."""
    shown = _plain(text)
    missing = [wanted for wanted in check.contains if _plain(wanted) not in shown]
    present = [unwanted for unwanted in check.lacks if _plain(unwanted) in shown]
    reason = ""
    if missing:
        reason = f"{check.path} does not show {missing[0]!r}"
    elif present:
        reason = f"{check.path} still shows {present[0]!r}"
    return CheckPart(part="page", passed=not reason, reason=reason)
