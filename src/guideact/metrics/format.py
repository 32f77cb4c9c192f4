"""OFCR, the output format compliance rate (MAG): the share of steps whose answer parses, whose action is valid and
whose guide leaks no mark, coordinate, selector or word of the page's code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from guideact.types import Frozen, Step


class FormatCount(Frozen):
    """`faults`: kind -> number of steps that have a fault of the kind, most frequent first; a step may have several."""

    steps: int
    well_formed: int
    faults: dict[str, int]

    @property
    def ofcr(self) -> float | None:
        """Share of well-formed steps, 0..1; None without steps."""
        return self.well_formed / self.steps if self.steps else None


def format_count(steps: Iterable[Step]) -> FormatCount:
    """Count well-formed steps and the faults of the others."""
    steps = list(steps)
    kinds = Counter(kind for step in steps for kind in {fault.kind for fault in step.faults})
    return FormatCount(steps=len(steps), well_formed=sum(step.well_formed for step in steps), faults=ranked(kinds))


def ranked(counts: Counter[str]) -> dict[str, int]:
    """Counts as a dictionary in an order of its own: the largest first, equal ones by name."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def action_mix(steps: Sequence[Step]) -> dict[str, int]:
    """Verb -> number of steps, the largest first; `unreadable` for steps whose action could not be read."""
    return ranked(Counter("unreadable" if step.action is None else step.action.verb for step in steps))


def outcome_codes(steps: Sequence[Step]) -> dict[str, int]:
    """Outcome code -> number of steps on which an action met it, the largest first."""
    return ranked(Counter(step.outcome.code for step in steps if step.outcome is not None))
