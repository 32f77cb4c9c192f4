"""The data that everything else passes around: frozen, validated, and plain enough to read in a JSON file.

Lengths are CSS pixels of the viewport, which at scale 1 are the pixels of the screenshot. Times are milliseconds
unless a name says seconds. An `Action` carries its own verb, so a list of actions is readable as it is.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Grounding = Literal["som", "coord"]
Memory = Literal["guides", "actions", "none", "corrupted"]
Direction = Literal["up", "down", "left", "right"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
Split = Literal["train", "test"]
Verb = Literal["click", "type", "select", "scroll", "press_enter", "go_back", "finish"]

VERBS: tuple[Verb, ...] = ("click", "type", "select", "scroll", "press_enter", "go_back", "finish")
MAX_STEPS = 25
"""Budget of an episode in steps (MAG); a malformed step uses one up."""


class Frozen(BaseModel):
    """Base of every record: immutable, and strict about field names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- what an agent sees -----------------------------------------------------------------------------------------


class Box(Frozen):
    """A rectangle in CSS px; (x, y) is its top left corner relative to the viewport."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x + self.width / 2, self.y + self.height / 2)

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies inside, edges included."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Viewport(Frozen):
    """The visible part of a page, in CSS px."""

    width: int = 1440
    height: int = 900


class Locator(Frozen):
    """How to find an element again in a later page, most meaningful first."""

    role: str
    name: str
    ordinal: int = 0
    """0-based position among the elements of the same role and name in the frame."""
    css: str = ""
    text: str = ""
    row: str = ""
    """Where several elements of the frame have its role and name, numbers aside: what is written in its row, which is
    the largest part of the page that holds none of the others, and before it; white space folded, cut at 240
    characters. It may go on out of view."""


class Candidate(Frozen):
    """Something an agent can act on, as it stood when the observation was made."""

    mark: int = Field(ge=1)
    """1..n in reading order; numbered anew at every step."""
    role: str
    """ARIA role, native or explicit: link, button, textbox, combobox, checkbox, option, ..."""
    name: str
    """Accessible name as ARIA computes it; may be empty."""
    text: str = ""
    """Visible text, white space folded, cut at 200 characters."""
    tag: str = ""
    value: str = ""
    """Current value of a control; passwords are masked as bullets."""
    placeholder: str = ""
    options: tuple[str, ...] = ()
    """Labels of a native select's options, in order."""
    states: tuple[str, ...] = ()
    """Any of: disabled, checked, unchecked, mixed, selected, expanded, collapsed, focused, readonly, required, pressed,
    invalid, current, scrollable, multiselect."""
    box: Box
    point: tuple[float, float]
    """A point of the viewport at which a hit test reached the element: where a click lands."""
    frame: str = ""
    """"" for the top document, "0" its first iframe, "0/2" the third iframe inside that one, ..."""
    locator: Locator


class TextLine(Frozen):
    """A piece of visible static text and where it stands. Agents that read no pixels read these."""

    text: str
    box: Box


class Tab(Frozen):
    title: str
    url: str
    active: bool


class Dialog(Frozen):
    """A JavaScript dialog that appeared since the last observation, and what the policy did with it."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str
    answer: Literal["accepted", "dismissed"]


class Screenshot(Frozen):
    """A PNG named by its content. The bytes stay out of every JSON file."""

    sha256: str
    width: int
    height: int
    png: bytes = Field(default=b"", exclude=True, repr=False)


class Scroll2D(Frozen):
    """Scroll offset of the top document and how far it can go, in CSS px."""

    x: float = 0
    y: float = 0
    max_x: float = 0
    max_y: float = 0


class Observation(Frozen):
    """One look at the browser. `partial` is empty, or says why something is missing."""

    url: str
    title: str
    viewport: Viewport = Viewport()
    scroll: Scroll2D = Scroll2D()
    candidates: tuple[Candidate, ...] = ()
    texts: tuple[TextLine, ...] = ()
    tabs: tuple[Tab, ...] = ()
    dialogs: tuple[Dialog, ...] = ()
    notices: tuple[str, ...] = ()
    """What happened besides: a new tab was followed, a download was kept, a file chooser was closed, ..."""
    screenshot: Screenshot | None = None
    """Without marks; `browser.draw.draw_marks` adds them."""
    partial: str = ""

    def candidate(self, mark: int) -> Candidate | None:
        """The candidate with this mark, or None."""
        if 1 <= mark <= len(self.candidates):
            return self.candidates[mark - 1]
        return None


# --- what an agent does -----------------------------------------------------------------------------------------


class Mark(Frozen):
    """A target by its number in the observation (grounding `som`)."""

    mark: int = Field(ge=1)


class Point(Frozen):
    """A target by a pixel of the screenshot (grounding `coord`)."""

    x: float = Field(ge=0, allow_inf_nan=False)
    y: float = Field(ge=0, allow_inf_nan=False)


Target = Mark | Point


class Click(Frozen):
    verb: Literal["click"] = "click"
    target: Target


class Type(Frozen):
    """Replace the content of the target by `text`. Enter is not pressed: that is a step of its own."""

    verb: Literal["type"] = "type"
    target: Target
    text: str


class Select(Frozen):
    """Choose the option of the target whose label (or else value) is `option`."""

    verb: Literal["select"] = "select"
    target: Target
    option: str


class Scroll(Frozen):
    """Scroll what lies under the target (or the page without one) by most of its visible extent."""

    verb: Literal["scroll"] = "scroll"
    direction: Direction = "down"
    target: Target | None = None


class PressEnter(Frozen):
    """Press Enter where the focus is."""

    verb: Literal["press_enter"] = "press_enter"


class GoBack(Frozen):
    """One step back in the tab's history; in a tab that was opened from another and has none, back to the opener."""

    verb: Literal["go_back"] = "go_back"


class Finish(Frozen):
    """End the episode, with the answer where the task asks for one."""

    verb: Literal["finish"] = "finish"
    answer: str = ""


Action = Annotated[Click | Type | Select | Scroll | PressEnter | GoBack | Finish, Field(discriminator="verb")]


class Fault(Frozen):
    """Something wrong with an answer. `kind`: not_json, missing_key, unknown_verb, bad_target, bad_value, no_guide,
    wrong_grounding; refusal, empty, cut, context_overflow where the model gave no answer to read; or leak_mark,
    leak_coordinate, leak_selector, leak_dom."""

    kind: str
    detail: str


class Answer(Frozen):
    """A parsed model output: the five keys. `action` is None where it could not be read; `faults` says why."""

    think: str = ""
    action: Action | None = None
    guide: str = ""
    faults: tuple[Fault, ...] = ()


class Outcome(Frozen):
    """Why an action had no (or another) effect, named by what stood in the way.

    `code`: gone, covered, disabled, not_editable, option_missing, not_a_select, stale_mark, no_such_mark, off_page,
    no_history, refused_host, malformed, timeout, value_reverted. `detail` is one sentence for the agent.
    """

    code: str
    detail: str


class Usage(Frozen):
    """Tokens of one model call, and what it cost."""

    input_tokens: int | None = None
    """All that was read, what the provider had cached included; None where the endpoint did not count it. Runs of
    earlier versions have 0 there."""
    output_tokens: int | None = None
    """All that was written, reasoning included; None where the endpoint did not count it."""
    cached_tokens: int = 0
    """Those of the input that the provider had cached, and charges less for."""
    cost: float | None = None
    """US dollars; None where the price or a count is not known, which is not zero."""
    from_cache: bool = False
    """The answer came from the response cache: the tokens are those of the call that made it, the cost is 0."""


# --- what a task asks -------------------------------------------------------------------------------------------


class AnswerCheck(Frozen):
    """The answer that `finish` must give. `list` keeps order, `set` does not."""

    kind: Literal["text", "number", "money", "date", "list", "set"] = "text"
    expected: tuple[str, ...]
    """One value for the scalar kinds (several: any of them will do); all the items for list and set."""
    tolerance: float = 0


class UrlCheck(Frozen):
    """Where the active tab must be at the end."""

    site: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    """Pairs that must be present, compared as a multiset; others may be there too unless `exact_query`."""
    exact_query: bool = False


class PageCheck(Frozen):
    """What a page must show at the end, opened by the checker in a context of its own, logged in as the task was."""

    site: str
    path: str
    selector: str = "body"
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


class Change(Frozen):
    """A change of one row between the state before and after.

    `where` holds values of the row that identify it (of the row before for update and delete, of the row after for
    insert); `values` what the changed columns must hold after. In an update, columns outside `values` must not
    change unless named in `any_columns`; its `where` can name the primary key and those columns. Of the values, `"*"`
    stands for anything; a `{"~": text}` matches white space and case folded; a `{"contains": text}` a part of that; a
    `{"html": text}` compares the text of markup; a `{"new": table}` is the key of a row that was added to that table;
    any other dict or list is compared with the column read as JSON.
    """

    table: str
    op: Literal["insert", "update", "delete"]
    where: dict[str, Any] = Field(default_factory=dict)
    values: dict[str, Any] = Field(default_factory=dict)
    any_columns: tuple[str, ...] = ()
    count: int | None = 1
    """How many rows must match; None for any number, none included (used in `allowed`)."""


class StateCheck(Frozen):
    """How the data behind a site may differ at the end: every required change made, every other one allowed."""

    site: str
    required: tuple[Change, ...] = ()
    allowed: tuple[Change, ...] = ()
    forbidden: tuple[Change, ...] = ()
    """Changes that fail the task even where `allowed` would cover them."""


class JudgeCheck(Frozen):
    """An answer that only a reader can judge: a model is asked whether it says what the reference says."""

    reference: str = Field(min_length=1)
    """What a right answer says, in any words."""
    note: str = ""
    """What the judge should know besides."""


class Check(Frozen):
    """The functional test of success: all parts that are given must hold."""

    answer: AnswerCheck | None = None
    judge: JudgeCheck | None = None
    url: UrlCheck | None = None
    page: tuple[PageCheck, ...] = ()
    state: tuple[StateCheck, ...] = ()


class Task(Frozen):
    """One thing to do. `start_url` begins with a placeholder such as `__SHOPPING__`."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=200)
    """Also the name of a folder, hence the limit."""
    intent: str = Field(min_length=1)
    sites: tuple[str, ...] = Field(min_length=1)
    start_url: str
    template_id: str = ""
    logins: dict[str, str] = Field(default_factory=dict)
    """Who is signed in at the start: site -> user name."""
    check: Check = Check()
    split: Split = "test"
    max_steps: int = Field(default=MAX_STEPS, ge=1)
    source: str = "embedded"
    language: str = "en"
    dialogs: Literal["accept", "dismiss"] = "accept"
    """What is done with confirm() dialogs, whose text the agent is shown."""


# --- what a run keeps -------------------------------------------------------------------------------------------


class CheckPart(Frozen):
    """The verdict of one part of a check. `part`: answer, judge, url, page, state."""

    part: str
    passed: bool
    reason: str = ""


class CheckResult(Frozen):
    passed: bool
    parts: tuple[CheckPart, ...] = ()


class RowChange(Frozen):
    """One changed row of a site's data, as found by comparing before and after."""

    site: str
    table: str
    op: Literal["insert", "update", "delete"]
    key: str
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    """Whole row for insert and delete; only the changed columns (in both) for update."""


class Sampled(Frozen):
    """A token that a model chose, as text, and the natural logarithm of its probability when it did."""

    token: str
    logprob: float
    id: int | None = None
    """Its number in the model's vocabulary, where there is one."""


class Step(Frozen):
    """One step of an episode. The observation it was decided on lies in the run's `steps/` folder."""

    index: int
    url: str
    title: str
    observation: str = ""
    """Path of the full observation, relative to the run folder; empty when it was not kept."""
    screenshot: str = ""
    """Path of the image the model was shown (marks drawn), relative to the run folder; empty when skipped."""
    prompt_sha256: str = ""
    raw: str = ""
    think: str = ""
    action: Action | None = None
    guide: str = ""
    faults: tuple[Fault, ...] = ()
    target: Candidate | None = None
    """What the action pointed at, by mark or by hit test."""
    outcome: Outcome | None = None
    changes: tuple[RowChange, ...] = ()
    """What the step changed in the sites' data."""
    timings: dict[str, float] = Field(default_factory=dict)
    """Milliseconds: observe, model, act, settle."""
    usage: Usage | None = None
    sampled: tuple[Sampled, ...] = ()
    """The tokens of `raw`, where they were asked for: training needs them."""

    @property
    def well_formed(self) -> bool:
        """Whether the step counts for OFCR: it parses, its action is valid, its guide leaks nothing."""
        return not self.faults


End = Literal["finished", "out_of_steps", "infrastructure_error"]


class Episode(Frozen):
    """One attempt at one task."""

    task_id: str
    sample: int = 0
    """0-based repetition of the task within the run (`--epochs`)."""
    template_id: str = ""
    sites: tuple[str, ...] = ()
    split: Split = "test"
    intent: str = ""
    steps: tuple[Step, ...] = ()
    answer: str = ""
    end: End
    check: CheckResult | None = None
    """None where the episode ended in an infrastructure error."""
    changes: tuple[RowChange, ...] = ()
    """All differences of the sites' data between start and end."""
    references: tuple[tuple[str, ...], ...] = ()
    """For each gold step, the reference guide sentences. Empty: the task has no gold, hence no G."""
    gold_steps: int = 0
    seconds: float = 0
    attempts: int = 1
    error: str = ""
    """What went wrong, for an infrastructure error."""

    @property
    def success(self) -> bool:
        return self.check is not None and self.check.passed
