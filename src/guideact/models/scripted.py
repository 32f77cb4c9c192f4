"""Baselines without a model behind them: they prove the harness and put a floor under every table.

`noop` finishes at once with an empty answer. `random` acts at random. `overlap` reads words alone: it acts on the
candidate that shares most of the task's. Each speaks the same JSON as a real model does and writes an honest guide
sentence for what it does, so that all of the scoring is exercised. None of them sees the screenshot.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from guideact.actions import format_answer
from guideact.errors import InputError
from guideact.models.base import Abilities, Reply, Request
from guideact.types import (
    Action,
    Candidate,
    Click,
    Finish,
    GoBack,
    Grounding,
    Mark,
    Observation,
    Point,
    PressEnter,
    Scroll,
    Select,
    Target,
    Type,
)

SCRIPTED = Abilities(seed=True)
"""What a script can do: it takes a seed, though only `random` makes use of it."""

EDITABLE = frozenset({"textbox", "searchbox", "spinbutton"})
"""Roles that take typed text."""

_QUOTED = re.compile(r"[\"“‘']([^\"”’']{2,})[\"”’'](?=\W|$)")
_WORD = re.compile(r"\w+")
_STOPWORDS = frozenset(
    _WORD.findall(
        """
        a about all an and any are as at be by can do does each for from give go has have how i if in into
        is it its list make many me more most much my new no not of on one or our out page please shop show
        site store tell than that the their them then there these this to up use was what when where which
        who with you your
        """
    )
)


class ScriptedModel:
    """A baseline: a pure function of the request."""

    can = SCRIPTED

    def __init__(self, name: str, policy: Callable[[Request], tuple[Action, str]]) -> None:
        self.name = f"scripted/{name}"
        self._policy = policy

    async def probe(self) -> None:
        """Nothing can be wrong with it."""

    async def answer(self, request: Request) -> Reply:
        action, guide = self._policy(request)
        return Reply(text=format_answer(action, guide, grounding=request.grounding))

    async def close(self) -> None:
        """Nothing is held open."""


def scripted(name: str) -> ScriptedModel:
    """The baseline of this name (without `scripted/`). Raises InputError for a name that is none."""
    policy = POLICIES.get(name)
    if policy is None:
        known = ", ".join(f"scripted/{each}" for each in ("gold", *POLICIES))
        raise InputError(f"there is no model scripted/{name}", fix=f"Known are {known}.")
    return ScriptedModel(name, policy)


# --- the policies -----------------------------------------------------------------------------------------------


def noop(request: Request) -> tuple[Action, str]:
    """Finish at once, with nothing done and nothing answered."""
    return Finish(), "Finish here: nothing is left to do."


def at_random(request: Request) -> tuple[Action, str]:
    """Act at random, the same way for the same seed, task and step.

    Three steps in four act on a candidate that is not disabled: words of the task are typed into fields, an option is
    selected in lists, everything else is clicked. The others scroll (half of them), press Enter, go back, or finish
    with a piece of the page's text.
    """
    rng = random.Random(f"{request.sampling.seed}/{request.task.id}/{request.step}")
    usable = [c for c in request.observation.candidates if "disabled" not in c.states]
    if usable and rng.random() < 0.75:
        candidate = rng.choice(usable)
        words = _WORD.findall(request.task.intent)
        text = " ".join(rng.sample(words, k=min(len(words), rng.randint(1, 2)))) or "1"
        option = rng.choice(candidate.options) if candidate.options else ""
        return _act_on(candidate, text, option, request.grounding)
    verb = rng.choices(("scroll", "press_enter", "go_back", "finish"), weights=(4, 1, 1, 2))[0]
    match verb:
        case "scroll":
            down = rng.random() < 0.7
            return (
                Scroll(direction="down" if down else "up"),
                "Scroll down to see more." if down else "Scroll up again.",
            )
        case "press_enter":
            return PressEnter(), "Press Enter to confirm."
        case "go_back":
            return GoBack(), "Go back to the page before."
        case _:
            texts = request.observation.texts
            return Finish(answer=rng.choice(texts).text if texts else ""), "Finish here and give the answer."


def overlap(request: Request) -> tuple[Action, str]:
    """Act on the candidate that shares most words with the task.

    A shared word counts more the fewer candidates have it, and ties go to the one that comes first. A candidate whose
    guide already stands in the memory is not taken again. A field gets the first quoted phrase of the task that was not
    typed yet, or else its first two telling words; a text just typed is followed by Enter. A list gets its option that
    shares most. When nothing shares a word any more it finishes, and answers with the line of text on the page that
    shares most words with the task and holds a number if the task asks "how many" or "how much".
    """
    observation, told = request.observation, " ".join(request.memory).casefold()
    wanted = _telling_words(request.task.intent)
    if request.memory and request.memory[-1].casefold().startswith("type "):
        return PressEnter(), "Press Enter to send what you typed."
    phrases = [phrase for phrase in _QUOTED.findall(request.task.intent) if phrase.casefold() not in told]
    text = phrases[0] if phrases else " ".join(wanted[:2])
    rarity = _rarity(observation)
    best: tuple[float, tuple[Action, str]] | None = None
    for candidate in observation.candidates:
        if "disabled" in candidate.states:
            continue
        shared = set(wanted) & set(_telling_words(_label(candidate, all_text=True)))
        score = sum(rarity[word] for word in shared)
        if candidate.role in EDITABLE and phrases:
            score += 0.5
        if score <= 0 or (best is not None and score <= best[0]):
            continue
        act = _act_on(candidate, text, _best_option(candidate, wanted), request.grounding)
        if act[1].casefold() not in told:
            best = (score, act)
    if best is not None:
        return best[1]
    return Finish(answer=_best_line(request, wanted)), "Finish here and give the answer that the page shows."


POLICIES: dict[str, Callable[[Request], tuple[Action, str]]] = {"noop": noop, "random": at_random, "overlap": overlap}
"""The baselines by name; `gold` is made in the harness, for it needs the solvers of the tasks."""


# --- helpers of both --------------------------------------------------------------------------------------------


def _act_on(candidate: Candidate, text: str, option: str, grounding: Grounding) -> tuple[Action, str]:
    target: Target = (
        Mark(mark=candidate.mark)
        if grounding == "som"
        else Point(x=max(candidate.point[0], 0), y=max(candidate.point[1], 0))
    )
    label = f'"{_label(candidate)}"' if _label(candidate) else f"the {candidate.role or 'item'}"
    if candidate.options and option:
        return Select(target=target, option=option), f'Choose "{option}" in {label}.'
    if candidate.role in EDITABLE:
        return Type(target=target, text=text), f'Type "{text}" into {label}.'
    return Click(target=target), f"Click {label}."


def _label(candidate: Candidate, *, all_text: bool = False) -> str:
    """What a person would call it: one line of at most 80 characters; with `all_text`, all its words."""
    if all_text:
        return " ".join((candidate.name, candidate.text, candidate.placeholder, *candidate.options))
    return " ".join((candidate.name or candidate.text or candidate.placeholder).split())[:80]


def _telling_words(text: str) -> list[str]:
    """The words of a text in order, case folded, without function words and repetitions; plural s is dropped."""
    words = (word.casefold() for word in _WORD.findall(text))
    stems = (word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words)
    return list(dict.fromkeys(stem for stem in stems if stem not in _STOPWORDS and (len(stem) > 1 or stem.isdigit())))


def _rarity(observation: Observation) -> dict[str, float]:
    """1 over the number of candidates that have the word."""
    counts: dict[str, int] = {}
    for candidate in observation.candidates:
        for word in _telling_words(_label(candidate, all_text=True)):
            counts[word] = counts.get(word, 0) + 1
    return {word: 1 / count for word, count in counts.items()}


def _best_option(candidate: Candidate, wanted: list[str]) -> str:
    scored = [(len(set(wanted) & set(_telling_words(option))), option) for option in candidate.options]
    return max(scored, key=lambda pair: pair[0])[1] if scored else ""


def _best_line(request: Request, wanted: list[str]) -> str:
    needs_number = re.search(r"\bhow (?:many|much)\b", request.task.intent, re.IGNORECASE) is not None
    lines = [line.text for line in request.observation.texts]
    if needs_number:
        lines = [line for line in lines if re.search(r"\d", line)]
    return max(lines, key=lambda line: len(set(wanted) & set(_telling_words(line))), default="")
