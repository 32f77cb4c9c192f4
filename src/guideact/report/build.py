"""Build `report.html` from a run folder: read, score, draw, write one file. Needs no browser and no network."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guideact.errors import InputError
from guideact.harness.log import Manifest, read_episodes, read_manifest
from guideact.harness.measure import measure
from guideact.harness.read import read_run
from guideact.harness.score import score
from guideact.harness.scores import Score
from guideact.metrics import GuideScoring
from guideact.report.episodes import episode_data, island, result_of
from guideact.report.images import Picture, load_pictures
from guideact.report.page import render
from guideact.report.scores import charts_of, headline, more_rows, notes_of, score_rows, side_by_side, template_line
from guideact.report.words import RESULTS, count, listed
from guideact.types import Episode

REPORT = "report.html"


@dataclass(frozen=True)
class ListRow:
    """One line of the list of episodes. The `_value` fields are what sorting compares; "" where there is none."""

    result: str
    task: str
    intent: str
    site: str
    template: str
    steps: int
    gold: int
    g: str
    g_value: str
    seconds: str
    seconds_value: str


def build(run_folder: Path) -> Path:
    """Write `report.html` into the run folder and return its path.

    A run in which nothing has ended yet gets a report that says so. Raises InputError where the folder is no run, is
    damaged, or cannot be written.
    """
    manifest = read_manifest(run_folder)
    if next(read_episodes(run_folder), None) is None:
        return _write(run_folder, render(**_frame(manifest, ()), **_EMPTY))
    run = read_run(run_folder)
    scored = score(run)
    guides = _guide_scores(run.episodes)
    shown = (step.screenshot for episode in run.episodes for step in episode.steps)
    pictures = load_pictures(run_folder, shown)
    page = render(
        **_frame(manifest, run.episodes, scored),
        rows=score_rows(scored),
        more_rows=more_rows(scored),
        score_notes=notes_of(scored),
        signature=str(scored.signature),
        columns=side_by_side(charts_of(scored)),
        templates=[template_line(group) for group in scored.by_template],
        episodes=[_list_row(episode, guides.get(_key(episode)), manifest.epochs) for episode in run.episodes],
        results=[name for name in RESULTS if any(result_of(episode) == name for episode in run.episodes)],
        sites=sorted({site for episode in run.episodes for site in episode.sites}),
        islands=[island(episode_data(episode, pictures, guides.get(_key(episode)))) for episode in run.episodes],
        pictures=[picture for picture in pictures.values() if isinstance(picture, Picture)],
    )
    return _write(run_folder, page)


_EMPTY: Mapping[str, Any] = dict.fromkeys(
    (
        *("rows", "more_rows", "score_notes", "signature", "columns", "templates"),
        *("episodes", "results", "sites", "islands", "pictures"),
    ),
    (),
)


def _frame(manifest: Manifest, episodes: Sequence[Episode], scored: Score | None = None) -> dict[str, Any]:
    """Head and foot of the page: what was run, with what."""
    found = sorted({site for episode in episodes for site in episode.sites})
    # A title of few words: many sites are counted there, and named among the facts.
    sites = listed(found) if len(found) < 3 else count(len(found), "site")
    facts = [
        ("Model", manifest.model),
        ("Grounding", {"som": "som (numbered marks)", "coord": "coord (pixels)"}[manifest.grounding]),
        ("Memory", manifest.memory),
        ("Tasks", f"{len(manifest.tasks):,}" + (f" × {manifest.epochs}" if manifest.epochs > 1 else "")),
        ("Sites", listed(found) if len(found) > 2 else ""),
        ("Started", manifest.created.replace("T", " ")[:16] + " UTC" if manifest.created else ""),
        ("guideact", manifest.versions.get("guideact", "")),
    ]
    details = [
        *((f"version of {name}", value) for name, value in manifest.versions.items()),
        ("platform", manifest.platform),
        *((f"hash of {name}", value) for name, value in manifest.hashes.items()),
        *((name, _plain(value)) for name, value in manifest.config.items()),
    ]
    return {
        "title": f"{manifest.model} on {sites}" if sites else manifest.model,
        "headline": headline(scored) if scored else "",
        "notices": scored.notes if scored else (),
        "facts": [(name, value) for name, value in facts if value],
        "details": [(name, value) for name, value in details if value],
        "level": f"{scored.signature.level:.0%}".replace("%", " %") if scored else "",
        "footer": f"Made from {count(len(episodes), 'episode')} of this run. The file is complete in itself: "
        "it loads nothing and sends nothing.",
    }


def _plain(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _key(episode: Episode) -> tuple[str, int]:
    return episode.task_id, episode.sample


def _guide_scores(episodes: Iterable[Episode]) -> dict[tuple[str, int], float]:
    """(task, sample) -> G, for the episodes that have one."""
    return {
        (task.id, attempt.sample): attempt.g
        for task in measure(episodes, GuideScoring())
        for attempt in task.attempts
        if attempt.g is not None
    }


def _list_row(episode: Episode, g: float | None, epochs: int) -> ListRow:
    return ListRow(
        result=result_of(episode),
        task=f"{episode.task_id} #{episode.sample}" if epochs > 1 else episode.task_id,
        intent=episode.intent,
        site=", ".join(episode.sites),
        template=episode.template_id,
        steps=len(episode.steps),
        gold=episode.gold_steps,
        g="–" if g is None else f"{g:.3f}",
        g_value="" if g is None else repr(g),
        seconds=f"{episode.seconds:.1f}",
        seconds_value=repr(episode.seconds),
    )


def _write(run_folder: Path, page: str) -> Path:
    """Put the page in its place at once: whoever has the old one open never reads half a file."""
    path = run_folder / REPORT
    part = run_folder / (REPORT + ".part")
    try:
        part.write_bytes(page.encode("utf-8", "replace"))
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be written: {error.strerror}", fix="Make room or check who may write there."
        ) from error
    return path
