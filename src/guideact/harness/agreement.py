"""How far a judge agrees with labels that are taken as right: a judge is believed only as far as this says.

Labels are a file of one JSON object a line. A line about a guide:

    {"id": "t1", "task": "Close the issue ...", "steps": [{"guide": "Open ...", "done": "click the link “...”",
     "page": ["link Issues", ...]}], "labels": {"unique": true, "right": true, "complete": false, ...}}

and one about an answer:

    {"id": "a1", "question": "...", "reference": "...", "answer": "...", "correct": true}

`done`, `page`, `note` and `group` may be left out, and so may any of a guide's labels. `group` names what belongs
together (a task, an author); groups are resampled for the intervals. Default: each line is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError
from rich import box
from rich.table import Table

from guideact.errors import InputError, first_fault
from guideact.jsonl import numbered_lines
from guideact.models.judge import CRITERIA, Criterion, GuideCase, GuideJudge, GuideStep, ModelJudge, TextModel
from guideact.stats import Estimate, mean_interval
from guideact.types import Frozen


class GuideLabel(Frozen):
    """A guide, and what somebody said of it."""

    id: str
    group: str = ""
    task: str
    steps: tuple[GuideStep, ...]
    labels: dict[Criterion, bool]


class AnswerLabel(Frozen):
    """An answer, and what somebody said of it."""

    id: str
    group: str = ""
    question: str
    reference: str
    note: str = ""
    answer: str
    correct: bool


class Agreement(Frozen):
    """How judge and labels go together in one question."""

    question: str
    """A criterion of guides, `good` (all of a guide's labels), or `correct`, of answers."""
    both_yes: int
    both_no: int
    only_label: int
    """Said yes to by the label alone."""
    only_judge: int
    share: Estimate
    """Of the cases, those in which both say the same."""
    kappa: float | None
    """Cohen's (1960): the share above what would be by chance, as a part of what could be; None where by chance all
    would agree, as where everything was said yes to by both."""

    @property
    def cases(self) -> int:
        return self.both_yes + self.both_no + self.only_label + self.only_judge


class Report(Frozen):
    """What came of asking a judge about labelled cases."""

    judge: str
    agreements: tuple[Agreement, ...]
    disagreements: tuple[tuple[str, str, str], ...]
    """Id, question, and the judge's reason."""


class Judges:
    """One model as a judge of guides and of answers, with the verdicts of each in a file of a folder."""

    def __init__(self, model: TextModel, folder: Path) -> None:
        self.name = model.name
        self.guides = GuideJudge(model, folder / "guides.jsonl")
        self.answers = ModelJudge(model, folder / "answers.jsonl")

    async def probe(self) -> None:
        """Raises what the model's probe does, and InputError for a damaged file of verdicts."""
        await self.guides.probe()
        self.answers.refuse_damaged()

    async def close(self) -> None:
        await self.guides.close()


def read_labels(path: Path) -> tuple[GuideLabel | AnswerLabel, ...]:
    """Read a file of labels. Raises InputError for a line that is none, naming it, and for a file without any."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", fix="Check the path.") from error
    labels = [_read(line, number, path) for number, line in numbered_lines(text)]
    if not labels:
        raise InputError(f"{path} holds no labels", fix="Write one JSON object a line.")
    seen: set[str] = set()
    for label in labels:
        if label.id in seen:
            raise InputError(f"{path}: there are two lines with the id {label.id!r}", fix="Name each line once.")
        seen.add(label.id)
    return tuple(labels)


def _read(line: str, number: int, path: Path) -> GuideLabel | AnswerLabel:
    kind: type[GuideLabel | AnswerLabel] = GuideLabel if '"steps"' in line else AnswerLabel
    try:
        label = kind.model_validate_json(line)
    except ValidationError as error:
        raise InputError(
            f"{path}, line {number}: {first_fault(error)}",
            fix="A line is a guide (id, task, steps, labels) or an answer (id, question, reference, answer, correct).",
        ) from error
    if isinstance(label, GuideLabel) and not (label.steps and label.labels):
        raise InputError(
            f"{path}, line {number}: a guide needs steps and labels", fix="Leave the line out, or fill it."
        )
    return label


async def agreement(judges: Judges, labels: Sequence[GuideLabel | AnswerLabel]) -> Report:
    """Ask the judge about every case, one after the other. Raises what the judge does where it gives no verdict."""
    pairs: dict[str, list[tuple[str, bool, bool]]] = {}
    apart: list[tuple[str, str, str]] = []
    for label in labels:
        reason, said = await _asked(judges, label)
        for question, (wanted, found) in said.items():
            pairs.setdefault(question, []).append((label.group or label.id, wanted, found))
            if wanted != found:
                apart.append((label.id, question, reason))
    order = [*CRITERIA, "good", "correct"]
    return Report(
        judge=judges.name,
        agreements=tuple(agreed(question, pairs[question]) for question in order if question in pairs),
        disagreements=tuple(apart),
    )


async def _asked(judges: Judges, label: GuideLabel | AnswerLabel) -> tuple[str, Mapping[str, tuple[bool, bool]]]:
    """The judge's reason, and for each question what the label and what the judge says."""
    if isinstance(label, AnswerLabel):
        one = await judges.answers.judge(label.question, label.reference, label.note, label.answer)
        return one.reason, {"correct": (label.correct, one.correct)}
    verdict = await judges.guides.judge(GuideCase(task=label.task, steps=label.steps))
    said: dict[str, tuple[bool, bool]] = {
        name: (wanted, bool(getattr(verdict, name))) for name, wanted in label.labels.items()
    }
    if len(label.labels) == len(CRITERIA):
        said["good"] = (all(label.labels.values()), verdict.good)
    return verdict.reason, said


def agreed(question: str, pairs: Iterable[tuple[str, bool, bool]]) -> Agreement:
    """Agreement in one question, from (group, label, judge) triples; there must be one at least."""
    rows = list(pairs)
    same = [(group, float(wanted == found)) for group, wanted, found in rows]
    yes_label = sum(wanted for _, wanted, _ in rows) / len(rows)
    yes_judge = sum(found for _, _, found in rows) / len(rows)
    by_chance = yes_label * yes_judge + (1 - yes_label) * (1 - yes_judge)
    share = mean_interval(same)
    observed = sum(value for _, value in same) / len(rows)
    return Agreement(
        question=question,
        both_yes=sum(wanted and found for _, wanted, found in rows),
        both_no=sum(not wanted and not found for _, wanted, found in rows),
        only_label=sum(wanted and not found for _, wanted, found in rows),
        only_judge=sum(found and not wanted for _, wanted, found in rows),
        share=share,
        kappa=None if by_chance > 1 - 1e-12 else (observed - by_chance) / (1 - by_chance),
    )


def agreement_table(report: Report) -> Table:
    """What `guideact judge agreement` prints."""
    table = Table(title=f"How far {report.judge} agrees with the labels", box=box.SIMPLE_HEAD, title_justify="left")
    for name in (
        "question",
        "cases",
        "agree",
        "95 % interval",
        "kappa",
        "both yes",
        "both no",
        "only label",
        "only judge",
    ):
        table.add_column(name, justify="left" if name in ("question", "95 % interval") else "right")
    for one in report.agreements:
        low, high = one.share.low, one.share.high
        table.add_row(
            one.question,
            str(one.cases),
            "-" if one.share.value is None else f"{one.share.value:.3f}",
            "-" if low is None or high is None else f"[{low:.3f}, {high:.3f}]",
            "-" if one.kappa is None else f"{one.kappa:.2f}",
            *(str(count) for count in (one.both_yes, one.both_no, one.only_label, one.only_judge)),
        )
    return table
