"""The helpers that pages are written with, away from any server."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from guideact.sites.web import (
    Pager,
    Sort,
    date_text,
    datetime_text,
    field,
    fields,
    integer,
    money,
    now_text,
    plural,
    safe_next,
    today_text,
    with_query,
)


def request(query: str = "", form: list[tuple[str, str | UploadFile]] | None = None, path: str = "/list") -> Request:
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET" if form is None else "POST",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"shopping.localhost")],
        "scheme": "http",
        "server": ("shopping.localhost", 80),
    }
    made = Request(scope)
    made.state.form = FormData(form or [])
    return made


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "$0.00"),
        (5, "$0.05"),
        (123450, "$1,234.50"),
        (-500, "-$5.00"),
        (-1, "-$0.01"),
        (100_000_000, "$1,000,000.00"),
    ],
)
def test_money(cents: int, text: str) -> None:
    assert money(cents) == text


@given(st.integers(-(10**12), 10**12))
def test_money_can_be_read_back(cents: int) -> None:
    text = money(cents)
    assert int(text.replace("$", "").replace(",", "").replace(".", "")) == cents


def test_dates() -> None:
    assert date_text("2026-03-06 10:00:00") == date_text("2026-03-06") == "Mar 6, 2026"
    assert datetime_text("2026-03-06 00:05:00") == "Mar 6, 2026, 12:05 AM"
    assert datetime_text("2026-12-31 13:00:59") == "Dec 31, 2026, 1:00 PM"
    assert date_text(None) == date_text("") == datetime_text(None) == ""
    assert now_text() == "2026-03-16 10:00:00"
    assert today_text() == "2026-03-16"


def test_plural() -> None:
    assert plural(1, "item") == "1 item"
    assert plural(0, "item") == "0 items"
    assert plural(1200, "entry", "entries") == "1,200 entries"


def test_fields_come_from_the_form_of_a_post_and_from_the_query_of_a_get() -> None:
    sent = request("a=query", [("a", " form "), ("b", "1"), ("b", " 2")])
    assert field(sent, "a") == "form"
    assert fields(sent, "b") == ["1", "2"]
    asked = request("a=query&n=12&m=x")
    assert field(asked, "a") == "query"
    assert field(asked, "z", "none") == "none"
    assert integer(asked, "n") == 12
    assert integer(asked, "m", 3) == 3
    assert integer(asked, "z") is None


def test_addresses_with_other_parameters() -> None:
    asked = request("q=a+b&tag=x&tag=y&page=3")
    assert with_query(asked, page=None) == "/list?q=a+b&tag=x&tag=y"
    assert with_query(asked, tag=["z"], page=1) == "/list?q=a+b&tag=z&page=1"
    assert with_query(asked, q=None, tag=None, page=None) == "/list"


@pytest.mark.parametrize(
    ("sent", "onward"),
    [
        ("/account?x=1", "/account?x=1"),
        ("//evil.example", "/home"),
        ("/\\evil.example", "/home"),
        ("https://evil.example", "/home"),
        ("javascript:alert(1)", "/home"),
        ("", "/home"),
    ],
)
def test_the_way_back_stays_on_the_site(sent: str, onward: str) -> None:
    assert safe_next(request(form=[("next", sent)]), "/home") == onward


def test_a_pager_keeps_to_its_pages() -> None:
    pager = Pager.of(request("q=x&page=2"), 45, 20)
    assert (pager.page, pager.pages, pager.offset, pager.first, pager.last) == (2, 3, 20, 21, 40)
    assert pager.previous_url == "/list?q=x"
    assert pager.next_url == "/list?q=x&page=3"
    assert Pager.of(request("page=99"), 45, 20).page == 3
    assert Pager.of(request("page=-4"), 45, 20).page == 1
    assert Pager.of(request("page=two"), 45, 20).page == 1
    empty = Pager.of(request(), 0, 20)
    assert (empty.page, empty.pages, empty.first, empty.last, empty.next_url) == (1, 1, 0, 0, None)


def test_a_pager_offers_only_its_sizes() -> None:
    assert Pager.of(request("size=50"), 200, 20, (20, 50)).size == 50
    assert Pager.of(request("size=51"), 200, 20, (20, 50)).size == 20
    assert Pager.of(request("size=50"), 200, 20).size == 20
    assert Pager.of(request("size=50&page=3"), 200, 20, (20, 50)).size_url(20) == "/list?size=20"


@given(page=st.integers(-5, 60), count=st.integers(0, 1000), size=st.integers(1, 50))
def test_a_pager_shows_the_ends_and_the_neighbours(page: int, count: int, size: int) -> None:
    pager = Pager.of(request(f"page={page}"), count, size)
    numbers = pager.numbers
    known = [number for number in numbers if number is not None]
    assert known == sorted(set(known))
    assert {1, pager.page, pager.pages} <= set(known)
    for left, right in pairwise(numbers):
        if left is not None and right is not None:
            assert right == left + 1
    assert 0 <= pager.last - pager.offset <= size


def test_a_sorted_header_turns_round() -> None:
    columns = {"name": "p.name", "price": "p.price_cents"}
    plain = Sort.of(request("q=x&page=4"), columns, "name")
    assert (plain.sql, plain.state("name"), plain.state("price")) == ("p.name ASC", "ascending", "none")
    assert plain.url("name") == "/list?q=x&sort=name&dir=desc"
    assert plain.url("price") == "/list?q=x&sort=price&dir=asc"
    falling = Sort.of(request("sort=price&dir=desc"), columns, "name")
    assert (falling.sql, falling.state("price")) == ("p.price_cents DESC", "descending")
    newest = Sort.of(request(), columns, "price", descending=True)
    assert newest.sql == "p.price_cents DESC"


def test_a_sort_takes_no_sql_from_the_address() -> None:
    asked = request("sort=p.name;DROP TABLE product&dir=desc")
    assert Sort.of(asked, {"name": "p.name"}, "name").sql == "p.name ASC"
