"""Where a guide is carried out, as whoever follows, verifies or mends one sees it.

    async with open_stage(guide) as stage:                    # guideact.guides.places
        seen = await stage.begin()
        done = await stage.do(Click(target=Mark(mark=3)))

Nothing here knows a site.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from guideact.errors import InputError
from guideact.guides.guide import Guide
from guideact.types import Action, Candidate, CheckResult, Observation, Outcome


@dataclass(frozen=True)
class Done:
    """What an action led to."""

    seen: Observation
    outcome: Outcome | None
    """None where it did what it says."""


class Stage(Protocol):
    """A browser on the site of a guide."""

    async def begin(self) -> Observation:
        """Go to the start: a fresh browser context, on an embedded site fresh data too."""
        ...

    async def do(self, action: Action) -> Done:
        """Carry out one action. Marks are those of the last observation."""
        ...

    def target_of(self, action: Action) -> Candidate | None:
        """What an action points at in the last observation."""
        ...

    async def check(self) -> CheckResult | None:
        """Whether what was to be done is done; None where nothing can tell. Ends what was begun."""
        ...


def secret_variable(secret: str) -> str:
    """The environment variable that holds a secret: `current password` -> GUIDEACT_SECRET_CURRENT_PASSWORD."""
    return "GUIDEACT_SECRET_" + re.sub(r"[^A-Z0-9]+", "_", secret.upper()).strip("_")


def secrets_from(environment: Mapping[str, str], guide: Guide) -> dict[str, str]:
    """The values of a guide's secrets. Raises InputError that names the variables which are missing."""
    missing = [secret_variable(secret) for secret in guide.secrets if secret_variable(secret) not in environment]
    if missing:
        raise InputError(
            f"guide {guide.id} types {len(missing)} secret{'s' * (len(missing) > 1)} that it does not hold",
            fix=f"Set {', '.join(missing)}.",
        )
    return {secret: environment[secret_variable(secret)] for secret in guide.secrets}
