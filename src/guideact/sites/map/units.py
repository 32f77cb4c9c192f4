"""Distances and times in words, and the units they are told in."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from starlette.requests import Request

from guideact.sites.map.atlas import Position
from guideact.sites.web import user

__all__ = ["Units", "coordinates", "distance", "duration", "measure", "units_of"]

Units = Literal["km", "miles"]
MILE = 1609.344
FOOT = 0.3048


def units_of(request: Request) -> Units:
    """What the reader has chosen: in the account, or in the session of a guest."""
    known = user(request)
    chosen = known["units"] if known is not None else request.state.session.data.get("units", "km")
    return "miles" if chosen == "miles" else "km"


def distance(metres: float, units: Units = "km") -> str:
    """640 m, 1.9 km; 350 ft, 1.2 mi. Short distances go to the nearest ten, long ones to the nearest tenth."""
    if units == "miles":
        if metres < MILE / 4:
            return f"{_tens(metres / FOOT)} ft"
        return f"{_tenths(metres / MILE)} mi"
    if _tens(metres) < 1000:
        return f"{_tens(metres)} m"
    return f"{_tenths(metres / 1000)} km"


def _tens(amount: float) -> int:
    return math.floor(amount / 10 + 0.5) * 10


def _tenths(amount: float) -> str:
    return f"{math.floor(amount * 10 + 0.5) / 10:.1f}"


def duration(seconds: float) -> str:
    """Whole minutes, upwards: 1 min, 23 min, 1 h 5 min."""
    minutes = max(1, math.ceil(seconds / 60 - 1e-9))
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def coordinates(at: Position) -> str:
    """Latitude first, as people write it: 60.17012, 24.94101."""
    return f"{at[1]:.5f}, {at[0]:.5f}"


def measure(request: Request) -> Callable[[float], str]:
    """`distance` in the reader's units, as a template wants it."""
    units = units_of(request)
    return lambda metres: distance(metres, units)
