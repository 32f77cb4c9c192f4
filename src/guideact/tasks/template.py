"""The contract of a template: a family of tasks that differ in their parameters, with everything that proves them.

A file in `tasks/templates/` holds `TEMPLATES = (Template(...), ...)`; nothing has to be registered.
`docs/add-a-task.md` walks through one.
"""

from __future__ import annotations

import sqlite3
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from guideact.tasks.solve import Page, Solver
from guideact.types import MAX_STEPS, Check

Params = Mapping[str, Any]
"""What tells the tasks of a template apart: JSON values, by name. The intents' placeholders are filled from it."""

Query = sqlite3.Connection
"""The pristine database of a template's first site: read only, rows are `sqlite3.Row`, knows the function `fold`."""

EMMA = "emma.lopez@example.com"
"""The customer signed in on `shopping`: id 1, with orders, addresses, wishes and reviews, and an empty cart."""

EMMA_REDDIT = "emma_l"
"""The member signed in on `reddit`: she moderates ceramics, austin, stationery and, with another, buyonce."""

EMMA_MAP = "emma_l"
"""The member signed in on `map`: id 1, with four lists of places, three reviews, two reports and a search history."""

EMMA_WIKIPEDIA = "emma_l"
"""The editor signed in on `wikipedia`: id 1, with a watchlist of six articles and three reading lists."""

ADMIN = "admin"
"""The member of staff the benchmark signs in on `shopping_admin`: an Administrator."""

EMMA_GITLAB = "emma_l"
"""Emma on `gitlab`: owner of her own projects, Maintainer, Developer, Reporter or Guest in those of others."""


@dataclass(frozen=True)
class Template:
    """A family of tasks.

    The solver sees pages and params; the check sees the database and params. Neither calls the other's code, so a
    mistake in one is found by the other.
    """

    id: str
    """Site and deed: `shopping.order_total`. Tasks are `<id>.1`, `<id>.2`, ..."""

    sites: tuple[str, ...]
    """The sites a task needs. `params` and `check` query the first one's database, the others' as in `reddit.post`."""

    intents: tuple[str, ...]
    """The request in several wordings, as a person would put it, with `{placeholders}`; tasks take them in turn."""

    params: Callable[[Query], Sequence[Params]]
    """Three to five dicts in a fixed order (ORDER BY in every query): one task each."""

    check: Callable[[Query, Params], Check]
    """What must hold at the end, by a query of its own. Leave `state` empty where nothing may change."""

    solve: Callable[[Page, Params], Solver]
    """The gold route: a generator over `Page` (see `guideact.tasks.solve`) that ends with `page.finish`."""

    start: str = "__SHOPPING__/"
    """Where a task starts; may hold `{placeholders}`."""

    logins: Mapping[str, str] = field(default_factory=dict)
    """Who is signed in at the start: site -> user name."""

    second_route: Callable[[Page, Params], Solver] | None = None
    """Another way that must pass as well: through a menu instead of the search, by a filter instead of reading, ..."""

    wrong_entity: Callable[[Query, Params], Params] | None = None
    """Params with which the solver does the right thing to the wrong object. None: the params of the next task."""

    wrong_value: Callable[[Query, Params], Params] | None = None
    """Params with which the solver does the wrong thing to the right object. None where the task sets no value; an
    answer needs none either, for proofs try wrong answers of their own."""

    picture: bool = False
    """The task cannot be done without seeing a picture. The solver is told in `params` what the eye would see."""

    max_steps: int = MAX_STEPS

    def __post_init__(self) -> None:
        if not self.intents:
            raise ValueError(f"template {self.id}: give at least one intent")

    def intent(self, number: int, params: Params) -> str:
        """The wording of task `number` (1-based). Raises ValueError for a placeholder that `params` does not have."""
        return self.fill(self.intents[(number - 1) % len(self.intents)], params)

    def fill(self, text: str, params: Params) -> str:
        """Put params into a text's placeholders."""
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        if unknown := names - set(params):
            raise ValueError(f"template {self.id}: params lack {', '.join(sorted(unknown))}, named in {text!r}")
        return text.format(**params)
