"""Finding and loading a model of this process: what is wrong with it is one line, before anything is asked."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from guideact.errors import InputError, MissingDependency
from guideact.models import hf_load
from guideact.models.hf import hf_model
from guideact.models.hf_load import LORA_TARGETS, Source, load, locate

from .tiny import SPECIAL, tiny

# peft asks transformers in words that transformers has since renamed.
pytestmark = pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing.*:FutureWarning")


def without(*names: str) -> Callable[[Path], None]:
    def remove(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return remove


def with_config(**fields: object) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, **fields}))

    return write


def model_in(folder: Path) -> Path:
    """What a model's folder looks like; the weights are larger than all the pieces that are read of them."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(bytes(6_000_000))
    return folder


def test_a_model_is_known_again_by_its_files(tmp_path: Path) -> None:
    folder = model_in(tmp_path / "model")
    source = Source(str(folder), "llama")
    before = hf_load.model_sha256(source)
    assert before == hf_load.model_sha256(Source(str(model_in(tmp_path / "moved")), "llama")) != ""
    (folder / "README.md").write_text("Words.")
    assert hf_load.model_sha256(source) == before
    found = {before}
    for at in (0, 5_999_999):
        with (folder / "model.safetensors").open("r+b") as file:
            file.seek(at)
            file.write(b"\1")
        found.add(hf_load.model_sha256(source))
    (folder / "model.safetensors").write_bytes(b"\1" * 6_000_000)
    found.add(hf_load.model_sha256(source))
    (folder / "config.json").write_text('{"a": 1}')
    found.add(hf_load.model_sha256(source))
    assert len(found) == 5


def test_an_adapter_counts_with_the_model_below_it(tmp_path: Path) -> None:
    below, adapter = model_in(tmp_path / "model"), model_in(tmp_path / "adapter")
    found = set()
    for changed in (None, adapter, below):
        if changed is not None:
            (changed / "config.json").write_text('{"a": 1}')
        found.add(hf_load.model_sha256(Source(str(below), "llama", adapter=str(adapter))))
        found.add(hf_load.model_sha256(Source("owner/name", "llama", adapter=str(adapter))))
    assert len(found) == 5
    assert hf_load.model_sha256(Source("owner/name", "llama")) == ""


def test_of_a_folder_with_a_quantised_model_that_file_counts_alone(tmp_path: Path) -> None:
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).write_bytes(name.encode())
    source = Source(str(tmp_path), "llama", gguf="a.gguf")
    before = hf_load.model_sha256(source)
    (tmp_path / "b.gguf").write_bytes(b"other")
    assert hf_load.model_sha256(source) == before
    (tmp_path / "a.gguf").write_bytes(b"other")
    assert hf_load.model_sha256(source) != before


def test_a_folder_is_known_before_anything_is_read() -> None:
    folder = str(tiny())
    assert locate(folder) == Source(folder, "qwen3_5")
    assert locate(folder).images
    assert hf_model(folder).name == f"hf/{folder}"
    assert hf_model(folder).can.images
    assert hf_model(folder).can.efforts == ()


def test_a_folder_is_the_same_from_wherever_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny().parent)
    assert locate(tiny().name) == locate(f"./{tiny().name}") == locate(str(tiny()))


@pytest.mark.parametrize("kind", ["qwen3_5", "qwen3_vl"])
def test_it_is_of_the_real_class(kind: str) -> None:
    loaded = load(locate(str(tiny(kind))))
    names = {"qwen3_5": "Qwen3_5ForConditionalGeneration", "qwen3_vl": "Qwen3VLForConditionalGeneration"}
    assert type(loaded.model).__name__ == names[kind]
    assert type(loaded.image_processor).__name__ == "Qwen2VLImageProcessorPil"
    assert loaded.device == "cpu"
    assert loaded.context() == 16384
    assert [SPECIAL[token] for token in loaded.ends()] == ["<|im_end|>"]
    assert {SPECIAL[token] for token in loaded.barred()} == set(SPECIAL[3:])


def test_what_a_model_card_wishes_for_does_not_count(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny(), tmp_path / "m"))
    (folder / "generation_config.json").write_text(
        json.dumps({"do_sample": True, "temperature": 0.7, "repetition_penalty": 1.5, "eos_token_id": [2, 0]})
    )
    loaded = load(locate(str(folder)))
    assert loaded.model.generation_config.repetition_penalty is None
    assert loaded.model.generation_config.temperature is None
    assert loaded.ends() == {0, 2}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without("config.json"), "holds no config.json. Give the folder of a model."),
        (without("model.safetensors"), "holds no weights. Put model.safetensors there."),
        (without("tokenizer.json"), "holds no tokenizer.json. Put the model's tokeniser there."),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json is no JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "config.json holds no JSON object"),
        (with_config(model_type="qwen9"), "is of a class that this transformers does not know"),
        (with_config(model_type="vit"), "is a vit, which cannot be asked. Use a language model, or one of qwen3_5"),
    ],
)
def test_what_cannot_be_a_model(tmp_path: Path, change: Callable[[Path], None], said: str) -> None:
    folder = Path(shutil.copytree(tiny(), tmp_path / "m"))
    change(folder)
    with pytest.raises(InputError) as caught:
        hf_model(str(folder))
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"hf/{folder}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "hf/ names no model"),
        ("/nowhere/at/all", "there is no folder /nowhere/at/all"),
        ("./nowhere", "there is no folder nowhere"),
        ("a/b/c", "there is no folder a/b/c"),
        ("nowhere.gguf", "there is no file nowhere.gguf"),
        ("guideact/none", "hf/guideact/none is neither a folder here nor a model of the hub"),
    ],
)
def test_names_of_nothing(name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        hf_model(name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: (folder / "model.safetensors").write_bytes(b"no weights"), "cannot be loaded"),
        (without("chat_template.jinja"), "has no chat template"),
    ],
)
def test_what_shows_only_when_it_is_loaded(tmp_path: Path, change: Callable[[Path], None], said: str) -> None:
    folder = Path(shutil.copytree(tiny(), tmp_path / "m"))
    change(folder)
    with pytest.raises(InputError) as caught:
        load(locate(str(folder)))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_said_with_what_installs_it(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(hf_load, "find_spec", lambda name: None if name == package else real(name))
    with pytest.raises(MissingDependency) as caught:
        hf_model("somewhere/else")
    assert str(caught.value) == (
        f"models in this process need {package}. Install PyTorch for this machine (`pip install torch`), "
        "then `pip install 'guideact[hf]'`."
    )


# --- adapters -----------------------------------------------------------------------------------------------------


def adapter(folder: Path, base: Path, seed: int = 0) -> Path:
    """A LoRA adapter for a model, with weights that do something."""
    import torch
    from peft import LoraConfig, get_peft_model

    loaded = load(locate(str(base)))
    model = get_peft_model(loaded.model, LoraConfig(r=2, target_modules=list(LORA_TARGETS)))
    torch.manual_seed(seed)
    for name, weights in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weights, std=0.5)
    model.save_pretrained(folder)
    return folder


def test_an_adapter_stands_on_the_model_that_it_names(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a", tiny())
    source = locate(str(folder))
    assert source == Source(str(tiny()), "qwen3_5", adapter=str(folder))
    loaded = load(source)
    import torch

    bare, ids = load(locate(str(tiny()))), torch.tensor([[20, 30, 40]])
    assert not torch.allclose(loaded.model(input_ids=ids).logits, bare.model(input_ids=ids).logits)
    on = {
        name.rpartition(".lora_A")[0].rpartition(".")[2]
        for name, _ in loaded.model.named_parameters()
        if "lora_A" in name
    }
    assert on == set(LORA_TARGETS)


def test_adapters_that_cannot_be(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a", tiny())
    config = json.loads((folder / "adapter_config.json").read_text())
    for fields, said in (
        ({"base_model_name_or_path": None}, "names no base_model_name_or_path"),
        ({"base_model_name_or_path": "/nowhere"}, "there is no folder /nowhere"),
        ({"base_model_name_or_path": str(folder)}, "is an adapter on an adapter"),
    ):
        other = Path(shutil.copytree(folder, tmp_path / "b", dirs_exist_ok=True))
        if fields["base_model_name_or_path"] == str(folder):
            shutil.copytree(folder, tmp_path / "c")
        (other / "adapter_config.json").write_text(json.dumps({**config, **fields}))
        with pytest.raises(InputError, match=said):
            locate(str(other))
    for weights in folder.glob("adapter_model.*"):
        weights.unlink()
    with pytest.raises(InputError, match="holds no weights"):
        locate(str(folder))
