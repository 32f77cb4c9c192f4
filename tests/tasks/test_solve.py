"""How a solver finds, reads and acts, on pages written by hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from guideact.tasks.backoffice import menu
from guideact.tasks.solve import Act, Page, Solution, Solver, SolverStuck, to_grounding
from guideact.types import Candidate, Click, Finish, Locator, Mark, Observation, Point, PressEnter, Scroll, Select, Type
from tests.tasks.pages import candidate, line, page

SAY = ("Do this.", "That is done like so.")

GRID = page(
    line("Total", 900, -40),
    line("Order", 0, 0),
    line("Placed", 200, 0),
    line("Total", 400, 0),
    candidate(1, "link", "000000186", 0, 40, text="000000186"),
    line("000000186", 0, 40),
    line("Mar 1, 2026", 200, 40),
    line("$12.00", 420, 40, width=80),
    candidate(2, "button", "Reorder", 600, 40, text="Reorder"),
    candidate(3, "link", "000000187", 0, 70, text="000000187"),
    line("000000187", 0, 70),
    line("Mar 9, 2026", 200, 70),
    line("$34.50", 420, 70, width=80),
    candidate(4, "button", "Reorder", 600, 70, text="Reorder"),
)


def looking_at(observation: Observation) -> Page:
    return Page("t.1", observation)


def test_the_same_words_beat_a_beginning_and_that_a_part() -> None:
    seen = looking_at(
        page(
            candidate(1, "link", "Old Trail Tent", 0, 0),
            candidate(2, "link", "Trail Tent 2", 0, 30),
            candidate(3, "link", "trail  tent", 0, 60),
            candidate(4, "button", "Trail Tent", 0, 90),
        )
    )
    assert [found.mark for found in seen.find_all("link", "Trail Tent")] == [3]
    assert [found.mark for found in seen.find_all("link", "Trail Tent 2")] == [2]
    assert [found.mark for found in seen.find_all("link", "Trail")] == [2, 3]
    assert [found.mark for found in seen.find_all("link", "Tent")] == [1, 2, 3]
    assert [found.mark for found in seen.find_all(("link", "button"), "trail tent")] == [3, 4]
    assert seen.find("link", "City Tent") is None


def test_near_picks_the_row() -> None:
    seen = looking_at(GRID)
    assert [found.mark for found in seen.find_all("button", "Reorder", near="000000187")] == [4, 2]
    first = seen.find("button", "Reorder", near="$12.00")
    assert first is not None
    assert first.mark == 2
    assert seen.find("button", "Reorder", near="000000999") is None


def test_near_picks_the_card() -> None:
    cards = page(
        line("Trail Tent", 0, 200),
        candidate(1, "button", "Add to Cart", 0, 100),
        line("City Tent", 300, 200),
        candidate(2, "button", "Add to Cart", 0, 260),
        candidate(3, "button", "Add to Cart", 300, 260),
    )
    found = looking_at(cards).find("button", "Add to Cart", near="City Tent")
    assert found is not None
    assert found.mark == 3


def in_row(mark: int, y: float, row: str) -> Candidate:
    """A button “Upvote” at a height, with what is written in its row."""
    locator = Locator(role="button", name="Upvote", row=row)
    return candidate(mark, "button", "Upvote", 0, y, locator=locator)


@pytest.mark.parametrize(
    ("rows", "marks"),
    [
        # The row says it, however close another one stands.
        (("A post A ship till noon", "ann What do the letters say?"), [2]),
        (("A post that goes on and on…", "ann What do the letters say?"), [2]),
        (("ann What do the letters say?", "A post that goes on and on…"), [1, 2]),
        (("A post that asks: what do the letters say?", "ann What do the letters say?"), [1, 2]),
        # What goes on may hold it where it stands below it, and so may what has no row: the closest comes first.
        (("A post that goes on and on…", "ann who writes and writes…"), [2]),
        (("", "ann who writes and writes…"), [1, 2]),
        (("", ""), [1, 2]),
        # A row that is cut within the text holds it.
        (("A post that goes on and on…", "ann What do the let…"), [2]),
        # So does one whose head is cut, and that may hold it.
        (("A post that goes on and on… Save Hide", "ann What do the let… Reply"), [2]),
        (("bob No letters at all", "A post that goes on and on… Save Hide"), [2]),
        # Another row is not near, also where the right one is out of view.
        (("A post A ship till noon", "bob No letters at all"), []),
    ],
)
def test_near_goes_by_what_the_row_says(rows: tuple[str, str], marks: list[int]) -> None:
    seen = page(in_row(1, 60, rows[0]), line("What do the letters say?", 0, 100), in_row(2, 300, rows[1]))
    assert [found.mark for found in looking_at(seen).find_all("button", "Upvote", near="what do the letters")] == marks


def test_near_a_name_or_a_value_that_is_not_written_goes_by_distance() -> None:
    rows = (in_row(1, 60, "A post"), in_row(2, 300, "ann"))
    for anchor in (
        candidate(3, "button", "Letters", 0, 290),
        candidate(3, "textbox", "Words", 0, 290, value="Letters"),
    ):
        found = looking_at(page(*rows, anchor)).find_all("button", "Upvote", near="Letters")
        assert [one.mark for one in found] == [2, 1]


def test_what_is_near_is_scrolled_to_past_what_stands_in_another_row() -> None:
    text = line("What do the letters say?", 0, 100)
    solution = Solution("t.1", lambda page: page.click("button", "Upvote", near="What do the letters say?", say=SAY))
    above = page(in_row(1, 60, "A post"), text, max_y=900)
    acts = drive(solution, [above, page(text, in_row(1, 130, "ann What do the letters say?"), y=450, max_y=900)])
    assert [act.action for act in acts] == [Scroll(), Click(target=Mark(mark=1))]


def test_reading_by_row_and_column() -> None:
    seen = looking_at(GRID)
    assert seen.cell("000000187", "Total") == "$34.50"
    assert seen.cell("Mar 1, 2026", "Order") == "000000186"
    assert seen.column("Placed") == ["Mar 1, 2026", "Mar 9, 2026"]
    assert [found.group() for found in seen.matches(r"\$[\d.]+")] == ["$12.00", "$34.50"]
    with pytest.raises(SolverStuck, match="no column 'Sum'"):
        seen.cell("000000187", "Sum")
    with pytest.raises(SolverStuck, match=r"no row '000000999'.*in view: '000000"):
        seen.cell("000000999", "Total")


def test_reading_by_label() -> None:
    seen = looking_at(
        page(
            line("Subtotal", 0, 0),
            line("$10.00", 300, 0),
            line("Grand Total:", 0, 30),
            line("$12.00", 300, 30),
            line("Status: Complete", 0, 60),
            line("Ship to", 0, 90),
            line("12 Main Street", 0, 115),
        )
    )
    assert seen.read("Subtotal") == "$10.00"
    assert seen.read("Grand Total") == "$12.00"
    assert seen.read("Status") == "Complete"
    assert seen.read("Ship to") == "12 Main Street"
    assert seen.shows("main street")
    with pytest.raises(SolverStuck, match=r"no label 'Shipping'.*'Ship to'"):
        seen.read("Shipping")
    with pytest.raises(SolverStuck, match="nothing stands beside or below"):
        seen.read("12 Main Street")


def drive(solve: Solution, observations: list[Observation]) -> list[Act]:
    acts = []
    for observation in observations:
        act = solve.next(observation)
        if act is None:
            break
        acts.append(act)
    return acts


def test_verbs_name_marks_and_carry_their_sentences() -> None:
    form = page(
        candidate(1, "textbox", "City", 0, 0),
        candidate(2, "combobox", "Country", 0, 30, options=("Finland", "France")),
        candidate(3, "button", "Save", 0, 60),
    )

    def solve(page: Page) -> Solver:
        yield from page.type("City", "Turku", say=SAY)
        yield from page.select("Country", "France", say=SAY)
        yield from page.click("button", "Save", say=SAY)
        yield from page.press_enter(say=SAY)
        yield from page.finish("42", say=SAY)

    solution = Solution("t.1", solve)
    acts = drive(solution, [form] * 9)
    assert [act.action for act in acts] == [
        Type(target=Mark(mark=1), text="Turku"),
        Select(target=Mark(mark=2), option="France"),
        Click(target=Mark(mark=3)),
        PressEnter(),
        Finish(answer="42"),
    ]
    assert all(act.references == SAY for act in acts)


def test_an_option_that_is_not_there_is_named() -> None:
    form = page(candidate(1, "combobox", "Country", 0, 30, options=("Finland", "France")))
    solution = Solution("t.1", lambda page: page.select("Country", "Frankland", say=SAY))
    with pytest.raises(SolverStuck, match=r"t\.1: no option 'Frankland' in 'Country' .* in view: 'Finland', 'France'"):
        solution.next(form)


SAVE = candidate(1, "button", "Save", 0, 60)


def test_reaching_scrolls_down_step_by_step() -> None:
    solution = Solution("t.1", lambda page: page.click("button", "Save", say=SAY))
    acts = drive(solution, [page(max_y=900), page(y=450, max_y=900), page(SAVE, y=900, max_y=900)])
    assert [act.action for act in acts] == [Scroll(), Scroll(), Click(target=Mark(mark=1))]
    for act in acts[:2]:
        assert len(act.references) == 2
        assert all("the “Save” button" in sentence or "The “Save” button" in sentence for sentence in act.references)
    assert acts[0].references != acts[1].references


def test_reaching_turns_round_at_the_bottom() -> None:
    solution = Solution("t.1", lambda page: page.click("button", "Save", say=SAY))
    acts = drive(solution, [page(y=300, max_y=900), page(y=900, max_y=900), page(SAVE, y=150, max_y=900)])
    assert [act.action for act in acts] == [Scroll(), Scroll(direction="up"), Click(target=Mark(mark=1))]


def test_a_cookie_notice_in_the_way_is_closed() -> None:
    notice = candidate(1, "button", "Only necessary", 0, 800)
    solution = Solution("t.1", lambda page: page.click("button", "Save", say=SAY))
    acts = drive(solution, [page(notice, line("Cookies", 0, 800)), page(SAVE)])
    assert [act.action for act in acts] == [Click(target=Mark(mark=1)), Click(target=Mark(mark=1))]
    assert "Only necessary" in acts[0].references[0]


def test_reaching_inside_a_list_scrolls_the_list() -> None:
    box = candidate(1, "list", "Sizes", 0, 0, states=("scrollable",))
    moved = candidate(2, "list", "Sizes", 0, 0, states=("scrollable",))
    extra = candidate(1, "link", "Home", 0, 0)

    def solve(page: Page) -> Solver:
        sizes = yield from page.reach("list", "Sizes")
        yield from page.click("option", "XL", inside=sizes, say=SAY)

    xl = candidate(3, "option", "XL", 0, 10)
    acts = drive(Solution("t.1", solve), [page(box), page(extra, moved, line("M", 0, 0)), page(extra, moved, xl)])
    assert [act.action for act in acts] == [
        Scroll(target=Mark(mark=1)),
        Scroll(target=Mark(mark=2)),
        Click(target=Mark(mark=3)),
    ]


def test_what_is_nowhere_is_reported_with_what_is_there() -> None:
    solution = Solution("t.1", lambda page: page.click("button", "Sav", near="Nothing", say=SAY))
    with pytest.raises(SolverStuck, match=r"there is not the “Sav” button near 'Nothing' .* in view: 'Save'"):
        solution.next(page(SAVE))


def test_a_list_that_does_not_move_is_given_up() -> None:
    solution = Solution("t.1", lambda page: page.click("button", "Gone", say=SAY))
    stuck = page(SAVE, max_y=900)
    assert solution.next(stuck) is not None
    with pytest.raises(SolverStuck):
        solution.next(stuck)


def test_reading_text_further_down() -> None:
    def solve(page: Page) -> Solver:
        yield from page.reach_text("Returns", what="the heading about returns")
        yield from page.finish(page.read("Returns"), say=SAY)

    acts = drive(
        Solution("t.1", solve),
        [page(max_y=400), page(line("Returns", 0, 0), line("30 days", 200, 0), y=400, max_y=400)],
    )
    assert [act.action for act in acts] == [Scroll(), Finish(answer="30 days")]


def test_what_is_read_below_a_name_is_scrolled_to() -> None:
    def solve(page: Page) -> Solver:
        price = yield from page.reach_below("Lamp", r"\$\d+", what="the price")
        yield from page.finish(price, say=SAY)

    whole = page(candidate(1, "link", "Lamp", 0, 0), line("$40", 0, 30))
    cut = page(candidate(1, "link", "Lamp", 0, 300), max_y=400)
    assert [act.action for act in drive(Solution("t.1", solve), [whole])] == [Finish(answer="$40")]
    below = page(candidate(1, "link", "Lamp", 0, 0), line("$40", 0, 30), y=300, max_y=400)
    assert [act.action for act in drive(Solution("t.1", solve), [cut, below])] == [Scroll(), Finish(answer="$40")]
    with pytest.raises(SolverStuck, match=r"nothing like .* below 'Lamp'"):
        drive(Solution("t.1", solve), [cut, page(candidate(1, "link", "Lamp", 0, 0), y=400, max_y=400)])


def test_what_a_line_tells_is_scrolled_to() -> None:
    def solve(page: Page) -> Solver:
        found = yield from page.reach_matches(r"^(\d+) min$", what="the whole time")
        yield from page.finish(found[0].group(1), say=SAY)

    whole = page(line("17 min", 0, 0))
    cut = page(line("Turns", 0, 300), max_y=400)
    assert [act.action for act in drive(Solution("t.1", solve), [whole])] == [Finish(answer="17")]
    below = page(line("Turns", 0, 0), line("17 min", 0, 30), y=300, max_y=400)
    assert [act.action for act in drive(Solution("t.1", solve), [cut, below])] == [Scroll(), Finish(answer="17")]
    with pytest.raises(SolverStuck, match="nothing matches"):
        drive(Solution("t.1", solve), [cut, page(line("Turns", 0, 0), y=400, max_y=400)])


def test_a_target_in_both_groundings() -> None:
    click = Click(target=Mark(mark=3))
    point = to_grounding(click, GRID, "coord")
    assert point == Click(target=Point(x=50, y=80))
    assert to_grounding(point, GRID, "som") == click
    assert to_grounding(click, GRID, "som") == click
    assert to_grounding(Scroll(), GRID, "coord") == Scroll()
    assert to_grounding(Finish(answer="1"), GRID, "coord") == Finish(answer="1")
    with pytest.raises(ValueError, match="no mark 9"):
        to_grounding(Click(target=Mark(mark=9)), GRID, "coord")
    with pytest.raises(ValueError, match="no candidate lies"):
        to_grounding(Click(target=Point(x=900, y=800)), GRID, "som")


def test_a_point_inside_two_boxes_names_the_smaller() -> None:
    card = candidate(1, "link", "Card", 0, 0).model_copy(
        update={"box": candidate(1, "x", "", 0, 0).box.model_copy(update={"width": 400, "height": 400})}
    )
    seen = page(card, candidate(2, "button", "Add", 20, 20))
    assert to_grounding(Click(target=Point(x=30, y=30)), seen, "som") == Click(target=Mark(mark=2))


def test_a_section_or_page_that_the_menu_lacks_is_told_with_those_it_has() -> None:
    seen = page(candidate(1, "button", "Catalog", 0, 0), candidate(2, "button", "Export", 600, 0))
    with pytest.raises(SolverStuck, match=r"no section 'Sales' in the menu at .*; in view: 'Catalog'$"):
        next(menu(looking_at(seen), "Sales", "Orders"))
    going = menu(looking_at(seen), "Catalog", "Brands")
    assert next(going).action == Click(target=Mark(mark=1))
    with pytest.raises(SolverStuck, match=r"no 'Brands' in the menu under 'Catalog' at .*; in view: 'Products'$"):
        going.send(page(candidate(1, "button", "Catalog", 0, 0), candidate(2, "link", "Products", 220, 0)))


PRODUCT = page(
    line("Trail Tent", 0, 0),
    candidate(1, "link", "2 reviews", 0, 30),
    line("Only 4 left in stock", 0, 60),
    candidate(2, "button", "Add to Cart", 0, 90),
)


def _line_of(function: Callable[..., object], code: str) -> int:
    """The line of a function that holds this code."""
    lines, first = inspect.getsourcelines(function)
    return first + next(number for number, text in enumerate(lines) if code in text)


def told(solve: Callable[[Page], Solver]) -> str:
    """What is said of a solver that fails at its first observation or, where it presses Enter first, at the next."""
    solution = Solution("t.1", solve)
    with pytest.raises(SolverStuck) as caught:
        drive(solution, [PRODUCT] * 2)
    return str(caught.value)


def test_a_mistake_in_a_solver_names_its_line_and_what_is_in_view() -> None:
    def solve(page: Page) -> Solver:
        yield from page.press_enter(say=SAY)
        raise ValueError("no such\nthing")

    assert told(solve) == (
        "t.1: ValueError: no such thing at http://shopping.localhost/; in view: 'Trail Tent', 'Only 4 left in stock', "
        f"'link 2 reviews', 'button Add to Cart' ({__file__}:{_line_of(solve, 'raise ')})"
    )


def test_a_look_that_found_nothing_is_told_with_what_comes_closest() -> None:
    def count(page: Page) -> Solver:
        number = page.matches(r"^(\d+) reviews$")[0].group(1)
        yield from page.finish(number, say=SAY)

    def name(page: Page) -> Solver:
        yield from page.press_enter(say=SAY)
        yield from page.finish(page.find("link", "3 reviews", near="Trail Tent").name, say=SAY)  # type: ignore[union-attr]

    def entry(page: Page) -> Solver:
        (last,) = page.find_all("button", "Add to Basket")
        yield from page.click("button", last.name, say=SAY)

    said = told(count)
    assert said.startswith(r"t.1: IndexError: list index out of range; nothing matches '^(\\d+) reviews$' at http://")
    assert f"in view: 'link 2 reviews' ({__file__}:{_line_of(count, 'matches')})" in said
    said = told(name)
    assert "'NoneType' object has no attribute 'name'; the “3 reviews” link near 'Trail Tent' was not found at" in said
    assert f"in view: 'link 2 reviews', 'Trail Tent' ({__file__}:{_line_of(name, 'find')})" in said
    assert "the “Add to Basket” button was not found at http://shopping.localhost/; in view: 'button Add to Cart'" in (
        told(entry)
    )


def test_a_look_that_did_find_something_is_not_blamed() -> None:
    prices: dict[str, str] = {}

    def solve(page: Page) -> Solver:
        page.find("link", "City Tent")
        page.find("link", "2 reviews")
        yield from page.finish(prices["price"], say=SAY)

    def later(page: Page) -> Solver:
        page.matches("City Tent")
        yield from page.press_enter(say=SAY)
        yield from page.finish(prices["price"], say=SAY)

    assert told(solve).startswith("t.1: KeyError: 'price' at http://shopping.localhost/; in view: 'Trail Tent', ")
    assert told(later).startswith("t.1: KeyError: 'price' at http://shopping.localhost/; in view: 'Trail Tent', ")


def test_what_is_stuck_or_no_solver_at_all_has_its_line_too() -> None:
    def stuck(page: Page) -> Solver:
        yield from page.click("button", "Buy", say=SAY)

    def one_deed(page: Page) -> Solver:
        yield page.press_enter(say=SAY)  # type: ignore[misc]

    def stale(page: Page) -> Solver:
        yield from page.act(Click(target=Mark(mark=9)), SAY)

    def early(page: Page) -> Solver:
        raise KeyError("product")

    def none(page: Page) -> Solver:
        page.press_enter(say=SAY)
        return None  # type: ignore[return-value]

    assert told(stuck).endswith(f"in view: 'Add to Cart' ({__file__}:{_line_of(stuck, 'click')})")
    said = told(one_deed)
    assert "TypeError: the solver yielded a generator and no act: write `yield from` instead of `yield` at" in said
    assert said.endswith(f" ({__file__}:{_line_of(one_deed, 'press_enter')})")
    said = told(stale)
    assert "ValueError: there is no mark 9 among 2 at http://shopping.localhost/; in view: " in said
    assert said.endswith(f" ({__file__}:{_line_of(stale, 'act(')})")
    assert told(early).endswith(f" ({__file__}:{_line_of(early, 'raise')})")
    said = told(none)
    assert "the solver gave None and no generator: put `yield from` before every deed of page at http://" in said
    assert said.endswith("'button Add to Cart'")


def test_a_mistake_in_what_a_solver_calls_is_told_at_the_solver() -> None:
    def solve(page: Page) -> Solver:
        yield from menu(page, None, "Orders")  # type: ignore[arg-type]

    said = told(solve)
    assert said.endswith(f" ({__file__}:{_line_of(solve, 'menu')})")
