"""What a run is told: one frozen object, made from flags, environment variables and a TOML file alike.

A field is a flag (`--retry-on-error 3`), a variable (`GUIDEACT_RETRY_ON_ERROR=3`) and a key of the file given with
`--config` (`retry_on_error = 3`); a flag wins over a variable, and a variable over the file. The resolved object is
kept in `run.json`. Keys of endpoints are no part of it: they stand in the environment alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from guideact.types import Effort, Frozen, Grounding, Memory

Executor = Literal["local", "ray"]

FREE_ON_RESUME = frozenset(
    {
        *("log_dir", "max_samples", "retry_on_error", "max_connections", "cache", "webarena", "address"),
        *("executor", "ray_address"),
    }
)
"""Fields that change nothing in what is measured: a run may go on with other values of these."""


class RunConfig(Frozen):
    """All settings of `guideact run`."""

    model: str = Field(
        default="scripted/gold",
        description="Who acts: scripted/gold, scripted/noop, scripted/random, scripted/overlap, the built-in agent "
        "(builtin/small, builtin/large, builtin/FILE.npz), a model in this process (hf/FOLDER, hf/OWNER/NAME), or one "
        "of a provider: openai/NAME (any OpenAI-compatible endpoint), anthropic/NAME, google/NAME.",
    )
    model_base_url: str | None = Field(
        default=None,
        description="Address of the endpoint, such as http://localhost:8000/v1. Default: the provider's own. The key "
        "is read from GUIDEACT_API_KEY, or else OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY.",
    )
    temperature: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="Sampling temperature. Default: the endpoint's own."
    )
    max_tokens: int = Field(default=4096, ge=1, description="Output tokens of one step, reasoning included.")
    seed: int = Field(default=0, description="Repetition k of a task is sampled with seed + k.")
    reasoning_effort: Effort | None = Field(
        default=None, description="How much a reasoning model reasons. Default: the endpoint's own."
    )
    structured_output: bool = Field(
        default=False,
        description="Hold the model's decoding to the JSON schema of an answer, which changes what OFCR means.",
    )
    max_connections: int = Field(
        default=10, ge=1, description="Requests in flight to the model's endpoint, however many episodes there are."
    )
    prices: Path | None = Field(
        default=None, description="A TOML file of prices, which win over those that come with guideact."
    )
    cache: Path | None = Field(
        default=None, description="A file that answers are kept in: what was asked before is not asked again."
    )
    grounding: Grounding = Field(
        default="som", description="How actions name their target: by mark (som) or by pixel (coord)."
    )
    memory: Memory = Field(
        default="guides",
        description="What the agent is told of its earlier steps: its guides, its actions, nothing, or (a control) its "
        "guides corrupted so that they name other things.",
    )
    skin: str | None = Field(
        default=None,
        description="A changed look of the embedded sites, made from a seed: relabel-N, relayout-N or redesign-N.",
    )
    keep_tokens: bool = Field(
        default=False,
        description="Keep the tokens of every answer with their log-probabilities, which training on rewards needs.",
    )
    screenshots: bool = Field(
        default=True, description="Take a screenshot at each step; agents that read no pixels can do without."
    )
    tasks: Path | None = Field(
        default=None,
        description="A file of tasks (.json, .jsonl, .toml) instead of the embedded ones; webarena:PATH for WebArena's "
        "or WebArena-Verified's own file, done on the sites that --webarena, --address or variables name.",
    )
    webarena: Path | None = Field(
        default=None,
        description="A TOML file of where WebArena's sites run: addresses, accounts, how they are reset.",
    )
    address: tuple[str, ...] = Field(
        default=(),
        description="Where one of WebArena's sites runs, as shopping=http://HOST:7770. Otherwise the variables "
        "SHOPPING, SHOPPING_ADMIN, REDDIT, GITLAB, WIKIPEDIA, MAP (or WA_SHOPPING, ...) say so.",
    )
    strict_webarena: bool = Field(
        default=False, description="Keep the faults of WebArena's published evaluators instead of mending them."
    )
    verified_output: bool = Field(
        default=False,
        description="Write what WebArena-Verified's evaluator reads: agent_response.json and network.har of each task. "
        "Its own tasks always do.",
    )
    sites: tuple[str, ...] = Field(default=(), description="Only tasks that use these sites and no others.")
    split: Literal["test", "train", "all"] = Field(
        default="test", description="Which embedded tasks, where none is named."
    )
    sample_id: tuple[str, ...] = Field(default=(), description="Only these tasks, by id or pattern, of any split.")
    limit: int | None = Field(
        default=None,
        ge=1,
        description="Only so many tasks, taken in turn: one of each template before a second of any, "
        "sites alternating.",
    )
    epochs: int = Field(default=1, ge=1, description="How often each task is done.")
    max_samples: int = Field(default=4, ge=1, le=64, description="Episodes at a time, each on a copy of the sites.")
    retry_on_error: int = Field(
        default=2, ge=0, description="How often an episode is begun anew after an infrastructure error."
    )
    executor: Executor = Field(
        default="local",
        description="Where episodes are done: in this process (local), or by workers on a Ray cluster (ray).",
    )
    ray_address: str | None = Field(
        default=None,
        description="The cluster: HOST:PORT, auto (the one that this machine belongs to), or local (one that is "
        "started for this run). Default: what RAY_ADDRESS says, or else local.",
    )
    judge: str | None = Field(
        default=None,
        description="Who judges answers that only a reader can judge: openai/NAME, anthropic/NAME or google/NAME. "
        "Tasks that need a judge are refused without one; no embedded task does. none leaves them out.",
    )
    judge_base_url: str | None = Field(default=None, description="Address of the judge's endpoint, as for the model.")
    recipient: str | None = Field(
        default=None,
        description="Instead of an agent, somebody who follows a guide and knows nothing else: literal, or any "
        "--model.",
    )
    guides: str = Field(
        default="gold",
        description="The recipient's guides: gold, none, or the folder of a run, a dataset, or guides.",
    )
    treatment: Literal["as_is", "complete", "other", "drop", "rename", "second", "plain"] = Field(
        default="as_is",
        description="What is done to each guide first: as_is nothing; complete names what a sentence leaves out; other "
        "gives another task's; drop takes a needed step out; rename calls a target otherwise; second takes the other "
        "wording; plain words that quote no names.",
    )
    log_dir: Path | None = Field(
        default=None, description="The run's folder; an unfinished run in it goes on. Default: runs/TIME-MODEL."
    )

    def measured(self) -> dict[str, Any]:
        """What must not change within a run, as JSON: everything but folder, workers and retries."""
        return self.model_dump(mode="json", exclude=set(FREE_ON_RESUME))
