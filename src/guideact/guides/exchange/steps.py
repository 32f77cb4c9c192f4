"""What both readers of recordings need: collecting steps, and saying what was left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from guideact.errors import InputError
from guideact.guides.draft import draft
from guideact.guides.guide import Guide, GuideStep, GuideTarget, of_a_site, slug
from guideact.guides.make import secret_name
from guideact.types import Verb, Viewport


@dataclass
class Collector:
    """Steps in the order in which they were recorded."""

    path: str
    language: str
    start_url: str = ""
    url: str = ""
    title: str = ""
    viewport: Viewport = field(default_factory=Viewport)
    steps: list[GuideStep] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def went_to(self, url: str) -> None:
        """An address that was gone to without a link: where the guide starts, or left out. An empty tab is neither."""
        if not self.start_url:
            if of_a_site(url):
                self.start_url = self.url = url
        elif url != self.url:
            self.left_out["an address that was typed"] += 1

    def add(self, verb: Verb, target: GuideTarget | None = None, value: str = "", sentence: str = "") -> None:
        """One more step. A click into a field that is typed into right after is no step of its own."""
        secret = secret_name(target.name or target.text) if verb == "type" and target is not None else ""
        if (
            verb in ("type", "select")
            and self.steps
            and self.steps[-1].verb == "click"
            and self.steps[-1].target == target
        ):
            self.steps.pop()
        same = self.steps and self.steps[-1].verb == verb == "type" and self.steps[-1].target == target
        if same or (verb == "scroll" and self.steps and (self.steps[-1].verb, self.steps[-1].value) == (verb, value)):
            self.steps.pop()
        said = sentence or draft(
            verb,
            target,
            "" if secret else value,
            secret=secret,
            language=self.language,
            alone=target is None or not target.ordinal,
        )
        self.steps.append(
            GuideStep(
                sentence=" ".join(said.split()),
                verb=verb,
                target=target,
                value="" if secret else value,
                secret=secret,
                url=self.url,
                title=self.title,
                viewport=self.viewport,
            )
        )

    def guide(self, title: str, source: str) -> Guide:
        """All of it. Raises InputError where there is no start, or nothing was done."""
        if not self.start_url:
            raise InputError(f"{self.path} does not say where it starts", fix="Record it from its first page on.")
        if not self.steps:
            raise InputError(f"{self.path} holds no step that a guide can have", fix="Record what you do.")
        if self.steps[-1].verb != "finish":
            self.add("finish")
        note = ", ".join(f"{what} ({count})" if count > 1 else what for what, count in self.left_out.items())
        return Guide(
            id=slug(title),
            title=title,
            language=self.language,
            start_url=self.start_url,
            steps=tuple(self.steps),
            source=source,
            note=f"Left out of the recording: {note}." if note else "",
        )
