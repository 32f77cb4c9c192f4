"""Guides under interface drift: are breaks noticed, is there no false alarm, can they be mended?

    python -m benchmarks.guide_drift --tasks 24 --skins relabel-901 relayout-901 redesign-901
    python -m benchmarks.guide_drift --tasks 0 --in-turn --out drift.jsonl       # all, each in one skin: hours

Gold guides of test tasks are made on the sites as they are, then verified and mended in skins that nobody has looked
at. Whether a guide is really broken in a skin is told by somebody else: the task's solver, which reads every skin. Its
route there, put side by side with the guide: the same acts on things of the same names, or not. Scrolling counts on
neither side, nor does that a list box of one's own is opened first.

    noticed        of the guides that are broken, those that `verify` refuses. One that passes counts as missed, even
                   where it ends well
    false alarms   of the guides that are not broken, those that it refuses; the sites as they are count as one skin
    repaired       of the guides that are broken, those whose mended form passes the task's check at its end, carried
                   out anew; the check is not asked while mending

With `--out` the same command goes on where it was killed. The file begins with a line of its settings, the code among
them, and has a line for each task after that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from guideact.browser import Browser, launch
from guideact.config import RunConfig
from guideact.env import WebEnv
from guideact.errors import GuideActError, InfrastructureError, InputError
from guideact.guides.around import fold
from guideact.guides.guide import Guide
from guideact.guides.locate import related, same_name
from guideact.guides.make import from_gold
from guideact.guides.places import EmbeddedStage, task_of
from guideact.guides.repair import repair
from guideact.guides.verify import verify
from guideact.harness.choose import choose_tasks, in_turn
from guideact.harness.remote import code_sha256
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import parse_skin
from guideact.tasks.gold import shipped

Acts = list[tuple[str, str, str, str]]
"""Verb, role, name and value of each act."""


@dataclass(frozen=True)
class Case:
    """A guide in a skin."""

    task: str
    skin: str
    broken: bool
    refused: bool
    """By `verify`."""
    reason: str = ""
    repaired: bool | None = None
    """None where nothing had to be."""
    replays: int = 0
    seconds: float = 0


@dataclass(frozen=True)
class Tried:
    """A task, and its guide in each of its skins as far as that came."""

    task: str
    cases: tuple[Case, ...]
    left_out: str = ""
    """Why no more is known: the task's own solver failed."""


Plan = dict[str, tuple[str, ...]]
"""The tasks, each with its skins."""


def acts_of(guide: Guide) -> Acts:
    """What a guide does, with opening a list box and choosing in it as one act."""
    found: Acts = []
    for step in guide.steps:
        if step.verb in ("scroll", "finish"):
            continue
        target = step.target
        act = (step.verb, target.role if target else "", (target.name or target.text) if target else "", step.value)
        if (
            found
            and act[0] == "click"
            and act[1] == "option"
            and found[-1][0] == "click"
            and found[-1][1] == "combobox"
        ):
            found[-1] = ("select", "combobox", found[-1][2], act[2])
        else:
            found.append(act)
    return found


def same(one: Acts, other: Acts) -> bool:
    """Whether two routes do the same to things of the same names."""
    return len(one) == len(other) and all(
        a[0] == b[0] and related(a[1], b[1]) and (same_name(a[2], b[2]) or a[2] == b[2]) and fold(a[3]) == fold(b[3])
        for a, b in zip(one, other, strict=True)
    )


async def measure(plan: Plan, file: Path | None) -> list[Tried]:
    """Try each task in its skins. What `file` holds of it is not done again, and what is done is appended to it."""
    done = read(file, plan) if file is not None else []
    known = {tried.task for tried in done}
    async with serve(port=0) as server, launch() as browser:
        for number, (task_id, skins) in enumerate(plan.items(), 1):
            if task_id in known:
                continue
            try:
                tried = await _try(task_id, skins, server, browser)
            except InfrastructureError as error:
                print(f"{task_id}: not tried, {error}", file=sys.stderr)
                continue
            done.append(tried)
            if file is not None:
                with file.open("a") as lines:
                    lines.write(json.dumps(asdict(tried)) + "\n")
            for case in tried.cases:
                _tell(number, len(plan), case)
            if tried.left_out:
                print(f"{number}/{len(plan)} {task_id}: left out, {tried.left_out}", file=sys.stderr)
    return done


async def _try(task_id: str, skins: Sequence[str], server: SiteServer, browser: Browser) -> Tried:
    cases: list[Case] = []
    plain = WebEnv(browser, server)
    try:
        guide, pictures = await from_gold(task_id, plain)
        verdict = await verify(guide, EmbeddedStage(plain, task_of(guide)), secrets_of(guide))
        cases.append(Case(task_id, "none", False, not verdict.holds, _why(verdict.problem)))
        for skin in skins:
            cases.append(await _case(guide, pictures, skin, server, browser))
    except InfrastructureError:
        raise
    except GuideActError as error:
        return Tried(task_id, tuple(cases), str(error))
    finally:
        await plain.close()
    return Tried(task_id, tuple(cases))


def read(file: Path, plan: Plan) -> list[Tried]:
    """What a file holds of a plan, begun where there is none; a last line that a kill has torn is cut off.

    Raises InputError where it was begun with other settings or other code.
    """
    settings = json.dumps({"plan": plan, "code": code_sha256()}) + "\n"
    whole, _, torn = file.read_text().rpartition("\n") if file.exists() else ("", "", "")
    if not whole:
        file.write_text(settings)
        return []
    first, *lines = whole.split("\n")
    if first + "\n" != settings:
        raise InputError(f"{file} was begun with other tasks, skins or code", fix="Give another --out.")
    if torn:
        file.write_text(whole + "\n")
    found = [json.loads(line) for line in lines]
    return [Tried(one["task"], tuple(Case(**case) for case in one["cases"]), one["left_out"]) for one in found]


def secrets_of(guide: Guide) -> dict[str, str]:
    """The passwords that a guide types and does not hold, from the recorded gold of its task, step by step the same."""
    gold = shipped()[guide.task_id].steps
    return {step.secret: old.value for step, old in zip(guide.steps, gold, strict=True) if step.secret}


async def _case(guide: Guide, pictures: dict[str, bytes], skin: str, server: SiteServer, browser: Browser) -> Case:
    started = time.perf_counter()
    env = WebEnv(browser, server, skin=parse_skin(skin))
    stage = EmbeddedStage(env, task_of(guide))
    secrets = secrets_of(guide)
    try:
        there, _ = await from_gold(guide.task_id, env)
        broken = not same(acts_of(guide), acts_of(there))
        verdict = await verify(guide, stage, secrets)
        if not broken:
            return Case(guide.id, skin, False, not verdict.holds, _why(verdict.problem))
        mended = await repair(guide, stage, pictures.get, secrets)
        passed = mended.problem is None and (await verify(mended.guide, stage, secrets)).holds
        reason = _why(verdict.problem if passed else mended.problem)
        spent = time.perf_counter() - started
        return Case(guide.id, skin, True, not verdict.holds, reason, passed, mended.replays, spent)
    finally:
        await env.close()


def _why(problem: object) -> str:
    step, message = getattr(problem, "step", None), getattr(problem, "message", "")
    return "" if step is None else f"step {step + 1}: {message}"


def _tell(number: int, of: int, case: Case) -> None:
    word = "broken" if case.broken else "holds"
    said = "refused" if case.refused else "passed"
    end = "" if case.repaired is None else ", mended" if case.repaired else ", NOT mended"
    print(f"{number}/{of} {case.task} {case.skin}: {word}, {said}{end} {case.reason}", file=sys.stderr)


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({part / whole:.1%})" if whole else "–"


def table(tried: Sequence[Tried]) -> str:
    cases = [case for each in tried for case in each.cases]
    kinds = list(dict.fromkeys(case.skin.partition("-")[0] for case in cases))
    lines = ["| skin | guides | broken | noticed | false alarms | repaired |", "|---|---|---|---|---|---|"]
    for kind in (*kinds, "all"):
        some = [case for case in cases if kind in ("all", case.skin.partition("-")[0])]
        broken = [case for case in some if case.broken]
        sound = [case for case in some if not case.broken]
        lines.append(
            f"| {kind} | {len(some)} | {len(broken)} | {share(sum(c.refused for c in broken), len(broken))} "
            f"| {share(sum(c.refused for c in sound), len(sound))} "
            f"| {share(sum(bool(c.repaired) for c in broken), len(broken))} |"
        )
    lines += [f"left out: {each.task}, {each.left_out}" for each in tried if each.left_out]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tasks", type=int, default=24, help="test tasks that ask for no answer, taken in turn; 0 for all"
    )
    parser.add_argument("--skins", nargs="+", default=["relabel-901", "relayout-901", "redesign-901"])
    parser.add_argument("--in-turn", action="store_true", help="each guide in one of the skins, taken in turn")
    parser.add_argument("--only", nargs="*", default=[], help="of these, only these tasks")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="a file of JSON lines; an unfinished one is gone on with"
    )
    arguments = parser.parse_args()
    chosen = [task.id for task in in_turn(choose_tasks(RunConfig())) if task.check.answer is None]
    skins = tuple(arguments.skins)
    plan = {
        task_id: (skins[number % len(skins)],) if arguments.in_turn else skins
        for number, task_id in enumerate(chosen[: arguments.tasks or None])
        if not arguments.only or task_id in arguments.only
    }
    if missing := set(arguments.only) - set(plan):
        parser.error(f"{', '.join(sorted(missing))}: not among the tasks that are tried")
    try:
        tried = asyncio.run(measure(plan, arguments.out))
    except InputError as error:
        parser.error(str(error))
    print(table(tried))


if __name__ == "__main__":
    main()
