"""One step without a model on an embedded site: execute, settle, observe, and compare the site's data.

A walk over the storefront through `WebEnv.step`, the way of every agent: a search, a choice from a list, scrolling, a
product, going back. Each verb is timed apart; the budget is on the median of all steps of the walk.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable

from benchmarks.bench import Bench, arguments
from guideact.env import WebEnv, open_env
from guideact.types import Action, Candidate, Click, GoBack, Mark, Observation, PressEnter, Scroll, Select, Task, Type

TASK = Task(
    id="benchmark.walk", intent="Look around.", sites=("shopping",), start_url="__SHOPPING__/", max_steps=1_000_000
)
Choose = Callable[[Observation], Action]


def _first(seen: Observation, wanted: Callable[[Candidate], bool]) -> Mark:
    for candidate in seen.candidates:
        if wanted(candidate) and "disabled" not in candidate.states:
            return Mark(mark=candidate.mark)
    raise LookupError(f"{seen.url} shows nothing of that kind in view")


def _search(seen: Observation) -> Mark:
    return _first(seen, lambda c: c.role in ("searchbox", "combobox", "textbox") and c.box.y < 220)


def _card(seen: Observation) -> Action:
    """The first link below the page's head: a product of a list."""
    return Click(target=_first(seen, lambda c: c.role == "link" and c.box.y > 300 and c.box.x > 320))


def _native(seen: Observation) -> Action:
    """The second choice of the first native list."""
    target = _first(seen, lambda c: len(c.options) > 1)
    chosen = seen.candidates[target.mark - 1]
    return Select(target=target, option=chosen.options[1])


WALK: tuple[tuple[str, Choose], ...] = (
    ("type", lambda seen: Type(target=_search(seen), text="mug")),
    ("press_enter", lambda seen: PressEnter()),
    ("select", _native),
    ("scroll", lambda seen: Scroll(direction="down")),
    ("scroll", lambda seen: Scroll(direction="up")),
    ("click", _card),
    ("scroll", lambda seen: Scroll(direction="down")),
    ("go_back", lambda seen: GoBack()),
)
"""The verb, and how its target is found in what is seen."""


async def walk(env: WebEnv, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each step, by verb."""
    times: dict[str, list[float]] = defaultdict(list)
    for number in range(rounds + 1):
        seen = await env.reset(TASK)
        for verb, choose in WALK:
            action = choose(seen)
            start = time.perf_counter()
            result = await env.step(action)
            spent = (time.perf_counter() - start) * 1000
            if result.outcome is not None:
                raise RuntimeError(f"{verb} at {seen.url}: {result.outcome.detail}")
            seen = result.observation
            if number:  # the first round warms the browser up
                times[verb].append(spent)
    return times


async def measure(rounds: int, bench: Bench) -> None:
    async with open_env(screenshots=True) as env:
        times = await walk(env, rounds)
    for verb, values in times.items():
        bench.sample(verb, "ms", values)
    whole = bench.sample("all steps of the walk", "ms", [value for values in times.values() for value in values])
    async with open_env(screenshots=False) as env:
        bare = await walk(env, max(1, rounds // 2))
    bench.sample(
        "all steps, agents that take no screenshot", "ms", [value for values in bare.values() for value in values]
    )
    bench.budget("one step: at most 150 ms", f"{whole.median:.1f} ms", whole.median <= 150)


def main() -> None:
    chosen = arguments(__doc__, rounds=(12, "walks of eight steps"))
    bench = Bench("step")
    asyncio.run(measure(chosen.rounds, bench))
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
