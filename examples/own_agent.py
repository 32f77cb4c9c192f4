"""An agent of your own against the embedded sites, without the harness: look, decide, act, and be checked.

    python examples/own_agent.py 'shopping.reorder.*'

takes the first task of that pattern, which is also the default. This agent is simple-minded on purpose: it clicks
whatever in view shares most words with the task and has not been clicked yet, and finishes with nothing when it runs
out. Replace `decide`.
"""

from __future__ import annotations

import asyncio
import re
import sys

from guideact import Action, Click, Finish, Mark, Observation, open_env
from guideact.errors import InputError
from guideact.tasks.catalogue import find

DEFAULT = "shopping.reorder.*"


def words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def decide(intent: str, seen: Observation, done: set[str]) -> tuple[Action, str]:
    """The next action, and the sentence that tells a person to do the same."""
    wanted = words(intent)
    free = [each for each in seen.candidates if each.name not in done and "disabled" not in each.states]
    best = max(free, key=lambda each: len(wanted & words(each.name)), default=None)
    if best is None or not wanted & words(best.name):
        return Finish(), "Nothing is left to do here, so stop."
    done.add(best.name)
    return Click(target=Mark(mark=best.mark)), f"Click “{best.name}”."


async def main(pattern: str) -> None:
    task = find([pattern])[0]
    print(task.intent)
    done: set[str] = set()
    async with open_env(screenshots=False) as env:
        seen = await env.reset(task)
        while True:
            action, guide = decide(task.intent, seen, done)
            result = await env.step(action)
            print(f"  {guide}" + (f"  ({result.outcome.detail})" if result.outcome else ""))
            if result.terminated or result.truncated:
                break
            seen = result.observation
        verdict = await env.check()
    print(
        "solved" if verdict.passed else "failed",
        *(part.reason for part in verdict.parts if not part.passed),
        sep="\n  ",
    )


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else DEFAULT))
    except InputError as error:
        sys.exit(str(error))
