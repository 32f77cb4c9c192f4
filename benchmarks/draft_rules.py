"""How the rules for drafted guides judge sentences that are right, and sentences that are wrong on purpose.

    guideact data build demos "gitlab.issue*" reddit.vote.1 shopping.price.1 shopping.phone.1 --no-screenshots
    python benchmarks/draft_rules.py demos

Right are the first reference sentences of a dataset of embedded tasks. Wrong are, for each step with a target, the
sentence of another step of the same task (drawn at random, seed 0) whose target has another name, and the right
sentence with the target's name replaced by that of another candidate of the same role.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from guideact.data import DemoStep, open_dataset
from guideact.gold.draft import fault_of
from guideact.types import Candidate, Finish


def main(folder: Path) -> None:
    dataset = open_dataset(folder)
    intents = {task.id: task.task.intent for task in dataset.tasks()}
    by_task: dict[str, list[DemoStep]] = defaultdict(list)
    for step in dataset.steps():
        by_task[step.task_id].append(step)
    chance = random.Random(0)
    right: Counter[str] = Counter()
    wrong: dict[str, list[bool]] = {"of another step": [], "with another name": []}
    for task_id, steps in by_task.items():
        answer = next((step.action.answer for step in steps if isinstance(step.action, Finish)), "")
        for step in steps:
            if not step.guides:
                continue
            found = fault_of(step.guides[0], step, intent=intents[task_id], answer=answer)
            right[found[0] if found is not None else "let through"] += 1
            for kind, sentence in wrongs(step, steps, chance):
                wrong[kind].append(fault_of(sentence, step, intent=intents[task_id], answer=answer) is not None)
    print(f"right: {right.total()}, of them {', '.join(f'{what} {count}' for what, count in right.most_common())}")
    for kind, rejected in wrong.items():
        print(f"wrong, {kind}: {sum(rejected)} of {len(rejected)} rejected")


def wrongs(step: DemoStep, steps: list[DemoStep], chance: random.Random) -> list[tuple[str, str]]:
    """Sentences that are wrong for a step, with what is wrong."""
    target = step.target
    if target is None:
        return []
    name, found = named(target), []
    others = [each for each in steps if each.target is not None and named(each.target) != name and each.guides]
    if others:
        found.append(("of another step", chance.choice(others).guides[0]))
    alike = [each for each in step.observation.candidates if each.role == target.role and named(each) not in ("", name)]
    if name and name in step.guides[0] and alike:
        found.append(("with another name", step.guides[0].replace(name, named(chance.choice(alike)))))
    return found


def named(candidate: Candidate) -> str:
    return candidate.name or candidate.text or candidate.placeholder


if __name__ == "__main__":
    main(Path(sys.argv[1]))
