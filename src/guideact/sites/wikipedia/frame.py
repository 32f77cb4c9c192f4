"""What every page of the encyclopedia shows around its content, and the reader's preferences that it obeys."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request

from guideact.sites.web import row, user
from guideact.sites.world import NOW

__all__ = ["APPEARANCES", "DATE_FORMATS", "TEXT_SIZES", "TIME_ZONES", "Wiki", "preferences", "site_context"]

DATE_FORMATS = (
    ("day_month", "16 March 2026"),
    ("month_day", "March 16, 2026"),
    ("iso", "2026-03-16"),
)
TIME_ZONES = (
    ("Europe/Helsinki", "Helsinki"),
    ("Europe/Berlin", "Berlin, Paris, Madrid"),
    ("Europe/London", "London, Lisbon"),
    ("America/New_York", "Boston, Toronto"),
    ("America/Chicago", "Austin, Chicago"),
    ("America/Los_Angeles", "Seattle, Portland"),
    ("Asia/Tokyo", "Tokyo"),
)
APPEARANCES = (("light", "Light"), ("sepia", "Sepia"), ("dark", "Dark"))
TEXT_SIZES = (("small", "Small"), ("standard", "Standard"), ("large", "Large"))

_HOME = ZoneInfo("Europe/Helsinki")


@dataclass(frozen=True)
class Wiki:
    """The frame of a page; see `templates/base.html`."""

    appearance: str
    text_size: str
    date_format: str
    time_zone: str
    previews: bool
    here: str
    """Path and query of this page."""

    def day(self, given: str) -> str:
        """A day, or the day of a moment, in the reader's way of writing it."""
        moment = datetime.fromisoformat(given)
        if len(given) > 10:
            moment = moment.replace(tzinfo=_HOME).astimezone(ZoneInfo(self.time_zone))
        if self.date_format == "iso":
            return f"{moment:%Y-%m-%d}"
        if self.date_format == "month_day":
            return f"{moment:%B} {moment.day}, {moment.year}"
        return f"{moment.day} {moment:%B} {moment.year}"

    def moment(self, given: str) -> str:
        """A moment: the time of day, then the day."""
        moment = datetime.fromisoformat(given).replace(tzinfo=_HOME).astimezone(ZoneInfo(self.time_zone))
        return f"{moment:%H:%M}, {self.day(given)}"

    def ago(self, given: str) -> str:
        """Roughly how long ago a day was."""
        days = (NOW.date() - datetime.fromisoformat(given).date()) // timedelta(days=1)
        if days < 1:
            return "today"
        if days == 1:
            return "yesterday"
        if days < 60:
            return f"{days} days ago"
        return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def preferences(request: Request) -> sqlite3.Row | None:
    """The signed-in user's row of `preference`, read once a request; None for a guest."""
    state = request.state
    if not hasattr(state, "preferences"):
        found = user(request)
        state.preferences = (
            None if found is None else row(request, "SELECT * FROM preference WHERE user_id = ?", found["id"])
        )
    chosen: sqlite3.Row | None = state.preferences
    return chosen


def site_context(request: Request) -> dict[str, Any]:
    """For every template: `wiki`."""
    chosen = preferences(request)
    query = request.url.query
    wiki = Wiki(
        appearance=chosen["appearance"] if chosen else "light",
        text_size=chosen["text_size"] if chosen else "standard",
        date_format=chosen["date_format"] if chosen else "day_month",
        time_zone=chosen["time_zone"] if chosen else "Europe/Helsinki",
        previews=bool(chosen["show_previews"]) if chosen else True,
        here=f"{request.url.path}?{query}" if query else request.url.path,
    )
    return {"wiki": wiki}
