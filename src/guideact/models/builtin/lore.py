"""What demonstrations tell of words before anything is done: what stands behind a name, whether clicking it was the
end, and how many kinds of tasks ask for it.

Where the task speaks of a tagline and no page in view does, "Settings" is a good way to go if a tagline was once seen
behind it. A task that changes something is done when a button such as "Save" was pressed, not before. And a name that
the task has in common with no other ("Crosspost") says more than one that half of all tasks have ("list").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from guideact.models.builtin.words import Goal, roots
from guideact.types import Observation

_LONGEST_LINE = 80
_FEW = 3


@dataclass(frozen=True)
class Lore:
    """What is known of names."""

    behind: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """For each name, with values of the task blanked, the roots of words that stood behind it and not before it."""
    closing: Mapping[str, str] = field(default_factory=dict)
    """For the root of a name's first word, how often clicking it was the last thing to do: often, sometimes, seldom."""
    requested: Mapping[str, str] = field(default_factory=dict)
    """For the root of a word, whether few or many templates ask for it; no other does for words that are not here."""

    def asked_behind(self, label: str, goal: Goal) -> int:
        """How many words of the request once stood behind a name."""
        found = self.behind.get(label)
        return 0 if found is None else sum(root in found for root in goal.places)

    def closes(self, name: str) -> str:
        """How often clicking a thing of this name was the last thing to do; `unknown` where nobody did."""
        return self.closing.get(first_root(name), "unknown")

    def rarest(self, asked: Iterable[str]) -> str:
        """How rare the rarest of some roots of words of the request is: `new`, `few`, `many`; `none` without any."""
        found = {self.requested.get(root, "new") for root in asked}
        return next((each for each in RARITIES if each in found), "none")


RARITIES = ("new", "few", "many")


@dataclass(frozen=True)
class Clicked:
    """A click of a demonstration."""

    label: str
    """The name with values of the task blanked."""
    new: frozenset[str]
    """Roots of words that came into view."""
    last: bool
    """Whether nothing was left to do after it."""


def first_root(name: str) -> str:
    """The root of a name's first word that says something; empty for none."""
    return next(iter(roots(name)), "")


def new_words(before: Observation, after: Observation) -> frozenset[str]:
    """Roots of words that a page shows and the page before it did not."""
    return _words(after) - _words(before)


def _words(seen: Observation) -> frozenset[str]:
    texts = [seen.title]
    for candidate in seen.candidates:
        texts += [candidate.name or candidate.text, *candidate.options[:20]]
    texts += [line.text for line in seen.texts if len(line.text) <= _LONGEST_LINE]
    return frozenset(root for text in texts for root in roots(text) if not any(c.isdigit() for c in root))


def learned_lore(clicks: Iterable[Clicked], requests: Mapping[str, int] | None = None) -> Lore:
    """The lore of some clicks, and of how many templates ask for the roots of words."""
    behind: dict[str, set[str]] = {}
    of_root: Counter[str] = Counter()
    last: Counter[str] = Counter()
    for click in clicks:
        if any(character.isalpha() for character in click.label):
            behind.setdefault(click.label, set()).update(click.new)
        if root := first_root(click.label):
            of_root[root] += 1
            last[root] += click.last
    return Lore(
        {label: frozenset(words) for label, words in sorted(behind.items())},
        {root: _how_often(last[root], count) for root, count in sorted(of_root.items()) if count >= _FEW},
        {root: "few" if count <= _FEW else "many" for root, count in sorted((requests or {}).items()) if count},
    )


def _how_often(last: int, count: int) -> str:
    share = last / count
    return "often" if share >= 0.6 else "sometimes" if share >= 0.2 else "seldom"
