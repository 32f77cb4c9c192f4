"""What came of a study: tables of trials and participants, and people's scores as those of any recipient."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from guideact.errors import InputError
from guideact.guides.trial_scores import TrialScore, pearson
from guideact.metrics import GAMMA
from guideact.metrics.guide import concatenate, guide_score
from guideact.metrics.success import ggs
from guideact.outputs import refuse_taken
from guideact.stats import Estimate, Row, ratio_interval
from guideact.stats.bootstrap import RATE
from guideact.study.build import NONE
from guideact.study.folder import Question, Study
from guideact.study.state import Person, Tried, person
from guideact.study.store import Store, starts
from guideact.tasks.gold import gold_for

TRIALS, TRIALS_JSON, PEOPLE = "trials.csv", "trials.jsonl", "participants.csv"
PEOPLE_AS_RECIPIENT = "people"
_TRIAL = (
    *("participant", "position", "task", "template", "condition", "began", "ended"),
    *("seconds", "how", "success", "pages", "interrupted", "faults"),
)
_PARTICIPANT = ("participant", "state", "language", "consented", "consent_sha256")
_WHY = {"gave_up": "gave up", "time_up": "time up", "done": "said to be done"}


def people(study: Study, store: Store) -> tuple[Person, ...]:
    """Every participant of the plan, and where they stand."""
    started = starts(store.events(0))
    return tuple(
        person(number, trials, store.events(number), started)
        for number, trials in enumerate(study.settings.assignment, 1)
    )


def export(study: Study, store: Store, out: Path) -> dict[str, int]:
    """Write trials.csv, trials.jsonl and participants.csv into a new folder; how many of what.

    A row of a trial is there once it was begun. Raises InputError where the folder is taken or cannot be written.
    """
    refuse_taken(out)
    found = people(study, store)
    begun = [(each, tried) for each in found for tried in each.trials if tried.began is not None]
    rows = [_trial(study, each, tried) for each, tried in begun]
    lines = [json.dumps(_whole(study, each, tried), ensure_ascii=False) + "\n" for each, tried in begun]
    came = [each for each in found if each.place != "consent"]
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / TRIALS).write_text(_csv(_columns(_TRIAL, study.questions.after_task), rows), encoding="utf-8")
        (out / TRIALS_JSON).write_text("".join(lines), encoding="utf-8")
        columns = _columns(_PARTICIPANT, study.questions.at_end)
        (out / PEOPLE).write_text(_csv(columns, [_participant(study, each) for each in came]), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}", fix="Give another folder.") from error
    return {"trials": len(rows), "participants": len(came), "withdrawn": sum(each.withdrawn for each in came)}


def scores(study: Study, store: Store, gamma: float = GAMMA) -> list[TrialScore]:
    """People's scores, one a condition, over trials that have ended, as `score_trial` gives those of a run."""
    ended = [tried for each in people(study, store) for tried in each.trials if tried.passed is not None]
    return [
        _score(study, condition, [tried for tried in ended if tried.trial.condition == condition], gamma)
        for condition in study.settings.conditions
    ]


def _score(study: Study, condition: str, tried: Sequence[Tried], gamma: float) -> TrialScore:
    tasks = sorted({each.trial.task for each in tried})
    rate = {task: _mean([float(bool(each.passed)) for each in tried if each.trial.task == task]) for task in tasks}
    guided = [task for task in tasks if condition != NONE]
    g = {task: _g(study, task, condition) for task in guided}
    both = [(score, rate[task]) for task, score in g.items() if score is not None]
    failed = [each for each in tried if not each.passed]
    solved = {task: study.shown[task, condition].solved for task in guided}
    return TrialScore(
        run=study.folder.name,
        recipient=PEOPLE_AS_RECIPIENT,
        guides=study.settings.guides if condition != NONE else NONE,
        treatment=condition,
        tasks=len(tasks),
        success=ratio_interval(
            [
                Row(cluster=study.task(each.trial.task).template_id or each.trial.task, top=float(bool(each.passed)))
                for each in tried
            ],
            span=RATE,
        ),
        answers=Estimate(value=None),
        follow_rate=Estimate(value=None),
        ggs=_average([ggs(solved[task], score, gamma) for task, score in g.items() if score is not None]),
        ggs_measured=_average(
            [ggs(solved[each.trial.task], float(bool(each.passed)), gamma) for each in tried if guided]
        ),
        correlation=pearson([score for score, _ in both], [success for _, success in both]),
        steps=None,
        seconds=_average([each.seconds for each in tried if each.seconds is not None and not each.interrupted]),
        broke=dict(Counter(_WHY[each.how] for each in failed if each.how is not None).most_common()),
    )


def _g(study: Study, task: str, condition: str) -> float | None:
    """How like the references the guide is; None where there are none."""
    gold = gold_for(task)
    if gold is None:
        return None
    said = " ".join(step.sentence for step in study.shown[task, condition].steps)
    return guide_score(said, concatenate(gold.references)).g


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _average(values: Sequence[float]) -> float | None:
    return _mean(values) if values else None


# --- rows -----------------------------------------------------------------------------------------------------------


def _trial(study: Study, each: Person, tried: Tried) -> dict[str, Any]:
    assert tried.began is not None
    return {
        "participant": each.number,
        "position": tried.position + 1,
        "task": tried.trial.task,
        "template": study.task(tried.trial.task).template_id,
        "condition": tried.trial.condition,
        "began": tried.began.isoformat(timespec="milliseconds"),
        "ended": tried.ended.isoformat(timespec="milliseconds") if tried.ended is not None else "",
        "seconds": f"{tried.seconds:.3f}" if tried.seconds is not None else "",
        "how": tried.how or "",
        "success": int(tried.passed) if tried.passed is not None else "",
        "pages": sum(page.loaded for page in tried.pages),
        "interrupted": tried.interrupted,
        "faults": tried.faults,
        **_answers(study.questions.after_task, tried.answers),
    }


def _whole(study: Study, each: Person, tried: Tried) -> dict[str, Any]:
    row = _trial(study, each, tried)
    return {
        **{name: value for name, value in row.items() if not name.startswith("q_")},
        "seconds": tried.seconds,
        "success": tried.passed,
        "check": list(tried.parts),
        "pages": [
            {"at": page.at.isoformat(timespec="milliseconds"), "url": page.url, "loaded": page.loaded}
            for page in tried.pages
        ],
        "answers": dict(tried.answers) if tried.answers is not None else None,
    }


def _participant(study: Study, each: Person) -> dict[str, Any]:
    return {
        "participant": each.number,
        "state": {"thanks": "finished", "withdrawn": "withdrawn"}.get(each.place, "under way"),
        "language": each.language,
        "consented": each.consented.isoformat(timespec="milliseconds") if each.consented is not None else "",
        "consent_sha256": each.consent_sha256,
        **_answers(study.questions.at_end, each.answers),
    }


def _answers(asked: Sequence[Question], given: Any) -> dict[str, Any]:
    return {f"q_{question.id}": (given or {}).get(question.id, "") for question in asked}


def _columns(own: Sequence[str], asked: Sequence[Question]) -> list[str]:
    return [*own, *(f"q_{question.id}" for question in asked)]


def _csv(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> str:
    """With a header also where there is no row yet: whoever reads columns finds them."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    """A spreadsheet takes what begins so for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
