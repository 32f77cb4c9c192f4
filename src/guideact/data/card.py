"""The card of a dataset: what a reader should know before using it, in the form that model and data hubs read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files

from guideact.data.ledger import Ledger
from guideact.data.manifest import Manifest
from guideact.data.records import DemoTask
from guideact.data.shards import SPLITS

_HOW = {
    "embedded": """\
The gold solvers of guideact's embedded sites were run against the live sites in a real browser, each target named by a
pixel; the mark that the candidate had at that moment was written down beside it. A demonstration is kept only where the
task's functional check passes at its end.""",
    "opagent": """\
OpAgent's published runs on the sites of WebArena were read into guideact's steps. Only runs that were scored as
successes are here. What has no counterpart among the verbs was dropped, Enter after typing became a step of its own,
and the planner's instruction for a step is the draft of its guide. The ledger counts every rule. There are points and
no boxes, and most runs came without their screenshots.""",
}
_MORE = {
    "replay": """

Each of them was performed again on the live sites: observations, candidates, marks and screenshots are of that replay,
and only demonstrations that passed the functional check then are here. A step whose target is no candidate has a point
alone. The ledger counts what differed from the record. The guides are the record's own: where that was made in another
look of the sites, they name what was shown there.""",
    "draft": """

The first guide sentence of a step, and the rationale, were written by a model and let through by rules. Where a rule
rejected the draft the sentences are those of the source; the ledger counts both.""",
}
_SKIN = """

The sites wore the skin `{skin}`, a look made from a seed, with other words, another layout or other widgets, as its
kind says."""
_SKIN_GUIDES = " The guides name what it shows."
_CAVEATS = {
    "embedded": """\
The sites are small and made up, the tasks come from templates, and the demonstrations from programs: numbers measured
on this data say nothing about the open web. Tasks of one template are alike; a share of the templates occurs in the
test split alone. The sentences were written for templates and filled in by program; no person typed these trajectories,
and no personal data is in them.""",
    "opagent": """\
The runs are a model's, not a person's: they hold detours, and a success can rest on what the model knew before. The
guides are drafts that nobody has reviewed. Where a step was dropped, the next one begins on a page that no step led
to.""",
}


def card(manifest: Manifest, verbs: Mapping[str, int], tasks: Sequence[DemoTask], ledger: Ledger) -> str:
    """The text of README.md. `verbs`: how many steps there are of each."""
    origin, *more = manifest.source.split("+")
    template = files(__package__).joinpath("card.md").read_text(encoding="utf-8")
    return template.format(
        licence=manifest.licence.lower(),
        name=manifest.name,
        # A JSON string is one of YAML too, whatever is in it.
        quoted=json.dumps(manifest.name, ensure_ascii=False),
        configs=_configs(manifest.counts),
        templates=len({task.task.template_id for task in tasks}),
        sites=", ".join(sorted({site for task in tasks for site in task.task.sites})),
        width=manifest.viewport.width,
        height=manifest.viewport.height,
        verbs="\n".join(f"| {verb} | {count} |" for verb, count in Counter(verbs).most_common()),
        how=_HOW[origin]
        + "".join(_MORE[each] for each in more)
        + (_SKIN.format(skin=manifest.skin) if manifest.skin else "")
        + (_SKIN_GUIDES if manifest.skin and "replay" not in more else ""),
        caveats=_CAVEATS[origin],
        ledger="\n".join(
            f"| {total.stage} | {total.came} | {total.lost} | "
            + (", ".join(f"{reason}: {count}" for reason, count in total.reasons.items()) or "-")
            + " |"
            for total in ledger.totals()
        ),
        version=manifest.versions.get("guideact", "?"),
        browser=f"; the browser was {manifest.versions['browser']}" if "browser" in manifest.versions else "",
        **manifest.counts,
    )


def _configs(counts: Mapping[str, int]) -> str:
    """The files of each split that has steps: a hub's loader refuses a pattern that no file fits."""
    splits = [split for split in SPLITS if counts[f"{split}_steps"]]
    lines = [line for split in splits for line in (f"  - split: {split}", f"    path: steps-{split}-*.parquet")]
    return "\n".join(["configs:", "- config_name: steps", "  data_files:", *lines, ""]) if lines else ""
