"""How a solver is written: a generator that looks at a `Page`, acts, and says in two sentences what it does.

    def solve(page: Page, params: Params) -> Solver:
        yield from page.search(params["product"])
        yield from page.click("link", params["product"], say=("Open ...", "The second result ..."))
        price = page.read("Price")
        yield from page.finish(price, say=("...", "..."))

A solver sees what an agent sees, an `Observation`, and does what an agent does, an `Action`; whoever drives it passes
its actions to `env.step`. Each `page.<verb>` scrolls to its target first, and every such scroll is a step of the gold
guide with sentences of its own. What is not there raises `SolverStuck`, which lists what is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from guideact.errors import GuideActError
from guideact.sites.skins import Skin
from guideact.tasks.dressed import dressed, reword, site_of, undress
from guideact.tasks.menus import menu_of
from guideact.tasks.mistakes import place_of
from guideact.tasks.nearby import distance, fits, fold, gap, nearest, same_row
from guideact.tasks.phrases import sentences
from guideact.types import (
    Action,
    Box,
    Candidate,
    Click,
    Direction,
    Finish,
    GoBack,
    Grounding,
    Mark,
    Observation,
    Point,
    PressEnter,
    Scroll,
    Select,
    Target,
    TextLine,
    Type,
)

_MOST_SCROLLS = 15
_GROUNDINGS: tuple[Grounding, ...] = ("som", "coord")
_Found = TypeVar("_Found")


class SolverStuck(GuideActError):
    """A solver did not find on the page what it needs: the template or the site has changed."""


@dataclass(frozen=True)
class Act:
    """One gold step: what is done, and at least two guide sentences for it."""

    action: Action
    references: tuple[str, ...]


Solver = Generator[Act, Observation, None]
"""A solver yields acts and is sent the observation that follows each."""


def _standing(seen: Observation) -> tuple[object, ...]:
    """Where everything in view stands: the same before and after a scroll that has reached an end."""
    return seen.scroll, seen.texts, tuple((one.name, one.box) for one in seen.candidates)


def _described(role: str | Sequence[str], name: str) -> str:
    noun = {
        "textbox": "field",
        "searchbox": "field",
        "combobox": "list",
        "listbox": "list",
        "spinbutton": "field",
        "checkbox": "check box",
        "radio": "choice",
        "option": "entry",
        "menuitem": "entry",
        "switch": "switch",
    }
    first = role if isinstance(role, str) else role[0]
    return f"the “{name}” {noun.get(first, first or 'entry')}" if name else f"the {noun.get(first, first or 'entry')}"


class Page:
    """What a solver looks at and acts through. `seen` is the latest observation."""

    def __init__(self, task_id: str, seen: Observation) -> None:
        self.task_id = task_id
        self.seen = seen
        self._steps = 0
        self._missed: tuple[str, str] | None = None
        """What the last look was for where it found nothing: as it is told, and the words of it."""

    # --- looking ------------------------------------------------------------------------------------------------

    def find_all(
        self,
        role: str | Sequence[str] = "",
        name: str = "",
        *,
        near: str = "",
        within: Callable[[Candidate], bool] | None = None,
    ) -> list[Candidate]:
        """Visible candidates of a role (or one of several; "" for any) whose name, text or placeholder fits best.

        The same words beat a beginning, which beats a part. In reading order, or with `near` those in whose row that
        text is written (the row of an order, the card of a product), then the closest to it where a row is not known
        to its end. What stands in another row is none of them, however close it is.
        """
        roles = (role,) if isinstance(role, str) else tuple(role)
        if "checkbox" in roles:
            # As ARIA has it, a switch is a kind of check box.
            roles += ("switch",)
        fitting: list[tuple[int, Candidate]] = []
        for candidate in self.seen.candidates:
            if roles != ("",) and candidate.role not in roles:
                continue
            if within is not None and not within(candidate):
                continue
            rank = fits((candidate.name, candidate.text, candidate.placeholder), name) if name else 0
            if rank is not None:
                fitting.append((rank, candidate))
        best = min((rank for rank, _ in fitting), default=0)
        found = [candidate for rank, candidate in fitting if rank == best]
        if near:
            found = nearest(found, near, self._anchors(near), self.seen)
        told = _described(role, name) + (f" near {near!r}" if near else "")
        self._missed = None if found else (f"{told} was not found", name)
        return found

    def find(self, role: str | Sequence[str] = "", name: str = "", *, near: str = "") -> Candidate | None:
        """The best of `find_all`, or None."""
        return next(iter(self.find_all(role, name, near=near)), None)

    def lines(self) -> list[TextLine]:
        """All visible text and the values of fields, in reading order."""
        lines = [line for line in self.seen.texts if line.text.strip()]
        lines += [TextLine(text=field.value, box=field.box) for field in self.seen.candidates if field.value.strip()]
        return sorted(lines, key=lambda line: (round(line.box.centre[1] / 8), line.box.x))

    def shows(self, text: str) -> bool:
        """Whether a piece of text is in view (a part of a line is enough)."""
        wanted = fold(text)
        return any(wanted in fold(line.text) for line in self.lines())

    def read(self, label: str) -> str:
        """The value that belongs to a label: the rest of its line, what stands right of it, or what stands below it."""
        lines = self.lines()
        ranked = [(rank, line) for line in lines if (rank := fits((line.text.rstrip(" :"),), label)) is not None]
        if not ranked:
            raise self.stuck(f"no label {label!r}", [line.text for line in lines], label)
        best = min(rank for rank, _ in ranked)
        if best > 0:
            for rank, line in ranked:
                if rank == best and (
                    rest := re.match(rf"{re.escape(label)}\s*[:：]?\s*(\S.*)", line.text, re.IGNORECASE)
                ):
                    return rest.group(1).strip()
        at = next(line for rank, line in ranked if rank == best)
        beside = [
            line
            for line in lines
            if line is not at and same_row(line.box, at.box) and line.box.x >= at.box.x + at.box.width - 2
        ]
        if beside:
            return min(beside, key=lambda line: line.box.x).text.strip()
        below = [line for line in lines if line.box.y >= at.box.y + at.box.height - 2 and gap(line.box, at.box) == 0]
        if below:
            return min(below, key=lambda line: line.box.y).text.strip()
        raise self.stuck(f"nothing stands beside or below {label!r}", [line.text for line in lines], label)

    def cell(self, row: str, column: str) -> str:
        """The text where the row that holds `row` meets the column headed `column`."""
        heads, lines = self._heads(column), self.lines()
        for anchor in self._anchors(row):
            above = [head for head in heads if head.y < anchor.y]
            if not above:
                continue
            head = max(above, key=lambda box: box.y)
            cells = [line for line in lines if same_row(line.box, anchor) and line.box.y > head.y]
            if cells:
                return min(cells, key=lambda line: (gap(line.box, head), distance(line.box, head))).text.strip()
        raise self.stuck(f"no row {row!r}", [line.text for line in lines], row)

    def column(self, name: str) -> list[str]:
        """The texts under a column's head, from top to bottom, as far as they are in view."""
        head = max(self._heads(name), key=lambda box: box.y)
        under = [line for line in self.lines() if line.box.y >= head.y + head.height - 2 and gap(line.box, head) == 0]
        self._missed = None if under else (f"nothing stands under {name!r}", name)
        return [line.text.strip() for line in sorted(under, key=lambda line: line.box.y)]

    def matches(self, pattern: str) -> list[re.Match[str]]:
        """Every match of a regular expression in the lines in view, in reading order."""
        found = [match for line in self.lines() for match in re.finditer(pattern, line.text)]
        self._missed = None if found else (f"nothing matches {pattern!r}", pattern)
        return found

    def below(self, text: str, pattern: str) -> str:
        """The first match of a pattern under a line of text, in its column: the price under a product's name."""
        found = self._below(text, pattern)
        if found is None:
            raise self.stuck(f"nothing like {pattern!r} below {text!r}", [line.text for line in self.lines()], text)
        return found

    def _below(self, text: str, pattern: str) -> str | None:
        lines = self.lines()
        for anchor in self._anchors(text):
            for line in lines:
                under = line.box.centre[1] > anchor.centre[1] and gap(line.box, anchor) == 0
                if under and (found := re.search(pattern, line.text)):
                    return found.group()
        return None

    def _heads(self, column: str) -> list[Box]:
        lines = self.lines()
        ranked = [(rank, line.box) for line in lines if (rank := fits((line.text,), column)) is not None and rank < 2]
        if not ranked:
            raise self.stuck(f"no column {column!r}", [line.text for line in lines], column)
        best = min(rank for rank, _ in ranked)
        return [box for rank, box in ranked if rank == best]

    def _anchors(self, text: str) -> list[Box]:
        places: list[tuple[tuple[str, ...], Box]] = [((line.text,), line.box) for line in self.lines()]
        places += [
            ((candidate.name, candidate.text), candidate.box)
            for candidate in self.seen.candidates
            # The text of a scrolling region is that of everything in it.
            if candidate.role != "region" and "scrollable" not in candidate.states
        ]
        ranked = [(rank, box) for words, box in places if (rank := fits(words, text)) is not None]
        best = min((rank for rank, _ in ranked), default=0)
        return [box for rank, box in ranked if rank == best]

    def stuck(self, problem: str, there: Sequence[str] = (), wanted: str = "") -> SolverStuck:
        """The error to raise where the page is not what a solver expects; lists what comes closest to `wanted`."""
        close = difflib.get_close_matches(wanted, list(dict.fromkeys(there)), n=5, cutoff=0.3)
        shown = close or list(dict.fromkeys(there))[:12]
        return SolverStuck(
            f"{self.task_id}: {problem} at {self.seen.url}; in view: {', '.join(map(repr, shown)) or 'nothing'}"
        )

    def mistaken(self, error: Exception) -> SolverStuck:
        """SolverStuck for an error of Python's, which knows nothing of the page: what was not found, and what is."""
        what = " ".join(f"{type(error).__name__}: {error}".split())
        missed, wanted = self._missed or ("", "")
        there = [line.text for line in self.lines()]
        # Names of links and buttons are no lines, which is what many a look that finds nothing is about.
        there += [f"{one.role} {one.name or one.text}" for one in self.seen.candidates if one.name or one.text]
        return self.stuck(f"{what}; {missed}" if missed else what, there, wanted)

    # --- acting -------------------------------------------------------------------------------------------------

    def act(self, action: Action, say: tuple[str, ...]) -> Generator[Act, Observation, None]:
        """One step as it is; all the others end here."""
        self._steps += 1
        self.seen = yield Act(action, say)
        self._missed = None

    def phrase(self, bank: str, **slots: str) -> tuple[str, str]:
        """Two sentences from a bank of `tasks/phrases.py`, varied from task to task and step to step."""
        return sentences(bank, f"{self.task_id}/{self._steps}", **slots)

    def reach(
        self,
        role: str | Sequence[str] = "",
        name: str = "",
        *,
        near: str = "",
        what: str = "",
        direction: Direction = "down",
        inside: Candidate | None = None,
        menu: str = "",
        within: Callable[[Candidate], bool] | None = None,
    ) -> Generator[Act, Observation, Candidate]:
        """Scroll until a candidate is in view, and return it. Each scroll is a step, and so is opening what is folded.

        `menu` is the name of the list of links that the target stands in (`menu_of` knows most of them), or what is
        `near` may be the name of its group: where that is folded up behind a button of this name, it is opened first.

        Downwards first (or as `direction` says), then a cookie notice in the way is closed, then the other way.
        `inside` is the scrollable candidate to scroll instead of the page, and `within` tells which candidates count.
        `what` describes the target in the guide; give it where the name would give the answer away.
        """
        what = what or _described(role, name or near)

        def look() -> Candidate | None:
            return next(iter(self.find_all(role, name, near=near, within=within)), None)

        if menu:
            yield from self.unfold(menu)
        found = look()
        if found is None or fold(found.name) != fold(name):
            yield from self.unfold(menu_of(site_of(self.seen.url), name))
            found = look()
        if near and (found is None or fold(found.name) != fold(name)):
            yield from self.unfold(near)
            found = look()
        if found is None:
            found = yield from self._scroll_for(look, what, direction, inside)
        if found is None and self._cookie_button() is not None:
            yield from self.close_cookies()
            found = look()
        if found is None:
            other: Direction = "up" if direction == "down" else "down"
            found = yield from self._scroll_for(look, what, other, inside)
        if found is None:
            roles = (role,) if isinstance(role, str) else tuple(role)
            names = [c.name or c.text for c in self.seen.candidates if roles == ("",) or c.role in roles]
            raise self.stuck(
                f"there is not {_described(role, name)}" + (f" near {near!r}" if near else ""), names, name
            )
        return found

    def unfold(self, name: str) -> Generator[Act, Observation, None]:
        """Open the list of this name where it is folded up behind a button in view; otherwise no step at all."""
        if not name:
            return
        for button in self.find_all("button", name):
            if fold(button.name) == fold(name) and "collapsed" in button.states:
                yield from self.act(Click(target=Mark(mark=button.mark)), self.phrase("unfold", name=button.name))
                return

    def reach_text(
        self, text: str, *, what: str = "", direction: Direction = "down"
    ) -> Generator[Act, Observation, None]:
        """Scroll until a piece of text is in view: something to read, not to act on."""

        def look() -> bool | None:
            return self.shows(text) or None

        what = what or f"“{text}”"
        found = look() or (yield from self._scroll_for(look, what, direction, None))
        if not found and self._cookie_button() is not None:
            yield from self.close_cookies()
            found = look()
        if not found:
            other: Direction = "up" if direction == "down" else "down"
            found = yield from self._scroll_for(look, what, other, None)
        if not found:
            raise self.stuck(f"no text {text!r}", [line.text for line in self.lines()], text)

    def reach_below(self, text: str, pattern: str, *, what: str) -> Generator[Act, Observation, str]:
        """`below`, once it is in view."""
        found = yield from self._read(lambda: self._below(text, pattern), what)
        return found or self.below(text, pattern)

    def reach_matches(self, pattern: str, *, what: str) -> Generator[Act, Observation, list[re.Match[str]]]:
        """`matches`, once there is one in view."""
        found = yield from self._read(lambda: self.matches(pattern) or None, what)
        return found or self.matches(pattern)

    def _read(self, look: Callable[[], _Found | None], what: str) -> Generator[Act, Observation, _Found | None]:
        """What is looked for, if it is there: scroll down for it, and close a cookie notice in the way."""
        found = look() or (yield from self._scroll_for(look, what, "down", None))
        if found is None and self._cookie_button() is not None:
            yield from self.close_cookies()
            found = look()
        return found

    def _scroll_for(
        self, look: Callable[[], _Found | None], what: str, direction: Direction, inside: Candidate | None
    ) -> Generator[Act, Observation, _Found | None]:
        bank = "scroll_inside" if inside is not None else f"scroll_{direction}"
        for _ in range(_MOST_SCROLLS):
            before = self.seen
            target: Mark | None = None
            if inside is not None:
                # Marks are numbered anew at every step.
                box = self.find(inside.role, inside.name)
                if box is None:
                    return None
                target = Mark(mark=box.mark)
            elif not self._can_scroll(direction):
                return None
            yield from self.act(Scroll(direction=direction, target=target), self.phrase(bank, what=what))
            if (found := look()) is not None:
                return found
            if _standing(self.seen) == _standing(before):
                return None
        return None

    def _can_scroll(self, direction: Direction) -> bool:
        scroll = self.seen.scroll
        return {
            "up": scroll.y > 1,
            "down": scroll.y < scroll.max_y - 1,
            "left": scroll.x > 1,
            "right": scroll.x < scroll.max_x - 1,
        }[direction]

    def click(
        self,
        role: str | Sequence[str],
        name: str = "",
        *,
        say: tuple[str, ...],
        near: str = "",
        what: str = "",
        direction: Direction = "down",
        inside: Candidate | None = None,
        menu: str = "",
        within: Callable[[Candidate], bool] | None = None,
    ) -> Generator[Act, Observation, None]:
        """Scroll to a candidate and click it; the arguments are those of `reach`."""
        found = yield from self.reach(
            role, name, near=near, what=what, direction=direction, inside=inside, menu=menu, within=within
        )
        yield from self.act(Click(target=Mark(mark=found.mark)), say)

    def type(
        self,
        name: str,
        text: str,
        *,
        say: tuple[str, ...],
        near: str = "",
        what: str = "",
        role: str | Sequence[str] = ("textbox", "searchbox", "spinbutton", "combobox"),
    ) -> Generator[Act, Observation, None]:
        """Scroll to a field and put a text into it."""
        found = yield from self.reach(role, name, near=near, what=what or _described("textbox", name))
        yield from self.act(Type(target=Mark(mark=found.mark), text=text), say)

    def select(
        self,
        name: str,
        option: str,
        *,
        say: tuple[str, ...],
        near: str = "",
        what: str = "",
        role: str | Sequence[str] = ("combobox", "listbox"),
    ) -> Generator[Act, Observation, None]:
        """Scroll to a list and choose the option with this label: one step, or two where the list is no native one."""
        found = yield from self.reach(role, name, near=near, what=what)
        if not found.options:
            yield from self._pick(found, name or found.name, option)
            return
        if option not in found.options:
            raise self.stuck(f"no option {option!r} in {name!r}", found.options, option)
        yield from self.act(Select(target=Mark(mark=found.mark), option=option), say)

    def _pick(self, box: Candidate, name: str, option: str) -> Generator[Act, Observation, None]:
        """Open a list box that scripts have made, and click its option."""
        yield from self.act(Click(target=Mark(mark=box.mark)), self.phrase("list_open", name=name))
        shown = [one.box.centre for one in self.find_all("option")]
        scrolled = (one for one in self.seen.candidates if "scrollable" in one.states)
        around = [(sum(one.box.contains(*point) for point in shown), one) for one in scrolled]
        # The list may lie over a part of the page that scrolls too, of which a strip alone is in view.
        found = min(around, key=lambda each: (-each[0], each[1].box.width * each[1].box.height), default=(0, None))
        inside = found[1] if found[0] else None
        entry = yield from self.reach("option", option, inside=inside)
        yield from self.act(Click(target=Mark(mark=entry.mark)), self.phrase("list_pick", name=name, option=option))

    def press_enter(self, *, say: tuple[str, ...]) -> Generator[Act, Observation, None]:
        yield from self.act(PressEnter(), say)

    def go_back(self, *, say: tuple[str, ...]) -> Generator[Act, Observation, None]:
        yield from self.act(GoBack(), say)

    def scroll(
        self, direction: Direction = "down", *, say: tuple[str, ...], inside: Candidate | None = None
    ) -> Generator[Act, Observation, None]:
        """One scroll on purpose. To get something into view use `reach`."""
        target = Mark(mark=inside.mark) if inside is not None else None
        yield from self.act(Scroll(direction=direction, target=target), say)

    def finish(self, answer: str = "", *, say: tuple[str, ...]) -> Generator[Act, Observation, None]:
        """End the task. The sentences say how one knows that it is done, and never what the answer is."""
        yield from self.act(Finish(answer=answer), say)

    # --- deeds that many tasks have -----------------------------------------------------------------------------

    def _cookie_button(self) -> Candidate | None:
        return self.find("button", "Only necessary")

    def close_cookies(self) -> Generator[Act, Observation, None]:
        """Answer the cookie notice, if one is in view."""
        button = self._cookie_button()
        if button is not None:
            yield from self.act(Click(target=Mark(mark=button.mark)), self.phrase("cookies", button=button.name))

    def search(self, query: str) -> Generator[Act, Observation, None]:
        """Search the storefront with the box in its header: two steps."""
        box = yield from self.reach(
            ("searchbox", "combobox", "textbox"), "Search", what="the search box", direction="up"
        )
        yield from self.act(Type(target=Mark(mark=box.mark), text=query), self.phrase("search_type", query=query))
        yield from self.act(PressEnter(), self.phrase("search_go", query=query))


class Solution:
    """A solver being driven: give it each observation, get the next act.

    solution = Solution(task_id, lambda page: template.solve(page, params))
    while (act := solution.next(observation)) is not None: ...

    With a `skin`, the solver sees each page as it is without one, and its sentences name what the page shows.
    """

    def __init__(self, task_id: str, solve: Callable[[Page], Solver], skin: Skin | None = None) -> None:
        self.task_id = task_id
        self._skin = skin
        self._solve = solve
        self._page: Page | None = None
        self._steps: Solver | None = None

    def next(self, observation: Observation) -> Act | None:
        """The act for this observation; None when the solver is through.

        Raises SolverStuck, also for a mistake in the solver itself. It names the template's file and line, and what is
        on the page.
        """
        seen = undress(observation, self._skin)
        page = self._page = self._page or Page(self.task_id, seen)
        try:
            if self._steps is None:
                self._steps = _generator(self._solve(page))
                act = _act(next(self._steps))
            else:
                act = _act(self._steps.send(seen))
            said = tuple(reword(sentence, self._skin, observation.url) for sentence in act.references)
            action = dressed(act.action, observation)
            for grounding in _GROUNDINGS:
                to_grounding(action, observation, grounding)  # whoever drives it will, and could not tell the line
            return Act(action, said)
        except StopIteration:
            return None
        except Exception as error:
            stuck = error if isinstance(error, SolverStuck) else page.mistaken(error)
            raise SolverStuck(f"{stuck.message}{place_of(error, self._steps)}") from error


def _generator(solver: Solver) -> Solver:
    if not isinstance(solver, Generator):
        raise TypeError(f"the solver gave {solver!r:.80} and no generator: put `yield from` before every deed of page")
    return solver


def _act(given: Act) -> Act:
    if not isinstance(given, Act):
        raise TypeError(
            f"the solver yielded a {type(given).__name__} and no act: write `yield from` instead of `yield`"
        )
    return given


def to_grounding(action: Action, observation: Observation, grounding: Grounding) -> Action:
    """The same action with its target named as the grounding wants: a mark, or the point where its candidate is hit.

    Raises ValueError for a mark that the observation does not have, or a point at which it has no candidate.
    """
    target: Target | None = getattr(action, "target", None)
    if target is None:
        return action
    if isinstance(target, Mark) and grounding == "coord":
        candidate = observation.candidate(target.mark)
        if candidate is None:
            raise ValueError(f"there is no mark {target.mark} among {len(observation.candidates)}")
        x, y = candidate.point
        return action.model_copy(update={"target": Point(x=x, y=y)})
    if isinstance(target, Point) and grounding == "som":
        hit = [candidate for candidate in observation.candidates if candidate.box.contains(target.x, target.y)]
        if not hit:
            raise ValueError(f"no candidate lies at ({target.x:g}, {target.y:g})")
        smallest = min(hit, key=lambda candidate: candidate.box.width * candidate.box.height)
        return action.model_copy(update={"target": Mark(mark=smallest.mark)})
    return action
