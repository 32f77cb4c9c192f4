"""Does the answer say what the reference says, in the eyes of a judge?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from guideact.errors import InputError
from guideact.models.judge import Verdict
from guideact.types import CheckPart, JudgeCheck


class Judge(Protocol):
    """Whoever can compare an answer with a reference: see `guideact.models.judge.ModelJudge`."""

    async def judge(self, question: str, reference: str, note: str, answer: str) -> Verdict: ...


@dataclass(frozen=True)
class OffTheClock:
    """A judge for whom the deadline of a check stands still.

    The deadline is for sites and pages. A judge has its own, which are longer: one answer of a model that reasons can
    take minutes, and an endpoint may ask to wait before the next.
    """

    asked: Judge
    clock: asyncio.Timeout
    """The deadline, which must be running."""

    async def judge(self, question: str, reference: str, note: str, answer: str) -> Verdict:
        end = self.clock.when()
        now = asyncio.get_running_loop().time
        begun = now()
        self.clock.reschedule(None)
        try:
            return await self.asked.judge(question, reference, note, answer)
        finally:
            self.clock.reschedule(None if end is None else end + now() - begun)


async def check_judge(check: JudgeCheck, judge: Judge | None, question: str, answer: str) -> CheckPart:
    """An empty answer is wrong without asking anybody. Raises InputError without a judge: nothing is guessed."""
    if not answer.strip():
        return CheckPart(part="judge", passed=False, reason="no answer was given")
    if judge is None:
        raise InputError("this task can only be judged by a model", fix="Give the environment a judge.")
    verdict = await judge.judge(question, check.reference, check.note, answer)
    return CheckPart(part="judge", passed=verdict.correct, reason=verdict.reason)
