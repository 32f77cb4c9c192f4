"""Recipient trials: somebody who has a guide and the page, and nothing else, tries the task.

    guideact run --recipient literal --guides gold
    guideact run --recipient openai/NAME --guides runs/of-a-model --treatment drop

A *guide set* gives each task its guide: the gold references that come with the package, a run's own sentences, a
dataset's, a folder of guides, or none. A *treatment* changes it: `other` gives the guide of another task, `drop` takes
one needed step out, `rename` calls one target something else, `second` takes the other wording, `plain` words that do
not quote names. The recipient is told neither the goal nor the title. What it is scored against, what each step is
really about (`Key`), it never sees.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from guideact.actions import format_answer
from guideact.config import RunConfig
from guideact.data import open_dataset
from guideact.errors import InputError
from guideact.guides.around import fold
from guideact.guides.draft import kind_of
from guideact.guides.guide import FILE, GuideStep, read_guide
from guideact.guides.literal.follow import Follower, Line
from guideact.guides.naming import complete, names, naming
from guideact.harness.agent import Agent, Agents, Decision, ModelAgents, agents_for, read_answer
from guideact.harness.read import read_run
from guideact.tasks.gold import gold_for
from guideact.tasks.solve import to_grounding
from guideact.types import Box, Frozen, Grounding, Observation, Outcome, Step, Task, Verb, Viewport

LITERAL = "literal"
Treatment = Literal["as_is", "complete", "other", "drop", "rename", "second", "plain"]
NEEDED: frozenset[Verb] = frozenset({"click", "type", "select", "press_enter", "go_back"})
"""Acts without which a task is not done; scrolling is left to whoever follows."""

_INVENTED = (
    "Evergreen shelf", "Northern desk", "Quiet corner", "Harvest board", "Lantern hall", "Copper drawer",
    "Morning ledger", "River counter", "Velvet index", "Cedar gallery",
)  # fmt: skip
"""Names that nothing on any page bears."""


class Key(Frozen):
    """What a step of a guide is really about."""

    verb: Verb
    role: str = ""
    name: str = ""
    value: str = ""


@dataclass(frozen=True)
class Picture:
    """The screenshot of a step in a folder of guides."""

    folder: Path
    step: GuideStep


@dataclass(frozen=True)
class TrialGuide:
    """A guide as a recipient gets it, and what its steps are about."""

    lines: tuple[Line, ...]
    key: tuple[Key, ...]
    """One for each line, before a treatment took or changed one."""
    pictures: tuple[Picture | None, ...] = ()
    """One for each line, where the guide set has pictures: people see them, other recipients do not."""


@dataclass(frozen=True)
class _Raw:
    """A step of any source: its sentences, what it is about, and where that stood."""

    sentences: tuple[str, ...]
    key: Key
    box: Box | None = None
    enter: str = ""
    picture: Picture | None = None


# --- guide sets -----------------------------------------------------------------------------------------------------


class GuideSet:
    """The guides of a set of tasks, by task."""

    def __init__(self, raw: Mapping[str, tuple[_Raw, ...]], treatment: Treatment) -> None:
        self._raw = raw
        self._treatment = treatment

    @property
    def tasks(self) -> frozenset[str]:
        """The tasks that have a guide."""
        return frozenset(self._raw)

    def guide(self, task_id: str) -> TrialGuide | None:
        """The guide of a task under the treatment; None where there is none, or the treatment cannot be made."""
        steps = self._raw.get(task_id)
        if steps is None:
            return None
        if self._treatment == "other":
            order = sorted(self._raw)
            other = next((each for each in (*order[order.index(task_id) + 1 :], *order) if _apart(each, task_id)), None)
            return None if other is None else _guide(self._raw[other], "as_is", task_id, key=steps)
        return _guide(steps, self._treatment, task_id)


def guide_set(source: str, treatment: Treatment, task_ids: Sequence[str]) -> GuideSet:
    """The guides for these tasks from `gold`, `none`, a run, a dataset, or a folder of guides.

    Raises InputError where the source is none of them, or holds no guide of these tasks.
    """
    if source == "none":
        return GuideSet({}, treatment)
    path = Path(source)
    if source == "gold":
        raw = _from_gold(task_ids)
    elif (path / "run.json").exists():
        raw = _from_run(path)
    elif (path / "manifest.json").exists():
        raw = _from_dataset(path)
    elif path.is_dir():
        raw = _from_folder(path)
    else:
        raise InputError(
            f"--guides {source} is no run, no dataset and no folder of guides", fix="Give one of them, gold, or none."
        )
    wanted = {task_id: steps for task_id, steps in raw.items() if task_id in set(task_ids)}
    if not wanted:
        raise InputError(f"--guides {source} holds no guide of these tasks", fix="Give those of the same tasks.")
    return GuideSet(wanted if treatment != "other" else raw | wanted, treatment)


def _from_gold(task_ids: Sequence[str]) -> dict[str, tuple[_Raw, ...]]:
    found = {}
    for task_id in task_ids:
        gold = gold_for(task_id)
        if gold is not None:
            found[task_id] = tuple(
                _Raw(
                    step.references,
                    Key(verb=step.verb, role=step.role, name=step.name, value=step.value),
                    step.box,
                    step.value if "\n" in step.value else "",
                )
                for step in gold.steps
            )
    return found


def _from_run(folder: Path) -> dict[str, tuple[_Raw, ...]]:
    found = {}
    for episode in read_run(folder).episodes:
        if episode.sample == 0 and episode.steps:
            found[episode.task_id] = tuple(_of_step(step) for step in episode.steps if step.guide)
    return found


def _of_step(step: Step) -> _Raw:
    target = step.target
    key = Key(
        verb=step.action.verb if step.action is not None else "finish",
        role=target.role if target is not None else "",
        name=(target.name or target.text) if target is not None else "",
        value=value_of(step.action),
    )
    return _Raw((step.guide,), key, target.box if target is not None else None)


def _from_dataset(folder: Path) -> dict[str, tuple[_Raw, ...]]:
    found: dict[str, tuple[_Raw, ...]] = {}
    for step in open_dataset(folder).steps():
        target = step.target
        key = Key(
            verb=step.verb,
            role=target.role if target is not None else "",
            name=(target.name or target.text) if target is not None else "",
            value=step.value,
        )
        if step.guides:
            found[step.task_id] = (*found.get(step.task_id, ()), _Raw(step.guides, key, step.box))
    return found


def _from_folder(folder: Path) -> dict[str, tuple[_Raw, ...]]:
    found = {}
    for path in sorted(folder.glob(f"*/{FILE}")):
        guide = read_guide(path.parent)
        if guide.task_id:
            found[guide.task_id] = tuple(_of_guide_step(step, path.parent) for step in guide.steps)
    return found


def _of_guide_step(step: GuideStep, folder: Path) -> _Raw:
    target = step.target
    key = Key(
        verb=step.verb,
        role=target.role if target is not None else "",
        name=(target.name or target.text) if target is not None else "",
        value=step.value,
    )
    # As published: what is typed or chosen stands beside the sentence.
    picture = Picture(folder, step) if step.image else None
    return _Raw((step.sentence,), key, step.box, step.value if step.verb in ("type", "select") else "", picture)


def value_of(action: object) -> str:
    """What an action types or selects."""
    return str(getattr(action, "text", "") or getattr(action, "option", ""))


def _apart(one: str, other: str) -> bool:
    return one.rpartition(".")[0] != other.rpartition(".")[0]


# --- treatments -----------------------------------------------------------------------------------------------------


def _guide(
    steps: Sequence[_Raw], treatment: Treatment, task_id: str, *, key: Sequence[_Raw] | None = None
) -> TrialGuide | None:
    rng = random.Random(f"{treatment}/{task_id}")
    lines, pictures = [_line(step, treatment) for step in steps], [step.picture for step in steps]
    if treatment == "drop":
        needed = [at for at, step in enumerate(steps) if step.key.verb in NEEDED]
        if not needed:
            return None
        at = rng.choice(needed)
        del lines[at], pictures[at]
    elif treatment == "rename":
        quoting = [at for at, step in enumerate(steps) if _renamed(lines[at], step, "") is not None]
        if not quoting:
            return None
        at = rng.choice(quoting)
        renamed = _renamed(lines[at], steps[at], rng.choice(_INVENTED))
        assert renamed is not None
        # The picture would show what the sentence calls by another name.
        lines[at], pictures[at] = renamed, None
    return TrialGuide(tuple(lines), tuple(step.key for step in (steps if key is None else key)), tuple(pictures))


def _line(step: _Raw, treatment: Treatment) -> Line:
    key = step.key
    if treatment == "second":
        return Line(sentence=step.sentences[-1], enter=step.enter)
    if treatment == "plain":
        return Line(sentence=_plain(step), enter=step.enter)
    sentence = naming(step.sentences, key.name, key.value)
    if treatment == "complete":
        enter = key.value if key.verb in ("type", "select") else ""
        return Line(sentence=complete(sentence, key.verb, key.role, key.name, key.value), enter=enter)
    return Line(sentence=sentence, enter=step.enter)


def _renamed(line: Line, step: _Raw, name: str) -> Line | None:
    """The line with its target called otherwise; None where it does not quote the target's name."""
    key = step.key
    if key.verb not in ("click", "type", "select") or not key.name:
        return None
    for quoted in re.findall(r"“([^”]+)”", line.sentence):
        if fold(quoted) != fold(key.value) and names(f"“{quoted}”", key.name):
            return Line(sentence=line.sentence.replace(f"“{quoted}”", f"“{name}”"), enter=line.enter)
    return None


def _plain(step: _Raw) -> str:
    """A wording that does not quote the target's name: one of the references, or the kind of thing and its place."""
    key = step.key
    for sentence in reversed(step.sentences):
        if not key.name or not names(sentence, key.name):
            return sentence
    thing = f"the {kind_of(key.role, verb=key.verb)} {_place(step.box)}"
    match key.verb:
        case "type":
            return f"Type “{key.value}” into {thing}."
        case "select":
            return f"Choose “{key.value}” in {thing}."
        case _:
            return f"Click {thing}."


def _place(box: Box | None) -> str:
    if box is None:
        return "on the page"
    window, (x, y) = Viewport(), box.centre
    row = "at the top" if y < window.height / 3 else "in the middle" if y < window.height * 2 / 3 else "at the bottom"
    side = "on the left" if x < window.width / 3 else "" if x < window.width * 2 / 3 else "on the right"
    return f"{row} {side}".strip()


# --- recipients -----------------------------------------------------------------------------------------------------


def recipient_agents(config: RunConfig, tasks: tuple[Task, ...], guides: GuideSet) -> Agents:
    """The recipients of a trial, one an episode. Raises InputError for a recipient that cannot be."""
    assert config.recipient is not None
    if config.recipient == LITERAL:
        return LiteralAgents(guides, config.grounding)
    inner = agents_for(config.model_copy(update={"model": config.recipient}), tasks)
    if not isinstance(inner, ModelAgents):
        raise InputError(
            f"{config.recipient} follows no guide: it knows the tasks", fix="Give --recipient literal, or a model."
        )
    return ModelRecipients(inner, guides)


class ModelRecipients:
    """A model that is told nothing but the guide: it stands where the task would."""

    def __init__(self, inner: ModelAgents, guides: GuideSet) -> None:
        self._inner, self._guides = inner, guides

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def reads_pixels(self) -> bool:
        return self._inner.reads_pixels

    async def probe(self) -> None:
        await self._inner.probe()

    def agent(self, task: Task, sample: int) -> Agent:
        told = told_as_task(self._guides.guide(task.id))
        return self._inner.agent(task.model_copy(update={"intent": told}), sample)

    async def close(self) -> None:
        await self._inner.close()


def told_as_task(guide: TrialGuide | None) -> str:
    """What a model reads in place of a task."""
    if guide is None:
        return "There is no guide. Do what you think is wanted on this page, then finish."
    lines = [
        f"{number}. {line.sentence}" + (f" [{line.enter}]" if line.enter else "")
        for number, line in enumerate(guide.lines, 1)
    ]
    return "Follow this guide, one step after the other, and finish at its end:\n" + "\n".join(lines)


@dataclass(frozen=True)
class LiteralAgents:
    """The literal follower, anew for each episode."""

    guides: GuideSet
    grounding: Grounding
    name: str = LITERAL
    reads_pixels: bool = False

    async def probe(self) -> None:
        """Nothing can be wrong with it."""

    def agent(self, task: Task, sample: int) -> LiteralAgent:
        return LiteralAgent(self.guides.guide(task.id), self.grounding)

    async def close(self) -> None:
        """Nothing is held open."""


class LiteralAgent:
    """Speaks the same JSON as any model. `think` says which line it is at: `L3`, `L3 looking`, `L3 stopped: ...`."""

    def __init__(self, guide: TrialGuide | None, grounding: Grounding) -> None:
        self._lines = guide.lines if guide is not None else ()
        self._follower = Follower(self._lines)
        self._grounding = grounding
        self._outcome: Outcome | None = None

    async def decide(self, observation: Observation, image: bytes | None, index: int) -> Decision:
        move = self._follower.next(observation, self._outcome)
        at = min(move.line, len(self._lines) - 1)
        said = self._lines[at].sentence if self._lines else "There is no guide, so nothing is done."
        think = (
            f"L{move.line + 1}" + (" looking" if move.looking else "") + (f" stopped: {move.why}" if move.why else "")
        )
        action = to_grounding(move.action, observation, self._grounding)
        raw = format_answer(action, said, think, grounding=self._grounding)
        return Decision(raw=raw, answer=read_answer(raw, observation, self._grounding))

    def remember(self, step: Step, observation: Observation) -> None:
        self._outcome = step.outcome
