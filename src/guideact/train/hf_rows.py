"""Steps as rows that a real model is trained on: what it reads, and what it is to write.

A row is a question exactly as it is put when the model is run or asked offline, with the picture that it is shown then,
and an answer: a text, which is turned into tokens once, by the template that asks (`models.hf_encode`), or the very
tokens that the model sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guideact.actions import format_answer
from guideact.browser.draw import draw_marks
from guideact.data import Dataset
from guideact.errors import InputError
from guideact.harness.log import Manifest, read_manifest
from guideact.harness.memory import memory_line
from guideact.models.hf_encode import Encoded, answer_ids, encode, plain, rescaled, seen_scale
from guideact.models.hf_load import Loaded
from guideact.offline.gold import Demo
from guideact.offline.predictions import ORDERS
from guideact.offline.questions import Way, question
from guideact.prompts import Prompt, build_prompt
from guideact.train.experts import observation_of
from guideact.types import Episode, Grounding, Step, Task

IGNORED = -100
"""The label of a token that nothing is learned from, as PyTorch and transformers have it."""


@dataclass(frozen=True)
class Row:
    """One step."""

    key: tuple[str, int]
    """(task or episode, number of the step)."""
    prompt: Prompt
    picture: Callable[[], bytes] | None
    """Reads the PNG that the model is shown, marks drawn; None where it is shown none."""
    size: tuple[int, int]
    """Of the picture: width and height in pixels."""
    answer: str | tuple[int, ...]
    """A text, its points in pixels of the screenshot; or the tokens that were sampled, the end among them."""
    ends: bool = True
    """Whether the text is a whole answer, so that the model is to end there."""

    def encoded(self, loaded: Loaded) -> tuple[Encoded, tuple[int, ...]]:
        """What is read, and the tokens that are learned from."""
        image = self.picture() if self.picture is not None else None
        return encode(loaded, self.prompt.system, self.prompt.user, image), self.wanted(loaded)

    def wanted(self, loaded: Loaded) -> tuple[int, ...]:
        """The tokens of the answer."""
        if not isinstance(self.answer, str):
            return self.answer
        across, down = (1.0, 1.0) if self.picture is None else seen_scale(loaded, *self.size)
        text = rescaled(self.answer, 1 / across, 1 / down)
        return answer_ids(loaded, text) if self.ends else tuple(plain(loaded, text))

    def length(self, loaded: Loaded) -> int:
        """Tokens of all of it, found without drawing the picture."""
        read = len(encode(loaded, self.prompt.system, self.prompt.user, None).ids)
        if self.picture is not None and (images := loaded.image_processor) is not None:
            width, height = self.size
            # The picture stands between two tokens of its own.
            read += images.get_number_of_image_patches(height, width) // images.merge_size**2 + 2
        return read + len(self.wanted(loaded))


def batch_of(loaded: Loaded, rows: Sequence[Row]) -> dict[str, Any]:
    """Tensors of some rows as one batch, padded on the right.

    Shapes: input_ids, attention_mask, labels (and mm_token_type_ids with pictures) are (rows, longest); labels are
    `IGNORED` but for the tokens of answers. pixel_values and image_grid_thw are those of all pictures, one after
    another.
    """
    import torch

    pairs = [row.encoded(loaded) for row in rows]
    whole = [(*read.ids, *wanted) for read, wanted in pairs]
    longest = max(map(len, whole))

    def padded(lists: Sequence[Sequence[int]], filler: int) -> Any:
        return torch.tensor([[*each, *[filler] * (longest - len(each))] for each in lists])

    found = {
        "input_ids": padded(whole, loaded.padding()),
        "attention_mask": padded([[1] * len(ids) for ids in whole], 0),
        "labels": padded([[*[IGNORED] * len(read.ids), *wanted] for read, wanted in pairs], IGNORED),
    }
    seen = [read for read, _ in pairs if read.pixels is not None]
    if seen:
        found["pixel_values"] = torch.cat([read.pixels for read in seen])
        found["image_grid_thw"] = torch.cat([read.grid for read in seen])
        found["mm_token_type_ids"] = (found["input_ids"] == loaded.config.image_token_id).int()
    return found


# --- of demonstrations --------------------------------------------------------------------------------------------


def rows_of_demo(dataset: Dataset, demo: Demo, way: Way, *, pictures: bool) -> list[Row]:
    """The rows of a demonstrated task, in order; the answer says the first of its guides.

    Raises InputError for a step that the grounding cannot tell, or whose picture the dataset does not hold.
    """
    return [_demonstrated(dataset, demo, number, way, pictures) for number in range(len(demo.steps))]


def _demonstrated(dataset: Dataset, demo: Demo, number: int, way: Way, pictures: bool) -> Row:
    step = demo.steps[number]
    action = step.action_som if way.grounding == "som" else step.action_coord
    if action is None:
        raise InputError(f"step {number} of {demo.id} knows a point and no mark", fix="Use --grounding coord.")
    guide = step.guides[0] if step.guides else ""
    if not guide and "guide" in ORDERS[way.arm]:
        raise InputError(f"step {number} of {demo.id} has no guide", fix="Use --arm action.")
    shot, seen = step.observation.screenshot, step.observation
    if pictures and shot is None:
        raise InputError(
            f"step {number} of {demo.id} has no picture", fix="Use --no-screenshots, or build it with them."
        )

    def picture() -> bytes:
        assert shot is not None
        return draw_marks(dataset.image(shot.sha256), seen.candidates, seen.viewport)

    return Row(
        key=(demo.id, number),
        prompt=question(demo, number, way).prompt,
        picture=picture if pictures else None,
        size=(shot.width, shot.height) if shot is not None else (0, 0),
        answer=format_answer(action, guide, grounding=way.grounding, order=ORDERS[way.arm]),
    )


# --- of runs ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A run whose episodes are learned from."""

    folder: Path
    manifest: Manifest

    @property
    def grounding(self) -> Grounding:
        return self.manifest.grounding


def open_played(folder: Path) -> Played:
    """Raises InputError for a folder that is no run."""
    return Played(folder, read_manifest(folder))


def rows_of_episode(run: Played, episode: Episode, task: Task, *, sampled: bool) -> list[Row]:
    """The rows of an episode, one a step; a step at which nothing was said has an answer without tokens.

    With `sampled` the answers are the tokens that the model drew, where the run kept them; otherwise, and for experts,
    their text.

    Raises InputError where the run's prompts are not those that this guideact would make.
    """
    return list(_rows(run, episode, task, sampled))


def _rows(run: Played, episode: Episode, task: Task, sampled: bool) -> Iterator[Row]:
    memory: list[str] = []
    for step in episode.steps:
        seen = observation_of(run.folder, step.observation)
        prompt = build_prompt(task.intent, seen, memory, run.grounding, max_steps=task.max_steps)
        if step.prompt_sha256 and prompt.sha256 != step.prompt_sha256:
            raise InputError(
                f"{run.folder} was asked in other words than this guideact uses (step {step.index} of {task.id})",
                fix="Make the run again, or use the guideact that made it.",
            )
        yield Row(
            key=(f"{episode.task_id}/{episode.sample}", step.index),
            prompt=prompt,
            picture=_reader(run.folder / step.screenshot) if step.screenshot else None,
            size=(seen.viewport.width, seen.viewport.height),
            answer=(_tokens(step) if sampled else None) or step.raw,
            # Nobody chose to end at once where nothing came back.
            ends=bool(step.raw) and not any(fault.kind == "cut" for fault in step.faults),
        )
        line = memory_line(step, seen, run.manifest.memory, f"{episode.task_id}/{episode.sample}")
        if line is not None:
            memory.append(line)


def _tokens(step: Step) -> tuple[int, ...] | None:
    """The tokens that were drawn; None where any of them is not known."""
    ids = tuple(each.id for each in step.sampled if each.id is not None)
    return ids if ids and len(ids) == len(step.sampled) else None


def _reader(path: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise InputError(
                f"{path} cannot be read: {error.strerror}", fix="Training needs the run's images."
            ) from error

    return read
