"""Guides from what was done: a gold route, an episode of a run, a demonstration of a dataset, an agent at work.

All of them come down to `Moment`s: what was seen, what was done then, and how it was put. A guide never holds a secret:
what goes into a field for passwords is left out of its steps and struck out of its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from guideact.data import Dataset
from guideact.env import WebEnv
from guideact.errors import GuideActError, InputError
from guideact.guides.around import fold, near
from guideact.guides.draft import alone, draft
from guideact.guides.guide import Guide, GuideStep, GuideTarget, slug
from guideact.guides.naming import complete, naming
from guideact.tasks.catalogue import entries, entry
from guideact.tasks.prove import walk
from guideact.types import (
    Action,
    Box,
    Candidate,
    Episode,
    Finish,
    Observation,
    Scroll,
    Select,
    Task,
    Type,
)

MASK = "••••"
_SECRET = re.compile(
    r"pass ?(?:word|code|phrase)|\bsecret\b|\bpin\b|\bcvv\b|\bcvc\b|security code|card number|one.time code|\btoken\b"
    r"|api key|密码|口令|验证码",
    re.IGNORECASE,
)
_SHORT = 4
"""Characters: a shorter secret is struck out of its own step alone, since any text may hold it by chance."""
_BULLETS = re.compile(r"[•●*]+")


@dataclass(frozen=True)
class Moment:
    """One step as it was taken."""

    seen: Observation
    """What it was decided on; its screenshot holds its bytes where there is a picture."""
    action: Action
    target: Candidate | None = None
    sentence: str = ""
    """"" where nobody has put it into words: then a rule does."""
    box: Box | None = None
    point: tuple[float, float] | None = None
    """Box and point, where no candidate is known."""
    hidden: bool = False
    """What is typed is not to be seen, whatever the field is called."""
    verbatim: bool = False
    """The sentence is a person's own and stays as it is."""


def guide_of(
    moments: Sequence[Moment],
    *,
    title: str,
    start_url: str,
    source: str,
    identity: str = "",
    signed_in: Mapping[str, str] | None = None,
    task_id: str = "",
    language: str = "en",
) -> tuple[Guide, dict[str, bytes]]:
    """The guide of what was done, and its pictures by SHA-256. Raises InputError where nothing was done."""
    if not moments:
        raise InputError("nothing was done, so there is no guide", fix="Choose an episode that has steps.")
    hidden = _secrets(moments)
    pictures: dict[str, bytes] = {}
    steps = []
    for at, moment in enumerate(moments):
        shot = moment.seen.screenshot
        if shot is not None and shot.png:
            pictures[shot.sha256] = shot.png
        steps.append(_step(moment, hidden.get(at, ""), language))
    typed = {at: _value(moments[at].action) for at in hidden}
    everywhere = [text for text in typed.values() if len(text) >= _SHORT]
    for at, step in enumerate(steps):
        secrets = [*everywhere, typed.get(at, "")]
        said: dict[str, object] = {name: _struck(getattr(step, name), secrets) for name in ("sentence", "url", "title")}
        if step.target is not None:
            around = {
                "near": tuple(_struck(text, secrets) for text in step.target.near),
                "row": _struck(step.target.row, secrets),
            }
            said |= {"target": step.target.model_copy(update=around)}
        steps[at] = step.model_copy(update=said)
    title = _struck(title, everywhere)
    guide = Guide(
        id=identity or slug(title),
        title=title,
        language=language,
        start_url=_struck(start_url, everywhere),
        signed_in=dict(signed_in or {}),
        steps=tuple(steps),
        task_id=task_id,
        source=source,
    )
    return guide, pictures


def target_of(seen: Observation, candidate: Candidate) -> GuideTarget:
    """A candidate as a guide remembers it."""
    locator = candidate.locator
    return GuideTarget(
        role=candidate.role,
        name=candidate.name,
        ordinal=locator.ordinal,
        css=locator.css,
        text=candidate.text if candidate.text != candidate.name else "",
        near=near(seen, candidate),
        row=candidate.locator.row,
        frame=candidate.frame,
    )


def _step(moment: Moment, secret: str, language: str) -> GuideStep:
    seen, action, candidate = moment.seen, moment.action, moment.target
    target = target_of(seen, candidate) if candidate is not None else None
    value = "" if secret or isinstance(action, Finish) else _value(action)
    sentence = moment.sentence or draft(
        action.verb,
        target,
        value,
        secret=secret,
        language=language,
        alone=candidate is None or alone(seen, candidate),
        checked=candidate is not None and "checked" in candidate.states,
    )
    if moment.sentence and target is not None and not moment.verbatim:
        sentence = complete(sentence, action.verb, target.role, target.name or target.text, value, language)
    shot = seen.screenshot
    return GuideStep(
        sentence=" ".join(sentence.split()),
        verb=action.verb,
        target=target,
        value=value,
        secret=secret,
        url=seen.url,
        title=seen.title,
        box=candidate.box if candidate is not None else moment.box,
        point=candidate.point if candidate is not None else moment.point,
        viewport=seen.viewport,
        image=shot.sha256 if shot is not None and shot.png else "",
    )


def _value(action: Action) -> str:
    if isinstance(action, Type):
        return action.text
    if isinstance(action, Select):
        return action.option
    return action.direction if isinstance(action, Scroll) else ""


def _secrets(moments: Sequence[Moment]) -> dict[int, str]:
    """Which steps type a secret, and what it is called: told by the field's name, or by the bullets it shows then."""
    found: dict[int, str] = {}
    for at, moment in enumerate(moments):
        if not isinstance(moment.action, Type) or moment.target is None:
            continue
        field = moment.target
        label = field.name or field.placeholder
        after = moments[at + 1].seen.candidates if at + 1 < len(moments) else ()
        hidden = moment.hidden or any(
            other.locator.css == field.locator.css and other.frame == field.frame and _BULLETS.fullmatch(other.value)
            for other in after
        )
        if name := secret_name(label, hidden=hidden):
            found[at] = name
    return found


def secret_name(label: str, *, hidden: bool = False) -> str:
    """What the secret is called that goes into a field with this label; "" where it takes none.

    `hidden` says that the field shows bullets for what is typed, whatever its label.
    """
    return (fold(label).rstrip(" *:") or "secret") if hidden or _SECRET.search(label) else ""


def _struck(text: str, secrets: Iterable[str]) -> str:
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", MASK, text)
    return text


# --- the sources --------------------------------------------------------------------------------------------------


async def from_gold(task_id: str, env: WebEnv) -> tuple[Guide, dict[str, bytes]]:
    """The guide of an embedded task's gold route, taken anew on the sites as they look in `env`.

    Raises InputError for an unknown task, GuideActError where its solver does not get through.
    """
    found = entry(task_id)
    walked = await walk(env, found.task, lambda page: found.template.solve(page, found.params))
    if not walked.verdict.passed:
        raise GuideActError(f"the gold of {task_id} fails", fix=f"Run `guideact tasks prove {task_id}`.")
    moments = []
    for done in walked.steps:
        mark = getattr(getattr(done.act.action, "target", None), "mark", 0)
        target = done.seen.candidate(mark)
        sentence = naming(done.act.references, target.name if target is not None else "", _value(done.act.action))
        moments.append(Moment(done.seen, done.act.action, target, sentence))
    return _of_task(found.task, moments, "gold")


async def from_episode(episode: Episode, model: str, env: WebEnv) -> tuple[Guide, dict[str, bytes]]:
    """The guide of an episode on the embedded sites: its actions done again, so that the pictures carry no marks.

    Steps that did nothing (an answer that could not be read, an act that failed) are left out. Raises InputError where
    the episode is of no embedded task, or goes another way now.
    """
    if episode.task_id not in entries():
        raise InputError(
            f"{episode.task_id} is no embedded task, so its steps cannot be taken again for pictures",
            fix="Make its guide with `guideact guide make URL`.",
        )
    task = entry(episode.task_id).task
    moments: list[Moment] = []
    seen = await env.reset(task)
    for step in episode.steps:
        if step.action is None:
            await env.step(None)
            continue
        target = env.target_of(step.action)
        if (target is None) != (step.target is None) or (
            target is not None
            and step.target is not None
            and (target.role, target.name) != (step.target.role, step.target.name)
        ):
            raise InputError(
                f"step {step.index + 1} of {episode.task_id} acts on something else now",
                fix="The sites have changed since that run: run it again.",
            )
        result = await env.step(step.action)
        if result.outcome is None:
            moments.append(Moment(seen, step.action, target, step.guide))
        seen = result.observation
        if result.terminated or result.truncated:
            break
    return _of_task(task, moments, f"run: {model}")


def from_dataset(dataset: Dataset, task_id: str) -> tuple[Guide, dict[str, bytes]]:
    """The guide of a demonstration. Raises InputError where the dataset has none of that task."""
    found = {task.id: task.task for task in dataset.tasks()}
    if task_id not in found:
        raise InputError(f"{dataset.folder} has no task {task_id!r}", fix="Its tasks.parquet lists what it has.")
    task, moments = found[task_id], []
    for step in dataset.steps(task.split):
        if step.task_id != task_id:
            continue
        seen = step.observation
        shot = seen.screenshot
        if shot is not None:
            picture = dataset.image(shot.sha256)
            shot = shot.model_copy(update={"png": picture}) if picture.startswith(b"\x89PNG") else None
            seen = seen.model_copy(update={"screenshot": shot})
        sentence = naming(step.guides, step.target.name if step.target else "", step.value) if step.guides else ""
        moments.append(Moment(seen, step.action, step.target, sentence, step.box, step.point))
    return _of_task(task, moments, f"dataset: {dataset.manifest.name}")


def _of_task(task: Task, moments: Sequence[Moment], source: str) -> tuple[Guide, dict[str, bytes]]:
    return guide_of(
        moments,
        title=task.intent,
        start_url=task.start_url,
        source=source,
        identity=task.id,
        signed_in=task.logins,
        task_id=task.id if task.source == "embedded" else "",
        language=task.language,
    )


Decide = Callable[[Observation, int], Awaitable[tuple[Action | None, str]]]
"""What an agent does at a step (0-based), and how it puts it."""
Act = Callable[[Action], Awaitable[tuple[Observation, bool, Candidate | None]]]
"""Carries an action out: what is to be seen then, whether it did what it says, and what it was done to."""


async def from_agent(seen: Observation, decide: Decide, act: Act, *, most: int) -> tuple[tuple[Moment, ...], str, bool]:
    """Let an agent act from what is seen now, at most `most` steps.

    Returns its moments (those that did something), its answer, and whether it ended by itself.
    """
    moments: list[Moment] = []
    for index in range(most):
        action, sentence = await decide(seen, index)
        if action is None:
            continue
        if isinstance(action, Finish):
            moments.append(Moment(seen, action, None, sentence))
            return tuple(moments), action.answer, True
        after, done, target = await act(action)
        if done:
            moments.append(Moment(seen, action, target, sentence))
        seen = after
    return tuple(moments), "", False
