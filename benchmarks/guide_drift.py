"""Guides under interface drift: are breaks noticed, is there no false alarm, can they be mended?

    python benchmarks/guide_drift.py --tasks 24 --skins relabel-901 relayout-901 redesign-901

Gold guides of test tasks are made on the sites as they are, then verified and mended in skins that nobody has looked
at. Whether a guide is really broken in a skin is told by somebody else: the task's solver, which reads every skin. Its
route there, put side by side with the guide: the same acts on things of the same names, or not. Scrolling counts on
neither side, nor does that a list box of one's own is opened first.

    noticed        of the guides that are broken, those that `verify` refuses. One that passes counts as missed, even
                   where it ends well
    false alarms   of the guides that are not broken, those that it refuses; the sites as they are count as one skin
    repaired       of the guides that are broken, those whose mended form passes the task's check at its end, carried
                   out anew; the check is not asked while mending
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from guideact.browser import launch
from guideact.config import RunConfig
from guideact.env import WebEnv
from guideact.errors import GuideActError, InfrastructureError
from guideact.guides.around import fold
from guideact.guides.guide import Guide
from guideact.guides.locate import related, same_name
from guideact.guides.make import from_gold
from guideact.guides.places import EmbeddedStage, task_of
from guideact.guides.repair import repair
from guideact.guides.verify import verify
from guideact.harness.choose import choose_tasks, in_turn
from guideact.sites.server import serve
from guideact.sites.skins import parse_skin

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


async def measure(task_ids: Sequence[str], skins: Sequence[str]) -> list[Case]:
    cases: list[Case] = []
    async with serve(port=0) as server, launch() as browser:
        for number, task_id in enumerate(task_ids, 1):
            try:
                plain = WebEnv(browser, server)
                guide, pictures = await from_gold(task_id, plain)
                verdict = await verify(guide, EmbeddedStage(plain, task_of(guide)))
                await plain.close()
                cases.append(Case(task_id, "none", False, not verdict.holds, _why(verdict.problem)))
                _tell(number, len(task_ids), cases[-1])
                for skin in skins:
                    cases.append(await _case(guide, pictures, skin, server, browser))
                    _tell(number, len(task_ids), cases[-1])
            except InfrastructureError as error:
                print(f"{task_id}: left out, {error}", file=sys.stderr)
            except GuideActError as error:
                print(f"{task_id}: left out, {error}", file=sys.stderr)
    return cases


async def _case(guide: Guide, pictures: dict[str, bytes], skin: str, server: object, browser: object) -> Case:
    started = time.perf_counter()
    env = WebEnv(browser, server, skin=parse_skin(skin))  # type: ignore[arg-type]
    stage = EmbeddedStage(env, task_of(guide))
    try:
        there, _ = await from_gold(guide.task_id, env)
        broken = not same(acts_of(guide), acts_of(there))
        verdict = await verify(guide, stage)
        if not broken:
            return Case(guide.id, skin, False, not verdict.holds, _why(verdict.problem))
        mended = await repair(guide, stage, pictures.get)
        passed = mended.problem is None and (await verify(mended.guide, stage)).holds
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


def table(cases: Sequence[Case]) -> str:
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
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tasks", type=int, default=24, help="test tasks that ask for no answer, taken in turn; 0 for all"
    )
    parser.add_argument("--skins", nargs="+", default=["relabel-901", "relayout-901", "redesign-901"])
    parser.add_argument("--only", nargs="*", default=[], help="these tasks instead")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    chosen = [task for task in in_turn(choose_tasks(RunConfig())) if task.check.answer is None]
    ids = arguments.only or [task.id for task in chosen][: arguments.tasks or None]
    cases = asyncio.run(measure(ids, arguments.skins))
    print(json.dumps([asdict(case) for case in cases]) if arguments.json else table(cases))


if __name__ == "__main__":
    main()
