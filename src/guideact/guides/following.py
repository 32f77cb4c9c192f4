"""One guide followed on its site, by the literal follower or a model, with every step told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from guideact.browser.draw import draw_marks
from guideact.config import RunConfig
from guideact.guides.guide import Guide
from guideact.guides.literal.follow import Follower, Line
from guideact.guides.places import open_stage
from guideact.guides.stage import Stage
from guideact.guides.trials import TrialGuide, told_as_task
from guideact.harness.agent import agents_for
from guideact.harness.memory import describe
from guideact.sites.skins import Skin
from guideact.types import Finish, Outcome, Step, Task

MOST = 3
"""Acts a step of the guide that a follower may make, on average."""


@dataclass(frozen=True)
class Followed:
    """What came of following a guide."""

    broke: str
    """Where and why it broke; "" where it was followed to its end."""
    passed: bool | None
    """The verdict of the task's check; None where there is none, or it asks for an answer."""
    reason: str = ""


def lines_of(guide: Guide) -> tuple[Line, ...]:
    """A guide as its reader has it: sentences, and beside them what is typed or chosen."""
    return tuple(
        Line(sentence=step.sentence, enter=step.value if step.verb in ("type", "select") else "")
        for step in guide.steps
    )


async def follow_guide(
    guide: Guide,
    config: RunConfig,
    *,
    literal: bool,
    secrets: Mapping[str, str],
    skin: Skin | None,
    allow: Sequence[str],
    tell: Callable[[str], None],
) -> Followed:
    """Follow it from its start, with the literal follower or the model of `config`; `tell` is given a line a step."""
    async with open_stage(guide, skin=skin, allow=allow, screenshots=not literal) as stage:
        if literal:
            broke = await _literally(guide, stage, secrets, tell)
        else:
            broke = await _by_model(guide, stage, config, tell)
        verdict = await stage.check()
    if verdict is None:
        return Followed(broke, None)
    wanted = [part for part in verdict.parts if part.part != "answer"]
    failed = "; ".join(part.reason for part in wanted if not part.passed)
    return Followed(broke, not failed if wanted else None, failed)


async def _literally(guide: Guide, stage: Stage, secrets: Mapping[str, str], tell: Callable[[str], None]) -> str:
    follower = Follower(lines_of(guide), secrets)
    seen, outcome = await stage.begin(), None
    for _ in range(MOST * len(guide.steps) + 20):
        move = follower.next(seen, outcome)
        number = min(move.line + 1, len(guide.steps))
        if move.why:
            return f"step {number}, “{guide.steps[number - 1].sentence}”: {move.why}"
        if isinstance(move.action, Finish):
            return ""
        tell(f"{number:3} {'looks: ' if move.looking else ''}{describe(move.action, move.target)}")
        done = await stage.do(move.action)
        seen, outcome = done.seen, done.outcome
        if outcome is not None:
            tell(f"    {outcome.detail}")
    return "it comes to no end"


async def _by_model(guide: Guide, stage: Stage, config: RunConfig, tell: Callable[[str], None]) -> str:
    told = told_as_task(TrialGuide(lines_of(guide), ()))
    most = MOST * len(guide.steps)
    task = Task(id=guide.id, intent=told, sites=("web",), start_url=guide.start_url, source="web", max_steps=most)
    agents = agents_for(config, (task,))
    try:
        await agents.probe()
        agent = agents.agent(task, 0)
        seen = await stage.begin()
        for index in range(most):
            shot = seen.screenshot
            image = draw_marks(shot.png, seen.candidates, seen.viewport) if shot is not None else None
            decision = await agent.decide(seen, image, index)
            action = decision.answer.action
            if isinstance(action, Finish):
                return ""
            target = stage.target_of(action) if action is not None else None
            outcome: Outcome | None = None
            before = seen
            if action is not None:
                tell(f"{index + 1:3} {describe(action, target)}")
                done = await stage.do(action)
                seen, outcome = done.seen, done.outcome
            step = Step(
                index=index,
                url=before.url,
                title=before.title,
                action=action,
                guide=decision.answer.guide,
                target=target,
                outcome=outcome,
            )
            agent.remember(step, before)
        return f"it did not finish within {most} steps"
    finally:
        await agents.close()
