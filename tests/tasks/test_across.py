"""Ways between the sites."""

from __future__ import annotations

import pytest

from guideact.tasks.across import back_to, neighbour
from guideact.tasks.solve import Act, Page, SolverStuck
from guideact.types import Click, GoBack, Mark
from tests.tasks.pages import candidate, line, page

HOME = "http://gitlab.localhost/harbour-code"


def looking_at(url: str) -> Page:
    return Page("t.1", page(url=url))


def test_going_back_ends_at_the_address() -> None:
    seen = looking_at("http://map.localhost/place/b1")
    way = back_to(seen, HOME, "the project", noted="the closing time")
    said: list[Act] = [next(way)]
    said.append(way.send(page(url="http://map.localhost/")))
    with pytest.raises(StopIteration):
        way.send(page(url=HOME))
    assert [act.action for act in said] == [GoBack(), GoBack()]
    assert all(len(set(act.references)) == 2 for act in said)
    assert [all("the closing time" in sentence for sentence in act.references) for act in said] == [True, False]


def test_nothing_is_done_where_one_is_there_already() -> None:
    assert list(back_to(looking_at(HOME), HOME, "the project")) == []


def test_what_going_back_does_not_reach_is_told() -> None:
    elsewhere = page(url="http://map.localhost/")
    way = back_to(Page("t.1", elsewhere), HOME, "the project")
    next(way)
    for _ in range(7):
        way.send(elsewhere)
    with pytest.raises(SolverStuck, match=f"going back does not lead to {HOME}"):
        way.send(elsewhere)


def test_a_neighbour_is_a_link() -> None:
    boards = Page("t.1", page(line("Neighbours", 0, 0), candidate(7, "link", "Wayfinder", 0, 40)))
    act = next(neighbour(boards, "Wayfinder"))
    assert act.action == Click(target=Mark(mark=7))
    assert all("“Wayfinder”" in sentence for sentence in act.references)
