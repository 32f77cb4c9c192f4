"""What recipient trials come to: `score_trial(folder)` reads a run that a recipient made, and the guides it kept.

    guide success    share of tasks whose functional check passed; tasks that ask for an answer stand apart, since a
                     guide leads to where the answer is, and does not give it
    follow rate      per task: the longest common subsequence of what was done and what the guide is about, over the
                     latter. Scrolling and finishing count on neither side; an act counts if verb, target and value
                     agree
    GGS, measured    S (gamma + (1 - gamma) F): the classic one with F, whether the recipient succeeded, in place of
                     G. S is the success of whoever wrote the guide
    r(G, F)          Pearson's correlation of G (n-grams against references) with F over tasks; none where either is
                     the same everywhere

All but the answers' column is over tasks that ask for no answer.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from guideact.errors import InputError
from guideact.guides.around import fold
from guideact.guides.kept import GUIDES, Kept, keep_guides
from guideact.guides.trials import NEEDED, Key, value_of
from guideact.harness.read import read_run
from guideact.jsonl import numbered_lines
from guideact.metrics import GAMMA
from guideact.metrics.guide import concatenate, guide_score
from guideact.metrics.success import ggs
from guideact.stats import Estimate, Row, ratio_interval
from guideact.stats.bootstrap import RATE
from guideact.tasks.catalogue import entries
from guideact.types import Episode, Frozen, Step


class TrialScore(Frozen):
    """The scores of one trial."""

    run: str
    recipient: str
    guides: str
    treatment: str
    tasks: int
    """Tasks that had a guide (in the condition `none`: all)."""
    unmade: int = 0
    """Tasks without a guide, or to which the treatment could not be applied; they are in no score."""
    success: Estimate
    answers: Estimate
    follow_rate: Estimate
    ggs: float | None = None
    ggs_measured: float | None = None
    correlation: float | None = None
    steps: float | None = None
    """Acts, mean over tasks; None for people, of whom only the pages that they see are known."""
    seconds: float | None = None
    """Of a trial, mean; None where none has ended."""
    broke: dict[str, int] = Field(default_factory=dict)
    """Why tasks failed, with how many."""
    broke_at: float | None = None
    """How far into the guide they did, mean over failed tasks, 0..1."""


@dataclass(frozen=True)
class _Tried:
    """One task of a trial."""

    episode: Episode
    kept: Kept | None
    answers: bool
    rate: float
    broke: str
    at: float
    g: float | None


def score_trial(folder: Path, gamma: float = GAMMA) -> TrialScore:
    """Score a trial. Raises InputError where the folder is no run, or none of a recipient."""
    run = read_run(folder)
    config = run.manifest.config
    if not config.get("recipient"):
        raise InputError(f"{folder} is no trial: nobody followed a guide in it", fix="Run it with --recipient.")
    kept = _kept(folder)
    none = config["guides"] == "none"
    tried = [
        _tried(e, kept.get(e.task_id)) for e in run.episodes if e.check is not None and (none or e.task_id in kept)
    ]
    deeds = [each for each in tried if not each.answers]
    guided = [each for each in deeds if each.g is not None and each.kept is not None]
    failed = [each for each in deeds if not each.episode.success]
    return TrialScore(
        run=run.name,
        recipient=str(config["recipient"]),
        guides=_source_name(str(config["guides"])),
        treatment=str(config["treatment"]),
        tasks=len({each.episode.task_id for each in tried}),
        unmade=len(run.manifest.tasks) - len({each.episode.task_id for each in tried}) if not none else 0,
        success=_mean([(each, float(each.episode.success)) for each in deeds]),
        answers=_mean([(each, float(each.episode.success)) for each in tried if each.answers]),
        follow_rate=_mean([(each, each.rate) for each in tried]) if not none else Estimate(value=None),
        ggs=_average([ggs(_solved(each), each.g or 0.0, gamma) for each in guided]),
        ggs_measured=_average([ggs(_solved(each), float(each.episode.success), gamma) for each in guided]),
        correlation=pearson([each.g or 0.0 for each in guided], [float(each.episode.success) for each in guided]),
        steps=_average([float(len(each.episode.steps)) for each in tried]) or 0.0,
        seconds=_average([each.episode.seconds for each in tried]),
        broke=dict(Counter(each.broke for each in failed).most_common()),
        broke_at=_average([each.at for each in failed]) if failed and not none else None,
    )


def _kept(folder: Path) -> dict[str, Kept]:
    path = folder / GUIDES
    if not path.exists():
        keep_guides(folder)
    found = [Kept.model_validate_json(line) for _, line in numbered_lines(path.read_text(encoding="utf-8"))]
    return {kept.task_id: kept for kept in found}


def _tried(episode: Episode, kept: Kept | None) -> _Tried:
    known = entries().get(episode.task_id)
    answers = known is not None and known.task.check.answer is not None
    key = [one for one in kept.key if one.verb in NEEDED] if kept is not None else []
    done = [step for step in episode.steps if step.action is not None and step.action.verb in NEEDED]
    matched = followed(key, done)
    rate = len(matched) / len(key) if key else 0.0
    first = next((at for at in range(len(key)) if at not in matched), len(key))
    g = None
    if kept is not None and episode.references:
        references = concatenate(episode.references)
        g = guide_score(" ".join(line.sentence for line in kept.lines), references).g
    return _Tried(episode, kept, answers, rate, _reason(episode, key, first), first / len(key) if key else 0.0, g)


def followed(key: Sequence[Key], done: Sequence[Step]) -> frozenset[int]:
    """Which steps of a guide were done, in order: a longest common subsequence, as indices of `key`."""
    rows, columns = len(key), len(done)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            same = agrees(key[i], done[j])
            best[i][j] = 1 + best[i + 1][j + 1] if same else max(best[i + 1][j], best[i][j + 1])
    found, i, j = set(), 0, 0
    while i < rows and j < columns:
        if agrees(key[i], done[j]):
            found.add(i)
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return frozenset(found)


def agrees(key: Key, step: Step) -> bool:
    """Whether a step did what a step of the guide is about."""
    if step.action is None or step.action.verb != key.verb or step.outcome is not None:
        return False
    if fold(value_of(step.action)) != fold(key.value) and key.verb in ("type", "select"):
        return False
    if key.role == "" or step.target is None:
        return key.role == "" and step.target is None
    name = step.target.name or step.target.text
    return step.target.role == key.role and fold(name) == fold(key.name)


def _reason(episode: Episode, key: Sequence[Key], first: int) -> str:
    """Why a trial failed, in a few words."""
    if episode.success:
        return ""
    stopped = next((step.think.partition("stopped: ")[2] for step in episode.steps if "stopped: " in step.think), "")
    if stopped:
        return "nothing bears the name" if stopped.startswith("nothing is called") else "the sentence names nothing"
    if first >= len(key):
        return "all was followed" if key else "no guide"
    if episode.end == "out_of_steps":
        return "out of steps"
    failed = next((step.outcome for step in episode.steps if step.outcome is not None), None)
    return f"an act failed ({failed.code})" if failed is not None else "acted on something else"


def _solved(each: _Tried) -> bool:
    return each.kept is not None and each.kept.solved


def _source_name(source: str) -> str:
    return source if source in ("gold", "none") else Path(source).name


def _mean(values: Sequence[tuple[_Tried, float]]) -> Estimate:
    rows = [
        Row(cluster=each.episode.template_id or each.episode.task_id, top=value, bottom=1.0) for each, value in values
    ]
    return ratio_interval(rows, span=RATE)


def _average(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's r; None under three pairs, or where one side does not vary."""
    n = len(xs)
    if n < 3:
        return None
    mean_x, mean_y = math.fsum(xs) / n, math.fsum(ys) / n
    over = math.fsum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    spread = math.fsum((x - mean_x) ** 2 for x in xs) * math.fsum((y - mean_y) ** 2 for y in ys)
    return None if spread <= 1e-18 else over / math.sqrt(spread)


def as_json(scores: Sequence[TrialScore]) -> str:
    """One object with all of them."""
    return json.dumps({"trials": [score.model_dump(mode="json") for score in scores]}, ensure_ascii=False)
