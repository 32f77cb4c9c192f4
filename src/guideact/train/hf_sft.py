"""Supervised fine-tuning of a real model on a frozen dataset, with TRL's SFTTrainer: LoRA, or all weights.

Only the tokens of answers are learned from, the one that ends an answer among them. Rows are made by `hf_rows`, so that
a model is trained on the very tokens that it is asked with; TRL's own preparation of datasets is not used.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from guideact import __version__
from guideact.data import Dataset
from guideact.errors import InputError
from guideact.harness.choose import in_turn
from guideact.models.hf_load import LORA_TARGETS, Loaded, load, locate, need
from guideact.offline.gold import demos_of
from guideact.offline.questions import Way
from guideact.train.hf_rows import Row, batch_of, rows_of_demo
from guideact.train.hf_settings import SftSettings
from guideact.train.hf_spread import is_first, processes

ABOUT = "guideact.json"
"""What a trained model's folder says of how it came about."""


def train_sft(dataset: Dataset, settings: SftSettings, out: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Train on the dataset's train split and write the model, or its adapter, into a new folder `out`.

    Returns what the folder's guideact.json says. Under torchrun each process trains on a part of every batch, and the
    first one writes. Raises InputError for what cannot be trained (see `locate`, `rows_of_demo`), and for a folder that
    is taken.
    """
    need("trl", "accelerate", "datasets", "peft")
    if out.exists():
        raise InputError(f"{out} exists already", fix="Give another --out, or remove it.")
    source = locate(settings.model)
    if source.gguf is not None:
        raise InputError(f"hf/{settings.model} is a GGUF file, which is not trained", fix="Give a folder of weights.")
    if settings.screenshots and not source.images:
        raise InputError(f"hf/{settings.model} sees no pictures", fix="Train it with --no-screenshots.")
    rows = _rows(dataset, settings)
    loaded = load(source, trainable=True)
    if settings.lora_rank and source.adapter is None:
        loaded = lora(loaded, settings.lora_rank, settings.seed)
    fitting = [row for row in rows if row.length(loaded) <= loaded.context()]
    left_out = len(rows) - len(fitting)
    say(f"{len({row.key[0] for row in rows})} tasks, {len(rows)} steps; {left_out} are too long and left out")
    if not fitting:
        raise InputError(f"no step fits into the {loaded.context()} tokens of hf/{settings.model}", fix="Use another.")
    with warnings.catch_warnings():
        # What the libraries have to say about each other's names is nothing that a user could mend.
        warnings.simplefilter("ignore", FutureWarning)
        with tempfile.TemporaryDirectory() as scratch:
            loss = _fit(loaded, fitting, settings, scratch, say)
    about = {
        "made_by": "sft",
        "guideact": __version__,
        "settings": settings.model_dump(mode="json"),
        "dataset": dataset.manifest.name,
        "signature": dataset.manifest.signature,
        "steps": len(fitting),
        "too_long": left_out,
        "loss": loss,
    }
    if is_first():
        save(loaded, out, about)
    return about


def save(loaded: Loaded, out: Path, about: dict[str, Any], state: dict[str, Any] | None = None) -> None:
    """Write a model, or its adapter, with its tokeniser and what is to be said of it; whole or not at all.

    `state` holds the weights where the model's own are spread over processes.
    """
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    loaded.model.save_pretrained(part, **({} if state is None else {"state_dict": state}))
    loaded.tokenizer.save_pretrained(part)
    if loaded.image_processor is not None:
        loaded.image_processor.save_pretrained(part)
    (part / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    os.replace(part, out)


def lora(loaded: Loaded, rank: int, seed: int) -> Loaded:
    """The model with a new adapter on its language layers; what it is now stays frozen below."""
    import torch
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(seed)
    with warnings.catch_warnings():
        # As in `train_sft`.
        warnings.simplefilter("ignore", FutureWarning)
        config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=list(LORA_TARGETS), task_type="CAUSAL_LM")
        model = get_peft_model(loaded.model, config)
    return Loaded(model, loaded.tokenizer, loaded.image_processor, loaded.device)


def _rows(dataset: Dataset, settings: SftSettings) -> list[Row]:
    demos = demos_of(dataset, "train")
    if settings.limit is not None:
        kept = {task.id for task in in_turn([demo.task for demo in demos])[: settings.limit]}
        demos = tuple(demo for demo in demos if demo.id in kept)
    way = Way(arm=settings.arm, grounding=settings.grounding, history="gold")
    return [row for demo in demos for row in rows_of_demo(dataset, demo, way, pictures=settings.screenshots)]


def warmup(settings: SftSettings, rows: int, processes: int) -> int:
    """Steps of the optimiser until the rate is at its height: three in a hundred of all."""
    return max(1, round(0.03 * settings.epochs * rows / (settings.batch * settings.accumulate * processes)))


def _fit(loaded: Loaded, rows: Sequence[Row], settings: SftSettings, scratch: str, say: Callable[[str], None]) -> float:
    """Train in place; the mean loss of a token over the whole training."""
    import torch
    from datasets import Dataset as Table
    from transformers import TrainerCallback
    from trl import SFTConfig, SFTTrainer

    on_gpu = loaded.device != "cpu"

    class Teller(TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any) -> None:
            if state.is_world_process_zero and logs and "loss" in logs:
                say(f"step {state.global_step} of {state.max_steps}: loss {float(logs['loss']):.4f}")

    config = SFTConfig(
        output_dir=scratch,
        num_train_epochs=settings.epochs,
        learning_rate=settings.rate,
        per_device_train_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulate,
        lr_scheduler_type="cosine",
        warmup_steps=warmup(settings, len(rows), processes()),
        seed=settings.seed,
        data_seed=settings.seed,
        use_cpu=not on_gpu,
        bf16=on_gpu and torch.cuda.is_bf16_supported(),
        gradient_checkpointing=on_gpu,
        dataloader_pin_memory=on_gpu,
        dataset_kwargs={"skip_prepare_dataset": True},
        remove_unused_columns=False,
        completion_only_loss=False,  # our own labels say which tokens count
        max_length=None,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )
    trainer = SFTTrainer(
        model=loaded.model,
        args=config,
        train_dataset=Table.from_dict({"row": list(range(len(rows)))}),
        processing_class=loaded.tokenizer,
        data_collator=lambda items: batch_of(loaded, [rows[item["row"]] for item in items]),
        callbacks=[Teller()],
    )
    found = trainer.train()
    if not math.isfinite(found.training_loss):
        raise InputError(f"the loss became {found.training_loss}", fix="Lower --rate.")
    return float(found.training_loss)
