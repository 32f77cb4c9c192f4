"""A tiny Qwen3.5 with eyes, of the real class and with random weights, made anew with its tokeniser.

Its tokeniser is a byte-level BPE of the real class trained on a few answers; its chat template is that of Qwen3.5, cut
down to what a question with a picture needs.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from guideact.models.hf_encode import answer_ids, encode
from guideact.models.hf_load import load, locate

# Before any of these packages is imported: no test may ask a hub, and two cores are shared by all of them.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

pytest.importorskip("torch", reason="models in this process need PyTorch, which is not installed here")
pytest.importorskip("transformers", reason="models in this process need transformers, which is not installed here")
pytest.importorskip("peft", reason="adapters need peft, which is not installed here")

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
ANSWERS = (
    '{"think": "", "action": "click", "target": [12], "value": null, "guide": "Click the Save button."}',
    '{"think": "", "action": "type", "target": [640, 360], "value": "tea", "guide": "Type \\"tea\\" into Search."}',
    '{"think": "", "action": "finish", "target": null, "value": "", "guide": "Finish here: nothing is left to do."}',
)
TEMPLATE = """\
{%- macro said(content) -%}
{%- if content is string -%}{{ content }}{%- else -%}
{%- for part in content -%}
{%- if part.type == 'image' -%}<|vision_start|><|image_pad|><|vision_end|>{%- else -%}{{ part.text }}{%- endif -%}
{%- endfor -%}{%- endif -%}
{%- endmacro -%}
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ said(message.content) }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
{{ '<|im_start|>assistant\n<think>\n' }}
{%- if enable_thinking is defined and enable_thinking is false -%}{{ '\n</think>\n\n' }}{%- endif -%}
{%- endif -%}
"""


def tiny_qwen(folder: Path, *, seed: int = 0, kind: str = "qwen3_5", context: int = 16384) -> Path:
    """Save one into a folder: 0.1 million parameters, all four of its layers of the real kinds."""
    import torch
    import transformers
    from transformers import (
        Qwen3_5Config,
        Qwen3_5ForConditionalGeneration,
        Qwen3VLConfig,
        Qwen3VLForConditionalGeneration,
    )
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    tokenizer = tokenizer_of()
    numbers = {name: tokenizer.convert_tokens_to_ids(name) for name in SPECIAL}
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1], "mrope_interleaved": True}
    text: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8 if kind == "qwen3_vl" else 16,
        "max_position_embeddings": context,
        "eos_token_id": numbers["<|im_end|>"],
        "pad_token_id": numbers["<|endoftext|>"],
        "initializer_range": 0.2,
    }
    vision: dict[str, Any] = {
        "depth": 2,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 2,
        "out_hidden_size": 32,
        "patch_size": 16,
        "num_position_embeddings": 64,
        "initializer_range": 0.2,
    }
    named = {
        "image_token_id": numbers["<|image_pad|>"],
        "video_token_id": numbers["<|video_pad|>"],
        "vision_start_token_id": numbers["<|vision_start|>"],
        "vision_end_token_id": numbers["<|vision_end|>"],
        "tie_word_embeddings": True,
    }
    torch.manual_seed(seed)
    model: Any
    if kind == "qwen3_vl":
        text |= {"rope_parameters": rope, "num_hidden_layers": 2}
        vision |= {"deepstack_visual_indexes": [0]}
        model = Qwen3VLForConditionalGeneration(Qwen3VLConfig(text_config=text, vision_config=vision, **named))
    else:
        linear = {"key_head_dim": 8, "value_head_dim": 8, "num_key_heads": 2, "num_value_heads": 4}
        text |= {f"linear_{name}": value for name, value in linear.items()}
        text |= {"rope_parameters": {**rope, "partial_rotary_factor": 0.5}}
        model = Qwen3_5ForConditionalGeneration(Qwen3_5Config(text_config=text, vision_config=vision, **named))
    model.generation_config.eos_token_id = numbers["<|im_end|>"]
    transformers.utils.logging.disable_progress_bar()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    images = {"patch_size": 16, "size": {"shortest_edge": 65536, "longest_edge": 16777216}}
    Qwen2VLImageProcessorPil(**images, image_mean=[0.5] * 3, image_std=[0.5] * 3).save_pretrained(folder)
    return folder


def tokenizer_of() -> Any:
    """A byte-level BPE of some 500 tokens, of the class of Qwen3.5's."""
    from tokenizers import pre_tokenizers, trainers
    from transformers.models.qwen3_5.tokenization_qwen3_5 import Qwen3_5Tokenizer

    blank = Qwen3_5Tokenizer()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=500, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    blank._tokenizer.train_from_iterator(ANSWERS * 3, trainer)
    blank.eos_token, blank.pad_token = "<|im_end|>", "<|endoftext|>"
    blank.add_special_tokens({"additional_special_tokens": list(SPECIAL[1:])})
    blank.chat_template = TEMPLATE
    return blank


def png(width: int = 1440, height: int = 900, shade: int = 200) -> bytes:
    """A picture of one shade, with a darker box in it."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (width, height), (shade, shade, shade))
    ImageDraw.Draw(picture).rectangle((width // 4, height // 4, width // 2, height // 2), fill=(20, 60, shade))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


@functools.cache
def tiny(kind: str = "qwen3_5") -> Path:
    """The folder of one, made once for all tests; it stays until they end."""
    return tiny_qwen(Path(_folder().name) / kind, kind=kind)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


@functools.cache
def taught(answer: str) -> Path:
    """The folder of a tiny Qwen3.5 that has learned to say this answer, whatever it is asked."""
    import torch

    loaded = load(locate(str(tiny())))
    model, wanted = loaded.model.train(), answer_ids(loaded, answer)
    prompts = [encode(loaded, *words, None) for words in (("You act.", "Task: tea"), ("", "ok?"), ("A b c", "y z"))]
    rule = torch.optim.Adam(model.parameters(), lr=1e-2)
    for turn in range(60):
        prompt = prompts[turn % len(prompts)]
        logits = model(**prompt.tensors(wanted, None, "cpu")).logits[0, len(prompt.ids) - 1 : -1]
        torch.nn.functional.cross_entropy(logits, torch.tensor(wanted)).backward()
        rule.step()
        rule.zero_grad()
    folder = Path(_folder().name) / f"taught-{hashlib.sha256(answer.encode()).hexdigest()[:12]}"
    shutil.copytree(tiny(), folder)
    model.save_pretrained(folder)
    return folder
