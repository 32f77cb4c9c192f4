"""Addresses are compared by their parts, pages by the text they show."""

from __future__ import annotations

import pytest

from guideact.sites.registry import SITES
from guideact.tasks.checks.page import check_page
from guideact.tasks.checks.url import check_url, site_of
from guideact.types import PageCheck, UrlCheck

SALE = UrlCheck(site="shopping", path="/sale", query=(("colour", "red"), ("colour", "blue"), ("sort", "price")))


@pytest.mark.parametrize(
    "url",
    [
        "http://shopping.localhost/sale?colour=red&colour=blue&sort=price",
        "http://shopping-i7.localhost:8080/sale/?sort=price&colour=blue&colour=red&page=2",
        "http://shopping.localhost/s%61le?colour=red&colour=blue&sort=price#top",
    ],
)
def test_the_same_place(url: str) -> None:
    assert check_url(SALE, url).passed


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://shopping.localhost/sale?colour=red&sort=price", "the query lacks colour=blue"),
        ("http://shopping.localhost/sale?colour=redblue&sort=price", "the query lacks colour=red&colour=blue"),
        ("http://shopping.localhost/sale/more?colour=red&colour=blue&sort=price", "at /sale/more, not at /sale"),
        (
            "http://shopping-admin.localhost/sale?colour=red&colour=blue&sort=price",
            "on shopping_admin, not on shopping",
        ),
        (
            "http://evil.example/shopping.localhost/sale",
            "on 'http://evil.example/shopping.localhost/sale', not on shopping",
        ),
    ],
)
def test_another_place(url: str, reason: str) -> None:
    part = check_url(SALE, url)
    assert not part.passed
    assert part.reason == reason


def test_an_exact_query_takes_nothing_more() -> None:
    exact = SALE.model_copy(update={"exact_query": True})
    assert check_url(exact, "http://shopping.localhost/sale?sort=price&colour=blue&colour=red").passed
    twice = check_url(exact, "http://shopping.localhost/sale?sort=price&colour=blue&colour=red&colour=red")
    assert twice.reason == "the query also has colour=red"


def test_the_root_is_the_root() -> None:
    assert check_url(UrlCheck(site="shopping", path="/"), "http://shopping.localhost").passed


def test_hosts_are_named_as_the_server_names_them() -> None:
    for name, site in SITES.items():
        assert site_of(f"http://{site.host}.localhost/") == name
        assert site_of(f"http://{site.host}-i12.localhost:80/") == name


def test_a_page_shows_and_lacks() -> None:
    check = PageCheck(site="shopping", path="/cart", contains=("Trail  Tent",), lacks=("City Tent",))
    assert check_page(check, "Your cart\n TRAIL TENT \n $30.00").passed
    assert check_page(check, "Your cart is empty").reason == "/cart does not show 'Trail  Tent'"
    assert check_page(check, "Trail Tent, City Tent").reason == "/cart still shows 'City Tent'"
