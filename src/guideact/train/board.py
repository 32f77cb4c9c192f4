"""The curves of a training as a TensorBoard event file, where the package `tensorboard` is installed.

One file a training, in its folder, one event a round. A training that goes on goes on in the same file: a torn end, and
rounds that are done again, are cut off first, so that no round stands there twice. What the folder's own rounds.jsonl
holds is the truth; rounds that are missing in the file are written from it.
"""

from __future__ import annotations

import importlib.util
import os
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from guideact.errors import InputError
from guideact.train.settings import OfflineRound, RoundRecord

FILE = "tensorboard/events.out.tfevents.0.guideact"
"""In the training's folder. TensorBoard knows event files by a part of their name."""

_HEAD, _CHECKSUM = struct.Struct("<QI"), 4
"""A record of the file: its length and that length's checksum, the record, and the record's checksum."""


class Board:
    """The event file of a training; nothing at all where the package is missing."""

    def __init__(self, folder: Path, done: Sequence[Mapping[str, float]]) -> None:
        """Begin the file, or go on after the rounds that are `done`, by the values of each.

        Raises InputError where the file cannot be written.
        """
        self._path = folder / FILE
        self._rounds = 0
        self._on = importlib.util.find_spec("tensorboard") is not None
        if not self._on:
            return
        self._cut(len(done))
        for values in done[self._rounds :]:
            self.add(values)

    def add(self, values: Mapping[str, float]) -> None:
        """Put the next round down, by the name of each curve. Raises InputError where that cannot be written."""
        if not self._on:
            return
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        made = Summary(value=[Summary.Value(tag=name, simple_value=value) for name, value in values.items()])
        self._append(Event(wall_time=time.time(), step=self._rounds + 1, summary=made))
        self._rounds += 1

    def _cut(self, most: int) -> None:
        """Leave what stands whole at the head of the file: its version and then round after round, `most` of them."""
        from google.protobuf.message import DecodeError
        from tensorboard.compat.proto.event_pb2 import Event

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            data = self._path.read_bytes() if self._path.exists() else b""
            end, found = 0, -1
            while found < most and (record := _record_at(data, end)) is not None:
                try:
                    event = Event.FromString(record)
                except DecodeError:
                    break
                if event.step != found + 1 or (found < 0 and not event.file_version):
                    break
                end, found = end + _HEAD.size + len(record) + _CHECKSUM, found + 1
            if end < len(data):
                os.truncate(self._path, end)
        except OSError as error:
            raise self._unwritable(error) from error
        if found < 0:
            self._append(Event(wall_time=time.time(), file_version="brain.Event:2"))
        self._rounds = max(found, 0)

    def _append(self, event: Any) -> None:
        from tensorboard.summary.writer.record_writer import RecordWriter

        try:
            with open(self._path, "ab") as file:
                RecordWriter(file).write(event.SerializeToString())
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"{self._path} cannot be written: {error.strerror}", fix="Make room, or check who may.")


def _record_at(data: bytes, place: int) -> bytes | None:
    """The record that begins there; None where none does, or its end is missing."""
    if place + _HEAD.size > len(data):
        return None
    length, _ = _HEAD.unpack_from(data, place)
    begin = place + _HEAD.size
    return data[begin : begin + length] if begin + length + _CHECKSUM <= len(data) else None


def curves_of(record: RoundRecord) -> dict[str, float]:
    """The curves of a round of rewards by name; what the round has no number for is left out."""
    found = {
        "success_rate": record.success_rate,
        "test/success_rate": record.test_success_rate,
        "reward_variance": record.reward_variance,
        "dead_share": record.dead_share,
        "expert_share": record.expert_share,
        "entropy": record.entropy,
        "kl": record.kl,
        "steps": record.steps,
        "seconds/rollouts": record.seconds_rollouts,
        "seconds/update": record.seconds_update,
        **{f"actions/{verb}": share for verb, share in record.actions.items()},
    }
    return {name: value for name, value in found.items() if value is not None}


def guide_curves_of(record: OfflineRound) -> dict[str, float]:
    """The same of a round of a training of guides."""
    found = {
        "reward": record.reward,
        "reward_variance": record.reward_variance,
        "dead_share": 1 - record.live / record.groups if record.groups else None,
        "entropy": record.entropy,
        "kl": record.kl,
    }
    return {name: value for name, value in found.items() if value is not None}
