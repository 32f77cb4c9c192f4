"""The built-in agent behind the seam of every model: `builtin/small`, `builtin/large`, or a weights file of one's own.

It reads no pixels and no prompt, but what the prompt was made of: goal, page, memory. The order of the prompt's keys is
the order of its choices (`policy.py`), and a forced start of the answer that holds a whole guide is a forced guide.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from guideact.errors import InputError
from guideact.models.base import Abilities, Reply, Request, TokenLogprob
from guideact.models.builtin.network import SIZES
from guideact.models.builtin.policy import VALUE_HEADS, Chosen, Policy, Said
from guideact.models.builtin.weights import Weights, load_weights
from guideact.types import Action, Click, Finish, GoBack, Grounding, Mark, PressEnter, Scroll, Select, Type

CAN = Abilities(seed=True, logprobs=True, prefix=True)

NOTE = (
    "The built-in agent is mostly lexical and was trained on the embedded sites alone: no number of it says anything "
    "about WebArena or the papers."
)
"""What stands beside every score of it."""


class BuiltinModel:
    """A trained policy as a `Model`. It keeps nothing between calls."""

    can = CAN

    def __init__(self, name: str, policy: Policy) -> None:
        self.name = name
        self._policy = policy

    async def probe(self) -> None:
        """Nothing can be wrong with it: its weights were read."""

    async def answer(self, request: Request) -> Reply:
        """Raises InputError for coordinates, and for a forced start that holds no whole guide."""
        self.refuse(request.grounding)
        temperature = request.sampling.temperature or 0.0
        rng = _generator(request)
        policy, order = self._policy, request.prompt.order
        view = policy.view(request.task.intent, request.observation, request.memory)
        guide = Said(_held(request.prefix).get("guide", ""))
        if not request.prefix and _guide_first(order):
            guide = policy.plan(view, temperature, rng, probability=request.logprobs)
        if guide.text:
            view = policy.view(request.task.intent, request.observation, request.memory, guide.text)
        chosen = policy.choose(view, temperature, rng)
        if not guide.text and "guide" in order:
            guide = policy.say(view, chosen.act, chosen.value, temperature, rng, probability=request.logprobs)
        pieces = _pieces(order, chosen, guide, request.prefix)
        text = request.prefix + "".join(piece.token for piece in pieces)
        return Reply(text=text, logprobs=tuple(pieces) if request.logprobs else ())

    def refuse(self, grounding: Grounding) -> None:
        """Raises InputError for `coord`: it has learned no head for coordinates."""
        if grounding == "coord":
            raise InputError(f"{self.name} has not learned to name pixels", fix="Use --grounding som.")

    async def close(self) -> None:
        """Nothing is held open."""


def _guide_first(order: Sequence[str]) -> bool:
    return "guide" in order and ("action" not in order or order.index("guide") < order.index("action"))


def _generator(request: Request) -> np.random.Generator:
    """The same for the same seed, task and step: an episode can be sampled again."""
    key = f"{request.sampling.seed}/{request.task.id}/{request.step}"
    return np.random.default_rng(list(hashlib.sha256(key.encode()).digest()))


def builtin(name: str) -> BuiltinModel:
    """The agent of this name (without `builtin/`): small, large, or the path of a weights file.

    Raises InputError for a name that is none, and for weights that cannot be used.
    """
    return BuiltinModel(f"builtin/{name}", load_named(name).policy)


def load_named(name: str) -> Weights:
    """The weights of `small`, `large` or a file. Raises InputError where there are none."""
    if name in SIZES:
        return _shipped(name)
    if name.endswith(".npz"):
        return load_weights(Path(name))
    raise InputError(
        f"there is no model builtin/{name}",
        fix=f"Known are {', '.join(f'builtin/{each}' for each in SIZES)}, builtin/FILE.npz.",
    )


def weights_sha256(name: str) -> str:
    """SHA-256, hexadecimal, of the weights of `small`, `large` or a file; empty where there are none."""
    path = Path(name) if name.endswith(".npz") else _path(name)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@functools.cache
def _shipped(name: str) -> Weights:
    path = _path(name)
    if not path.is_file():
        raise InputError(f"no weights of builtin/{name} come with this guideact", fix="Train them: guideact train sft.")
    return load_weights(path)


def _path(name: str) -> Path:
    return Path(str(files(__package__).joinpath("weights", f"{name}.npz")))


def action_of(chosen: Chosen) -> Action:
    """What is done, as an action on a mark."""
    act, value = chosen.act, chosen.value
    target = None if act.target is None else Mark(mark=act.target.mark)
    match act.verb:
        case "scroll":
            return Scroll(direction=act.direction or "down", target=target)
        case "press_enter":
            return PressEnter()
        case "go_back":
            return GoBack()
        case "finish":
            return Finish(answer=value)
    if target is None:
        raise ValueError(f"{act.verb} needs a target")
    if act.verb == "type":
        return Type(target=target, text=value)
    return Select(target=target, option=value) if act.verb == "select" else Click(target=target)


def _held(prefix: str) -> dict[str, str]:
    """The keys that a forced start of the answer holds: a guide, and maybe a thought. Empty for no start.

    Raises InputError for any other start.
    """
    if not prefix:
        return {}
    try:
        found = json.loads(prefix.rstrip().rstrip(",") + "}")
    except ValueError:
        found = None
    if not isinstance(found, dict) or not set(found) <= {"think", "guide"} or not isinstance(found.get("guide"), str):
        raise InputError(
            "the built-in agent can only be made to begin with a whole guide", fix='Begin with {"guide": "...",'
        )
    return {key: str(text) for key, text in found.items()}


def _pieces(order: Sequence[str], chosen: Chosen, guide: Said, prefix: str) -> list[TokenLogprob]:
    """The answer cut at its keys, without what the prefix holds, each piece with the logarithm of its probability."""
    act = chosen.act
    value = chosen.value if act.verb in VALUE_HEADS else act.direction
    fields: dict[str, tuple[object, float]] = {
        "think": ("", 0.0),
        "action": (act.verb, chosen.log_verb),
        "target": (None if act.target is None else [act.target.mark], chosen.log_target),
        "value": (value, chosen.log_value),
        "guide": (guide.text, guide.log_probability),
    }
    held = _held(prefix)
    keys = [key for key in order if key not in held]
    pieces = []
    for number, key in enumerate(keys):
        opening = ", " if number else "" if prefix.rstrip().endswith(",") else ", " if prefix else "{"
        closing = "}" if number == len(keys) - 1 else ""
        text, log = json.dumps(fields[key][0], ensure_ascii=False), fields[key][1]
        pieces.append(TokenLogprob(f"{opening}{json.dumps(key)}: {text}{closing}", log))
    return pieces
