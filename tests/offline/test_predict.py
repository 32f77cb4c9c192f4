"""Asking: what is asked, what is kept, and going on after a stop."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from guideact.config import RunConfig
from guideact.data import Dataset, write_dataset
from guideact.errors import InputError, ModelUnavailable
from guideact.models.base import Abilities, Reply, Request
from guideact.models.builtin.model import BuiltinModel
from guideact.models.builtin.network import new_network
from guideact.models.builtin.weights import Weights, save_weights
from guideact.offline import measure as measure_module
from guideact.offline import predict as module
from guideact.offline.gold import read_gold
from guideact.offline.predict import PredictConfig, plan, predict
from guideact.offline.predictions import Predictions, Writer, read_predictions
from guideact.offline.score import score
from guideact.stats import Resampling
from guideact.types import Screenshot
from tests.cli.calling import call, one_line, spawn
from tests.train.trained import shop, trained

from .made import coord_dataset, made

QUICK = Resampling(resamples=200)


def asked(dataset: Dataset, out: Path, model: str, **settings: object) -> Predictions:
    run = RunConfig(model=model)
    asyncio.run(predict(plan(dataset, PredictConfig.model_validate(settings), run, out)))
    return read_predictions([out])


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("weights") / "shop.npz"
    save_weights(path, trained())
    return f"builtin/{path}"


@pytest.mark.parametrize("arm", ["action", "guide", "guide-action", "action-guide"])
def test_the_demonstration_itself_scores_one_in_every_arm(arm: str, tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=10)
    for grounding in ("som", "coord"):
        found = asked(dataset, tmp_path / f"{grounding}.jsonl", "scripted/gold", arm=arm, grounding=grounding)
        assert len(found.rows) == dataset.manifest.counts["steps"]
        for measure in score(dataset, found, QUICK).measures:
            if not measure.name.startswith("gacs"):
                assert measure.micro.value == 1, measure.name
                assert measure.macro.value == 1, measure.name


def test_imported_points_are_scored_by_the_same_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coord_dataset(tmp_path / "points", tasks=4)
    where, out = str(tmp_path / "points"), str(tmp_path / "p.jsonl")
    said = call(capsys, "offline", "predict", where, "--model", "scripted/gold", "--grounding", "coord", "--out", out)
    assert said.status == 0, said.err
    said = call(capsys, "offline", "score", where, out, "--json")
    found = {each["name"]: each["micro"]["value"] for each in json.loads(said.out)["measures"]}
    assert {name: found[name] for name in ("element@14", "element@25", "element@50", "answer")} == {
        "element@14": 1,
        "element@25": 1,
        "element@50": 1,
        "answer": 1,
    }
    said = call(capsys, "offline", "predict", where, "--model", "scripted/gold", "--out", out)
    assert said.status == 2
    assert "knows points and no candidates. Use --grounding coord." in one_line(said)


def test_a_stop_loses_nothing_and_asks_nothing_twice(
    tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = asked(shop(), tmp_path / "whole.jsonl", agent)
    answer, left, asked_now = BuiltinModel.answer, 5, []

    async def failing(self: BuiltinModel, request: Request) -> Reply:
        nonlocal left
        if left == 0:
            raise ModelUnavailable("the endpoint stays away")
        left -= 1
        asked_now.append((request.task.id, request.step))
        return await answer(self, request)

    monkeypatch.setattr(BuiltinModel, "answer", failing)
    out = tmp_path / "p.jsonl"
    with pytest.raises(ModelUnavailable, match="stays away"):
        asked(shop(), out, agent)
    kept = out.read_bytes()
    assert len(kept.splitlines()) == 6
    out.write_bytes(kept[:-9])  # killed in the middle of a line
    left = 100
    found = asked(shop(), out, agent)
    assert found.rows == whole.rows
    assert asked_now.count(asked_now[4]) == 2
    assert all(asked_now.count(key) == 1 for key in asked_now if key != asked_now[4])


def test_a_file_of_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=3)
    out = tmp_path / "p.jsonl"
    asked(dataset, out, "scripted/noop")
    with pytest.raises(InputError, match=r"other settings \(model\)"):
        asked(dataset, out, "scripted/gold")
    with pytest.raises(InputError, match=r"other settings \(history\)"):
        asked(dataset, out, "scripted/noop", history="none")
    out.write_text("hello")
    with pytest.raises(InputError, match="is no file of predictions"):
        asked(dataset, out, "scripted/noop")


async def test_a_full_disk_is_said_with_the_file_and_nothing_is_lost(tmp_path: Path) -> None:
    made(tmp_path / "made")
    words = [sys.executable, "-m", "guideact", "offline", "predict", str(tmp_path / "made"), "--model", "scripted/gold"]
    out, whole = tmp_path / "p.jsonl", tmp_path / "whole.jsonl"
    limited = f"ulimit -f 8; exec {shlex.join([*words, '--out', str(out)])}"
    # The limit is on any file that the process writes, compiled modules included.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", limited, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=environment
    )
    _, err = await process.communicate()
    assert process.returncode == 2
    assert err.decode().splitlines()[-1].startswith(f"{out} cannot be written: File too large.")
    assert 0 < out.stat().st_size <= 8 * 1024
    assert (await spawn(*words[3:], "--out", str(out))).status == 0
    assert (await spawn(*words[3:], "--out", str(whole))).status == 0
    assert out.read_bytes() == whole.read_bytes()


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    dataset, out = made(tmp_path / "made", tasks=3), tmp_path / "p.jsonl"
    job = plan(dataset, PredictConfig(), RunConfig(model="scripted/noop"), out)
    header = job.header.model_copy(update={"images": False})  # nothing that scripted/noop would see
    with Writer(out, header), pytest.raises(InputError, match=f"another process is writing to {out}"):
        asyncio.run(predict(job))
    asyncio.run(predict(job))
    assert len(read_predictions([out]).rows) == job.steps


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [*lines, lines[1]], r"line \d+ holds step 0 of made\.0000 again"),
        (
            lambda lines: [*lines, lines[1].replace("made.0000", "made.9999")],
            r"step 0 of made\.9999 is none of those that are asked about",
        ),
        (
            lambda lines: [lines[0], lines[1].replace('"index":0', '"index":"x"')],
            r"line 2 is no prediction: index: Input should be a valid integer",
        ),
        (
            lambda lines: [lines[0].replace('"arm":"action-guide"', '"arm":"acts"')],
            r"no file of predictions of format 1: line 1: arm: Input should be 'action'",
        ),
    ],
)
def test_a_file_that_was_edited_is_refused_with_line_and_field(
    change: Callable[[list[str]], list[str]], said: str, tmp_path: Path
) -> None:
    dataset, out = made(tmp_path / "made", tasks=3), tmp_path / "p.jsonl"
    asked(dataset, out, "scripted/noop")
    lines = change(out.read_text().splitlines())
    out.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError, match=said):
        asked(dataset, out, "scripted/noop")
    assert out.read_text().splitlines() == lines


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ({"model": "nobody/x"}, "there is no model 'nobody/x'"),
        ({"model": "scripted/noop", "arm": "action"}, "holds predictions of other settings (model, arm"),
    ],
)
def test_what_cannot_work_in_the_last_job_is_said_before_the_first_is_asked(
    last: dict[str, str], said: str, tmp_path: Path, agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there, first = tmp_path / "there.jsonl", tmp_path / "first.jsonl"
    asked(shop(), there, "scripted/overlap")
    jobs = tmp_path / "jobs.jsonl"
    lines = [{"out": str(first), "model": agent}, {"out": str(there), **last}]
    jobs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = call(capsys, "offline", "predict", str(shop().folder), "--jobs", str(jobs))
    assert found.status == 2
    assert said in one_line(found)
    assert not first.exists()


@pytest.mark.parametrize("shard", ["0/4", "5/4", "1", "a/b", "\u00b2/4", f"1/{'9' * 5000}"])
def test_a_shard_that_is_none_is_refused(shard: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no part of a whole"):
        asked(made(tmp_path / "made", tasks=3), tmp_path / "p.jsonl", "scripted/noop", shard=shard)


def test_shards_together_are_the_whole(tmp_path: Path, agent: str) -> None:
    whole = asked(shop(), tmp_path / "whole.jsonl", agent)
    for number in (1, 2, 3):
        asked(shop(), tmp_path / f"{number}.jsonl", agent, shard=f"{number}/3")
    parts = [tmp_path / f"{number}.jsonl" for number in (3, 1, 2)]
    together = read_predictions(parts)
    assert together.rows == whole.rows
    assert score(shop(), together, QUICK) == score(shop(), whole, QUICK)
    assert score(shop(), read_predictions(parts[:2]), QUICK).missing > 0


WAYS: list[dict[str, str]] = [
    {"arm": "action"},
    {"arm": "action-guide", "history": "own"},
    {"arm": "guide-action"},
    {"arm": "guide-action", "force": "target"},
    {"arm": "guide-action", "force": "other-task"},
]


def test_jobs_in_one_process_write_what_each_would_alone(
    tmp_path: Path, agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    untrained = tmp_path / "untrained.npz"
    weights = trained()
    network = new_network(weights.policy.network.size, 7)
    save_weights(untrained, Weights(replace(weights.policy, network=network), weights.about))
    models = (agent, f"builtin/{untrained}", "scripted/overlap")
    lines = [
        {"out": str(tmp_path / f"{number}-{place}.jsonl"), "model": model, **way}
        for number, model in enumerate(models)
        for place, way in enumerate(WAYS)
        if "force" not in way or model.startswith("builtin/")
    ]
    jobs = tmp_path / "jobs.jsonl"
    jobs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    where = str(shop().folder)
    said = call(capsys, "offline", "predict", where, "--jobs", str(jobs))
    assert said.status == 0, said.err
    for line in lines:
        alone = tmp_path / "alone.jsonl"
        asked(shop(), alone, line["model"], **{key: line[key] for key in line if key not in ("out", "model")})
        assert Path(line["out"]).read_bytes() == alone.read_bytes()
        alone.unlink()
    # Gone on with: one file is gone, another torn, the rest stay as they are.
    before = {line["out"]: Path(line["out"]).read_bytes() for line in lines}
    Path(lines[0]["out"]).unlink()
    Path(lines[2]["out"]).write_bytes(before[lines[2]["out"]][:-9])
    assert call(capsys, "offline", "predict", where, "--jobs", str(jobs)).status == 0
    rows = {out: sorted(Path(out).read_bytes().splitlines()) for out in before}
    assert rows == {out: sorted(data.splitlines()) for out, data in before.items()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no job"),
        ("builtin/small", "line 1: Invalid JSON"),
        ('{"out": "a.jsonl"}', "line 1, model: Field required"),
        ('\n{"out": "a.jsonl", "model": "scripted/noop", "arm": "act"}', "line 2, arm: Input should be 'action'"),
        ('{"out": "a.jsonl", "model": "scripted/noop", "split": "train"}', "line 1, split: Extra inputs"),
        ('{"out": "a.jsonl", "model": "scripted/noop"}\n' * 2, "a.jsonl is to be written twice"),
        ('{"out": "a.jsonl", "model": "scripted/noop", "force": "gold"}', "--arm action-guide does not begin with"),
    ],
)
def test_jobs_that_cannot_be_read_are_refused(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = tmp_path / "jobs.jsonl"
    jobs.write_text(text)
    found = call(capsys, "offline", "predict", str(shop().folder), "--jobs", str(jobs))
    assert found.status == 2
    assert said in one_line(found)


def test_files_and_models_are_named_in_one_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, jobs = str(shop().folder), str(tmp_path / "jobs.jsonl")
    found = call(capsys, "offline", "predict", where, "--jobs", jobs, "--model", "scripted/noop")
    assert "--jobs names files and models itself" in one_line(found)
    found = call(capsys, "offline", "predict", where, "--model", "scripted/noop")
    assert "--out is missing" in one_line(found)
    found = call(capsys, "offline", "predict", where, "--jobs", jobs)
    assert f"--jobs {jobs} cannot be read" in one_line(found)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
def test_processes_that_share_the_work_change_no_score(
    tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asked(shop(), tmp_path / "p.jsonl", agent)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2})
    alone = score(shop(), found, QUICK)
    monkeypatch.setattr(measure_module, "ALONE", 4)
    assert measure_module._workers(len(found.rows)) == 3
    assert score(shop(), found, QUICK) == alone
    damaged = found.model_copy(update={"rows": (*found.rows[:-1], found.rows[-1].model_copy(update={"index": 99}))})
    with pytest.raises(KeyError, match="99"):
        measure_module.measure(read_gold(shop(), "test"), damaged)


def test_a_limit_takes_tasks_in_turn_and_a_file_names_them(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=12, templates=4)
    found = asked(dataset, tmp_path / "limit.jsonl", "scripted/noop", limit=4)
    assert sorted({row.task for row in found.rows}) == ["made.0000", "made.0001", "made.0002", "made.0003"]
    names = tmp_path / "names.txt"
    names.write_text("# the hard ones\nmade.0007\n")
    assert {row.task for row in asked(dataset, tmp_path / "n.jsonl", "scripted/noop", tasks=names).rows} == {
        "made.0007"
    }
    names.write_text("made.9\n")
    with pytest.raises(InputError, match=r"the split has no task 'made\.9'"):
        asked(dataset, tmp_path / "m.jsonl", "scripted/noop", tasks=names)


def test_the_own_history_is_what_was_said_before(tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[tuple[str, int], tuple[str, ...]] = {}
    answer = BuiltinModel.answer

    async def noting(self: BuiltinModel, request: Request) -> Reply:
        seen[request.task.id, request.step] = request.memory
        return await answer(self, request)

    monkeypatch.setattr(BuiltinModel, "answer", noting)
    found = asked(shop(), tmp_path / "own.jsonl", agent, history="own")
    said = {row.key: json.loads(row.raw)["guide"] for row in found.rows}
    for (task, index), memory in seen.items():
        assert memory == tuple(said[task, earlier] for earlier in range(index))
    seen.clear()
    asked(shop(), tmp_path / "gold.jsonl", agent, history="gold")
    gold = {(step.task_id, step.index): step.guides[0] for step in shop().steps("test")}
    for (task, index), memory in seen.items():
        assert memory == tuple(gold[task, earlier] for earlier in range(index))
    asked(shop(), tmp_path / "none.jsonl", agent, history="none")
    assert all(memory == () for memory in seen.values())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"arm": "action", "history": "own"}, "--arm action writes no guides to remember"),
        ({"arm": "action", "force": "gold"}, "--arm action does not begin with a guide"),
        ({"paraphrases": "x"}, "--paraphrases are for --force rename"),
        ({"shard": "3/2"}, "--shard 3/2 is no part of a whole"),
        ({"limit": 0}, "--limit 0 leaves no task"),
        ({"split": "train"}, "has no train split"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_asked(
    settings: dict[str, object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        asked(made(tmp_path / "made", tasks=3), tmp_path / "p.jsonl", "scripted/noop", **settings)
    assert not (tmp_path / "p.jsonl").exists()


def test_a_guide_cannot_be_forced_on_a_model_that_takes_none(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=3)
    with pytest.raises(InputError, match="the start of an answer of scripted/noop cannot be forced"):
        asked(dataset, tmp_path / "p.jsonl", "scripted/noop", arm="guide-action", force="gold")


MADE_AGAIN = {"builtin/small": "yes", "openai/any": module.BY_CHANCE, "hf/any": module.BY_MACHINE}


def test_what_may_not_be_made_again_is_said(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=3)
    config = PredictConfig()
    said = {model: plan(dataset, config, RunConfig(model=model), tmp_path / "p.jsonl").header for model in MADE_AGAIN}
    assert {model: header.deterministic for model, header in said.items()} == MADE_AGAIN


def test_the_task_that_a_model_is_given_holds_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from guideact.models.scripted import ScriptedModel
    from guideact.types import Check

    answer, checks = ScriptedModel.answer, []

    async def noting(self: ScriptedModel, request: Request) -> Reply:
        checks.append(request.task.check)
        return await answer(self, request)

    monkeypatch.setattr(ScriptedModel, "answer", noting)
    asked(made(tmp_path / "made", tasks=6), tmp_path / "p.jsonl", "scripted/noop")
    assert checks
    assert all(check == Check() for check in checks)


@pytest.mark.corpora
def test_the_real_runs_of_opagent_are_scored_by_the_same_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "GUIDEACT_DATA" not in os.environ:
        pytest.skip("GUIDEACT_DATA points at no corpora")
    runs, where = Path(os.environ["GUIDEACT_DATA"]) / "opagent", str(tmp_path / "runs")
    assert call(capsys, "gold", "import-opagent", str(runs), where).status == 0
    found = {}
    for model in ("gold", "random"):
        out = str(tmp_path / f"{model}.jsonl")
        words = ["offline", "predict", where, "--grounding", "coord", "--model", f"scripted/{model}", "--out", out]
        assert call(capsys, *words).status == 0
        said = call(capsys, "offline", "score", where, out, "--json")
        assert said.status == 0, said.err
        found[model] = json.loads(said.out)
        assert found[model]["steps"] == 1062
    for name in ("element@14", "step_success@14", "verb", "answer", "action@50"):
        right, chance = (
            next(each["micro"] for each in found[model]["measures"] if each["name"] == name)
            for model in ("gold", "random")
        )
        assert right["value"] == 1
        assert chance["value"] < 0.2
        assert right["n"] == {"element@14": 817, "answer": 96}.get(name, 1062)


def test_a_model_that_sees_is_shown_the_screenshot_with_its_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from guideact.models.scripted import ScriptedModel

    png = io.BytesIO()
    Image.new("RGB", (1440, 900), "white").save(png, "PNG")
    name = hashlib.sha256(png.getvalue()).hexdigest()
    plain = made(tmp_path / "plain", tasks=2)
    shot = Screenshot(sha256=name, width=1440, height=900)
    steps = [
        step.model_copy(update={"observation": step.observation.model_copy(update={"screenshot": shot})})
        for step in plain.steps("test")
    ]
    dataset = write_dataset(
        tmp_path / "seen",
        plain.manifest,
        plain.tasks(),
        steps,
        plain.ledger(),
        picture={name: png.getvalue()}.__getitem__,
        card=lambda manifest, verbs: "",
    )
    answer, shown = ScriptedModel.answer, []

    async def noting(self: ScriptedModel, request: Request) -> Reply:
        shown.append(request.image)
        return await answer(self, request)

    monkeypatch.setattr(ScriptedModel, "answer", noting)
    monkeypatch.setattr(ScriptedModel, "can", Abilities(images=True, seed=True))
    assert asked(dataset, tmp_path / "with.jsonl", "scripted/noop").header.images
    for image in shown:
        assert image is not None
        picture = Image.open(io.BytesIO(image))
        assert picture.size == (1440, 900)
        assert len(picture.getcolors(1 << 20) or []) > 1, "marks are drawn on the white page"
    shown.clear()
    assert not asked(dataset, tmp_path / "without.jsonl", "scripted/noop", screenshots=False).header.images
    assert set(shown) == {None}
