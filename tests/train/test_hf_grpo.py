"""The update of a round: rows and groups from a run, TRL's GRPO loss as the oracle, and folders that go on."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from guideact.data import open_dataset
from guideact.errors import InputError
from guideact.harness.log import read_episodes
from guideact.models.hf_load import Loaded, load, locate
from guideact.offline.gold import demos_of
from guideact.offline.questions import Way
from guideact.train.groups import Rows, rows_of
from guideact.train.hf_grpo import gather, learn, log_probabilities, log_probabilities_of
from guideact.train.hf_rows import Row, batch_of, open_played, rows_of_demo, rows_of_episode
from guideact.train.hf_settings import UpdateSettings
from guideact.train.hf_sft import ABOUT
from guideact.train.hf_update import update
from guideact.train.objective import Objective, Unit
from guideact.types import Fault
from tests.cli.calling import call, one_line
from tests.models.tiny import tiny

from .made_round import TASKS, made_round
from .seen_shop import seen_shop
from .small_shop import small_shop

pytest.importorskip("trl", reason="training needs trl, which is not installed here")
# The libraries ask each other in words that they have since renamed.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


@functools.cache
def rollouts() -> Path:
    return made_round(Path(_folder().name) / "rollouts", tiny())


def fresh() -> Loaded:
    return load(locate(str(tiny())))


def test_a_run_becomes_rows_of_the_very_tokens_that_were_sampled() -> None:
    run, loaded = open_played(rollouts()), fresh()
    for episode in read_episodes(rollouts()):
        task = next(task for task in TASKS if task.id == episode.task_id)
        for row, step in zip(rows_of_episode(run, episode, task, sampled=True), episode.steps, strict=True):
            assert row.answer == tuple(each.id for each in step.sampled)
            assert row.prompt.sha256 == step.prompt_sha256
            # What the model said of its own tokens is what the update finds: prompt, picture and tokens are the same.
            logs = log_probabilities(loaded, row).detach().numpy()
            assert logs == pytest.approx([each.logprob for each in step.sampled], abs=2e-3)


def test_text_is_learned_from_where_no_tokens_were_kept() -> None:
    run = open_played(rollouts())
    episode = next(read_episodes(rollouts()))
    rows = rows_of_episode(run, episode, TASKS[0], sampled=False)
    assert [row.answer for row in rows] == [step.raw for step in episode.steps]
    assert [row.ends for row in rows] == [not any(f.kind == "cut" for f in step.faults) for step in episode.steps]


def test_groups_of_a_round_with_experts(tmp_path: Path) -> None:
    loaded = fresh()
    alone = gather(loaded, UpdateSettings(model=str(tiny()), rollouts=(rollouts(),)))
    assert (alone.formed.counts.groups, alone.formed.counts.live, alone.formed.counts.errors) == (3, 2, 1)
    assert {group.task_id for group in alone.formed.groups} == {"shop.0", "shop.2"}
    whole = gather(loaded, UpdateSettings(model=str(tiny()), rollouts=(rollouts(),), experts=(rollouts(),)))
    assert whole.formed.counts.experts == 2
    expert = next(member for member in whole.formed.groups[0].members if member.expert)
    assert isinstance(whole.rows[expert.key, 0].answer, str)
    none = gather(
        loaded,
        UpdateSettings(model=str(tiny()), rollouts=(rollouts(),), experts=(rollouts(),), coverage=0.01),
    )
    assert none.formed.counts.experts == 0


def changed(folder: Path, **config: object) -> Path:
    """The rollouts as if they had been made with other settings."""
    shutil.copytree(rollouts(), folder)
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"] |= config
    (folder / "run.json").write_text(json.dumps(manifest))
    return folder


@pytest.mark.parametrize("temperature", [0.0, 0.7, None])
def test_what_was_drawn_at_another_temperature_is_no_rollout(tmp_path: Path, temperature: float | None) -> None:
    """Unless told one, a model in this process is greedy."""
    run = changed(tmp_path / "run", temperature=temperature)
    with pytest.raises(InputError, match=f"run was drawn at temperature {temperature or 0:g}, and is learned from"):
        gather(fresh(), UpdateSettings(model="", rollouts=(run,)))
    (made,) = gather(fresh(), UpdateSettings(model="", experts=(run,))).formed.groups[:1]
    assert made.members[0].expert, "experts may have been drawn as they like"


def test_the_same_tasks_are_covered_whatever_round_they_come_in(tmp_path: Path) -> None:
    """Two of the three are covered, shop.0 not; nor is it in a round in which no other task comes."""
    kept = []
    for number, sample_id in enumerate([(), ("shop.0",), ("shop.2",)]):
        run = changed(tmp_path / str(number), sample_id=sample_id)
        manifest = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps({**manifest, "tasks": sample_id or manifest["tasks"]}))
        lines = (run / "episodes.jsonl").read_text().splitlines()
        mine = [line for line in lines if not sample_id or f'"{sample_id[0]}"' in line]
        (run / "episodes.jsonl").write_text("\n".join(mine) + "\n")
        wanted = UpdateSettings(model="", coverage=0.67, rollouts=(run,), experts=(rollouts(),))
        made = gather(fresh(), wanted).formed
        kept.append({group.task_id for group in made.groups if any(member.expert for member in group.members)})
    assert kept == [{"shop.2"}, set(), {"shop.2"}]


def test_experts_alone_may_have_no_pictures(tmp_path: Path) -> None:
    small_shop(tmp_path / "shop")
    made = gather(fresh(), UpdateSettings(model="", experts=(tmp_path / "shop",)))
    assert made.formed.counts.experts > 0
    assert all(row.picture is None for row in made.rows.values())
    # Beside rollouts that were shown pictures they must have them; no flag of an update would change that.
    ours = made_round(tmp_path / "ours", tiny(), tokens=4)
    renamed = (ours / "run.json").read_text()
    assert "screenshots" in renamed
    bare = demos_of(open_dataset(tmp_path / "shop"), "train")[0].id
    tasks = json.loads((tmp_path / "ours-tasks.json").read_text())
    for file in (ours / "run.json", ours / "episodes.jsonl"):
        file.write_text(file.read_text().replace('"shop.0"', f'"{bare}"'))
    (tmp_path / "ours-tasks.json").write_text(json.dumps([{**tasks[0], "id": bare}, *tasks[1:]]))
    with pytest.raises(InputError, match=r"shop: step 0 of .* has no picture\. Give other --experts\.$"):
        gather(fresh(), UpdateSettings(model="", rollouts=(ours,), experts=(tmp_path / "shop",)))


def test_a_step_at_which_nothing_came_back_teaches_nothing() -> None:
    run, loaded = open_played(rollouts()), fresh()
    episode = next(read_episodes(rollouts()))
    step = episode.steps[0].model_copy(update={"raw": "", "sampled": (), "faults": (Fault(kind="empty", detail=""),)})
    (row, *_) = rows_of_episode(run, episode.model_copy(update={"steps": (step,)}), TASKS[0], sampled=True)
    assert row.wanted(loaded) == ()


# --- TRL as the oracle --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unbarred(Loaded):
    """TRL gives every token a probability, those of pictures too."""

    def barred(self) -> tuple[int, ...]:
        return ()


def unbarred(seed: int = 0) -> Unbarred:
    loaded = fresh()
    if seed:
        import torch

        torch.manual_seed(seed)
        with torch.no_grad():
            for weights in loaded.model.parameters():
                weights += 0.02 * torch.randn_like(weights)
    return Unbarred(loaded.model.train(), loaded.tokenizer, loaded.image_processor, loaded.device)


@functools.cache
def trainer(loss_type: str, clip: float, kl: float) -> Any:
    """TRL's GRPOTrainer on the tiny model, for its loss alone."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    args = GRPOConfig(
        output_dir=f"{_folder().name}/trl", loss_type=loss_type, scale_rewards="none", beta=kl, epsilon=clip,
        num_generations=2, per_device_train_batch_size=2, use_cpu=True, bf16=False, report_to="none",
        gradient_checkpointing=False, temperature=1.0, use_bias_correction_kl=False,
    )  # fmt: skip
    loaded = fresh()
    made = GRPOTrainer(
        model=loaded.model,
        reward_funcs=lambda completions, **more: [0.0] * len(completions),
        args=args,
        train_dataset=Dataset.from_dict({"prompt": ["a", "b"]}),
        processing_class=loaded.tokenizer,
    )
    made.current_gradient_accumulation_steps = 1
    return made


def rows_for_oracle() -> list[Row]:
    """Rows with pictures whose prompts and answers all differ in length."""
    dataset = seen_shop(Path(_folder().name) / f"shop-{len(list(Path(_folder().name).iterdir()))}")
    demo = demos_of(dataset, "train")[0]
    return rows_of_demo(dataset, demo, Way("action-guide", "som", "gold"), pictures=True)[:3]


def trl_batch(loaded: Loaded, rows: Sequence[Row], old: Sequence[Any], reference: Sequence[Any] | None) -> Any:
    """The rows as TRL wants them: prompts padded on the left, answers on the right."""
    import torch

    pairs = [row.encoded(loaded) for row in rows]
    before, after = max(len(read.ids) for read, _ in pairs), max(len(wanted) for _, wanted in pairs)

    def right(lists: Sequence[Any], dtype: Any = torch.float32) -> Any:
        return torch.tensor([[*each, *[0] * (after - len(each))] for each in lists], dtype=dtype)

    prompt = torch.tensor([[0] * (before - len(read.ids)) + list(read.ids) for read, _ in pairs])
    answer = right([wanted for _, wanted in pairs], torch.long)
    tensors = batch_of(loaded, rows)
    ids = torch.cat([prompt, answer], 1)
    found = {
        "prompt_ids": prompt,
        "prompt_mask": torch.tensor([[0] * (before - len(r.ids)) + [1] * len(r.ids) for r, _ in pairs]),
        "completion_ids": answer,
        "completion_mask": right([[1] * len(wanted) for _, wanted in pairs], torch.long),
        "old_per_token_logps": right(old),
        "pixel_values": tensors["pixel_values"],
        "image_grid_thw": tensors["image_grid_thw"],
        "num_images": [1] * len(rows),
        "mm_token_type_ids": (ids == loaded.config.image_token_id).int(),
    }
    if reference is not None:
        found["ref_per_token_logps"] = right(reference)
    return found


class Keeper:
    """Stands for the optimiser: keeps the gradient, and moves nothing."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.gradients: dict[str, Any] = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        self.model.zero_grad(set_to_none=set_to_none)

    def step(self) -> None:
        self.gradients = {n: w.grad.clone() for n, w in self.model.named_parameters() if w.grad is not None}


@pytest.mark.parametrize(
    ("unit", "loss_type", "clip", "kl"),
    [("rows", "grpo", 0.2, 0.0), ("tokens", "bnpo", 0.2, 0.0), ("rows", "grpo", 0.05, 0.3)],
)
def test_gradients_are_those_of_trls_loss(unit: Unit, loss_type: str, clip: float, kl: float) -> None:
    """Qwen3.5 with pictures, a batch of unequal lengths, a policy that has moved since it was sampled from.

    Loss types `grpo` and `bnpo`, rewards not scaled; the KL term is that of GRPO's paper, not weighed by the ratio.
    """
    import torch

    rows = rows_for_oracle()
    start, now = unbarred(), unbarred(seed=7)
    material = {row.key: row for row in rows}
    old = log_probabilities_of(start, material, [row.key for row in rows])
    gains = np.array([0.75, -0.25, -0.5])
    lengths = np.array([len(each) for each in old.values()])
    assert len(set(lengths)) == 3
    weights = {"rows": 1 / (3 * lengths), "tokens": np.full(3, 1 / lengths.sum())}[unit]
    flat = Rows(
        keys=tuple(row.key for row in rows), episode=np.arange(3), lengths=lengths, advantage=gains, weight=weights,
        expert=np.zeros(3, bool),
    )  # fmt: skip

    theirs = trainer(loss_type, clip, kl)
    theirs.model.load_state_dict(now.model.state_dict())
    theirs.model.train()
    theirs.model.zero_grad()
    given = [each.tolist() for each in old.values()]
    batch = trl_batch(now, rows, given, given if kl else None)
    batch["advantages"] = torch.tensor(gains, dtype=torch.float32)
    loss = theirs._compute_loss(theirs.model, batch)
    loss.backward()

    keeper = Keeper(now.model)
    ours = Objective(unit=unit, clip=clip, kl=kl)
    moved = learn(now, keeper, material, flat, ours, updates=1, seed=(0,), old=old, reference=old if kl else None)
    assert moved.loss == pytest.approx(float(loss.detach()), rel=1e-3, abs=1e-6)
    assert 0 < moved.clipped < 1
    expected = {n: w.grad for n, w in theirs.model.named_parameters() if w.grad is not None}
    assert keeper.gradients.keys() >= {name for name, grad in expected.items() if grad.abs().max() > 0}
    assert any("visual" in name for name in expected)
    for name, grad in expected.items():
        scale = float(grad.abs().max())
        assert torch.allclose(keeper.gradients[name], grad, rtol=2e-3, atol=2e-3 * scale + 1e-7), name


# --- learning -----------------------------------------------------------------------------------------------------


def test_what_was_rewarded_becomes_likelier_and_what_failed_less_so() -> None:
    import torch

    loaded = fresh()
    made = gather(loaded, UpdateSettings(model=str(tiny()), rollouts=(rollouts(),)))
    rows = rows_of(made.formed.groups, "episodes")
    before = log_probabilities_of(loaded, made.rows, rows.keys)
    optimiser = torch.optim.SGD(loaded.model.parameters(), lr=0.05)
    found = learn(loaded, optimiser, made.rows, rows, Objective(), updates=1, seed=(0,))
    after = log_probabilities_of(loaded, made.rows, rows.keys)
    gained = sum(
        rows.advantage[place] * rows.weight[place] * float((after[key] - before[key]).sum())
        for place, key in enumerate(rows.keys)
    )
    assert gained > 0
    assert found.rows == len(rows)
    assert found.tokens == rows.lengths.sum()
    assert found.clipped == 0
    # Before anything moves each ratio is 1, and what is weighed adds up to the mean advantage of an episode.
    assert found.loss == pytest.approx(-float((rows.advantage * rows.weight * rows.lengths).sum()), abs=1e-9)


def test_an_update_goes_from_folder_to_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--updates", "2", "--rate", "0.01", "--lora-rank", "2")
    first, second = tmp_path / "a", tmp_path / "b"
    said = call(
        capsys, "train", "update", "--model", f"hf/{tiny()}", "--rollouts", str(rollouts()), "--experts",
        str(rollouts()), "--out", str(first), *words,
    )  # fmt: skip
    assert said.status == 0, said.err
    assert "2 of 3 groups differ in success" in said.err
    assert json.loads(said.out)["updates"] == 2
    assert json.loads((first / ABOUT).read_text())["found"] == json.loads(said.out)
    assert locate(str(first)).adapter == str(first)
    again = call(
        capsys, "train", "update", "--model", f"hf/{first}", "--rollouts", str(rollouts()), "--reference",
        f"hf/{tiny()}", "--kl", "0.1", "--clip", "0.2", "--unit", "tokens", "--out", str(second), *words,
    )  # fmt: skip
    assert again.status == 0, again.err
    assert json.loads(again.out)["kl"] > 0
    row = next(iter(gather(fresh(), UpdateSettings(model="", rollouts=(rollouts(),))).rows.values()))
    logs = [log_probabilities(load(locate(str(each))), row).sum().item() for each in (tiny(), first, second)]
    assert len(set(logs)) == 3


def test_a_round_of_which_nothing_can_be_learned_changes_nothing(tmp_path: Path) -> None:
    lines = [line for line in (rollouts() / "episodes.jsonl").read_text().splitlines() if '"shop.1"' in line]
    dead = Path(shutil.copytree(rollouts(), tmp_path / "dead"))
    (dead / "episodes.jsonl").write_text("\n".join(lines) + "\n")
    found = update(UpdateSettings(model=str(tiny()), rollouts=(dead,), out=tmp_path / "out"), lambda line: None)
    assert (found.rows, found.updates, found.dead_share) == (0, 0, 1.0)
    row = next(iter(gather(fresh(), UpdateSettings(model="", rollouts=(rollouts(),))).rows.values()))
    same = [log_probabilities(load(locate(str(each))), row).tolist() for each in (tiny(), tmp_path / "out")]
    assert same[0] == pytest.approx(same[1], abs=1e-6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "neither --rollouts nor --experts are given"),
        (["--rollouts", "nowhere"], "nowhere is no run"),
        (["--rollouts", "RUN", "--kl", "0.1"], "--kl needs to know from what. Give --reference"),
        (["--rollouts", "RUN", "--out", "."], ". exists already"),
    ],
)
def test_what_cannot_be_updated_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [word.replace("RUN", str(rollouts())) for word in words]
    found = call(capsys, "train", "update", "--model", f"hf/{tiny()}", *words)
    assert found.status == 2
    assert said in one_line(found)


def test_another_wording_of_the_prompt_is_noticed(tmp_path: Path) -> None:
    run = open_played(rollouts())
    episode = next(read_episodes(rollouts()))
    with pytest.raises(InputError, match="was asked in other words than this guideact uses"):
        rows_of_episode(run, episode, TASKS[1], sampled=True)
