"""The mediation report, from agents whose use of the guide is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from guideact.actions import format_answer
from guideact.config import RunConfig
from guideact.data import Dataset
from guideact.errors import InputError
from guideact.metrics.gacs import overlaps
from guideact.models.base import Abilities, Reply, Request
from guideact.offline import predict as module
from guideact.offline.gold import read_gold
from guideact.offline.interventions import KINDS
from guideact.offline.mediation import baseline, mediation, share
from guideact.offline.predict import PredictConfig, plan, predict
from guideact.offline.predictions import Predictions, read_predictions
from guideact.stats import Resampling
from guideact.types import Click, Mark
from tests.cli.calling import call

from .made import made

QUICK = Resampling(resamples=200)


PREFIXED = Abilities(prefix=True)


@dataclass(frozen=True)
class Following:
    """Acts on the candidate that a policy picks from the guide; its own guide names the gold target or nothing."""

    pick: Callable[[Request, str], int]
    own: dict[tuple[str, int], str]
    name: str = "made/up"
    can: Abilities = PREFIXED

    async def probe(self) -> None: ...

    async def close(self) -> None: ...

    async def answer(self, request: Request) -> Reply:
        own = self.own.get((request.task.id, request.step), "Go on.")
        guide = json.loads(request.prefix.rstrip(",") + "}")["guide"] if request.prefix else own
        action = Click(target=Mark(mark=self.pick(request, guide)))
        return Reply(text=format_answer(action, guide, order=request.prompt.order))


def by_words(request: Request, guide: str) -> int:
    seen = request.observation.candidates
    scores = overlaps(guide, [f"{c.name} {c.text} {c.placeholder} {' '.join(c.options)}" for c in seen])
    return max(range(len(seen)), key=lambda at: scores[at]) + 1


def runs(
    dataset: Dataset, folder: Path, monkeypatch: pytest.MonkeyPatch, pick: Callable[[Request, str], int]
) -> list[Predictions]:
    own = {(step.task_id, step.index): step.guides[0] for step in dataset.steps("test")}
    monkeypatch.setattr(module, "model_of", lambda run, sampling: Following(pick, own))
    found = []
    for kind in (None, *KINDS):
        out = folder / f"{kind}.jsonl"
        run = RunConfig(model="made/up")
        config = PredictConfig(arm="guide-action", force=kind)
        asyncio.run(predict(plan(dataset, config, run, out)))
        found.append(read_predictions([out]))
    return found


def test_an_agent_that_matches_words_has_learned_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = made(tmp_path / "made", tasks=40)
    found = mediation(dataset, runs(dataset, tmp_path, monkeypatch, by_words), QUICK)
    gold, none, other = found.row("gold"), found.row("none"), found.row("other-task")
    assert gold is not None
    assert none is not None
    assert other is not None
    assert gold.element.value is not None
    assert gold.element.value > 0.8
    assert gold.gain is not None
    assert gold.gain.low is not None
    assert gold.gain.low > 0
    assert gold.excess.low is not None
    assert gold.excess.high is not None
    assert gold.excess.low <= 0 <= gold.excess.high
    assert other.element.value is not None
    assert other.element.value < gold.element.value
    assert gold.kept is None
    shuffled = found.row("shuffled")
    assert shuffled is not None
    assert shuffled.kept is not None
    assert shuffled.kept.value == pytest.approx(1)
    assert found.mediated is not None
    assert found.direct is not None
    assert found.mediated.value is not None
    assert found.direct.value is not None
    assert found.mediated.value > 0.3
    assert found.mediated.value + found.direct.value == pytest.approx(1)


def test_an_agent_that_ignores_guides_is_not_mediated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = made(tmp_path / "made", tasks=40)
    found = mediation(dataset, runs(dataset, tmp_path, monkeypatch, lambda request, guide: 1), QUICK)
    assert found.mediated is not None
    assert (found.mediated.value, found.mediated.low, found.mediated.high) == (0, None, None)
    for row in found.rows:
        assert row.gain is None or (row.gain.value, row.gained, row.lost) == (0, 0, 0)
    assert found.flips == ()


def test_flips_are_told_step_by_step_and_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = made(tmp_path / "made", tasks=20)
    found = mediation(dataset, runs(dataset, tmp_path, monkeypatch, by_words), QUICK)
    for row in found.rows:
        if row.kind != "none":
            assert row.gained == sum(flip.right[row.kind] > flip.right["none"] for flip in found.flips)
            assert row.lost == sum(flip.right["none"] > flip.right[row.kind] for flip in found.flips)
            assert row.gain is not None
            assert row.gain.value == pytest.approx((row.gained - row.lost) / found.steps)
    assert all(flip.guides["none"] == "" for flip in found.flips)


def test_the_baseline_splits_ties_and_knows_no_guide(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=20)
    gold = read_gold(dataset, "test")
    for key in gold.texts:
        step = gold.step(key)
        if step.target is None:
            assert baseline(step, "Press it.") == 0
            continue
        count = len(step.candidates)
        assert baseline(step, "") == pytest.approx(1 / count)
        alike = [each for each in step.candidates if each.name == step.target.name]
        assert baseline(step, f"“{step.target.name}”.") == pytest.approx(1 / len(alike))


def test_a_share_counts_clusters_that_add_nothing_below() -> None:
    found = share({"a": 1, "b": 1}, {"a": 2, "b": 0}, QUICK)
    assert found.value == 1
    assert found.low is None  # in a quarter of the resamples there is nothing below
    assert share({"a": 1}, {"a": 0}, QUICK).value is None
    alike = share({str(n): 1 for n in range(40)}, {str(n): 2 for n in range(40)}, QUICK)
    assert (alike.value, alike.low) == (0.5, None)
    many = share({str(n): n % 2 for n in range(40)}, {str(n): 1 for n in range(40)}, QUICK)
    assert many.low is not None
    assert many.high is not None
    assert many.low < 0.5 < many.high


def test_the_command_prints_a_table_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = made(tmp_path / "made", tasks=20)
    runs(dataset, tmp_path, monkeypatch, by_words)
    files = [str(tmp_path / f"{kind}.jsonl") for kind in (None, *KINDS)]
    plot = tmp_path / "plot.svg"
    said = call(capsys, "offline", "mediate", str(tmp_path / "made"), *files, "--plot", str(plot))
    assert said.status == 0, said.err
    for word in ("own", "gold", "rename", "overlap", "excess", "(mediated)"):
        assert word in said.out
    from xml.etree import ElementTree

    drawn = ElementTree.fromstring(plot.read_text(encoding="utf-8"))
    texts = "".join(drawn.itertext())
    assert "other-step (" in texts
    assert "word overlap" in texts


def test_runs_that_differ_in_more_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = made(tmp_path / "made", tasks=6)
    found = runs(dataset, tmp_path, monkeypatch, by_words)
    with pytest.raises(InputError, match="there is a run of kind gold already"):
        mediation(dataset, [found[1], found[1]], QUICK)
    other = found[2].model_copy(update={"header": found[2].header.model_copy(update={"history": "none"})})
    with pytest.raises(InputError, match="differ in history"):
        mediation(dataset, [found[1], other], QUICK)
    wrong = found[2].model_copy(update={"header": found[2].header.model_copy(update={"arm": "action"})})
    with pytest.raises(InputError, match="has no guide before its action"):
        mediation(dataset, [wrong], QUICK)


def test_seeds_are_put_together_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = made(tmp_path / "made", tasks=20)
    picks = {"a": by_words, "b": lambda request, guide: 1}
    seeds: dict[str, list[Predictions]] = {}
    for name, pick in picks.items():
        (tmp_path / name).mkdir()
        found = runs(dataset, tmp_path / name, monkeypatch, pick)
        seeds[name] = [
            run.model_copy(update={"header": run.header.model_copy(update={"model": f"made/{name}"})}) for run in found
        ]
    each = {name: mediation(dataset, found, QUICK) for name, found in seeds.items()}
    both = mediation(dataset, [*seeds["a"], *reversed(seeds["b"])], QUICK)
    assert both.seeds == 2
    for row in both.rows:
        one, other = (each[name].row(row.kind) for name in ("a", "b"))
        assert one is not None
        assert other is not None
        assert one.element.value is not None
        assert other.element.value is not None
        assert row.by_seed == (one.element.value, other.element.value)
        assert row.element.value == pytest.approx((one.element.value + other.element.value) / 2)
        assert (row.gained, row.lost) == (one.gained + other.gained, one.lost + other.lost)
    with pytest.raises(InputError, match="kind own has 1 runs, other kinds have 2"):
        mediation(dataset, [*seeds["a"][1:], *seeds["b"][1:], seeds["a"][0]], QUICK)
