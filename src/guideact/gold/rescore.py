"""Our evaluators of WebArena on answers and addresses that others have stored: do they agree with the stored scores?

Only tasks that need neither a judge nor a page can be scored from what a run of OpAgent keeps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from guideact.errors import InputError
from guideact.gold.opagent import only, records_of, runs_in, unwrapped
from guideact.tasks.checks.webarena import Eval, evaluate, passed
from guideact.types import Frozen


class Disagreement(Frozen):
    """A run that we score otherwise."""

    task_id: int
    stored: bool
    ours: bool
    reason: str
    """Why ours failed; empty where it passed."""


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
    for run in runs_in(folder):
        path = run / "trajectory.json"
        records = records_of(path)
        config = only(records, "configs", path)
        try:
            check = Eval.model_validate(config["eval"])
        except ValidationError as error:
            first = error.errors()[0]
            raise InputError(
                f"{path}: configs.eval.{'.'.join(map(str, first['loc']))}: {first['msg']}", fix="Fetch it anew."
            ) from error
        if check.needs_judge or check.needs_pages:
            lacking["judge" if check.needs_judge else "page"] += 1
            continue
        answer, url = _ending(records, config)
        parts = await evaluate(check, answer=answer, url=url, strict=strict)
        ours, stored = passed(parts) is True, only(records, "score", path) == 1
        scored += 1
        if ours != stored:
            reason = "; ".join(part.reason for part in parts if not part.passed)
            disagreements.append(Disagreement(task_id=config["task_id"], stored=stored, ours=ours, reason=reason))
    return Rescored(
        tasks=scored,
        agreements=scored - len(disagreements),
        needs_judge=lacking["judge"],
        needs_page=lacking["page"],
        disagreements=tuple(disagreements),
    )


def _ending(records: list[dict[str, Any]], config: dict[str, Any]) -> tuple[str, str]:
    """The answer that was given ("" for none) and the last address."""
    answer = next((unwrapped(one["generated_final_answer"]) for one in records if "generated_final_answer" in one), "")
    pages = [one["page_url"] for one in records if one.get("type") == "action"]
    return answer, pages[-1] if pages else config["start_url"]
