"""Our evaluators of WebArena on answers and addresses that others have stored: do they agree with the stored scores?

Only tasks that need neither a judge nor a page can be scored from what a run of OpAgent keeps.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from guideact.errors import InputError, first_fault
from guideact.gold.opagent_runs import read_runs
from guideact.tasks.checks.webarena import Eval, evaluate, passed
from guideact.types import Frozen


class Disagreement(Frozen):
    """A run that we score otherwise."""

    task_id: int
    stored: bool
    ours: bool
    reason: str
    """Why ours failed; where it passed, what it passed on."""


class Rescored(Frozen):
    """What came of a folder of runs."""

    tasks: int
    """Runs that could be scored."""
    agreements: int
    needs_judge: int
    needs_page: int
    """Runs that could not, by the first thing they lacked."""
    disagreements: tuple[Disagreement, ...]


async def rescore(folder: Path, *, strict: bool = False) -> Rescored:
    """Score the runs of a folder. Raises InputError, naming the file, for one that is no run."""
    lacking = {"judge": 0, "page": 0}
    scored, disagreements = 0, []
    for run in read_runs(folder):
        try:
            check = Eval.model_validate(run.config.eval)
        except ValidationError as error:
            raise InputError(f"{run.file}: {first_fault(error, 'configs.eval')}", fix="Fetch it anew.") from error
        if check.needs_judge or check.needs_pages:
            lacking["judge" if check.needs_judge else "page"] += 1
            continue
        url = run.actions[-1].page_url if run.actions else run.config.start_url
        parts = await evaluate(check, answer=run.answer or "", url=url, strict=strict)
        ours, stored = passed(parts) is True, run.score == 1
        scored += 1
        if ours != stored:
            passing = {"string_match": f"the answer {run.answer or ''!r}", "url_match": f"the address {url}"}
            reason = "; ".join(
                f"{passing[part.part]} satisfies {part.part}" if ours else part.reason
                for part in parts
                if ours or not part.passed
            )
            disagreements.append(Disagreement(task_id=run.config.task_id, stored=stored, ours=ours, reason=reason))
    return Rescored(
        tasks=scored,
        agreements=scored - len(disagreements),
        needs_judge=lacking["judge"],
        needs_page=lacking["page"],
        disagreements=tuple(disagreements),
    )
