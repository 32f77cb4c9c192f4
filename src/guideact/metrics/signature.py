"""What a score depends on besides the run, in one object that is printed with it."""

from __future__ import annotations

import platform
import unicodedata
from importlib.metadata import version

from guideact.metrics.guide import GuideScoring
from guideact.metrics.success import GAMMA
from guideact.types import Frozen


class Signature(Frozen):
    """Two scores can be compared where their signatures are equal. `str()` gives it on one line."""

    guideact: str
    tokeniser: str
    case: str
    smoothing: str
    effective_order: str = "yes"
    rouge: str = "f1"
    stemming: str = "none"
    references: str = "bleu-all,rouge-best"
    gamma: float
    clusters: str = "template"
    resamples: int
    seed: int
    level: float
    unicode: str
    sacrebleu: str
    """"" where nothing of it was used."""
    python: str
    numpy: str
    scipy: str

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self.model_dump().items() if value != "")


def sign(scoring: GuideScoring, *, gamma: float = GAMMA, resamples: int, seed: int, level: float) -> Signature:
    """The signature of scores made with these choices in this environment."""
    return Signature(
        guideact=version("guideact"),
        tokeniser=scoring.tokeniser,
        case="lower" if scoring.lowercase else "kept",
        smoothing=scoring.smoothing,
        gamma=gamma,
        resamples=resamples,
        seed=seed,
        level=level,
        unicode=unicodedata.unidata_version,
        sacrebleu="" if scoring.tokeniser == "words" else version("sacrebleu"),
        python=platform.python_version(),
        numpy=version("numpy"),
        scipy=version("scipy"),
    )
