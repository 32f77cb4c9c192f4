"""The texts that a new study begins with: consent, questions and protocol. All are files that may be edited."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from guideact.study.folder import Settings


def _shipped(name: str) -> str:
    return files(__package__).joinpath("texts", name).read_text("utf-8")


QUESTIONS_AT_FIRST = _shipped("questions.json")
MEANINGS = {
    "as_is": "the guide with, for each step, the wording that says most of what must be found",
    "complete": "that guide with names added where a sentence has none, and what to type or choose beside it",
    "other": "the guide of another task, which nobody in the study is given",
    "drop": "the guide with one needed step missing",
    "rename": "the guide with one target called something that is on no page",
    "second": "the other wording of each step",
    "plain": "wordings that do not quote the name of the target",
    "none": "no guide",
}
"""What each condition is, for the protocol."""


def consent(settings: Settings, language: str) -> str:
    """The consent text of a new study."""
    return _fill(f"consent.{language}.md", settings)


def protocol(settings: Settings) -> str:
    """The protocol of a new study."""
    return _fill("protocol.md", settings)


def _fill(name: str, settings: Settings) -> str:
    sites = sorted({site for task in settings.tasks for site in task.sites})
    each = len(settings.assignment[0])
    return (
        _environment()
        .get_template(name)
        .render(
            settings=settings,
            minutes=f"{settings.minutes:g}",
            each=each,
            longest=f"{each * (settings.minutes + 1):.0f}",
            participants=len(settings.assignment),
            blocks=len(settings.assignment) // len(settings.conditions),
            sites=sites,
            meanings=MEANINGS,
        )
    )


@lru_cache(1)
def _environment() -> Environment:
    # Markdown, not HTML: the pages escape what they show of it.
    return Environment(
        loader=PackageLoader("guideact.study", "texts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
