"""Tasks of every kind of WebArena's evaluators on the stand-in, each with a right way through it and a wrong one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .answers import Script

NOTHING: Script = (("finish",),)


@dataclass(frozen=True)
class Case:
    """A task, and what is done: `right` must pass, `wrong` must fail."""

    sites: tuple[str, ...]
    intent: str
    check: dict[str, Any]
    right: Script
    wrong: Script = NOTHING
    start: str = ""
    state: str | None = ""
    """Name of the storage state; "" for that of the first site, None for none."""
    more: tuple[tuple[str, Any], ...] = ()

    def raw(self, number: int, suffix: str) -> dict[str, Any]:
        """The task as WebArena's file has it."""
        first = self.sites[0]
        state = first if self.state == "" else self.state
        return {
            "sites": list(self.sites),
            "task_id": number,
            "require_login": True,
            "storage_state": f"./.auth/{state}_state.json" if state else None,
            "start_url": self.start or f"__{first.upper()}__",
            "geolocation": None,
            "intent_template": self.intent,
            "instantiation_dict": {},
            "intent": self.intent + suffix,
            "require_reset": False,
            "eval": {"reference_answers": None, "reference_url": "", "program_html": [], **self.check},
            "intent_template_id": number % 1000,
            **dict(self.more),
        }


def html(*targets: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"eval_types": ["program_html"], "program_html": list(targets), **more}


def target(url: str, locator: str = "", **contents: Any) -> dict[str, Any]:
    return {"url": url, "locator": locator, "required_contents": contents}


def said(**answers: Any) -> dict[str, Any]:
    return {"eval_types": ["string_match"], "reference_answers": answers}


CASES: dict[str, Case] = {
    "exact": Case(
        ("shopping_admin",),
        "What is the best-selling product?",
        said(exact_match="Push It Messenger Bag"),
        right=(("finish", "push it messenger bag"),),
        wrong=(("finish", "Push It Messenger Bags"),),
    ),
    "includes": Case(
        ("shopping",),
        "How much are the candles?",
        said(must_include=["12", "24 |OR| twenty-four"]),
        right=(("finish", "They are 12 and twenty-four dollars"),),
        wrong=(("finish", "They are 12 dollars"),),
    ),
    "url": Case(
        ("gitlab",),
        "Open my todos page",
        {"eval_types": ["url_match"], "reference_url": "__GITLAB__/dashboard/todos", "url_note": "GOLD in PRED"},
        right=(("click", "To-Do List"), ("finish",)),
        wrong=(("click", "dotfiles"), ("finish",)),
    ),
    "judged": Case(
        ("map",),
        "How long does it take?",
        said(fuzzy_match=["about 16 min"]),
        right=(("type", "Search", "CMU"), ("enter",), ("finish", "It takes 16 min")),
        wrong=(("finish", "It takes 20 minutes"),),
    ),
    "impossible": Case(
        ("reddit",),
        "Count the comments of the user who is not there",
        {**said(fuzzy_match="N/A"), "string_note": "there is no such user"},
        right=(("finish", "I cannot: no such user"),),
        wrong=(("finish", "3"),),
    ),
    "last page": Case(
        ("shopping",),
        "Fill in the contact form about a refund, but do not send it",
        html(
            target("last", "document.querySelector('[title=\"What’s on your mind?\"').value", must_include=["refund"]),
        ),
        right=(("click", "Contact Us"), ("type", "What’s on your mind?", "A refund, please"), ("finish",)),
        wrong=(("click", "Contact Us"), ("finish",)),
    ),
    "whole page": Case(
        ("shopping",),
        "Put the red candles into the cart",
        html(target("__SHOPPING__/checkout/cart/", must_include=["Red Candle, 12 Pack"])),
        right=(("click", "Red Candle"), ("click", "Add Red"), ("finish",)),
        wrong=(("click", "Blue Candle"), ("click", "Add Blue"), ("finish",)),
    ),
    "built by script": Case(
        ("shopping",),
        "Open the page of the blue candles",
        html(
            target("last", "document.querySelector('.page-title').outerText", exact_match="Blue Candle, 4 Pack"),
            target(
                "__SHOPPING__/blue-candle-4-pack.html",
                "document.querySelector('#price').outerText",
                exact_match="$12.00",
            ),
        ),
        right=(("click", "Blue Candle"), ("finish",)),
    ),
    "class of an element": Case(
        ("reddit",),
        "Like the post about reading",
        html(
            target(
                "__REDDIT__/f/books/1/what-to-read-next",
                "document.querySelector('div.submission__vote').querySelector('form').getAttribute('class')",
                must_include=["vote--user-upvoted"],
            )
        ),
        right=(("click", "What to read"), ("click", "Upvote"), ("finish",)),
        wrong=(("click", "What to read"), ("finish",)),
    ),
    "post": Case(
        ("reddit",),
        "Ask for the recommended console where one gets an answer",
        html(
            target(
                "func:reddit_get_post_url('__last_url__')",
                "document.querySelector('.submission__inner').outerText",
                must_include=["Which console"],
            ),
            eval_types=["url_match", "program_html"],
            reference_url="__REDDIT__/f/consoles |OR| __REDDIT__/f/gaming",
            url_note="GOLD in PRED",
        ),
        right=(
            ("click", "Submit"),
            ("type", "Title", "Which console?"),
            ("select", "Forum", "consoles"),
            ("click", "Create"),
            ("finish",),
        ),
        wrong=(("click", "Submit"), ("type", "Title", "Which console?"), ("click", "Create"), ("finish",)),
    ),
    "order": Case(
        ("shopping",),
        "Order the red candles",
        html(
            target(
                "func:shopping_get_latest_order_url()",
                'document.querySelector(".order-details-items.ordered").outerText',
                must_include=["Red Candle"],
            )
        ),
        right=(("click", "Red Candle"), ("click", "Add Red"), ("back",), ("back",), ("click", "Buy"), ("finish",)),
        wrong=(("click", "Red Candle"), ("click", "Add Red"), ("finish",)),
    ),
    "review": Case(
        ("shopping",),
        "Give the blue candles five stars as Emma",
        html(
            target("__SHOPPING__/", "func:shopping_get_sku_latest_review_rating('CAN4')", must_include=["100"]),
            target("__SHOPPING__/", "func:shopping_get_sku_latest_review_author('CAN4')", must_include=["Emma"]),
        ),
        right=(
            ("click", "Blue Candle"),
            ("type", "Nickname", "Emma"),
            ("select", "Stars", "5"),
            ("click", "Submit Review"),
            ("finish",),
        ),
        wrong=(("click", "Blue Candle"), ("type", "Nickname", "Emma"), ("click", "Submit Review"), ("finish",)),
    ),
    "role": Case(
        ("gitlab",),
        "Invite yjlou as a developer",
        html(
            target(
                "__GITLAB__/byteblaze/dotfiles/-/project_members",
                "func:gitlab_get_project_memeber_role(__page__, 'yjlou')",
                must_include=["Developer"],
            )
        ),
        right=(
            ("click", "dotfiles"),
            ("click", "Members"),
            ("type", "User", "yjlou"),
            ("select", "Role", "Developer"),
            ("click", "Invite"),
            ("finish",),
        ),
        wrong=(("click", "dotfiles"), ("finish",)),
    ),
    "opened first": Case(
        ("shopping_admin",),
        "Disable the messenger bag, and leave its price",
        html(
            target(
                "__SHOPPING_ADMIN__/catalog/product/edit/id/7/",
                "document.querySelector('[name=\"product[status]\"').value",
                exact_match="2",
            ),
            {
                **target(
                    "__SHOPPING_ADMIN__/catalog/product/edit/id/7/",
                    "document.querySelector('[name=\"product[price]\"]').value",
                    exact_match="32.00",
                ),
                "prep_actions": ["document.querySelector('.admin__collapsible-title').click()"],
            },
        ),
        right=(("click", "Messenger"), ("select", "Status", "Disabled"), ("click", "Save"), ("finish",)),
        wrong=(("click", "Messenger"), ("click", "Save"), ("finish",)),
    ),
    "tabs": Case(
        ("shopping",),
        "Add the product with the lowest price a piece from my open tabs to the cart",
        html(target("__SHOPPING__/checkout/cart/", must_include=["Red Candle, 12 Pack"])),
        right=(("back",), ("click", "Add Red"), ("finish",)),
        wrong=(("click", "Add Blue"), ("finish",)),
        start="__SHOPPING__/blue-candle-4-pack.html |AND| __SHOPPING__/red-candle-12-pack.html",
    ),
    "two sites": Case(
        ("map", "wikipedia"),
        "How many bridges does the city of the map have?",
        said(must_include=["446"]),
        right=(("back",), ("click", "Wikipedia"), ("click", "Pittsburgh"), ("finish", "446 bridges")),
        state=None,
    ),
    "place": Case(
        ("map",),
        "Show where I am",
        html(target("last", "document.querySelector('#here').outerText", must_include=["60.17, 24.94"])),
        right=(("click", "Show My Location"), ("finish",)),
        state=None,
        more=(("geolocation", {"latitude": 60.17, "longitude": 24.94}),),
    ),
}


def raw_tasks() -> list[dict[str, Any]]:
    """Every case twice: 7000 and on are done right, 8000 and on wrong."""
    rows = []
    for number, case in enumerate(CASES.values()):
        rows += [case.raw(7000 + number, ""), case.raw(8000 + number, ", please")]
    return rows


def scripts() -> dict[str, Script]:
    """What is done, by request."""
    right = {case.intent: case.right for case in CASES.values()}
    return right | {f"{case.intent}, please": case.wrong for case in CASES.values()}
