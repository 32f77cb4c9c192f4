"""Every error that guideact raises, in one tree.

    GuideActError                   anything of ours; `str()` is one line that says what to do
    ├── InputError                  the user gave something that cannot work: exit status 2, before any long work
    │   └── MissingDependency       a program or an extra that is not installed
    ├── InfrastructureError         nobody's fault in the episode: retried, then reported in a column of its own
    │   ├── BrowserError            the browser died, hung or could not be driven
    │   ├── SiteError               a site answered 5xx, lost the login or is unhealthy
    │   ├── ModelUnavailable        the model's endpoint cannot be reached, is rate limited or answers 5xx
    │   │   └── JudgeUnavailable    no verdict can be had: what was to be judged was done, whoever did it
    │   └── DeadlineExceeded        a layer ran past its own deadline
    ├── ModelError                  the model's own failure: a refusal, an empty or a cut answer, a context overflow
    ├── SolverStuck                 a gold solver does not find on a page what it needs (`guideact.tasks.solve`)
    └── NothingDisturbed            a proof's unrelated change could not be made (`guideact.tasks.disturb`)

What goes wrong while an agent acts on a page is no exception but data: `guideact.types.Outcome`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class GuideActError(Exception):
    """Base of all errors. `fix` is a sentence that tells the user what to do about it."""

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message if not fix else f"{message.rstrip('.')}. {fix}")
        self.message = message
        self.fix = fix


class InputError(GuideActError):
    """A flag, a file, a folder or a field that cannot work. The message names it, and the fix."""


class MissingDependency(InputError):
    """A program (Chromium) or an optional package is not installed."""


class InfrastructureError(GuideActError):
    """A failure of the surroundings: the episode is run again, and never counted as the agent's failure."""


class BrowserError(InfrastructureError):
    """The browser died, hung, or broke its protocol."""


class SiteError(InfrastructureError):
    """A site answered 5xx, lost its login, or failed its health probe."""


class ModelUnavailable(InfrastructureError):
    """The model's endpoint cannot be reached, is rate limited, or failed on its side after all retries."""


class JudgeUnavailable(ModelUnavailable):
    """A model that judges gave no verdict, after all retries. Doing anew what it should judge does not help."""


class DeadlineExceeded(InfrastructureError):
    """A layer ran past its deadline. `layer` names it: observe, act, step, model, episode."""

    def __init__(self, layer: str, seconds: float) -> None:
        super().__init__(f"{layer} took longer than its deadline of {seconds:g} s")
        self.layer = layer
        self.seconds = seconds


class ModelError(GuideActError):
    """The model answered, but not with something usable: `kind` is refusal, empty, cut or context_overflow.

    `text` is what it did say. The harness makes a malformed step of it, with a fault of this kind.
    """

    def __init__(self, kind: str, message: str, *, text: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.text = text


def first_fault(error: ValidationError, *within: str) -> str:
    """The first thing that pydantic found wrong: the path of the field, if it is about one, and what is wrong there.

    `within` are names that the path begins with.
    """
    first = error.errors()[0]
    field = ".".join([*within, *map(str, first["loc"])])
    said = first["msg"].removeprefix("Value error, ")
    return f"{field}: {said}" if field else said
