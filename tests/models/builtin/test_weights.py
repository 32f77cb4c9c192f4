"""Weights on the disk: what is read is what was written, and anything else is said to be so."""

from __future__ import annotations

import hashlib
import json
import zipfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from guideact.errors import InputError
from guideact.models.builtin.model import builtin, load_named, weights_sha256
from guideact.models.builtin.network import HEADS, SIZES, Size, new_network
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.view import view_of
from guideact.models.builtin.weights import Weights, load_weights, save_weights
from tests.train.small_shop import home
from tests.train.trained import trained


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    save_weights(tmp_path / "w.npz", trained())
    read = load_weights(tmp_path / "w.npz")
    assert read.about == trained().about
    assert read.policy.frames == trained().policy.frames
    np.testing.assert_allclose(read.policy.network.table, trained().policy.network.table, atol=2e-3)
    view = view_of("Add the Cedar Stool to my cart.", home(), ())
    assert read.policy.choose(view).act == trained().policy.choose(view).act
    save_weights(tmp_path / "again.npz", read)
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "w.npz").read_bytes()
    assert builtin(str(tmp_path / "w.npz")).name == f"builtin/{tmp_path}/w.npz"


def test_sizes() -> None:
    assert SIZES["small"].parameters == 524_753
    assert SIZES["large"].parameters >= 4 * SIZES["small"].parameters


def shipped(size: str) -> Path:
    return Path(str(files("guideact.models.builtin"))) / "weights" / f"{size}.npz"


@pytest.mark.parametrize("size", [size for size in SIZES if shipped(size).is_file()])
def test_the_weights_of_the_package(size: str) -> None:
    weights = load_named(size)
    assert shipped(size).stat().st_size < 5_000_000
    assert weights.policy.network.size == SIZES[size]
    assert weights.about["dataset"] == "guideact-embedded"
    assert len(weights.policy.frames) > 300


def test_builtin_small_comes_with_the_package_and_a_size_that_does_not_says_so() -> None:
    assert shipped("small").is_file()
    for size in SIZES:
        if not shipped(size).is_file():
            with pytest.raises(InputError, match=f"no weights of builtin/{size} come with this guideact"):
                builtin(size)


@pytest.mark.parametrize("size", SIZES)
def test_any_weights_of_a_size_are_small_enough(size: str, tmp_path: Path) -> None:
    """Random numbers compress worst."""
    network = new_network(SIZES[size], 0)
    network.table[:] = np.random.default_rng(0).normal(size=network.table.shape)
    save_weights(tmp_path / "w.npz", Weights(Policy(network, trained().policy.frames), {}))
    assert (tmp_path / "w.npz").stat().st_size < 5_000_000


def test_a_missing_file_and_a_name_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nope\.npz cannot be read: No such file"):
        load_weights(tmp_path / "nope.npz")
    with pytest.raises(InputError, match=r"there is no model builtin/medium\. Known are builtin/small, builtin/large"):
        builtin("medium")


def test_weights_of_another_format_are_told_so(tmp_path: Path) -> None:
    meta = json.dumps({"format": 1, "heads": HEADS}).encode()
    np.savez(tmp_path / "old.npz", meta=np.frombuffer(meta, np.uint8))
    with pytest.raises(InputError, match=r"old\.npz holds weights of another format"):
        load_weights(tmp_path / "old.npz")


def test_damaged_and_foreign_files_are_named(tmp_path: Path) -> None:
    tiny = Size(bits=4, width=3, pair_bits=5)
    save_weights(tmp_path / "good.npz", Weights(Policy(new_network(tiny, 0), ()), {}))
    good = (tmp_path / "good.npz").read_bytes()
    np.savez(tmp_path / "foreign.npz", a=np.zeros(3))
    with zipfile.ZipFile(tmp_path / "good.npz") as file:
        meta = file.read("meta.npy")
    files = {
        "empty.npz": b"",
        "text.npz": b"weights\n",
        "cut.npz": good[: len(good) // 2],
        "flipped.npz": bytes(byte ^ 0xFF if 60 < n < 90 else byte for n, byte in enumerate(good)),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "no_table.npz", "w") as file:
        file.writestr("meta.npy", meta)
    for name in (*files, "foreign.npz", "no_table.npz"):
        with pytest.raises(InputError, match=f"{name} is damaged, or no weights file"):
            load_weights(tmp_path / name)


def test_tables_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    network = new_network(Size(bits=4, width=3, pair_bits=5), 0)
    network.table[0, 0] = np.nan
    save_weights(tmp_path / "nan.npz", Weights(Policy(network, ()), {}))
    with pytest.raises(InputError, match="table is not"):
        load_weights(tmp_path / "nan.npz")
    network = new_network(Size(bits=4, width=3, pair_bits=5), 0)
    network.out = network.out[:2]
    save_weights(tmp_path / "out.npz", Weights(Policy(network, ()), {}))
    with pytest.raises(InputError, match="out is not"):
        load_weights(tmp_path / "out.npz")


def test_weights_are_known_by_their_hash(tmp_path: Path) -> None:
    save_weights(tmp_path / "w.npz", trained())
    content = (tmp_path / "w.npz").read_bytes()
    assert weights_sha256(str(tmp_path / "w.npz")) == hashlib.sha256(content).hexdigest()
    assert weights_sha256("small") == hashlib.sha256(shipped("small").read_bytes()).hexdigest()
    assert weights_sha256("medium") == ""
