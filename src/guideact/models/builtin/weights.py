"""Weights of the built-in agent on the disk: one npz file of float16 tables, and what they were made of.

The file holds numbers and text alone; nothing in it is run.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from guideact.errors import InputError
from guideact.models.builtin.frames import Frame
from guideact.models.builtin.lore import Lore
from guideact.models.builtin.network import ARRAYS, HEADS, Network, Size
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.recall import Recall, as_lists, from_lists
from guideact.models.builtin.view import NO_PLANS

T = TypeVar("T", Lore, Recall)

FORMAT = 2
_TOLD = ("closing", "requested")
_FIX = "Train it again with `guideact train sft`, or use the weights that come with guideact."


@dataclass(frozen=True)
class Weights:
    """A trained agent and where it comes from."""

    policy: Policy
    about: dict[str, Any]
    """How it was trained: size, seed, epochs, the dataset's name and signature, steps, versions."""


def save_weights(path: Path, weights: Weights) -> None:
    """Write a weights file; the same weights are the same bytes. Raises InputError where it cannot be written."""
    network = weights.policy.network
    meta = {
        "format": FORMAT,
        "bits": network.size.bits,
        "width": network.size.width,
        "pair_bits": network.size.pair_bits,
        "heads": HEADS,
        "frames": [[frame.verb, frame.text] for frame in weights.policy.frames],
        "behind": {label: " ".join(sorted(words)) for label, words in weights.policy.lore.behind.items()},
        "closing": weights.policy.lore.closing,
        "requested": weights.policy.lore.requested,
        "about": weights.about,
    }
    # Only where there are any: weights without plans stay the bytes that they were.
    if weights.policy.recall.plans:
        meta["recall"] = as_lists(weights.policy.recall)
    arrays: dict[str, npt.NDArray[Any]] = {
        "meta": np.frombuffer(json.dumps(meta, ensure_ascii=False).encode(), np.uint8),
        **{name: getattr(network, name).astype(np.float16) for name in ARRAYS},
    }
    part = path.with_name(path.name + ".part")
    try:
        # By hand, for numpy writes the time of day into its files.
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
            for name, array in arrays.items():
                held = io.BytesIO()
                np.lib.format.write_array(held, array, allow_pickle=False)
                entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                file.writestr(entry, held.getvalue())
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}", fix="Give another --out.") from error


def load_weights(path: Path) -> Weights:
    """Read a weights file. Raises InputError for one that is missing, damaged, or of another kind."""
    try:
        with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
            meta = json.loads(file["meta"].tobytes())
            if meta["format"] != FORMAT or tuple(meta["heads"]) != HEADS:
                raise InputError(f"{path} holds weights of another format than this guideact reads", fix=_FIX)
            arrays = {name: file[name] for name in ARRAYS}
            size = Size(int(meta["bits"]), int(meta["width"]), int(meta["pair_bits"]))
            frames = tuple(Frame(str(verb), str(text)) for verb, text in meta["frames"])
            behind = {str(label): frozenset(str(words).split()) for label, words in meta["behind"].items()}
            lore = _shared(Lore(behind, *({str(root): str(how) for root, how in meta[name].items()} for name in _TOLD)))
            recall = _shared(from_lists(meta["recall"])) if "recall" in meta else NO_PLANS
            about = dict(meta["about"])
    except OSError as error:
        if not isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError):
            raise InputError(f"{path} is damaged, or no weights file", fix=_FIX) from error
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check the path.") from error
    except (ValueError, LookupError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path} is damaged, or no weights file", fix=_FIX) from error
    shapes = {
        "table": (2**size.bits, size.width + 1),
        "pairs": (2**size.pair_bits,),
        "out": (len(HEADS), 2 * size.width),
        "bias": (len(HEADS), size.width),
    }
    for name, shape in shapes.items():
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise InputError(f"{path} is damaged: {name} is not {shape} finite numbers", fix=_FIX)
    network = Network(size, *(arrays[name].astype(np.float32) for name in ARRAYS))
    return Weights(Policy(network, frames, lore, recall), about)


_loaded: list[Lore | Recall] = []


def _shared(known: T) -> T:
    """The same object for equal ones: agents that were trained on the same tasks share what they read of a step."""
    for each in _loaded:
        if type(each) is type(known) and each == known:
            return each
    _loaded.append(known)
    return known
