"""Paraphrases that rename the target: what to act on is told by role, place and neighbours, and by none of its words.

If a model still acts rightly when told so, it has understood the sentence; if it only does with the name, it has
matched words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field, ValidationError

from guideact.data import DemoStep
from guideact.errors import InputError, first_fault
from guideact.jsonl import numbered_lines
from guideact.metrics.tokens import tokenise
from guideact.types import Box, Candidate, Frozen, Observation

FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about above across after all also am an and any are as at be because been before behind below
        beside between both but by can did do does down each either else for from further had has have he her
        here him his how i if in inside into is it its itself just like may me more most my near next no nor
        not now of off on once one only onto or other our out over own please she should so some such than
        that the their them then there these they this those to too towards under until up upon us very was we
        were what when where which while who whose why will with within without would you your 的 了 在 是 和 与 或 把
        将 到 中 上 下 这 那 个""",
    )
)
"""Words that say nothing of what a thing is called."""

_NOUNS = {
    "link": ("link", "entry"),
    "button": ("button", "control"),
    "textbox": ("field", "input"),
    "searchbox": ("field", "input"),
    "spinbutton": ("field", "input"),
    "combobox": ("field", "list"),
    "listbox": ("list",),
    "checkbox": ("box", "square"),
    "radio": ("circle", "choice"),
    "switch": ("toggle",),
    "tab": ("tab",),
    "menuitem": ("entry", "line"),
    "option": ("entry", "line"),
}
_ANY_NOUN = ("control", "element", "item", "spot")
_VERBS = {
    "click": ("Click", "Press", "Activate"),
    "type": ("Type", "Write", "Key"),
    "select": ("Choose", "Pick", "Take"),
    "scroll": ("Scroll", "Roll"),
}
_LONGEST_NEIGHBOUR = 60
_NEAR = 400.0
"""Px within which something is a neighbour."""


def content_words(text: str) -> frozenset[str]:
    """The words of a text that name something, without endings: `Saved items` and `item` share one."""
    return frozenset(_stem(token) for token in tokenise(text) if token not in FUNCTION_WORDS)


def shared_words(guide: str, target: Candidate) -> frozenset[str]:
    """The content words that a sentence shares with what a target is called, holds or shows."""
    return content_words(guide) & _own_words(target)


def renamed(step: DemoStep) -> str | None:
    """A sentence for the step that shares no content word with its target's name; None where there is no such one.

    The value typed or selected is said only where it shares none either.
    """
    target = step.target
    if target is None or step.verb not in _VERBS:
        return None
    own = _own_words(target)
    verb = _first(_VERBS[step.verb], own)
    noun = _first((*_NOUNS.get(target.role, ()), *_ANY_NOUN), own)
    if verb is None or noun is None:
        return None
    value = f"“{step.value}”" if step.value and not content_words(step.value) & own else ""
    match step.verb:
        case "type":
            opening = f"{verb} {value or 'what belongs there'} into the {noun}"
        case "select":
            opening = f"{verb} {value or 'what fits'} from the {noun}"
        case "scroll":
            opening = f"{verb} inside the {noun}"
        case _:
            opening = f"{verb} the {noun}"
    where = [part for part in (_place(target.box, step.observation), _beside(target, step.observation, own)) if part]
    sentence = f"{' '.join([opening, ', '.join(part for part in where if not content_words(part) & own)]).strip()}."
    return None if content_words(sentence) & own or opening == sentence.rstrip(".") else sentence


def _own_words(target: Candidate) -> frozenset[str]:
    return content_words(" ".join((target.name, target.text, target.placeholder, target.value)))


def _first(words: Iterable[str], taken: frozenset[str]) -> str | None:
    return next((word for word in words if not content_words(word) & taken), None)


def _place(box: Box, seen: Observation) -> str:
    x, y = box.centre
    column = ("left", "", "right")[min(2, max(0, int(3 * x / seen.viewport.width)))]
    row = ("top", "", "bottom")[min(2, max(0, int(3 * y / seen.viewport.height)))]
    if row and column:
        return f"at the {row} {column}"
    if row:
        return f"at the {row}, in the centre"
    return f"half-way up, on the {column}" if column else "in the centre"


def _beside(target: Candidate, seen: Observation, own: frozenset[str]) -> str:
    """Where it stands to the nearest text that shares no word with it."""
    x, y = target.box.centre
    best: tuple[float, str, str] | None = None
    things = [(line.text, line.box) for line in seen.texts]
    things += [(each.name, each.box) for each in seen.candidates if each.mark != target.mark]
    for text, box in things:
        text = " ".join(text.split())
        words = content_words(text)
        if not words or len(text) > _LONGEST_NEIGHBOUR or words & own:
            continue
        its_x, its_y = box.centre
        distance = math.dist((x, y), (its_x, its_y))
        if distance > _NEAR or distance < 1:
            continue
        if abs(its_y - y) < max(12.0, target.box.height / 2):
            relation = "right of" if its_x < x else "left of"
        else:
            relation = "below" if its_y < y else "above"
        if best is None or (distance, text) < best[:2]:
            best = (distance, text, relation)
    return "" if best is None else f"{best[2]} “{best[1]}”"


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.isascii() and word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if word.isascii() and len(word) > 3 else word


# --- audited ones -------------------------------------------------------------------------------------------------


class Audited(Frozen):
    """A paraphrase that a person wrote or approved."""

    task_id: str
    index: int
    guide: str = Field(min_length=1)
    by: str = Field(min_length=1)


def read_audited(path: Path) -> dict[tuple[str, int], str]:
    """The paraphrases of a file of JSON lines (`task_id`, `index`, `guide`, `by`).

    Raises InputError, naming the line, for one that is none. Whether they rename is checked where the steps are known.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", fix="Check the path.") from error
    found: dict[tuple[str, int], str] = {}
    for number, line in numbered_lines(text):
        try:
            audited = Audited.model_validate_json(line)
        except ValidationError as error:
            raise InputError(f"{path}: line {number}: {first_fault(error)}", fix="Mend that line.") from error
        found[audited.task_id, audited.index] = audited.guide
    return found
