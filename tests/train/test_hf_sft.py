"""Fine-tuning a real model class on a dataset: the rows, what is learned from, and the adapter in a run's client."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from guideact.actions import parse_answer
from guideact.data import Dataset
from guideact.errors import InputError
from guideact.models.base import Sampling
from guideact.models.hf import hf_model
from guideact.models.hf_encode import text_of
from guideact.models.hf_load import load, locate
from guideact.offline.gold import Demo, demos_of
from guideact.offline.questions import Way, question
from guideact.train.hf_rows import IGNORED, Row, batch_of, rows_of_demo
from guideact.train.hf_settings import SftSettings
from guideact.train.hf_sft import ABOUT, train_sft, warmup
from guideact.types import Grounding, Point
from tests.cli.calling import call, one_line
from tests.models.tiny import tiny

from .seen_shop import seen_shop
from .small_shop import small_shop

pytest.importorskip("trl", reason="training needs trl, which is not installed here")
# The libraries ask each other in words that they have since renamed.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return seen_shop(tmp_path_factory.mktemp("data") / "shop")


def demo(dataset: Dataset) -> Demo:
    return demos_of(dataset, "train")[0]


@pytest.mark.parametrize("grounding", ["som", "coord"])
def test_a_row_is_what_the_model_is_asked_and_what_it_should_say(dataset: Dataset, grounding: Grounding) -> None:
    loaded = load(locate(str(tiny())))
    way = Way("action-guide", grounding, "gold")
    rows = rows_of_demo(dataset, demo(dataset), way, pictures=True)
    for number, row in enumerate(rows):
        asked = question(demo(dataset), number, way)
        read, wanted = row.encoded(loaded)
        assert row.length(loaded) == len(read.ids) + len(wanted)
        text = text_of(loaded, list(read.ids))
        assert asked.prompt.system in text
        assert asked.prompt.user in text
        assert wanted[-1] in loaded.ends()
        said = parse_answer(text_of(loaded, list(wanted[:-1])), grounding)
        step = demo(dataset).steps[number]
        assert said.guide == step.guides[0]
        assert said.action is not None
        if grounding == "som":
            assert said.action == step.action
        elif step.point is not None:
            # 704 by 448 pixels are what it sees of 720 by 450.
            target = getattr(said.action, "target", None)
            assert isinstance(target, Point)
            assert target.x == pytest.approx(step.point[0] * 704 / 720, abs=0.051)
            assert target.y == pytest.approx(step.point[1] * 448 / 450, abs=0.051)


def test_only_answers_are_learned_from_and_lengths_may_differ(dataset: Dataset) -> None:
    loaded = load(locate(str(tiny())))
    rows = rows_of_demo(dataset, demo(dataset), Way("action-guide", "som", "gold"), pictures=True)
    batch = batch_of(loaded, rows)
    assert batch["input_ids"].shape == batch["labels"].shape == batch["mm_token_type_ids"].shape
    assert batch["image_grid_thw"].shape == (len(rows), 3)
    assert batch["pixel_values"].shape[0] == len(rows) * 28 * 44
    for place, row in enumerate(rows):
        read, wanted = row.encoded(loaded)
        labels = batch["labels"][place].tolist()
        assert [label for label in labels if label != IGNORED] == list(wanted)
        assert labels[: len(read.ids)] == [IGNORED] * len(read.ids)
        assert batch["attention_mask"][place].sum() == len(read.ids) + len(wanted)
    assert len({len(row.encoded(loaded)[0].ids) for row in rows}) > 1


def test_sampled_tokens_are_taken_as_they_are(dataset: Dataset) -> None:
    loaded = load(locate(str(tiny())))
    row = rows_of_demo(dataset, demo(dataset), Way("action-guide", "som", "gold"), pictures=False)[0]
    odd = (70, 71, 70, 2)
    assert replace(row, answer=odd).encoded(loaded)[1] == odd
    assert replace(row, answer="cut here", ends=False).encoded(loaded)[1][-1] not in loaded.ends()


def rows_asked(dataset: Dataset, arm: str) -> list[Row]:
    return rows_of_demo(dataset, demo(dataset), Way(arm, "som", "gold"), pictures=False)  # type: ignore[arg-type]


def test_arms_differ_in_their_keys_alone(dataset: Dataset) -> None:
    for arm, keys in (
        ("action", ["think", "action", "target", "value"]),
        ("guide", ["think", "guide"]),
        ("guide-action", ["think", "guide", "action", "target", "value"]),
    ):
        assert all(list(json.loads(str(row.answer))) == keys for row in rows_asked(dataset, arm))


@pytest.mark.parametrize("rank", [4, 0])
async def test_what_is_trained_is_what_is_run(
    dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str], rank: int
) -> None:
    """An adapter and a whole model, with pictures, in coordinates: saved, and the client finds what they learned."""
    out = tmp_path / "out"
    said = call(
        capsys, "train", "sft", str(dataset.folder), "--model", f"hf/{tiny()}", "--grounding", "coord", "--limit", "1",
        "--epochs", "8", "--rate", "0.02" if rank else "0.01", "--lora-rank", str(rank),
        "--accumulate", "5", "--out", str(out),
    )  # fmt: skip
    assert said.status == 0, said.err
    assert f"{out}: hf/{tiny()} trained on 5 steps" in said.out
    assert "1 tasks, 5 steps" in said.err
    losses = [float(line.rsplit(" ", 1)[1]) for line in said.err.splitlines() if line.startswith("step ")]
    assert losses[-1] < losses[0] * 0.8
    about = json.loads((out / ABOUT).read_text())
    assert about["signature"] == dataset.manifest.signature
    assert about["settings"]["grounding"] == "coord"
    assert (out / "adapter_model.safetensors").is_file() == bool(rank)
    asked = question(demo(dataset), 1, Way("action-guide", "coord", "gold"))
    row = rows_of_demo(dataset, demo(dataset), Way("action-guide", "coord", "gold"), pictures=True)[1]
    assert row.picture is not None
    request = asked.request(Sampling(max_tokens=200), row.picture())
    model, bare = hf_model(str(out)), hf_model(str(tiny()))
    assert model.can.images
    right = sum(each.logprob for each in await model.score(request, str(row.answer)))
    assert right > sum(each.logprob for each in await bare.score(request, str(row.answer))) + 50


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "hf//nowhere"], "there is no folder /nowhere"),
        (["--model", "hf/TINY"], "step 0 of shop.cart.train0 has no picture. Use --no-screenshots"),
        (["--model", "hf/TINY", "--no-screenshots", "--arm", "any"], "hf/TINY is trained in one arm at a time"),
        (["--model", "hf/TINY", "--no-screenshots", "--out", "shop"], "shop exists already"),
        (["--model", "openai/gpt"], "openai/gpt is not trained here"),
    ],
)
def test_what_cannot_be_trained_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    small_shop(tmp_path / "shop")
    monkeypatch.chdir(tmp_path)
    found = call(capsys, "train", "sft", "shop", *(word.replace("TINY", str(tiny())) for word in words))
    assert found.status == 2
    assert said.replace("TINY", str(tiny())) in one_line(found)


def test_settings_of_nothing_are_refused(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sees no pictures"):
        train_sft(dataset, SftSettings(model=_blind(tmp_path)), tmp_path / "out", lambda line: None)


@pytest.mark.parametrize(("rows", "processes", "steps"), [(1600, 1, 3), (16000, 1, 30), (16000, 8, 4), (10, 8, 1)])
def test_the_rate_is_at_its_height_after_3_of_100_steps_however_many_gpus(
    rows: int, processes: int, steps: int
) -> None:
    assert warmup(SftSettings(model="x"), rows, processes) == steps


def _blind(folder: Path) -> str:
    """A tiny model of a class that is asked in words alone."""
    from transformers import LlamaConfig, LlamaForCausalLM

    from tests.models.tiny import tokenizer_of

    tokenizer = tokenizer_of()
    config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
                         num_attention_heads=2)  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder / "llama")
    tokenizer.save_pretrained(folder / "llama")
    return str(folder / "llama")
