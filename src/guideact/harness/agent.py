"""From an observation to a step: the prompt, the model's answer, and how it is read.

An `Agent` lives for one episode. `ModelAgent` asks a model; `GoldAgent` follows the solver of an embedded task and
speaks the same JSON, so that its answers are parsed and counted like any model's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from guideact.actions import format_answer, parse_answer
from guideact.config import RunConfig
from guideact.errors import InputError, ModelError
from guideact.harness.memory import memory_line
from guideact.leaks import find_leaks
from guideact.models.base import Model, Request, Sampling, TokenLogprob, Unusable, refuse_beyond
from guideact.models.builtin import builtin
from guideact.models.hf import hf_model
from guideact.models.make import api_model, is_named, named_clients
from guideact.models.prices import load_prices
from guideact.models.schema import answer_schema
from guideact.models.scripted import SCRIPTED, scripted
from guideact.prompts import build_prompt
from guideact.sites.skins import Skin, parse_skin
from guideact.tasks.catalogue import entries, solution
from guideact.tasks.solve import Act, SolverStuck, to_grounding
from guideact.types import Answer, Fault, Finish, Grounding, Observation, Sampled, Step, Task, Usage

GOLD = "scripted/gold"


@dataclass(frozen=True)
class Decision:
    """What an agent answered at one step. `answer.faults` holds the leaks of its guide too."""

    raw: str
    answer: Answer
    prompt_sha256: str = ""
    usage: Usage | None = None
    sampled: tuple[Sampled, ...] = ()
    """The tokens that `raw` was made of, where they were asked for."""


class Agent(Protocol):
    """Whoever acts in one episode."""

    async def decide(self, observation: Observation, image: bytes | None, index: int) -> Decision:
        """The answer to one observation. A model's own failure is an answer with a fault, never an exception."""
        ...

    def remember(self, step: Step, observation: Observation) -> None:
        """Take note of a step that was made, and of what it was decided on."""
        ...


class Agents(Protocol):
    """The agents of a run: one for each episode."""

    @property
    def name(self) -> str: ...
    @property
    def reads_pixels(self) -> bool: ...
    async def probe(self) -> None:
        """Find out before the run what would make it fail; see `Model.probe`."""
        ...

    def agent(self, task: Task, sample: int) -> Agent: ...
    async def close(self) -> None: ...


def agents_for(config: RunConfig, tasks: tuple[Task, ...]) -> Agents:
    """The agents that the config asks for. Raises InputError for a model that cannot be, or cannot do these tasks."""
    sampling = sampling_of(config)
    if config.model == GOLD:
        refuse_beyond(GOLD, SCRIPTED, sampling, structured_output=config.structured_output, logprobs=config.keep_tokens)
        for task in tasks:
            if task.id not in entries() or entries()[task.id].task != task:
                raise InputError(
                    f"{GOLD} solves embedded tasks alone, and {task.id} is none", fix="Choose another --model."
                )
        return GoldAgents(config.grounding, skin_of(config))
    model = model_of(config, sampling)
    refuse_beyond(model.name, model.can, sampling, logprobs=config.keep_tokens)
    return ModelAgents(model, config, logprobs=config.keep_tokens)


def skin_of(config: RunConfig) -> Skin | None:
    """The skin that the sites of a run wear. Raises InputError for one that is none."""
    return parse_skin(config.skin) if config.skin is not None else None


def sampling_of(config: RunConfig, sample: int = 0) -> Sampling:
    """How the answers of a repetition are sampled."""
    return Sampling(
        temperature=config.temperature,
        seed=config.seed + sample,
        max_tokens=config.max_tokens,
        effort=config.reasoning_effort,
    )


def model_of(config: RunConfig, sampling: Sampling) -> Model:
    """The model that the config names. Raises InputError where it cannot be, or cannot do what the config asks for."""
    maker, _, name = config.model.partition("/")
    if maker == "scripted":
        model = scripted(name)
        refuse_beyond(model.name, model.can, sampling, structured_output=config.structured_output)
        return model
    if maker == "builtin":
        trained = builtin(name)
        refuse_beyond(trained.name, trained.can, sampling, structured_output=config.structured_output)
        trained.refuse(config.grounding)
        return trained
    if maker == "hf":
        local = hf_model(name, sampling)
        refuse_beyond(local.name, local.can, sampling, structured_output=config.structured_output)
        return local
    if not is_named(config.model):
        raise InputError(
            f"there is no model {config.model!r}",
            fix=f"Use {GOLD}, scripted/noop, scripted/random, scripted/overlap, builtin/small, builtin/large, "
            f"hf/FOLDER, {named_clients()}.",
        )
    return api_model(
        config.model,
        base_url=config.model_base_url,
        sampling=sampling,
        images=config.screenshots,
        schema=answer_schema() if config.structured_output else None,
        logprobs=config.keep_tokens,
        max_connections=config.max_connections,
        prices=load_prices(config.prices),
        cache=config.cache,
    )


# --- a model -------------------------------------------------------------------------------------------------------


class ModelAgents:
    """One model for every episode of a run."""

    def __init__(self, model: Model, config: RunConfig, *, logprobs: bool = False) -> None:
        """With `logprobs` each step keeps its tokens and their log-probabilities; the model must give them."""
        self._model = model
        self._config = config
        self._logprobs = logprobs

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def reads_pixels(self) -> bool:
        return self._model.can.images

    async def probe(self) -> None:
        await self._model.probe()

    def agent(self, task: Task, sample: int) -> ModelAgent:
        return ModelAgent(self._model, self._config, task, sample, logprobs=self._logprobs)

    async def close(self) -> None:
        await self._model.close()


class ModelAgent:
    """Asks a model at each step; its memory is what the config says."""

    def __init__(self, model: Model, config: RunConfig, task: Task, sample: int, *, logprobs: bool = False) -> None:
        self._model = model
        self._logprobs = logprobs
        self._grounding = config.grounding
        self._kind = config.memory
        self._task = task
        self._key = f"{task.id}/{sample}"
        self._sampling = sampling_of(config, sample)
        self._schema = answer_schema() if config.structured_output else None
        self._memory: list[str] = []

    async def decide(self, observation: Observation, image: bytes | None, index: int) -> Decision:
        task, memory = self._task, tuple(self._memory)
        prompt = build_prompt(task.intent, observation, memory, self._grounding, max_steps=task.max_steps)
        request = Request(
            prompt=prompt,
            image=image,
            task=task,
            observation=observation,
            memory=memory,
            step=index,
            grounding=self._grounding,
            sampling=self._sampling,
            schema=self._schema,
            logprobs=self._logprobs,
        )
        try:
            reply = await self._model.answer(request)
        except ModelError as error:
            fault = Fault(kind=error.kind, detail=error.message)
            return Decision(
                raw=error.text,
                answer=Answer(faults=(fault,)),
                prompt_sha256=prompt.sha256,
                usage=error.usage if isinstance(error, Unusable) else None,
                sampled=_sampled(error.logprobs) if isinstance(error, Unusable) else (),
            )
        return Decision(
            raw=reply.text,
            answer=read_answer(reply.text, observation, self._grounding),
            prompt_sha256=prompt.sha256,
            usage=reply.usage,
            sampled=_sampled(reply.logprobs),
        )

    def remember(self, step: Step, observation: Observation) -> None:
        line = memory_line(step, observation, self._kind, self._key)
        if line is not None:
            self._memory.append(line)


def _sampled(tokens: Sequence[TokenLogprob]) -> tuple[Sampled, ...]:
    return tuple(Sampled(token=each.token, logprob=each.logprob, id=each.id) for each in tokens)


def read_answer(text: str, observation: Observation, grounding: Grounding) -> Answer:
    """Parse a model's text against what it was shown; leaks of the guide are added to the faults."""
    answer = parse_answer(text, grounding, viewport=observation.viewport, marks=len(observation.candidates))
    found = find_leaks(answer.guide, observation)
    return answer.model_copy(update={"faults": (*answer.faults, *found)}) if found else answer


# --- gold ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GoldAgents:
    """The solvers of the embedded tasks."""

    grounding: Grounding
    skin: Skin | None = None
    name: str = GOLD
    reads_pixels: bool = field(default=False)

    async def probe(self) -> None:
        """Nothing can be wrong with it."""

    def agent(self, task: Task, sample: int) -> GoldAgent:
        return GoldAgent(task, self.grounding, self.skin)

    async def close(self) -> None:
        """Nothing is held open."""


class GoldAgent:
    """Does what the solver does, and says the first reference sentence of each step.

    A solver that does not find what it needs makes one step that cannot be read, with the reason, and then finishes.
    """

    def __init__(self, task: Task, grounding: Grounding, skin: Skin | None = None) -> None:
        self._solution = solution(task.id, skin)
        self._grounding = grounding

    async def decide(self, observation: Observation, image: bytes | None, index: int) -> Decision:
        try:
            act = self._solution.next(observation)
        except SolverStuck as error:
            fault = Fault(kind="not_json", detail=error.message)
            return Decision(raw=error.message, answer=Answer(faults=(fault,)))
        act = act or Act(Finish(), ("Finish here: nothing is left to do.",))
        action = to_grounding(act.action, observation, self._grounding)
        raw = format_answer(action, act.references[0], grounding=self._grounding)
        return Decision(raw=raw, answer=read_answer(raw, observation, self._grounding))

    def remember(self, step: Step, observation: Observation) -> None:
        """A solver keeps its own place."""
