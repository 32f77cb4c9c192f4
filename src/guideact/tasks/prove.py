"""Is a task sound? Its gold must pass, and everything close to it must fail.

    proof = await prove("shopping.order_total.1", env, browser=browser, server=server)
    print(proof.passed, *proof.lines(), sep="\\n")

All trials act through `env.step`, as agents do. What gold passes on its way is judged there, and not gone to again:

| trial                          | verdict | how                                                                      |
|--------------------------------|---------|--------------------------------------------------------------------------|
| gold                           | passes  | the template's solver                                                    |
| an unrelated change            | fails   | gold's end, and a deed of `tasks/disturb.py` through other pages         |
| gold by points                 | passes  | the same with every target named by a pixel                              |
| second route                   | passes  | the template's other solver, where it has one                            |
| nothing done                   | fails   | where gold begins, without an answer                                     |
| wrong entity                   | fails   | the solver with another task's params, or those of `wrong_entity`        |
| wrong value                    | fails   | the solver with the params of `wrong_value`, where the template has one  |
| without its last change        | fails   | the data where gold stands before the last step that changed any         |
| without getting there          | fails   | the address before the last step that changed it (tasks with a url)      |
| a change near gold's           | fails   | the rows that gold changed, but for one of them (`near_changes.py`)      |
| answer ...                     | fails   | gold with the answer left out, off by a little, hedged or negated        |

A mutant that changes nothing where something is to be changed proves nothing, nor does one with a step that failed.

A proof also looks at the gold guide (`references.py`), and refuses gold steps with an outcome (covered, disabled, ...).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from guideact.browser import Browser
from guideact.errors import GuideActError
from guideact.sites.server import SiteServer
from guideact.sites.skins import Skin
from guideact.tasks.catalogue import Entry, database, entry, instantiate
from guideact.tasks.checks.answer import check_answer, near_misses
from guideact.tasks.checks.state import check_states, counts, describe
from guideact.tasks.checks.url import check_url
from guideact.tasks.disturb import NothingDisturbed, disturb, disturbance_for
from guideact.tasks.near_changes import near_changes
from guideact.tasks.references import reference_faults
from guideact.tasks.solve import Act, Page, Solution, Solver, SolverStuck, to_grounding
from guideact.tasks.template import Params
from guideact.types import (
    Action,
    CheckPart,
    CheckResult,
    Finish,
    Grounding,
    Mark,
    Observation,
    Outcome,
    RowChange,
    Task,
)


class StepResult(Protocol):
    """What `Environment.step` returns."""

    @property
    def observation(self) -> Observation: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def changes(self) -> tuple[RowChange, ...]: ...
    @property
    def truncated(self) -> bool: ...


class Environment(Protocol):
    """The part of `guideact.env.WebEnv` that proofs and recordings drive."""

    @property
    def skin(self) -> Skin | None: ...

    async def reset(self, task: Task) -> Observation: ...
    async def step(self, action: Action | None) -> StepResult: ...
    async def check(self) -> CheckResult: ...
    def changes(self) -> tuple[RowChange, ...]: ...


@dataclass(frozen=True)
class Done:
    """One step of a walk."""

    act: Act
    seen: Observation
    """What the step was decided on."""
    outcome: Outcome | None
    changes: tuple[RowChange, ...]
    url: str
    """Where the step led to."""
    before: tuple[RowChange, ...]
    """All changes of the walk before the step."""

    def line(self) -> str:
        """The step in one line, for a trace."""
        action = self.act.action
        said: str = action.verb
        target = getattr(action, "target", None)
        if isinstance(target, Mark) and (candidate := self.seen.candidate(target.mark)) is not None:
            said += f" {candidate.role} {candidate.name or candidate.text!r}"
        said += "".join(f" {getattr(action, name)!r}" for name in ("text", "option", "answer") if hasattr(action, name))
        trouble = f"  [{self.outcome.code}: {self.outcome.detail}]" if self.outcome else ""
        changed = "".join(f"\n      {describe(change)}" for change in self.changes if counts(change))
        return f"{said} at {self.seen.url}{trouble}{changed}"


@dataclass(frozen=True)
class Walk:
    """A solver's way through a task and the verdict at its end."""

    steps: tuple[Done, ...]
    verdict: CheckResult

    @property
    def answer(self) -> str:
        last = self.steps[-1].act.action
        return last.answer if isinstance(last, Finish) else ""


@dataclass(frozen=True)
class Trial:
    """One attempt of a proof. `ok` says whether the verdict was the one it must be."""

    name: str
    must_pass: bool
    ok: bool
    reason: str
    """Why the check failed, or what kept the trial from being made."""
    trace: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proof:
    """The outcome of proving one task."""

    task_id: str
    trials: tuple[Trial, ...]
    faults: tuple[str, ...]
    """What is wrong with the gold guide."""
    gold_steps: int

    @property
    def passed(self) -> bool:
        return not self.faults and all(trial.ok for trial in self.trials)

    def lines(self) -> list[str]:
        """The proof for a reader: one line a trial, a trace under each that did not go as it must."""
        out = [f"{self.task_id}: {'proved' if self.passed else 'NOT PROVED'} ({self.gold_steps} gold steps)"]
        for trial in self.trials:
            mark, wanted = "ok " if trial.ok else "BAD", "pass" if trial.must_pass else "fail"
            out.append(f"  {mark} {trial.name}: must {wanted}; {trial.reason}")
            if not trial.ok:
                out.extend(f"      {number}. {line}" for number, line in enumerate(trial.trace, 1))
        out.extend(f"  BAD gold guide, {fault}" for fault in self.faults)
        return out


class Unmade(GuideActError):
    """A trial could not be carried out, which proves nothing."""

    def __init__(self, reason: str, steps: list[Done]) -> None:
        super().__init__(reason)
        self.steps = steps


async def walk(
    env: Environment,
    task: Task,
    solve: Callable[[Page], Solver],
    *,
    grounding: Grounding = "som",
) -> Walk:
    """Do a task with a solver.

    Raises `Unmade` (with the steps so far) where the solver is stuck or the budget is spent before it finishes.
    """
    observation = await env.reset(task)
    solution = Solution(task.id, solve, env.skin)
    done: list[Done] = []
    while True:
        try:
            act = solution.next(observation)
        except SolverStuck as stuck:
            raise Unmade(str(stuck), done) from stuck
        if act is None:
            raise Unmade("the solver ended without page.finish", done)
        before = env.changes()
        result = await env.step(to_grounding(act.action, observation, grounding))
        done.append(Done(act, observation, result.outcome, result.changes, result.observation.url, before))
        observation = result.observation
        if isinstance(act.action, Finish):
            return Walk(tuple(done), await env.check())
        if result.truncated:
            raise Unmade(f"the budget of {task.max_steps} steps was spent", done)


def _failed_parts(verdict: CheckResult) -> str:
    return "; ".join(f"{part.part}: {part.reason}" for part in verdict.parts if not part.passed) or "the check passed"


def other_entity(entry: Entry) -> Params | None:
    """The params of the wrong object: the template's own, or those of its next task that wants something else."""
    if entry.template.wrong_entity is not None:
        return entry.template.wrong_entity(database(*entry.task.sites), entry.params)
    other = _other_task(entry)
    return None if other is None else other.params


def _siblings(entry: Entry) -> tuple[Entry, ...]:
    """The other tasks of the template, those after this one first."""
    whole = instantiate(entry.template)
    at = next(index for index, sibling in enumerate(whole) if sibling.task.id == entry.task.id)
    return (*whole[at + 1 :], *whole[:at])


def _other_task(entry: Entry) -> Entry | None:
    """The next task of the template that wants something else."""
    return next((sibling for sibling in _siblings(entry) if sibling.task.check != entry.task.check), None)


def _why_no_other(entry: Entry) -> str:
    """Why no task of the template can be done as the wrong one."""
    tried = " and ".join(sibling.task.id for sibling in _siblings(entry))
    if not tried:
        return "the template has no other task to do instead; give it a second one, or a wrong_entity"
    answer = entry.task.check.answer
    same = f"the answer {', '.join(map(repr, answer.expected))}" if answer is not None else "the same end state"
    return (
        f"cannot be tried with {tried}, where {same} is right as well; "
        "choose params whose tasks differ in what is right, or give the template a wrong_entity"
    )


class _Prover:
    """The trials of one task, made one after the other."""

    def __init__(self, entry: Entry, env: Environment, browser: Browser, server: SiteServer, instance: int) -> None:
        self.entry = entry
        self.task, self.template, self.params = entry.task, entry.template, entry.params
        self.env, self.browser, self.server, self.instance = env, browser, server, instance
        self.trials: list[Trial] = []

    def gold(self, page: Page) -> Solver:
        return self.template.solve(page, self.params)

    async def trial(
        self,
        name: str,
        must_pass: bool,
        solve: Callable[[Page], Solver],
        *,
        task: Task | None = None,
        grounding: Grounding = "som",
    ) -> Walk | None:
        try:
            walked = await walk(self.env, task or self.task, solve, grounding=grounding)
        except Unmade as unmade:
            trace = tuple(step.line() for step in unmade.steps)
            self.trials.append(Trial(name, must_pass, False, f"could not be made: {unmade}", trace))
            return None
        trace = tuple(step.line() for step in walked.steps)
        reason, ok = _failed_parts(walked.verdict), walked.verdict.passed == must_pass
        if troubled := [step for step in walked.steps if step.outcome is not None]:
            reason, ok = f"a step did not do what it says: {troubled[0].line()}", False
        self.trials.append(Trial(name, must_pass, ok, reason, trace))
        return walked

    async def mutant(self, name: str, params: Params) -> None:
        """The solver with other params, from where a task of those params would start, judged by this task's check."""
        start = self.template.fill(self.template.start, params)
        task = self.task.model_copy(update={"start_url": start, "max_steps": self.task.max_steps + 15})
        walked = await self.trial(name, False, lambda page: self.template.solve(page, params), task=task)
        if walked is None or not any(state.required for state in self.task.check.state):
            return
        if not any(counts(change) for step in walked.steps for change in step.changes):
            idle = replace(self.trials[-1], ok=False, reason="it changed nothing, which proves nothing")
            self.trials[-1] = idle

    async def prove(self) -> Proof:
        gold = await self.trial("gold", True, self.gold)
        if gold is None:
            return Proof(self.task.id, tuple(self.trials), (), 0)
        changes = self.env.changes()
        await self.besides()
        faults = reference_faults(self.task, [(step.act, step.seen) for step in gold.steps])
        await self.trial("gold by points", True, self.gold, grounding="coord")
        second = self.template.second_route
        if second is not None:
            await self.trial("second route", True, lambda page: second(page, self.params))
        self.nothing_done(gold)
        await self.wrong_entity()
        if self.template.wrong_value is not None:
            wrong = self.template.wrong_value(database(*self.task.sites), self.params)
            await self.mutant("wrong value", wrong)
        self.leave_out(gold)
        self.near_changes(changes)
        self.answers(gold)
        return Proof(self.task.id, tuple(self.trials), faults, len(gold.steps))

    def verdict(self, name: str, parts: Iterable[CheckPart], trace: Sequence[Done] = ()) -> None:
        """Put down what a check says of a mutant, which must fail in one of these parts."""
        found = tuple(parts)
        verdict = CheckResult(passed=all(part.passed for part in found), parts=found)
        self.trials.append(
            Trial(name, False, not verdict.passed, _failed_parts(verdict), tuple(step.line() for step in trace))
        )

    async def besides(self) -> None:
        """Where gold has ended, something else is done too."""
        disturbance = disturbance_for(self.task)
        name = f"an unrelated change ({disturbance.name})"
        try:
            await disturb(disturbance, self.task, self.browser, self.server, self.instance)
        except (SolverStuck, NothingDisturbed) as error:
            self.trials.append(Trial(name, False, False, f"could not be made: {error}"))
            return
        self.verdict(name, check_states(self.task.check.state, self.env.changes()))

    def nothing_done(self, gold: Walk) -> None:
        check, first = self.task.check, gold.steps[0]
        parts = [] if check.answer is None else [check_answer(check.answer, "")]
        if check.judge is not None:
            parts.append(CheckPart(part="judge", passed=False, reason="no answer was given"))
        if check.url is not None:
            parts.append(check_url(check.url, first.seen.url))
        self.verdict("nothing done", (*parts, *check_states(check.state, first.before)))

    async def wrong_entity(self) -> None:
        params, other = other_entity(self.entry), _other_task(self.entry)
        if params is None:
            self.trials.append(Trial("wrong entity", False, False, _why_no_other(self.entry)))
        elif self.template.wrong_entity is not None or other is None:
            await self.mutant("wrong entity", params)
        else:
            await self.mutant(f"wrong entity (that of {other.task.id})", params)

    def leave_out(self, gold: Walk) -> None:
        changing = [at for at, step in enumerate(gold.steps) if any(counts(change) for change in step.changes)]
        if any(state.required for state in self.task.check.state):
            if changing:
                last = changing[-1]
                parts = check_states(self.task.check.state, gold.steps[last].before)
                self.verdict("without its last change", parts, gold.steps[:last])
            else:
                self.trials.append(Trial("without its last change", False, False, "no gold step changed anything"))
        if self.task.check.url is not None:
            moving = [at for at, step in enumerate(gold.steps) if step.url != step.seen.url]
            if moving:
                last = moving[-1]
                parts = (check_url(self.task.check.url, gold.steps[last].seen.url),)
                self.verdict("without getting there", parts, gold.steps[:last])
            else:
                self.trials.append(Trial("without getting there", False, False, "no gold step changed the address"))

    def near_changes(self, changes: Sequence[RowChange]) -> None:
        """What gold changed, with one row another. The rest of its verdict is known to pass and not asked about."""
        for near in near_changes(self.task, changes):
            reason = near.reason(self.task)
            self.trials.append(Trial(near.name, False, bool(reason), reason or "the check passed"))

    def answers(self, gold: Walk) -> None:
        """Wrong answers at gold's end. The rest of its verdict is known to pass, so the answer alone is asked about."""
        check = self.task.check.answer
        if check is None:
            return
        for wrong in ("", *near_misses(check)):
            verdict = check_answer(check, wrong)
            name = f"answer {wrong!r}" if wrong else "answer left out"
            self.trials.append(Trial(name, False, not verdict.passed, verdict.reason or "the check passed"))


async def prove(task_id: str, env: Environment, *, browser: Browser, server: SiteServer, instance: int = 0) -> Proof:
    """Prove one embedded task. `env` must run on that instance of the server; it is left after a finished episode.

    Takes about ten episodes. Raises InputError for an unknown id, InfrastructureError where a browser or site breaks.
    """
    return await prove_entry(entry(task_id), env, browser=browser, server=server, instance=instance)


async def prove_entry(
    entry: Entry, env: Environment, *, browser: Browser, server: SiteServer, instance: int = 0
) -> Proof:
    """`prove` for a task that need not be in the catalogue: one of a template that is still being written."""
    return await _Prover(entry, env, browser, server, instance).prove()
