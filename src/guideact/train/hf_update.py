"""The update of a round from folder to folder: `guideact train update`, by itself or under torchrun."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from guideact.errors import InputError
from guideact.models.hf_load import Loaded, load, locate, need
from guideact.train.groups import Rows, rows_of
from guideact.train.hf_grpo import Floats, Updated, gather, learn, log_probabilities_of
from guideact.train.hf_rows import Row
from guideact.train.hf_settings import UpdateSettings
from guideact.train.hf_sft import lora, save
from guideact.train.hf_spread import Spread, shard, spread_out, whole_state


def update(settings: UpdateSettings, say: Callable[[str], None]) -> Updated:
    """Learn from a round and write the model, or its adapter, into a new folder.

    A round of which nothing can be learned (every group is dead) leaves the model as it is, and it is written all the
    same. Raises InputError for what cannot be learned from, before the weights are read as far as that can be known.
    """
    need("peft")
    if settings.out.exists():
        raise InputError(f"{settings.out} exists already", fix="Give another --out, or remove it.")
    if settings.kl and settings.reference is None:
        raise InputError("--kl needs to know from what", fix="Give --reference, what the training began with.")
    with spread_out() as spread:
        loaded = _learner(settings)
        made = gather(loaded, settings)
        rows, counts = rows_of(made.formed.groups, settings.unit), made.formed.counts
        if spread.first:
            say(f"{counts.live} of {counts.groups} groups differ in success; {len(rows)} steps to learn from")
        reference = None
        if settings.reference is not None:
            judge = load(locate(_bare(settings.reference)), device=loaded.device)
            reference = log_probabilities_of(judge, made.rows, rows.keys)
            del judge
        found = _learn(loaded, settings, made.rows, rows, reference, spread).model_copy(
            update={
                "groups": counts.groups,
                "live": counts.live,
                "dead_share": counts.dead_share,
                "episodes": counts.episodes,
                "errors": counts.errors,
                "success_rate": counts.success_rate,
                "reward_variance": counts.variance,
                "expert_share": counts.expert_share,
            }
        )
        state = whole_state(loaded.model, spread)
        if spread.first:
            about = {"made_by": "update", "settings": settings.model_dump(mode="json"), "found": found.model_dump()}
            save(loaded, settings.out, about, state)
        return found


def _bare(name: str) -> str:
    return name.removeprefix("hf/")


def _learner(settings: UpdateSettings) -> Loaded:
    source = locate(_bare(settings.model))
    if source.gguf is not None:
        raise InputError(f"{settings.model} is a GGUF file, which is not trained", fix="Give a folder of weights.")
    import torch

    device = f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if torch.cuda.is_available() else "cpu"
    loaded = load(source, device=device, trainable=True)
    if settings.lora_rank and source.adapter is None:
        loaded = lora(loaded, settings.lora_rank, settings.seed)
    return loaded


def _learn(
    loaded: Loaded,
    settings: UpdateSettings,
    material: Mapping[tuple[str, int], Row],
    rows: Rows,
    reference: Mapping[tuple[str, int], Floats] | None,
    spread: Spread,
) -> Updated:
    import torch

    model = loaded.model
    if loaded.device != "cpu":
        model.gradient_checkpointing_enable()
        model.enable_input_require_grads()
    model.train()
    shard(model, spread, loaded.device)
    trained = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=settings.rate, weight_decay=0.0)
    return learn(
        loaded,
        optimiser,
        material,
        rows,
        settings.objective,
        updates=settings.updates,
        seed=(settings.seed, settings.round),
        reference=reference,
        spread=spread,
    )
