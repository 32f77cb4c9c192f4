"""Does the answer say what the reference says, in the eyes of a judge?"""

from __future__ import annotations

from typing import Protocol

from guideact.errors import InputError
from guideact.models.judge import Verdict
from guideact.types import CheckPart, JudgeCheck


class Judge(Protocol):
    """Whoever can compare an answer with a reference: see `guideact.models.judge.ModelJudge`."""

    async def judge(self, question: str, reference: str, note: str, answer: str) -> Verdict: ...


async def check_judge(check: JudgeCheck, judge: Judge | None, question: str, answer: str) -> CheckPart:
    """An empty answer is wrong without asking anybody. Raises InputError without a judge: nothing is guessed."""
    if not answer.strip():
        return CheckPart(part="judge", passed=False, reason="no answer was given")
    if judge is None:
        raise InputError("this task can only be judged by a model", fix="Give the environment a judge.")
    verdict = await judge.judge(question, check.reference, check.note, answer)
    return CheckPart(part="judge", passed=verdict.correct, reason=verdict.reason)
