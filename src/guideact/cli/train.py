"""`guideact train`: weights from demonstrations."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import note, say

app = App(name="train", help=VERBS["train"], help_format="plaintext")


@app.command
def builtin(dataset: Path, /, *, size: str = "small", seed: int = 0, epochs: int = 12, out: Path | None = None) -> None:
    """Train the built-in agent on the train split of a dataset.

    Some templates are held out first, to find after how many epochs to stop; then it is trained on the whole split.
    The same dataset, size and seed give the same weights on the same machine.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    size
        small (half a million parameters) or large (four times as many).
    seed
        Of the first weights, the order of steps and the noise.
    epochs
        The most epochs.
    out
        The file to write. Default: SIZE.npz. Run it as builtin/FILE.npz.
    """
    from guideact.data import open_dataset
    from guideact.errors import InputError
    from guideact.models.builtin.weights import save_weights
    from guideact.train.builtin import train_builtin

    path = out if out is not None else Path(f"{size}.npz")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}", fix="Make it, or give another.")
    weights = train_builtin(open_dataset(dataset), size=size, seed=seed, epochs=epochs, say=note)
    save_weights(path, weights)
    say(f"{path}: builtin/{size}, {weights.policy.network.size.parameters:,} parameters, {path.stat().st_size:,} bytes")
