"""Finding a model that runs in this process, and loading it: `hf/` and a folder, a GGUF file, or a name on a hub.

    a folder with config.json           a whole model
    a folder with adapter_config.json   a LoRA adapter (peft); the folder names the model it was trained on
    a file .gguf                        a quantised model, which is unpacked to float32
    OWNER/NAME                          a model of the Hugging Face hub, or of its cache on the disk

Everything that can be known without reading weights is known by `locate`, so that a wrong path, a missing package or a
class that is not known ends a command before it begins.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from guideact.errors import InputError, MissingDependency

VISION_TYPES = frozenset({"qwen3_5", "qwen3_5_moe", "qwen3_vl", "qwen3_vl_moe"})
"""`model_type` of the classes that are shown pictures; every other one is asked in words alone."""
LORA_TARGETS = (
    *("q_proj", "k_proj", "v_proj", "o_proj"),
    *("in_proj_qkv", "in_proj_z", "out_proj"),
    *("gate_proj", "up_proj", "down_proj"),
)
"""Layers of the language model that an adapter is put on: attention, Qwen3.5's linear attention, feed-forward."""

_TOKENISERS = ("tokenizer.json", "vocab.json", "tokenizer.model")
"""Without any of these, transformers makes an empty one of its own."""
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_READ = frozenset({".json", ".safetensors", ".bin", ".gguf", ".model", ".txt", ".jinja"})
"""How the names of the files end that a model is loaded from."""
_PIECES, _PIECE = 64, 65536
"""What is read of a file to know it again: so many pieces of so many bytes."""
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_INSTALL = "Install PyTorch for this machine (`pip install torch`), then `pip install 'guideact[hf]'`."


@dataclass(frozen=True)
class Source:
    """Where a model lies, and what kind it is. Nothing of it was loaded yet."""

    place: str
    """A folder, or a name on a hub."""
    model_type: str
    """As transformers calls it: `qwen3_5`, `llama`."""
    gguf: str | None = None
    """The file in the folder, where the weights are GGUF."""
    adapter: str | None = None
    """The folder of a LoRA adapter on top."""

    @property
    def images(self) -> bool:
        return self.model_type in VISION_TYPES


@dataclass(frozen=True)
class Loaded:
    """A model that is ready to be asked or trained. Its parts are objects of transformers."""

    model: Any
    tokenizer: Any
    image_processor: Any | None
    """None where the model is asked in words alone."""
    device: str

    @property
    def config(self) -> Any:
        return self.model.config

    def context(self) -> int:
        """How many tokens fit, prompt and answer together."""
        config = getattr(self.config, "text_config", None) or self.config
        return int(config.max_position_embeddings)

    @functools.cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The text of every token, by id; empty for one that can only be a control token."""
        special = set(self.tokenizer.all_special_ids)
        texts = self.tokenizer.batch_decode([[i] for i in range(len(self.tokenizer))])
        return tuple("" if i in special else text for i, text in enumerate(texts))

    @functools.cached_property
    def characters(self) -> frozenset[str]:
        """What is a token and a single character; a token that holds a part of one decodes to U+FFFD."""
        return frozenset(text for text in self.vocabulary if len(text) == 1 and text != "\ufffd")

    def ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        return frozenset(self.model.generation_config.eos_token_id)

    def padding(self) -> int:
        """The token that fills up what is shorter than the others; nothing is ever learned from it."""
        return _padding(self.tokenizer)

    def barred(self) -> tuple[int, ...]:
        """The tokens that no answer may hold: those that stand for pictures and films."""
        names = ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id")
        return tuple(sorted({i for name in names if isinstance(i := getattr(self.config, name, None), int)}))


def need(*packages: str) -> None:
    """Raise MissingDependency, with the line that installs it, where one of the packages is not there."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingDependency(f"models in this process need {' and '.join(missing)}", fix=_INSTALL)


def locate(name: str) -> Source:
    """The model of this name (without `hf/`).

    Raises MissingDependency for a package that is not installed, and InputError for a path that is none, a folder
    without configuration or weights, and a class that cannot be asked.
    """
    need("torch", "transformers")
    path = Path(name).expanduser()
    if path.suffix == ".gguf":
        need("gguf")
        if not path.is_file():
            raise InputError(f"hf/{name}: there is no file {path}", fix="Check the path.")
        place = str(path.parent.resolve())
        return Source(place, _type_of(place, name, gguf=path.name), gguf=path.name)
    if path.is_dir():
        # An adapter names the model below it, wherever it is loaded from later.
        return _in_folder(path.resolve(), name)
    if path.exists() or name.startswith((".", "/", "~")) or not _HUB_NAME.fullmatch(name):
        raise InputError(f"hf/{name}: there is no folder {path}", fix="Give the folder of a model, or OWNER/NAME.")
    return Source(name, _type_of(name, name))


def model_sha256(source: Source) -> str:
    """SHA-256, hexadecimal, over the files of a model that lies here, and of an adapter on it; empty for a hub's.

    Of each file count its name, its size, and up to 64 pieces of it, spread evenly from its first byte to its last, so
    that weights of many gigabytes take no longer than small ones. Training, merging or another precision changes nearly
    every byte, and shows. What does not: an edit of a few tensors between the pieces, and what a hub has behind a name.
    """
    digest = hashlib.sha256()
    found = False
    for place in filter(None, (source.adapter, source.place)):
        folder = Path(place)
        if not folder.is_dir():
            continue
        alone = source.gguf if place == source.place else None
        for path in [folder / alone] if alone else sorted(folder.iterdir()):
            if path.suffix in _READ and path.is_file():
                found = True
                for piece in _pieces(path):
                    digest.update(piece)
    return digest.hexdigest() if found else ""


def _pieces(path: Path) -> Iterator[bytes]:
    """What of a file counts when it is to be known again."""
    size = path.stat().st_size
    yield f"{path.name}\n{size}\n".encode()
    with path.open("rb") as file:
        if size <= _PIECES * _PIECE:
            yield file.read()
            return
        for piece in range(_PIECES):
            file.seek(piece * (size - _PIECE) // (_PIECES - 1))
            yield file.read(_PIECE)


def load(source: Source, *, device: str | None = None, trainable: bool = False) -> Loaded:
    """Read the weights: on the GPU where there is one, in the precision they were stored in; else in float32.

    With `trainable` an adapter can be trained on; without, it is as frozen as what lies below it.

    Raises InputError for weights, a tokeniser or an adapter that cannot be used.
    """
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    dtype = "auto" if device.startswith("cuda") and source.gguf is None else torch.float32
    kind = transformers.AutoModelForImageTextToText if source.images else transformers.AutoModelForCausalLM
    more = {"gguf_file": source.gguf} if source.gguf else {}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(source.place, **more)
        # Pillow's, whether or not torchvision is there: the two differ in single pixels.
        images = transformers.AutoImageProcessor
        processor = images.from_pretrained(source.place, backend="pil") if source.images else None
        model = kind.from_pretrained(source.place, dtype=dtype, **more).to(device)
        # What a model card wishes for (a temperature, a penalty) is no part of what a run is told.
        model.generation_config = transformers.GenerationConfig(
            eos_token_id=sorted(_ends(model, tokenizer)), pad_token_id=_padding(tokenizer)
        )
        if source.adapter is not None:
            from peft import PeftModel

            with warnings.catch_warnings():
                # What the two libraries have to say about each other's names is nothing that a user could mend.
                warnings.simplefilter("ignore", FutureWarning)
                model = PeftModel.from_pretrained(model, source.adapter, is_trainable=trainable)
    except Exception as error:  # each of four libraries has its own for a file that is damaged or does not fit
        raise InputError(f"hf/{source.place} cannot be loaded: {_line(error)}", fix="Fetch or save it anew.") from error
    if not tokenizer.chat_template:
        raise InputError(f"hf/{source.place} has no chat template", fix="Use a model that was trained to be asked.")
    return Loaded(model.eval(), tokenizer, processor, device)


def _ends(model: Any, tokenizer: Any) -> set[int]:
    found: set[int] = set()
    for each in (tokenizer.eos_token_id, model.generation_config.eos_token_id):
        found |= set(each) if isinstance(each, list | tuple) else {each} if each is not None else set()
    return found


def _padding(tokenizer: Any) -> int:
    return int(tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id)


def _in_folder(path: Path, name: str) -> Source:
    adapter = path / "adapter_config.json"
    if adapter.is_file():
        need("peft")
        below = _json(adapter, name).get("base_model_name_or_path")
        if not isinstance(below, str) or not below:
            raise InputError(f"hf/{name}: {adapter} names no base_model_name_or_path", fix="Say there what it is for.")
        if not list(path.glob("adapter_model.*")):
            raise InputError(f"hf/{name}: {path} holds no weights", fix="Save the adapter anew.")
        base = locate(below)
        if base.adapter is not None:
            raise InputError(f"hf/{name} is an adapter on an adapter", fix="Merge the lower one into its model.")
        return Source(base.place, base.model_type, base.gguf, adapter=str(path))
    if not (path / "config.json").is_file():
        raise InputError(f"hf/{name}: {path} holds no config.json", fix="Give the folder of a model.")
    _json(path / "config.json", name)
    if not any(list(path.glob(pattern)) for pattern in _WEIGHTS):
        raise InputError(f"hf/{name}: {path} holds no weights", fix="Put model.safetensors there.")
    if not any((path / each).is_file() for each in _TOKENISERS):
        raise InputError(f"hf/{name}: {path} holds no {_TOKENISERS[0]}", fix="Put the model's tokeniser there.")
    return Source(str(path), _type_of(str(path), name))


def _type_of(place: str, name: str, gguf: str | None = None) -> str:
    """The `model_type` of a configuration. Raises InputError where there is none, or one that cannot be asked."""
    import transformers
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    try:
        config = transformers.AutoConfig.from_pretrained(place, **({"gguf_file": gguf} if gguf else {}))
    except OSError as error:
        raise InputError(f"hf/{name} is neither a folder here nor a model of the hub: {_line(error)}") from error
    except (ValueError, KeyError) as error:
        raise InputError(
            f"hf/{name} is of a class that this transformers does not know: {_line(error)}",
            fix="Update transformers, or use another model.",
        ) from error
    kind = str(config.model_type)
    if kind not in VISION_TYPES and kind not in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        known = ", ".join(sorted(VISION_TYPES))
        raise InputError(
            f"hf/{name} is a {kind}, which cannot be asked", fix=f"Use a language model, or one of {known}."
        )
    return kind


def _json(path: Path, name: str) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except ValueError as error:
        raise InputError(f"hf/{name}: {path} is no JSON: {error}", fix="Fetch or save it anew.") from error
    if not isinstance(found, dict):
        raise InputError(f"hf/{name}: {path} holds no JSON object", fix="Fetch or save it anew.")
    return found


def _line(error: Exception) -> str:
    """The first line of what a library says."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:300].rstrip(
        "."
    )
