"""WebArena's tasks on WebArena's sites, wherever a user runs them."""

from __future__ import annotations

from guideact.tasks.webarena.place import Place, open_place, probe_place, refuse_unready
from guideact.tasks.webarena.setup import Setup, read_setup
from guideact.tasks.webarena.tasks import PREFIX, WebArenaTask, load_webarena

__all__ = [
    "PREFIX",
    "Place",
    "Setup",
    "WebArenaTask",
    "load_webarena",
    "open_place",
    "probe_place",
    "read_setup",
    "refuse_unready",
]
