"""The embedded sites by name. A site is imported when it is first looked up, so that a server starts at once."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from guideact.sites.web import Site

__all__ = ["SITES", "database_of", "home_of"]

_DATABASES: dict[str, str] = {
    "shopping": "shop",
    "shopping_admin": "shop",
    "wikipedia": "wikipedia",
    "map": "map",
    "gitlab": "gitlab",
    "reddit": "reddit",
}
"""Site -> name of its database (see `state.py`). The site's package is `guideact.sites.<site>` and holds `SITE`."""


class _Sites(Mapping[str, Site]):
    """Reads like a dict of all sites, and imports those that are asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Site] = {}

    def __getitem__(self, name: str) -> Site:
        if name not in self._loaded:
            if name not in _DATABASES:
                raise KeyError(name)
            self._loaded[name] = importlib.import_module(f"guideact.sites.{name}").SITE
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in _DATABASES

    def __iter__(self) -> Iterator[str]:
        return iter(_DATABASES)

    def __len__(self) -> int:
        return len(_DATABASES)


SITES: Mapping[str, Site] = _Sites()


def database_of(site: str) -> str:
    """The name of a site's database, known without loading the site. Raises KeyError for an unknown site."""
    return _DATABASES[site]


def home_of(site: str) -> str:
    """The first of the sites that share a site's database: changes are known by its name, wherever they were made.

    A site that is not known is its own home, so that a check may name it and be refused for it elsewhere.
    """
    wanted = _DATABASES.get(site)
    return next((name for name, database in _DATABASES.items() if database == wanted), site)
