"""The scores of predictions: a pure function of the dataset and of the predictions, the same bytes every time.

Two means of everything: *micro*, over steps, and *macro*, over tasks of the task's mean over its steps (Mind2Web's).
Intervals resample templates. Numbers are rounded to nine digits, so that the order in which a processor adds does not
show.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from guideact import __version__
from guideact.data import Dataset
from guideact.errors import InputError
from guideact.metrics import gacs
from guideact.metrics.chrf import BETA, ORDER
from guideact.metrics.guide import DEFAULT_SCORING
from guideact.metrics.offline import RADII, VERSION
from guideact.offline.gold import Gold, read_gold
from guideact.offline.measure import NAMES, StepScore, measure
from guideact.offline.predictions import Header, Predictions
from guideact.offline.questions import source_sha256
from guideact.stats import Estimate, Resampling, Row, ratio_interval
from guideact.types import Frozen, Split

T = TypeVar("T", bound=Frozen)

DIGITS = 9
_MODULES = (
    "actions.py",
    "leaks.py",
    "metrics/chrf.py",
    "metrics/gacs.py",
    "metrics/guide.py",
    "metrics/offline.py",
    "metrics/tokens.py",
    "offline/gold.py",
    "offline/measure.py",
    "offline/predictions.py",
    "offline/score.py",
    "offline/settled.py",
    "stats/bootstrap.py",
    "tasks/checks/answer.py",
    "types.py",
)
"""What decides a score."""


class OfflineSignature(Frozen):
    """What a score depends on. Scores can be compared where all but `predictions` is equal."""

    guideact: str
    dataset: str
    """`Manifest.signature`."""
    settled: str
    """SHA-256 of the decisions about suspect labels; empty without any."""
    split: Split
    tasks: str
    """SHA-256 of the ids of the tasks asked for; empty for the whole split."""
    system_prompt: str
    prompt: str
    """Version of the prompts."""
    questions: str
    """SHA-256 of the code that put the questions."""
    scorer: str
    """SHA-256 of the code that scored."""
    metrics: str
    """Versions, choices and thresholds."""
    deterministic: str
    """Whether the predictions can be made again; their scores always can."""
    resamples: int
    seed: int
    level: float
    unicode: str

    def __str__(self) -> str:
        """On one line, hashes cut short."""
        return " ".join(
            f"{name}:{value[:12] if len(str(value)) == 64 else value}"
            for name, value in self.model_dump().items()
            if value != ""
        )


class Measure(Frozen):
    """A score over a split."""

    name: str
    micro: Estimate
    """Over steps."""
    macro: Estimate
    """Over tasks of the task's mean over its steps."""


class TaskScore(Frozen):
    """The scores of a task: means over those of its steps that each applies to."""

    task: str
    template: str
    steps: int
    scores: dict[str, float]


class StepRow(Frozen):
    """The scores of a step, and what they were made of."""

    task: str
    index: int
    template: str
    scores: dict[str, float]
    guide: str
    faults: tuple[str, ...]


class OfflineScore(Frozen):
    """All that is known of some predictions."""

    header: Header
    signature: OfflineSignature
    steps: int
    tasks: int
    clusters: int
    missing: int
    """Steps of the tasks asked for that have no prediction. They are in no score."""
    dropped: int
    """Predicted steps whose label was settled to be wrong."""
    measures: tuple[Measure, ...]
    faults: dict[str, int]
    """Kind -> steps with a fault of the kind, most frequent first."""
    by_task: tuple[TaskScore, ...]

    def measure(self, name: str) -> Measure | None:
        """A score by its name, if it applies to any step."""
        return next((each for each in self.measures if each.name == name), None)


def score(dataset: Dataset, predictions: Predictions, resampling: Resampling | None = None) -> OfflineScore:
    """Score predictions against their dataset.

    Raises InputError where they are of another dataset, of steps that it has not, or of none.
    """
    return score_with(gold_of(dataset, [predictions]), predictions, resampling)


def score_with(gold: Gold, predictions: Predictions, resampling: Resampling | None = None) -> OfflineScore:
    """`score` with a split that has been read."""
    resampling = resampling or Resampling()
    check(gold, predictions)
    steps = measure(gold, predictions)
    if not steps:
        raise InputError("there is no prediction to score", fix="Let `guideact offline predict` go on.")
    tasks = {step.task for step in steps}
    asked = tasks if predictions.header.tasks_sha256 else gold.tasks.keys()
    kinds = Counter(kind for step in steps for kind in step.faults)
    result = OfflineScore(
        header=predictions.header,
        signature=sign(gold, predictions.header, resampling),
        steps=len(steps),
        tasks=len(tasks),
        clusters=len({step.cluster for step in steps}),
        missing=sum(task in asked for task, _ in gold.texts) - len(predictions.rows),
        dropped=len(predictions.rows) - len(steps),
        measures=tuple(measures(steps, resampling)),
        faults=dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        by_task=tuple(by_task(steps)),
    )
    return rounded_as(OfflineScore, result)


def step_rows(dataset: Dataset, predictions: Predictions) -> tuple[StepRow, ...]:
    """The scores of each step, by task and index. Raises InputError as `score` does."""
    gold = gold_of(dataset, [predictions])
    check(gold, predictions)
    rows = (
        StepRow(
            task=step.task,
            index=step.index,
            template=step.cluster,
            scores=step.scores,
            guide=step.guide,
            faults=step.faults,
        )
        for step in measure(gold, predictions)
    )
    return tuple(rounded_as(StepRow, row) for row in rows)


def gold_of(dataset: Dataset, runs: Sequence[Predictions]) -> Gold:
    """The split that predictions are of. Raises InputError where they are of another dataset, or of both splits."""
    for run in runs:
        _refuse_other(dataset, run)
    splits = {run.header.split for run in runs}
    if len(splits) > 1:
        raise InputError("predictions of the train and the test split have no step in common", fix="Give one split's.")
    return read_gold(dataset, splits.pop())


def check(gold: Gold, predictions: Predictions) -> None:
    """Raises InputError where predictions are not of this dataset."""
    _refuse_other(gold.dataset, predictions)
    for row in predictions.rows:
        if row.key not in gold.texts:
            raise InputError(
                f"{', '.join(predictions.files)}: the split has no step {row.index} of {row.task}",
                fix="Delete that line.",
            )


def _refuse_other(dataset: Dataset, predictions: Predictions) -> None:
    header = predictions.header
    if header.dataset_sha256 != dataset.manifest.signature:
        raise InputError(
            f"{', '.join(predictions.files)} holds predictions for another dataset than {dataset.folder} "
            f"({header.dataset}, {header.dataset_sha256[:12]})",
            fix="Give the dataset that they were made for.",
        )


def measures(steps: Sequence[StepScore], resampling: Resampling) -> Iterable[Measure]:
    """Each score that applies to any step, micro and macro."""
    for name in NAMES:
        having = [step for step in steps if name in step.scores]
        if having:
            yield Measure(
                name=name,
                micro=ratio_interval(micro_rows(having, name), resampling=resampling),
                macro=ratio_interval(macro_rows(having, name), resampling=resampling),
            )


def micro_rows(steps: Iterable[StepScore], name: str) -> list[Row]:
    """A row a step that the score applies to."""
    return [Row(step.cluster, step.scores[name]) for step in steps if name in step.scores]


def macro_rows(steps: Iterable[StepScore], name: str) -> list[Row]:
    """A row a task: the mean over its steps that the score applies to."""
    values: dict[tuple[str, str], list[float]] = {}
    for step in steps:
        if name in step.scores:
            values.setdefault((step.cluster, step.task), []).append(step.scores[name])
    return [Row(cluster, math.fsum(own) / len(own)) for (cluster, _), own in sorted(values.items())]


def by_task(steps: Sequence[StepScore]) -> Iterable[TaskScore]:
    """The scores of each task, by id."""
    own: dict[str, list[StepScore]] = {}
    for step in steps:
        own.setdefault(step.task, []).append(step)
    for task, found in sorted(own.items()):
        scores = {}
        for name in NAMES:
            values = [step.scores[name] for step in found if name in step.scores]
            if values:
                scores[name] = math.fsum(values) / len(values)
        yield TaskScore(task=task, template=found[0].cluster, steps=len(found), scores=scores)


def sign(gold: Gold, header: Header, resampling: Resampling) -> OfflineSignature:
    """The signature of scores of predictions with this header."""
    scoring = DEFAULT_SCORING
    return OfflineSignature(
        guideact=__version__,
        dataset=gold.dataset.manifest.signature,
        settled=gold.settled.sha256,
        split=header.split,
        tasks=header.tasks_sha256,
        system_prompt=header.system_sha256,
        prompt=header.prompt_version,
        questions=header.code_sha256,
        scorer=source_sha256(_MODULES),
        metrics=(
            f"offline{VERSION},radii={'/'.join(map(str, RADII))};bleu+rouge:{scoring.tokeniser},"
            f"{'lower' if scoring.lowercase else 'case'},smooth={scoring.smoothing};"
            f"chrf:order={ORDER},beta={BETA},nfkc,lower,best;{gacs.describe()}"
        ),
        deterministic=header.deterministic,
        resamples=resampling.resamples,
        seed=resampling.seed,
        level=resampling.level,
        unicode=unicodedata.unidata_version,
    )


def rounded_as(kind: type[T], result: T) -> T:
    """A record with all its numbers to `DIGITS` digits after the point."""
    return kind.model_validate(_round(result.model_dump()))


def _round(value: object) -> object:
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if isinstance(value, dict):
        return {key: _round(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_round(each) for each in value]
    return value
