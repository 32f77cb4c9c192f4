"""Several processes that train one model: torchrun starts them, FSDP2 keeps a part of the weights in each.

    torchrun --nproc-per-node 8 -m guideact train update ...

Without torchrun there is one process, and everything here does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Spread:
    """This process among those that train together."""

    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Whether this is the process that writes and speaks."""
        return self.rank == 0

    def share(self, part: npt.NDArray[np.int64]) -> Sequence[int | None]:
        """This process's rows of an update: every n-th. None fills up where they do not come out even."""
        turns = -(-len(part) // self.size)
        places = (turn * self.size + self.rank for turn in range(turns))
        return [int(part[place]) if place < len(part) else None for place in places]

    def added(self, sums: Mapping[str, float]) -> Mapping[str, float]:
        """Sums over all processes, which name the same ones."""
        if self.size == 1:
            return sums
        from torch import distributed

        everybody: list[Any] = [None] * self.size
        distributed.all_gather_object(everybody, dict(sums))
        return {name: sum(each[name] for each in everybody) for name in sums}


def is_first() -> bool:
    """Whether this is the process that writes and speaks, before any has joined the others."""
    return os.environ.get("RANK", "0") == "0"


def processes() -> int:
    """How many processes torchrun started; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


@contextmanager
def spread_out() -> Iterator[Spread]:
    """Join the processes that torchrun started: over NCCL with GPUs, over gloo without."""
    if "RANK" not in os.environ:
        yield Spread()
        return
    import torch
    from torch import distributed

    on_gpu = torch.cuda.is_available()
    if on_gpu:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if on_gpu else "gloo")
    try:
        yield Spread(distributed.get_rank(), distributed.get_world_size())
    finally:
        distributed.destroy_process_group()


def shard(model: Any, spread: Spread, device: str) -> None:
    """Divide the weights among the processes, layer by layer, in place. Gradients become means over the processes."""
    if spread.size == 1:
        return
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh("cuda" if device.startswith("cuda") else "cpu", (spread.size,))
    layers = [each for each in model.modules() if type(each).__name__.endswith(("DecoderLayer", "VisionBlock"))]
    for layer in layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)


def whole_state(model: Any, spread: Spread) -> dict[str, Any] | None:
    """All weights that are trained, gathered in the first process; None where they are not divided. All take part."""
    if spread.size == 1:
        return None
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict

    frozen = any(not each.requires_grad for each in model.parameters())
    options = StateDictOptions(full_state_dict=True, cpu_offload=True, ignore_frozen_params=frozen)
    found: dict[str, Any] = get_model_state_dict(model, options=options)
    # Weights that stand in two places were one before they were gathered, and are to be written once.
    seen: set[int] = set()
    for name, weights in model.named_parameters(remove_duplicate=False):
        if id(weights) in seen:
            found.pop(name, None)
        seen.add(id(weights))
    return found
