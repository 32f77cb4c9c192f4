"""Ways between the sites: over to a neighbour by a link, and back by the browser's own button."""

from __future__ import annotations

from collections.abc import Generator

from guideact.tasks.phrases import Bank, pick
from guideact.tasks.solve import Act, Page
from guideact.types import Observation

Deed = Generator[Act, Observation, None]

_MOST = 8
"""How many pages one goes back at most."""

_BACK: Bank = (
    (
        "Go back one page, on the way to {what}.",
        "Use the browser's back button, on to {what}.",
        "Return to the page before this one.",
        "Step back once.",
        "Leave this page the way you came.",
        "Take one step back towards {what}.",
    ),
    (
        "Page by page you come back to {what}; one more step is needed here.",
        "Keep going back until you see {what}.",
        "The way to {what} is the one you came by, so go back.",
        "Nothing is left to do here. The page before leads to {what}.",
        "One page further back, and you are closer to {what}.",
        "To get to {what} no link is needed, only the way back.",
    ),
)
_NOTED: Bank = (
    (
        "Read {noted} off this page, and go back.",
        "Keep {noted} in mind and go back one page.",
        "Note {noted}; then use the browser's back button.",
        "Find {noted} here, and with that return to the page before.",
        "Take {noted} down and step back once.",
    ),
    (
        "This page tells {noted}, which is all you need from it: the way leads back to {what}.",
        "Once you know {noted}, begin to go back to {what}.",
        "You came here for {noted}. When you have it, go back the way you came.",
        "It is {noted} that matters here. With that in your head, start the way back to {what}.",
        "As soon as {noted} is found, nothing keeps you here; the page before is nearer to {what}.",
    ),
)
_NEIGHBOUR: Bank = (
    (
        "Change over to “{name}” by its link in the left column, under “Neighbours”.",
        "Click “{name}” at the foot of the column on the left.",
        "Leave the boards for “{name}”, one of the neighbours listed at the left.",
        "Go to “{name}”, the site that answers this; its link is in the side column.",
    ),
    (
        "The boards do not know this, but “{name}” does: it is linked under “Neighbours”.",
        "Below the forums in the left column other sites are named, “{name}” among them.",
        "Under your forums there is a short list of sites headed “Neighbours”; you need “{name}”.",
        "The left-hand column ends with the neighbouring sites. Take “{name}” from them.",
    ),
)


def _say(page: Page, bank: Bank, **slots: str) -> tuple[str, str]:
    """Two sentences of a bank of this module, varied from task to task and page to page."""
    return pick(bank, f"{page.task_id}/{page.seen.url}/{len(page.seen.texts)}/{sorted(slots.items())}", **slots)


def back_to(page: Page, address: str, what: str, *, noted: str = "") -> Deed:
    """Go back until the page of this address is on the screen again; `what` names it in the guide.

    `noted` is what the first page told, such as “the founding year”: the first step says to keep it in mind.

    Raises SolverStuck where it does not come within eight steps.
    """
    for number in range(_MOST):
        if page.seen.url == address:
            return
        first = noted and number == 0
        words = _say(page, _NOTED, what=what, noted=noted) if first else _say(page, _BACK, what=what)
        yield from page.go_back(say=words)
    if page.seen.url != address:
        raise page.stuck(f"going back does not lead to {address}")


def neighbour(page: Page, name: str) -> Deed:
    """From the boards to another site, by the link that every page of theirs has: one step."""
    yield from page.click("link", name, say=_say(page, _NEIGHBOUR, name=name))
