"""Which menu of a site an entry stands in: what whoever knows the site knows, in whatever look it is.

A menu is named as its list of links is, and so is the button that it may be folded up behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_MENUS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "reddit": {
            "Boards": (
                *("Front page", "All forums", "Directory", "About the boards"),
                *("Lumo Market", "Almanach", "Wayfinder", "Quayside"),
            ),
        },
        "gitlab": {
            "Main": ("Projects", "Groups", "Explore", "Snippets"),
            "Project pages": (
                *("Overview", "Activity", "Members", "Issues", "Board", "Labels", "Milestones"),
                *("Merge requests", "Files", "Commits", "Branches", "Tags", "Compare", "Releases", "Settings"),
            ),
        },
        "map": {"Main": ("Explore", "Directions", "Measure", "Saved places")},
        "wikipedia": {
            "Site": ("Main page", "Categories", "All articles", "Random article", "Recent changes"),
            "Tools": (
                *("What links here", "Page information", "Cite this article"),
                *("Permanent link", "Printable version", "Save to a reading list"),
            ),
        },
    }
)


def menu_of(site: str, entry: str) -> str:
    """The menu of a site that has an entry of this name; "" for none."""
    return next((menu for menu, entries in _MENUS.get(site, {}).items() if entry in entries), "")


def menus(site: str) -> Mapping[str, tuple[str, ...]]:
    """The menus of a site, each with its entries."""
    return _MENUS.get(site, {})
