"""The tables of a study of guides are what its predictions say: the scores of `offline score` and `offline reward`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.models.builtin.weights import save_weights
from guideact.offline.measure import StepScore
from guideact.stats import Estimate
from guideact.train.builtin import train_builtin
from guideact.train.guides_study import NAMES, guides_tables, read_guides_study, verdict
from tests.cli.calling import call

from .trained import shop, trained


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    for arm in ("start", "log"):
        (folder / arm).mkdir()
    save_weights(folder / "start" / "0.npz", train_builtin(shop(), size="small", seed=0, epochs=1, hold_out=False))
    save_weights(folder / "log" / "0.npz", trained())
    return folder


def test_scores_are_those_of_the_predictions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset, scored = str(shop().folder), {}
    for arm in ("start", "log"):
        out, weights = str(folder / arm / "0.jsonl"), f"builtin/{folder / arm / '0.npz'}"
        asked = ["--model", weights, "--arm", "guide-action", "--no-screenshots", "--out", out]
        assert call(capsys, "offline", "predict", dataset, *asked).status == 0
        scores = json.loads(call(capsys, "offline", "score", dataset, out, "--json").out)
        scorer = f"builtin/{folder / 'start' / '0.npz'}"
        rewards = json.loads(call(capsys, "offline", "reward", dataset, out, "--scorer", scorer, "--json").out)
        action = next(each["micro"]["value"] for each in scores["measures"] if each["name"] == "action")
        scored[arm] = (action, rewards["means"]["log"]["value"])
    text = call(capsys, "train", "study", str(folder), "--demos", dataset).out
    assert text.strip() == guides_tables(read_guides_study(shop(), folder)).strip()
    for arm, (action, reward) in scored.items():
        cells = next(line for line in text.splitlines() if line.startswith(f"| `{arm}` | 1 |")).strip("| ").split(" | ")
        assert (cells[2], cells[-1]) == (f"{action:.3f}", f"{reward:.3f}")
    gain = next(line for line in text.splitlines() if line.startswith("| `log` | action |"))
    assert f"{scored['log'][0] - scored['start'][0]:+.3f}" in gain


@pytest.mark.parametrize(
    ("value", "low", "high", "smallest", "said"),
    [
        (0.2, 0.1, 0.3, 0.1, "higher"),
        (-0.2, -0.3, -0.1, 0.1, "lower"),
        (0.2, -0.1, 0.5, 0.1, "inconclusive"),
        (0.05, 0.01, 0.09, 0.1, "inconclusive"),
    ],
)
def test_what_could_not_have_been_detected_says_nothing(
    value: float, low: float, high: float, smallest: float, said: str
) -> None:
    assert verdict(Estimate(value=value, low=low, high=high), smallest) == said


def test_a_folder_without_a_start_is_no_study(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no predictions of a start"):
        read_guides_study(shop(), tmp_path)


def test_a_seed_is_compared_to_its_own_start() -> None:
    """Also where a study is not done yet, and the arm lacks the first seed."""

    def steps(right: float) -> list[StepScore]:
        names = dict.fromkeys(NAMES, right)
        return [StepScore(f"t{n}", 0, f"c{n}", names, "", ()) for n in range(4)]

    text = guides_tables({"start": {"0": steps(0.0), "1": steps(0.7)}, "log": {"1": steps(1.0)}})
    gain = next(line for line in text.splitlines() if line.startswith("| `log` | action |"))
    assert re.match(r"\| `log` \| action \| \+0\.300 \[[^]]+\] \| \+0\.300 \|", gain), gain
    alone = guides_tables({"start": {"0": steps(0.0)}, "log": {"1": steps(1.0)}})
    assert "| `log` | action | – | – | – | – |" in alone
