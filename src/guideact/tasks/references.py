"""Are the reference guides good enough to score others by? What can be told by program is told here.

A reference is a sentence or two for a person: what to do, where it is, how one knows that it worked.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from guideact.leaks import find_leaks
from guideact.tasks.solve import Act
from guideact.types import Mark, Observation, Select, Task, Type

SHORTEST, LONGEST = 15, 260
"""Characters of a sentence."""
MOST_ALIKE = 0.75
"""How similar the skeletons of one step's references may be (difflib's ratio over words)."""


def skeleton(sentence: str) -> str:
    """A sentence without what it is about: quoted names, e-mail addresses, amounts and numbers become blanks."""
    text = unicodedata.normalize("NFKC", sentence).casefold()
    text = re.sub(r"[“\"][^”\"]*[”\"]", "_", text)
    text = re.sub(r"\S+@\S+\w", "_", text)
    text = re.sub(r"[#$€£]?\d[\d,./:-]*", "_", text)
    return re.sub(r"\s+", " ", text).strip(" .!;")


def common_share(sentences: Iterable[str], top: int = 10) -> float:
    """The share of all sentences that the commonest `top` skeletons cover, 0..1; 0 for no sentences."""
    counted = Counter(map(skeleton, sentences))
    total = counted.total()
    return sum(count for _, count in counted.most_common(top)) / total if total else 0.0


def _says(sentence: str, value: str) -> bool:
    wanted = unicodedata.normalize("NFKC", value).casefold().strip()
    said = unicodedata.normalize("NFKC", sentence).casefold()
    return bool(wanted) and re.search(rf"(?<![\w.]){re.escape(wanted)}(?!\w|\.\d)", said) is not None


def _secrets(task: Task, steps: Sequence[tuple[Act, Observation]]) -> list[str]:
    """What no sentence may say, but for the step that types it: the answer, and passwords."""
    answers = task.check.answer.expected if task.check.answer else ()
    # A value that the request itself names is no secret ("... or is it out of stock?").
    secrets = [value for value in answers if not _says(task.intent, value)]
    for act, seen in steps:
        if isinstance(act.action, Type) and isinstance(act.action.target, Mark):
            field = seen.candidate(act.action.target.mark)
            if field is not None and "password" in field.name.casefold():
                secrets.append(act.action.text)
    return secrets


def reference_faults(task: Task, steps: Sequence[tuple[Act, Observation]]) -> tuple[str, ...]:
    """Everything wrong with a gold guide, one line each: the acts of a gold run, each with what it was decided on."""
    faults = []
    secrets = _secrets(task, steps)
    for number, (act, seen) in enumerate(steps, 1):
        place = f"step {number} ({act.action.verb})"
        if len(act.references) < 2:
            faults.append(f"{place}: needs two reference sentences, has {len(act.references)}")
        value = act.action.text if isinstance(act.action, Type) else ""
        value = act.action.option if isinstance(act.action, Select) else value
        for sentence in act.references:
            if not SHORTEST <= len(sentence) <= LONGEST:
                faults.append(f"{place}: {len(sentence)} characters, wanted {SHORTEST} to {LONGEST}: {sentence!r}")
            if not re.match(r"[^a-z]", sentence) or not re.search(r"[.!。！”)]$", sentence):
                faults.append(f"{place}: not a whole sentence: {sentence!r}")
            if "{" in sentence or "}" in sentence or "  " in sentence:
                faults.append(f"{place}: a placeholder or a double space was left in: {sentence!r}")
            faults.extend(f"{place}: {fault.detail}: {sentence!r}" for fault in find_leaks(sentence, seen))
            faults.extend(
                f"{place}: gives away {secret!r}: {sentence!r}"
                for secret in secrets
                if _says(sentence, secret) and not _says(value, secret)
            )
        for index, first in enumerate(act.references):
            for second in act.references[index + 1 :]:
                alike = difflib.SequenceMatcher(None, skeleton(first).split(), skeleton(second).split()).ratio()
                if alike > MOST_ALIKE:
                    faults.append(f"{place}: two references are built alike ({alike:.2f}): {first!r} and {second!r}")
    return tuple(faults)
