"""Weights trained on the small shop, once for all tests that need some."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from guideact.data import Dataset
from guideact.models.builtin.weights import Weights
from guideact.train.builtin import train_builtin

from .small_shop import small_shop


@functools.cache
def shop() -> Dataset:
    """The small shop; its rows are read when they are asked for, so its folder stays until the tests end."""
    return small_shop(Path(_folder().name) / "shop")


@functools.cache
def trained() -> Weights:
    return train_builtin(shop(), size="small", seed=0, epochs=5)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
