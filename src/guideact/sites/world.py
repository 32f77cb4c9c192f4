"""The little world that all embedded sites share: one moment, people, brands and places."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Europe/Helsinki"))
"""The constant present of every site; the browser's Date is frozen to it as well."""
