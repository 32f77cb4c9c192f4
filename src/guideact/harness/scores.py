"""What scoring and comparing give back: frozen, and the same JSON that `--json` prints."""

from __future__ import annotations

from guideact.metrics import Signature
from guideact.stats import Estimate, HeadRoom, NoiseFloor, SignFlip
from guideact.types import Frozen


class Group(Frozen):
    """The tasks of one site, template or gold length."""

    name: str
    tasks: int
    sr: Estimate
    g: Estimate
    ggs: Estimate
    ofcr: Estimate


class PassAtK(Frozen):
    """`left_out` tasks have fewer than k attempts that count."""

    k: int
    rate: Estimate
    left_out: int


class GammaPoint(Frozen):
    """GGS at one gamma, a missing G counted as 0."""

    gamma: float
    ggs: Estimate


class Noise(Frozen):
    """Noise floors from one repeat of the run to the next; None without repeats."""

    sr: NoiseFloor | None
    g: NoiseFloor | None
    ggs: NoiseFloor | None
    head_room: HeadRoom | None
    """The head-room of two repeats, averaged over all pairs: |A or B| - max(|A|, |B|) where A and B are one arm."""


class Score(Frozen):
    """All scores of a run. Rates are 0..1; every `Estimate` is a mean over tasks unless it says otherwise."""

    run: str
    model: str
    n: int
    """Tasks that are scored: those with an attempt that counts."""
    tasks: int
    """Tasks of which anything has ended, the infrastructure's victims included."""
    clusters: int
    """Templates of the scored tasks; a task without a template is one of its own."""
    attempts: int
    """Episodes that count."""
    samples: int
    """The largest number of attempts at one task."""
    infrastructure_errors: int
    """Episodes lost to the infrastructure. They are in no rate."""
    tasks_lost: tuple[str, ...]
    """Tasks all of whose episodes were lost that way."""
    tasks_without_reference: int

    sr: Estimate
    g: Estimate
    """Over tasks with a reference."""
    ggs: Estimate
    """Over all tasks: without a reference G counts as 0, so a solved task counts gamma."""
    ggs_referenced: Estimate
    """Over tasks with a reference: the others are left out."""
    ofcr: Estimate
    """Well-formed steps / steps, over all steps of all attempts."""
    structured_output: bool
    """Whether the model's decoding was held to the form of an answer, which OFCR is about."""
    guide_tax: Estimate
    """SR - GGS over all tasks, G counted as 0 without a reference."""
    guide_tax_referenced: Estimate
    """SR - GGS over tasks with a reference."""

    bleu1: Estimate
    bleu2: Estimate
    rouge1: Estimate
    rouge_l: Estimate
    g_solved: Estimate
    """G of solved attempts; a task that was solved in some attempts only is in both this and `g_failed`."""
    g_failed: Estimate
    g_aligned: Estimate
    """Step-aligned G."""
    ceiling: Estimate
    """Each reference against the others, over tasks with two references or more."""
    floor: Estimate
    """A constant guide."""

    pass_at_k: tuple[PassAtK, ...]
    noise: Noise
    gamma_sweep: tuple[GammaPoint, ...]
    by_site: tuple[Group, ...]
    by_template: tuple[Group, ...]
    """Within one template each task is a cluster of its own."""
    by_length: tuple[Group, ...]

    steps: Estimate
    """Steps of an attempt."""
    seconds: Estimate
    """Seconds of an attempt."""
    input_tokens: Estimate
    """Tokens of an attempt, of those all of whose calls were counted."""
    output_tokens: Estimate
    seconds_per_solved: float | None
    """Seconds of all attempts over the number of solved ones."""
    tokens_per_solved: float | None
    """Tokens of all attempts over the number of solved ones; None where any call was not counted."""
    cost: Estimate
    """US dollars of an attempt, of those all of whose calls have a known cost."""
    cost_total: float | None
    """US dollars of all episodes, those lost to the infrastructure included; None where any call has no known cost."""
    cost_per_solved: float | None
    """`cost_total` over the number of solved attempts."""
    attempts_void: int
    """Attempts that came to nothing and were made again, but for those that fell with a browser that others had broken.
    Nothing of them is kept: what they cost is in no sum."""
    calls: int
    """Steps of all episodes whose tokens were counted."""
    answers_from_cache: int
    """Those of them whose answer came from the response cache, at no cost."""
    prices: str
    """The date of the prices; empty in runs from before there were any."""

    ends: dict[str, int]
    """finished, out_of_steps, infrastructure_error -> episodes."""
    actions: dict[str, int]
    """Verb (or `unreadable`) -> steps of attempts."""
    faults: dict[str, int]
    """Kind -> steps that have such a fault; a step can have several kinds."""
    outcomes: dict[str, int]
    """Code -> steps."""
    notes: tuple[str, ...]
    signature: Signature


class Difference(Frozen):
    """One measure in both arms over the same tasks. `difference` is A less B, with a paired interval."""

    name: str
    a: float | None
    b: float | None
    difference: Estimate
    sign_flip: SignFlip | None
    """None for OFCR, which is no mean over tasks."""


class Comparison(Frozen):
    """Two runs over the tasks that both have an attempt at."""

    a: str
    b: str
    model_a: str
    model_b: str
    n: int
    clusters: int
    only_a: tuple[str, ...]
    """Tasks left out because B has no attempt at them that counts."""
    only_b: tuple[str, ...]
    infrastructure_errors_a: int
    infrastructure_errors_b: int
    differences: tuple[Difference, ...]
    """sr, g, ggs, ggs_referenced, guide_tax, g_aligned, ofcr."""
    won: tuple[str, ...]
    """Tasks that A solved more often than B (with one attempt each: A did and B did not)."""
    lost: tuple[str, ...]
    both: int
    """Tasks that both solved in all attempts."""
    neither: int
    """Tasks that neither solved in any attempt."""
    mcnemar_ignoring_clusters: float
    """Exact two-sided p from the tasks won and lost. With several attempts: the sign test on the tasks' means."""
    head_room: HeadRoom
    """|A or B| - max(|A|, |B|) over n, averaged over all pairs of a repeat of A and one of B."""
    head_room_repeats_a: HeadRoom | None
    """The same between two repeats of A; None without repeats."""
    head_room_repeats_b: HeadRoom | None
    notes: tuple[str, ...]
    signature: Signature
