"""From a prompt and a picture to what a model in this process reads, and back from its points to the screenshot's.

One way of turning text into tokens serves asking, SFT and GRPO: the prompt by the model's chat template, without a
reasoning block of its own, then the answer by itself, then the token that ends it. Text of prompts and answers never
becomes a control token, whatever a page says: only the template's own words do.

A picture is one token a square of so many pixels (32 x 32 in Qwen3.5 and Qwen3-VL), so its sides are rounded to
multiples of that: a screenshot of 1440 x 900 is seen as 1440 x 896. Points are told to the model, and read from it, in
pixels of the picture that it sees.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any

from guideact.models.hf_load import Loaded

_SYSTEM, _USER = "guideact-system-9d41", "guideact-user-9d41"
"""What stands in for the two texts while the template is filled in."""
_TARGET = re.compile(
    r"""(["']?target["']?\s*:\s*)(\[[^\[\]{}]*\]|\{[^{}]*\}|\([^()]*\)|"[^"]*"|'[^']*')""", re.IGNORECASE
)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Encoded:
    """What a model reads before it answers."""

    ids: tuple[int, ...]
    pixels: Any | None = None
    """Tensor (patches, values of a patch), float32; None without a picture."""
    grid: Any | None = None
    """Tensor (1, 3), int64: frames (1), rows and columns of patches."""
    scale: tuple[float, float] = (1.0, 1.0)
    """Pixels of the screenshot, across and down, in one pixel of what the model sees."""

    def tensors(self, more: tuple[int, ...], image_token: int | None, device: str) -> dict[str, Any]:
        """The arguments of a forward pass over these tokens and `more`: a batch of one."""
        import torch

        ids = torch.tensor([[*self.ids, *more]], device=device)
        found: dict[str, Any] = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if self.pixels is not None:
            found["pixel_values"] = self.pixels.to(device)
            found["image_grid_thw"] = self.grid.to(device) if self.grid is not None else None
            found["mm_token_type_ids"] = (ids == image_token).int()
        return found


def encode(loaded: Loaded, system: str, user: str, image: bytes | None) -> Encoded:
    """A prompt as tokens. `image` is a PNG, and is left out where the model sees none."""
    pixels = grid = None
    scale = (1.0, 1.0)
    if image is not None and loaded.image_processor is not None:
        from PIL import Image

        with Image.open(io.BytesIO(image)) as opened:
            picture = opened.convert("RGB")
        found = loaded.image_processor(images=[picture], return_tensors="pt")
        pixels, grid = found["pixel_values"], found["image_grid_thw"]
        side = loaded.image_processor.patch_size
        _, rows, columns = (int(number) for number in grid[0])
        scale = (picture.width / (columns * side), picture.height / (rows * side))
        squares = int(grid[0].prod()) // loaded.image_processor.merge_size**2
    ids: list[int] = []
    for piece in re.split(f"({_SYSTEM}|{_USER})", _template(loaded, bool(system), grid is not None)):
        if piece in (_SYSTEM, _USER):
            ids += plain(loaded, system if piece == _SYSTEM else user)
        else:
            ids += loaded.tokenizer(piece, add_special_tokens=False)["input_ids"]
    if grid is not None:
        at = ids.index(loaded.config.image_token_id)
        ids[at : at + 1] = [loaded.config.image_token_id] * squares
    return Encoded(tuple(ids), pixels, grid, scale)


def seen_scale(loaded: Loaded, width: int, height: int) -> tuple[float, float]:
    """`Encoded.scale` of a picture of this size, in pixels; 1 and 1 where the model sees none."""
    if (images := loaded.image_processor) is None:
        return (1.0, 1.0)
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize

    seen_height, seen_width = smart_resize(
        height,
        width,
        factor=images.patch_size * images.merge_size,
        min_pixels=images.size["shortest_edge"],
        max_pixels=images.size["longest_edge"],
    )
    return (width / seen_width, height / seen_height)


def plain(loaded: Loaded, text: str) -> list[int]:
    """Text as tokens, none of which is a control token."""
    found: list[int] = loaded.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]
    return found


def answer_ids(loaded: Loaded, text: str) -> tuple[int, ...]:
    """An answer as tokens, with the one that ends it: what a model is trained to write."""
    return (*plain(loaded, text), int(loaded.tokenizer.eos_token_id))


def text_of(loaded: Loaded, ids: list[int]) -> str:
    """What tokens say."""
    found: str = loaded.tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False)
    return found


def rescaled(text: str, across: float, down: float) -> str:
    """An answer with the points of its targets multiplied, and rounded to a tenth of a pixel.

    Every form of a point that `parse_answer` reads is found; a mark, which is one number, stays as it is.
    """
    if (across, down) == (1.0, 1.0):
        return text

    def moved(match: re.Match[str]) -> str:
        numbers = list(_NUMBER.finditer(match[2]))
        if len(numbers) != 2:
            return match[0]
        (first, second), whole = numbers, match[2]
        x, y = _short(float(first[0]) * across), _short(float(second[0]) * down)
        return f"{match[1]}{whole[: first.start()]}{x}{whole[first.end() : second.start()]}{y}{whole[second.end() :]}"

    return _TARGET.sub(moved, text)


def _short(number: float) -> str:
    rounded = round(number, 1)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def _template(loaded: Loaded, with_system: bool, with_image: bool) -> str:
    """The chat template around the two places, up to where the answer begins."""
    words = {"type": "text", "text": _USER}
    # In the order in which servers are sent them, so that a model may be asked here and there.
    content = [words, {"type": "image"}] if with_image else _USER
    messages = [{"role": "system", "content": _SYSTEM}] if with_system else []
    messages.append({"role": "user", "content": content})  # type: ignore[dict-item]
    text: str = loaded.tokenizer.apply_chat_template(
        messages, tokenize=False, add_generation_prompt=True, enable_thinking=False
    )
    return text
