"""A post as it stands in a list."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest

from guideact.sites.reddit.cardview import ago, card, domain

from .conftest import Member


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        ("2026-03-16 10:00:00", "just now"),
        ("2026-03-16 09:59:00", "1 minute ago"),
        ("2026-03-16 08:00:00", "2 hours ago"),
        ("2026-03-15 10:00:00", "1 day ago"),
        ("2026-01-10 10:00:00", "2 months ago"),
        ("2024-01-10 10:00:00", "2 years ago"),
    ],
)
def test_how_long_ago(moment: str, text: str) -> None:
    assert ago(moment) == text


def test_where_a_link_leads() -> None:
    assert domain("https://www.notes.example/a") == "notes.example"
    assert domain("__SHOPPING__/p/kettle") == "Lumo Market"


def _row(connection: sqlite3.Connection, **changes: Any) -> sqlite3.Row:
    values = {
        "id": 7,
        "forum_slug": "tea",
        "forum_name": "Slow Tea",
        "forum_colour": "#123456",
        "author": "villeh",
        "title": "<i>Hello</i> & “co”",
        "body": "Some **text**",
        "kind": "text",
        "url": "",
        "picture": "",
        "flair": "Lost & found",
        "status": "visible",
        "created_at": "2026-03-16 08:00:00",
        "score": 3,
        "comments": 1,
        "my_vote": 1,
        "is_saved": 0,
        "is_hidden": 0,
        "is_pinned": 1,
        "is_locked": 1,
        "cross_id": None,
        "cross_forum": None,
        "cross_forum_name": None,
        **changes,
    }
    names = ", ".join(f"? AS {name}" for name in values)
    found: sqlite3.Row = connection.execute(f"SELECT {names}", tuple(values.values())).fetchall()[0]
    return found


async def test_what_people_wrote_is_escaped_and_states_are_told(guest: Member) -> None:
    made = str(card(_row(guest.db), True, True, str, "/icons.svg"))
    assert "&lt;i&gt;Hello&lt;/i&gt; &amp; “co”" in made
    assert "flair=Lost%20%26%20found" in made
    assert "Some text" in made
    assert {"Pinned", "Locked", "1 comment", "Save", "Unsave"} <= set(re.findall(r">([^<>]+)<", made))
    assert re.search(r'vote-up" aria-pressed="true"', made)
    assert "Save" not in str(card(_row(guest.db), True, False, str, "/icons.svg"))
