"""Reading a run folder in order to score it: nothing is opened for writing, and no browser is needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from guideact.errors import InputError
from guideact.harness.log import EPISODES, Manifest, read_episodes, read_manifest, refuse_foreign
from guideact.types import Episode


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it lies on the disk. `episodes` are sorted by task and sample, whatever order they ended in."""

    folder: Path
    manifest: Manifest
    episodes: tuple[Episode, ...]
    notes: tuple[str, ...] = ()
    """What a reader of its scores should know: a torn last line, episodes that are still to be done, what the built-in
    agent is not."""

    @property
    def name(self) -> str:
        return self.folder.resolve().name


def read_run(folder: Path) -> Run:
    """Read a run folder.

    Raises:
        InputError: the folder is missing, cannot be read, or is no run; the run is of another format; a line is no
            episode (except a torn last one, which becomes a note); an episode stands there twice, is none of this
            run, or ended without a verdict; no episode has ended yet.
    """
    manifest = read_manifest(folder)
    path = folder / EPISODES
    try:
        episodes = tuple(read_episodes(folder))
        data = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check who may read it.") from error
    if not episodes:
        raise InputError(f"{folder} holds no finished episode yet", fix="Run the same command again to go on with it.")
    refuse_foreign(episodes, manifest, path)
    for episode in episodes:
        key = (episode.task_id, episode.sample)
        if (episode.check is None) != (episode.end == "infrastructure_error"):
            raise InputError(
                f"{path}: task {key[0]}, sample {key[1]}, ended as {episode.end} "
                f"with{'out' if episode.check is None else ''} a verdict",
                fix="Delete that line: the run then does the episode again.",
            )
    notes = []
    if not data.endswith(b"\n") and data.count(b"\n") >= len(episodes):
        notes.append(f"The last line of {EPISODES} is torn and was left out; the same command does its episode again.")
    if manifest.model.startswith("builtin/"):
        # Not at the head: the agent brings numpy, which reading a run does not need.
        from guideact.models.builtin import NOTE

        notes.append(NOTE)
    planned = len(set(manifest.tasks)) * manifest.epochs
    if planned > len(episodes):
        notes.append(f"{planned - len(episodes):,} of {planned:,} episodes are not finished.")
    ordered = tuple(sorted(episodes, key=lambda episode: (episode.task_id, episode.sample)))
    return Run(folder, manifest, ordered, tuple(notes))
