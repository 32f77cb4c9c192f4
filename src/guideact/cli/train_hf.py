"""What `guideact train` does with real models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from guideact.cli.show import note, say
from guideact.errors import InputError
from guideact.train.objective import TrainArm


def sft_of(dataset: Path, model: str, out: Path, *, arm: TrainArm, **settings: Any) -> None:
    """Fine-tune a model on a dataset and say where it lies."""
    from pydantic import ValidationError

    from guideact.data import open_dataset
    from guideact.train.hf_settings import SftSettings
    from guideact.train.hf_sft import train_sft
    from guideact.train.hf_spread import is_first

    if arm == "any":
        raise InputError(f"{model} is trained in one arm at a time", fix="Give --arm action-guide, or another.")
    try:
        chosen = SftSettings(model=model.removeprefix("hf/"), arm=arm, **settings)
    except ValidationError as error:
        first = error.errors()[0]
        flag = str(first["loc"][0]).replace("_", "-")
        raise InputError(f"--{flag} {first['input']}: {first['msg']}", fix="Give another.") from error
    about = train_sft(open_dataset(dataset), chosen, out, note if is_first() else lambda line: None)
    if is_first():
        say(f"{out}: {model} trained on {about['steps']} steps, mean loss {about['loss']:.4f}; run it as hf/{out}")
