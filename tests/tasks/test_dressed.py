"""Solvers on sites in a skin: what they look at is put back into the sites' words, what they say into the skin's."""

from __future__ import annotations

import pytest

from guideact.env import WebEnv
from guideact.sites.skins import Skin, parse_skin, widgets, words
from guideact.tasks.boards import first_post
from guideact.tasks.catalogue import entry
from guideact.tasks.dressed import dressed, reword, site_of, undress
from guideact.tasks.prove import walk
from guideact.tasks.references import reference_faults
from guideact.tasks.solve import Page, Solution, Solver
from guideact.types import Candidate, Click, Finish, Locator, Mark, Scroll, Select
from tests.tasks.conftest import Bench
from tests.tasks.pages import candidate, line, page

SKIN = Skin("relabel", 5)
SHOWN = words(SKIN, "shopping")
SAY = ("Press “Add to cart” on the right.", "A button reads “Add to cart”, and “Mug” goes with it.")


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://shopping.localhost/cart", "shopping"),
        ("http://shopping-admin.localhost/", "shopping_admin"),
        ("http://shopping-admin-i7.localhost:8080/orders?page=2", "shopping_admin"),
        ("http://example.com/", ""),
        ("about:blank", ""),
    ],
)
def test_the_site_of_an_address(url: str, site: str) -> None:
    assert site_of(url) == site


def test_words_are_put_back_whole_or_before_their_value() -> None:
    seen = page(
        candidate(1, "button", SHOWN["Add to cart"], 0, 0, text=SHOWN["Add to cart"]),
        candidate(2, "searchbox", "Query", 0, 30, placeholder=SHOWN["Search the whole store"], value=SHOWN["Cart"]),
        candidate(3, "link", f"{SHOWN['Wish list']} 3", 0, 60),
        candidate(4, "link", f"{SHOWN['Cart']} of Oak", 0, 90),
        line(f"{SHOWN['Email'] if 'Email' in SHOWN else SHOWN['City']} *", 0, 120),
        line(f"{SHOWN['Order total']}: $3.00", 0, 150),
        line("Desk Lamp", 0, 180),
    )
    plain = undress(seen, SKIN)
    assert [one.name for one in plain.candidates] == ["Add to cart", "Query", "Wish list 3", f"{SHOWN['Cart']} of Oak"]
    assert plain.candidates[0].text == "Add to cart"
    assert (plain.candidates[1].placeholder, plain.candidates[1].value) == ("Search the whole store", SHOWN["Cart"])
    assert [text.text for text in plain.texts] == ["City *", "Order total: $3.00", "Desk Lamp"]
    assert [one.box for one in plain.candidates] == [one.box for one in seen.candidates]
    assert undress(seen, None) is seen
    assert undress(seen, Skin("relayout", 5)) is seen


def test_a_row_is_found_by_the_sites_words_and_by_those_shown() -> None:
    row = f"Mug {SHOWN['Wish list']} {SHOWN['Cart']} of Oak"
    cards = [_rowed(candidate(1, "link", "Mug", 0, 0), "Mug Oak"), _rowed(candidate(2, "link", "Mug", 0, 300), row)]
    plain = undress(page(*cards, line(SHOWN["Wish list"], 0, 30), line(f"{SHOWN['Cart']} of Oak", 0, 60)), SKIN)
    for near in ("Wish list", f"{SHOWN['Cart']} of Oak"):
        assert [found.mark for found in Page("t.1", plain).find_all("link", "Mug", near=near)] == [2]


def test_entries_of_a_list_that_a_skin_made_stand_in_no_row() -> None:
    box = candidate(1, "combobox", "Parts", 0, 0, tag="select", options=("Comments", "Downvoted"))
    locator = Locator(role="combobox", name="Parts", css="#skin-set-link-7", row="emma_l since 2020")
    card = Locator(role="link", name="Comments", row="A post")
    seen = undress(
        page(
            box.model_copy(update={"locator": locator}), candidate(2, "link", "Comments", 0, 20, text="", locator=card)
        ),
        Skin("relayout", 5),
    )
    found = Page("t.1", seen).find("link", "Comments", near="Downvoted")
    assert found is not None
    assert found.mark % 1000 == 1


def test_sentences_name_what_is_shown() -> None:
    url = "http://shopping.localhost/"
    assert reword(SAY[1], SKIN, url) == f"A button reads “{SHOWN['Add to cart']}”, and “Mug” goes with it."
    assert reword(SAY[1], None, url) == SAY[1]
    assert reword("Add to cart is what to press.", SKIN, url) == "Add to cart is what to press."


def test_a_solver_acts_on_the_page_as_it_is_and_speaks_its_words() -> None:
    def solve(page: Page) -> Solver:
        yield from page.click("button", "Add to cart", say=SAY)
        yield from page.finish(page.read("Order total"), say=SAY)

    seen = page(
        candidate(1, "button", SHOWN["Add to cart"], 0, 0), line(SHOWN["Order total"], 0, 60), line("$8.00", 200, 60)
    )
    driven = Solution("t.1", solve, SKIN)
    act = driven.next(seen)
    assert act is not None
    assert act.action == Click(target=Mark(mark=1))
    assert act.references[0] == f"Press “{SHOWN['Add to cart']}” on the right."
    last = driven.next(seen)
    assert last is not None
    assert last.action == Finish(answer="$8.00")


def made(one: Candidate, css: str) -> Candidate:
    """A control that a skin has made, as its address says."""
    return one.model_copy(update={"locator": Locator(role=one.role, name=one.name, css=css)})


def test_a_list_that_a_skin_made_of_tabs_is_the_tabs() -> None:
    box = candidate(1, "combobox", "Parts", 0, 0, tag="select", options=("Overview", "Reviews 3"), value="Overview")
    seen = page(made(box, "#skin-set-tab-7"), candidate(2, "link", "Home", 0, 60))

    def solve(page: Page) -> Solver:
        assert page.find("tab", "Overview").states == ("selected",)  # type: ignore[union-attr]
        assert page.find("combobox") is None
        yield from page.click("tab", "Reviews", say=SAY)

    act = Solution("t.1", solve, Skin("relayout", 5)).next(seen)
    assert act is not None
    assert act.action == Select(target=Mark(mark=1), option="Reviews 3")


def test_radio_buttons_that_a_skin_made_of_a_list_are_the_list() -> None:
    radios = [
        made(
            candidate(at + 1, "radio", name, 20, 40 + 24 * at, states=("checked" if at == 1 else "unchecked",)),
            f"#skin-pick-2-{at}-of-3",
        )
        for at, name in enumerate(("Hot", "New", "Top"))
    ]
    labels = [line(one.name, 44, one.box.y) for one in radios]
    seen = page(*radios, line("Order of posts", 20, 16), *labels, line("Order of comments", 20, 130))
    skin = Skin("redesign", 5)

    def solve(page: Page) -> Solver:
        assert page.read("Order of posts") == "New"
        assert page.find("radio") is None
        yield from page.select("Order of posts", "Top", say=SAY)

    act = Solution("t.1", solve, skin).next(seen)
    assert act is not None
    assert act.action == Click(target=Mark(mark=3))
    # A group that the edge of the window cuts off is left as it is, and so is one that nothing names.
    cut = page(*radios[:2], line("Order of posts", 20, 16))
    assert {one.role for one in undress(cut, skin).candidates} == {"radio"}
    assert {one.role for one in undress(page(*radios), skin).candidates} == {"radio"}


def test_links_and_buttons_that_a_skin_turned_round_are_what_they_were() -> None:
    skin = next(Skin("redesign", seed) for seed in range(50) if "Update cart" in _turned(Skin("redesign", seed)))
    shown = words(skin, "shopping")
    seen = page(candidate(1, "link", shown["Update cart"], 0, 0), candidate(2, "link", "Mug", 0, 30))
    assert [one.role for one in undress(seen, skin).candidates] == ["button", "link"]
    assert dressed(Click(target=Mark(mark=1)), seen) == Click(target=Mark(mark=1))


def _turned(skin: Skin) -> tuple[str, ...]:
    found = widgets(skin, "shopping")
    assert found is not None
    return found.swaps


def test_a_menu_that_is_folded_is_opened_for_its_entries() -> None:
    folded = page(candidate(1, "button", "Boards", 0, 0, states=("collapsed",)), url="http://reddit.localhost/")
    opened = page(
        candidate(1, "button", "Boards", 0, 0, states=("expanded",)),
        candidate(2, "link", "Directory", 0, 30),
        url="http://reddit.localhost/",
    )
    driven = Solution("t.1", lambda page: page.click("link", "Directory", say=SAY))
    acts = [driven.next(folded), driven.next(opened)]
    assert [act.action for act in acts if act] == [Click(target=Mark(mark=mark)) for mark in (1, 2)]


def test_a_link_of_a_post_that_is_called_as_one_of_the_menu_is_no_part_of_the_menu() -> None:
    menu = ("Front page", "Directory", "Lumo Market", "About the boards")
    beside = [candidate(at, "link", name, 600, 40 * at) for at, name in enumerate(menu, 1)]
    beside[2] = _rowed(beside[2], "Front page Directory About the boards")
    offer = _rowed(candidate(5, "link", "Lumo Market", 40, 110), "joec 2 hours ago A kettle")
    title = candidate(6, "link", "A kettle", 40, 82, text="A kettle")
    for posts in ((title, offer), (offer, title)):
        seen = page(*beside, *posts, line("2 hours ago", 80, 60), line("Front page", 600, 40))
        assert first_post(Page("t.1", seen)) == "A kettle"


def _rowed(one: Candidate, row: str) -> Candidate:
    return one.model_copy(update={"locator": Locator(role=one.role, name=one.name, row=row)})


def test_what_is_folded_is_opened_first() -> None:
    def solve(page: Page) -> Solver:
        yield from page.click("link", "Oak", near="Material", say=SAY)
        yield from page.click("link", "Lamps", menu="Categories", say=SAY)

    folded = candidate(1, "button", "Material", 0, 0, states=("collapsed",))
    menu = candidate(2, "button", "Categories", 400, 0, states=("collapsed",))
    other = candidate(3, "link", "Oak Table", 0, 300)
    first = page(folded, menu, other)
    opened = page(
        candidate(1, "button", "Material", 0, 0, states=("expanded",)), menu, candidate(3, "link", "Oak", 0, 30)
    )
    links = page(
        candidate(1, "button", "Categories", 400, 0, states=("expanded",)), candidate(2, "link", "Lamps", 0, 0)
    )
    driven = Solution("t.1", solve)
    acts = [driven.next(seen) for seen in (first, opened, opened, links)]
    assert [act.action for act in acts if act] == [Click(target=Mark(mark=mark)) for mark in (1, 3, 2, 2)]
    assert all("“Material”" in said for said in acts[0].references) if acts[0] else False


def test_a_list_that_scripts_made_is_opened_and_scrolled() -> None:
    driven = Solution("t.1", lambda page: page.select("Country", "Sweden", say=SAY))
    box = candidate(1, "combobox", "Country", 0, 0)
    frame = candidate(2, "group", "Country", 0, 20, states=("scrollable",))
    tall = frame.model_copy(update={"box": frame.box.model_copy(update={"height": 200})})
    acts = [
        driven.next(page(box)),
        driven.next(page(box, tall, candidate(3, "option", "Finland", 0, 30))),
        driven.next(page(box, tall, candidate(3, "option", "Sweden", 0, 30))),
    ]
    assert [act.action for act in acts if act] == [
        Click(target=Mark(mark=1)),
        Scroll(direction="down", target=Mark(mark=2)),
        Click(target=Mark(mark=3)),
    ]


def test_of_two_parts_that_scroll_the_one_with_all_entries_is_the_list() -> None:
    box = candidate(1, "combobox", "Brand", 0, 0)
    frame = candidate(2, "group", "Brand", 0, 20, states=("scrollable",))
    tall = frame.model_copy(update={"box": frame.box.model_copy(update={"height": 80})})
    strip = candidate(3, "region", "Products table", 0, 65, states=("scrollable",))
    entries = [candidate(at, "option", name, 0, 30 * (at - 3)) for at, name in ((4, "Cafeo"), (5, "Ferro"))]
    driven = Solution("t.1", lambda page: page.select("Brand", "Mono", say=SAY))
    driven.next(page(box))
    scroll = driven.next(page(box, tall, strip, *entries))
    assert scroll is not None
    assert scroll.action == Scroll(direction="down", target=Mark(mark=2))


@pytest.mark.parametrize(
    ("task_id", "name"),
    [
        ("shopping.address_new.1", "redesign-1"),
        ("shopping_admin.review_hide_and_count.1", "redesign-1"),
        ("reddit.list_settings.1", "redesign-11"),
        ("gitlab.heaviest_issue.1", "redesign-42"),
        ("map.nearest.1", "redesign-34"),
        ("wikipedia.later_editor.1", "relayout-85"),
        ("reddit.comment_vote.3", "relayout-922"),
        ("map.route_distance.1", "relayout-962"),
        ("gitlab.code_search.2", "relayout-963"),
        ("shopping_admin.customer_best.1", "relayout-1033"),
        ("map.walk_and_cart.1", "redesign-1033"),
    ],
)
async def test_gold_passes_in_a_skin(bench: Bench, task_id: str, name: str) -> None:
    skin = parse_skin(name)
    task = entry(task_id).task
    env = WebEnv(bench.browser, bench.server, instance=1, screenshots=False, skin=skin)
    found = entry(task_id)
    walked = await walk(env, task, lambda page: found.template.solve(page, found.params))
    await env.close()
    assert walked.verdict.passed, walked.verdict
    assert [step.line() for step in walked.steps if step.outcome is not None] == []
    assert reference_faults(task, [(step.act, step.seen) for step in walked.steps]) == ()
