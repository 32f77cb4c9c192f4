"""Scoring a run: `score_run(folder)` reads run.json and episodes.jsonl and gives a `Score`.

The estimators, for task t with attempts a, and T tasks:

    SR          1/T sum_t mean_a S                         G            the same over tasks that have a reference
    GGS         1/T sum_t mean_a S (gamma + (1-gamma) G)   Guide Tax    1/T sum_t mean_a (S - GGS)
    OFCR        well-formed steps / steps, over all attempts
    pass@k      1/T sum_t (1 - C(n-c, k) / C(n, k)), over tasks with n >= k attempts

Episodes that ended in an infrastructure error are in none of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path

from guideact.harness.measure import LENGTHS, Attempt, TaskResult, cost_of, length_bucket, measure
from guideact.harness.read import Run, read_run
from guideact.harness.scores import GammaPoint, Group, Noise, PassAtK, Score
from guideact.metrics import GAMMA, SWEEP, GuideScoring, action_mix, format_count, outcome_codes, sign
from guideact.metrics.format import ranked
from guideact.stats import (
    Estimate,
    NoiseFloor,
    Resampling,
    Row,
    mean_head_room,
    mean_interval,
    noise_floor,
    pass_at_k,
    ratio_interval,
)
from guideact.stats.bootstrap import RATE
from guideact.stats.pass_at_k import REPORTED

Value = Callable[[Attempt], float | None]


def score_run(
    folder: Path,
    *,
    gamma: float = GAMMA,
    scoring: GuideScoring | None = None,
    resampling: Resampling | None = None,
) -> Score:
    """Score the run in `folder`; the same folder always gives the same bytes.

    Raises:
        InputError: as `read_run` does.
        ValueError: gamma outside 0..1.
    """
    return score(read_run(folder), gamma=gamma, scoring=scoring, resampling=resampling)


def score(
    run: Run, *, gamma: float = GAMMA, scoring: GuideScoring | None = None, resampling: Resampling | None = None
) -> Score:
    """Score a run that has been read."""
    scoring, resampling = scoring or GuideScoring(), resampling or Resampling()
    tasks = measure(run.episodes, scoring)
    referenced = [task for task in tasks if task.has_reference]
    attempts = [attempt for task in tasks for attempt in task.attempts]
    steps = [step for attempt in attempts for step in attempt.steps]
    counted = {task.id for task in tasks}
    every = {episode.task_id for episode in run.episodes}
    solved = sum(attempt.solved for attempt in attempts)
    asking = [attempt for attempt in attempts if any(step.usage is not None for step in attempt.steps)]
    tokens = [used for used in (attempt.tokens() for attempt in asking) if used is not None]
    calls = [step for episode in run.episodes for step in episode.steps if step.usage is not None]
    total = cost_of(calls)

    def mean(value: Value, over: Sequence[TaskResult] = tasks, span: tuple[float, float] | None = RATE) -> Estimate:
        return task_mean(over, value, span, resampling)

    def groups(name: Callable[[TaskResult], str], order: Sequence[str] = (), *, single: bool = False) -> list[Group]:
        return _groups(tasks, name, order, gamma, resampling, by_task=single)

    return Score(
        run=run.name,
        model=run.manifest.model,
        n=len(tasks),
        tasks=len(every),
        clusters=len({task.cluster for task in tasks}),
        attempts=len(attempts),
        samples=max((len(task.attempts) for task in tasks), default=0),
        infrastructure_errors=len(run.episodes) - len(attempts),
        tasks_lost=tuple(sorted(every - counted)),
        tasks_without_reference=len(tasks) - len(referenced),
        sr=mean(lambda a: float(a.solved)),
        g=mean(lambda a: a.g),
        ggs=mean(lambda a: a.ggs(gamma)),
        ggs_referenced=mean(lambda a: a.ggs(gamma), referenced),
        ofcr=ofcr(tasks, resampling),
        structured_output=run.manifest.config.get("structured_output") is True,
        guide_tax=mean(lambda a: a.tax(gamma)),
        guide_tax_referenced=mean(lambda a: a.tax(gamma), referenced),
        bleu1=mean(lambda a: a.part("bleu1")),
        bleu2=mean(lambda a: a.part("bleu2")),
        rouge1=mean(lambda a: a.part("rouge1")),
        rouge_l=mean(lambda a: a.part("rouge_l")),
        g_solved=mean(lambda a: a.g if a.solved else None),
        g_failed=mean(lambda a: None if a.solved else a.g),
        g_aligned=mean(lambda a: a.aligned),
        ceiling=_mean_of([(t.cluster, t.ceiling) for t in tasks], resampling),
        floor=_mean_of([(t.cluster, t.floor) for t in tasks], resampling),
        pass_at_k=_pass_at_k(tasks, resampling),
        noise=_noise(tasks, gamma),
        gamma_sweep=tuple(GammaPoint(gamma=x, ggs=mean(lambda a, x=x: a.ggs(x))) for x in SWEEP),  # type: ignore[misc]
        by_site=tuple(groups(lambda task: task.sites)),
        by_template=tuple(groups(lambda task: task.template or "no template", single=True)),
        by_length=tuple(groups(lambda task: task.length, [*(length_bucket(low) for low, _ in LENGTHS), "no gold"])),
        steps=mean(lambda a: len(a.steps), span=None),
        seconds=mean(lambda a: a.seconds, span=None),
        input_tokens=mean(lambda a: (a.tokens() or (None, None))[0], span=None),
        output_tokens=mean(lambda a: (a.tokens() or (None, None))[1], span=None),
        seconds_per_solved=math.fsum(attempt.seconds for attempt in attempts) / solved if solved else None,
        tokens_per_solved=sum(map(sum, tokens)) / solved if solved and tokens and len(tokens) == len(asking) else None,
        cost=_not_below_zero(mean(lambda a: a.cost(), span=None)),
        cost_total=total,
        cost_per_solved=total / solved if solved and total is not None else None,
        attempts_void=sum(max(episode.attempts - 1, 0) for episode in run.episodes),
        calls=len(calls),
        answers_from_cache=sum(step.usage is not None and step.usage.from_cache for step in calls),
        prices=run.manifest.versions.get("prices", ""),
        ends=ranked(Counter(episode.end for episode in run.episodes)),
        actions=action_mix(steps),
        faults=format_count(steps).faults,
        outcomes=outcome_codes(steps),
        notes=run.notes,
        signature=sign(
            scoring,
            gamma=gamma,
            resamples=resampling.resamples,
            seed=resampling.seed,
            level=resampling.level,
        ),
    )


def _not_below_zero(estimate: Estimate) -> Estimate:
    """Nobody is paid for asking, whatever the bootstrap of a few skewed costs makes possible."""
    return estimate if estimate.low is None else estimate.model_copy(update={"low": max(estimate.low, 0.0)})


def task_mean(
    tasks: Sequence[TaskResult], value: Value, span: tuple[float, float] | None, resampling: Resampling
) -> Estimate:
    """The mean over tasks of each task's mean over attempts; tasks of which no attempt has the value are left out."""
    return _mean_of([(task.cluster, task.mean(value)) for task in tasks], resampling, span)


def ofcr_rows(tasks: Iterable[TaskResult]) -> list[Row]:
    """Well-formed steps over steps, a row a task."""
    return [
        Row(task.cluster, sum(a.well_formed for a in task.attempts), sum(len(a.steps) for a in task.attempts))
        for task in tasks
    ]


def ofcr(tasks: Iterable[TaskResult], resampling: Resampling) -> Estimate:
    """OFCR over all steps of all attempts; its `n` counts steps."""
    return ratio_interval(ofcr_rows(tasks), resampling=resampling)


def repeats(tasks: Iterable[TaskResult]) -> list[dict[str, bool]]:
    """For each sample, task -> solved: the run taken apart into runs of one attempt at each task."""
    runs: dict[int, dict[str, bool]] = {}
    for task in tasks:
        for attempt in task.attempts:
            runs.setdefault(attempt.sample, {})[task.id] = attempt.solved
    return [runs[sample] for sample in sorted(runs)]


def _mean_of(
    values: Iterable[tuple[str, float | None]], resampling: Resampling, span: tuple[float, float] | None = RATE
) -> Estimate:
    known = [(cluster, value) for cluster, value in values if value is not None]
    return mean_interval(known, span=span, resampling=resampling)


def _groups(
    tasks: Sequence[TaskResult],
    name: Callable[[TaskResult], str],
    order: Sequence[str],
    gamma: float,
    resampling: Resampling,
    *,
    by_task: bool,
) -> list[Group]:
    """The groups in the order given, or else by name."""
    grouped: dict[str, list[TaskResult]] = {}
    for task in tasks:
        grouped.setdefault(name(task), []).append(task)

    def clustered(task: TaskResult) -> str:
        return task.id if by_task else task.cluster

    def mean(members: Sequence[TaskResult], value: Value) -> Estimate:
        return _mean_of([(clustered(task), task.mean(value)) for task in members], resampling)

    made = []
    for key in [key for key in order if key in grouped] or sorted(grouped):
        members = grouped[key]
        rows = [
            Row(clustered(task), row.top, row.bottom) for task, row in zip(members, ofcr_rows(members), strict=True)
        ]
        made.append(
            Group(
                name=key,
                tasks=len(members),
                sr=mean(members, lambda a: float(a.solved)),
                g=mean(members, lambda a: a.g),
                ggs=mean(members, lambda a: a.ggs(gamma)),
                ofcr=ratio_interval(rows, resampling=resampling),
            )
        )
    return made


def _pass_at_k(tasks: Sequence[TaskResult], resampling: Resampling) -> tuple[PassAtK, ...]:
    made = []
    most = max((len(task.attempts) for task in tasks), default=0)
    for k in [k for k in REPORTED if k <= most]:
        able = [task for task in tasks if len(task.attempts) >= k]
        rates = [(t.cluster, pass_at_k(len(t.attempts), sum(a.solved for a in t.attempts), k)) for t in able]
        made.append(PassAtK(k=k, rate=_mean_of(rates, resampling), left_out=len(tasks) - len(able)))
    return tuple(made)


def _noise(tasks: Sequence[TaskResult], gamma: float) -> Noise:
    def floor_of(value: Value) -> NoiseFloor | None:
        table = {task.id: {a.sample: value(a) for a in task.attempts} for task in tasks}
        return noise_floor({t: {s: v for s, v in row.items() if v is not None} for t, row in table.items()})

    return Noise(
        sr=floor_of(lambda a: float(a.solved)),
        g=floor_of(lambda a: a.g),
        ggs=floor_of(lambda a: a.ggs(gamma)),
        head_room=mean_head_room(combinations(repeats(tasks), 2)),
    )
