"""Work that begins in the encyclopedia and ends in the shop or its back office."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.companies import COMPANIES
from guideact.sites.wikipedia.records import THINGS
from guideact.tasks.backoffice import search_all
from guideact.tasks.shop import PRICE, add_to_cart, first_listed, open_listed
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import follow, look_for, look_up, take_suggestion
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SHOP = ("wikipedia", "shopping")
_OFFICE = ("wikipedia", "shopping_admin")
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA, "shopping": EMMA}
_OFFICE_LOGINS = {"wikipedia": EMMA_WIKIPEDIA, "shopping_admin": ADMIN}
_COMPANY_LIST = "List of companies by year of foundation"


def _elsewhere(page: Page, name: str) -> Solver:
    yield from page.click(
        "link",
        name,
        direction="up",
        say=(
            f"Follow “{name}” under “Elsewhere”, at the right of the article.",
            f"The right column ends with links to other sites; “{name}” takes you to the shop.",
        ),
    )


# --- the cheapest thing of a maker --------------------------------------------------------------------------------

_MAKERS = ("Volta", "Cafeo", "Kickers", "Lumina", "Velora")


def _cheapest_params(db: Query) -> Sequence[Params]:
    return [{"city": _city(COMPANIES[name].city), "year": COMPANIES[name].founded} for name in _MAKERS]


def _city(name: str) -> str:
    """A city as the encyclopedia calls it."""
    return {"Lisboa": "Lisbon", "München": "Munich"}.get(name, name)


def _cheapest_check(db: Query, p: Params) -> Check:
    (maker,) = (one.name for one in COMPANIES.values() if (_city(one.city), one.founded) == (p["city"], p["year"]))
    row = db.execute(
        "SELECT id FROM shop.product WHERE brand = ? AND status = 'enabled'"
        " ORDER BY COALESCE(special_price_cents, price_cents), id LIMIT 1",
        (maker,),
    ).fetchone()
    values = {"product_id": row["id"], "quantity": 1}
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="cart_item", op="insert", values=values),)),)
    )


def _cheapest(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, "List of comp", _COMPANY_LIST)
    yield from page.reach_text(str(p["year"]), what=f"the row of {p['year']}")
    row = next(line.box for line in page.lines() if line.text.strip() == str(p["year"]))
    makers = [
        link
        for link in page.find_all("link")
        if link.name in COMPANIES and abs(link.box.centre[1] - row.centre[1]) < row.height
    ]
    yield from follow(page, makers[0].name, what="the company in that row", hidden=True)
    yield from _cheapest_from_the_article(page)


def _cheapest_by_search(page: Page, p: Params) -> Solver:
    yield from look_for(page, f"founded {p['year']} {p['city']}")
    makers = [link.name for link in page.find_all("link") if link.name in COMPANIES]
    for at, maker in enumerate(makers):
        yield from follow(
            page, maker, what="the next company of the results" if at else "the first company found", hidden=True
        )
        yield from page.reach_text("Founded", what="the box of facts beside the article")
        if page.read("Founded") == str(p["year"]):
            break
        yield from page.go_back(say=("The year in the box is another one, so go back.", "Not this one: return."))
    yield from _cheapest_from_the_article(page)


def _cheapest_from_the_article(page: Page) -> Solver:
    yield from _elsewhere(page, "Products at Lumo Market")
    yield from page.select(
        "Sort by",
        "Price, low to high",
        say=(
            "Sort the products by “Price, low to high”.",
            "Over the list is “Sort by”; with “Price, low to high” the cheapest comes first.",
        ),
    )
    name = first_listed(page)
    yield from open_listed(page, name, what="the first product")
    yield from add_to_cart(page, name)
    yield from page.finish(
        say=(
            "The message names what was put in the cart, and one piece was asked for.",
            "The number at the cart has gone up, so the cheapest thing of that maker is in it.",
        )
    )


# --- a book by its author -----------------------------------------------------------------------------------------

_AUTHORS = ("Brisa Hawserly", "Emeric Traverse", "Ansel Featherstow", "Florian Teigwart")


def _book_params(db: Query) -> Sequence[Params]:
    return [{"author": author} for author in _AUTHORS]


def _book_of(author: str) -> str:
    kind = THINGS["books"]
    at = kind.names.index("Author")
    (title,) = (title for title, values in kind.rows.items() if values[at].strip("[]") == author)
    return title


def _book_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM shop.product WHERE name = ?", (_book_of(p["author"]),)).fetchone()
    values = {"product_id": row["id"], "quantity": 2}
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="cart_item", op="insert", values=values),)),)
    )


def _open_book(page: Page, p: Params) -> Solver:
    yield from look_up(page, "List of books")
    yield from page.reach_text(p["author"], what=f"the row of {p['author']}")
    row = next(line.box for line in page.lines() if line.text.strip() == p["author"])
    books = [
        link.name
        for link in page.find_all("link")
        if link.name in THINGS["books"].rows and abs(link.box.centre[1] - row.centre[1]) < 16
    ]
    yield from follow(page, books[0], what="the book in that row", hidden=True)


def _book(page: Page, p: Params) -> Solver:
    yield from _open_book(page, p)
    yield from _buy_two(page)


def _book_by_search(page: Page, p: Params) -> Solver:
    yield from look_for(page, p["author"])
    books = [link.name for link in page.find_all("link") if link.name in THINGS["books"].rows]
    yield from follow(page, books[0], what="the book among the results", hidden=True)
    yield from _buy_two(page)


def _buy_two(page: Page) -> Solver:
    yield from _elsewhere(page, "This book at Lumo Market")
    yield from add_to_cart(page, "the book", quantity=2)
    yield from page.finish(
        say=(
            "The cart counts two pieces more, which was all.",
            "A message confirms the book in the cart; both copies are there.",
        )
    )


# --- what a book costs --------------------------------------------------------------------------------------------

_COSTS = (("Pages", "420"), ("Published", "1979"), ("Published", "2016"), ("Pages", "368"))


def _cost_params(db: Query) -> Sequence[Params]:
    words = {"Pages": "has {} pages", "Published": "was published in {}"}
    return [{"fact": fact, "value": value, "clue": words[fact].format(value)} for fact, value in _COSTS]


def _cost_check(db: Query, p: Params) -> Check:
    kind = THINGS["books"]
    at = kind.names.index(p["fact"])
    (title,) = (title for title, values in kind.rows.items() if values[at] == p["value"])
    row = db.execute(
        "SELECT COALESCE(special_price_cents, price_cents) AS cents FROM shop.product WHERE name = ?", (title,)
    ).fetchone()
    return Check(answer=AnswerCheck(kind="money", expected=(f"{row['cents'] / 100:.2f}",)))


def _cost(page: Page, p: Params) -> Solver:
    yield from look_up(page, "List of books")
    yield from page.reach_text(p["value"], what=f"the row with {p['value']}")
    row = next(line.box for line in page.lines() if line.text.strip() == p["value"])
    books = [
        link.name
        for link in page.find_all("link")
        if link.name in THINGS["books"].rows and abs(link.box.centre[1] - row.centre[1]) < 16
    ]
    yield from follow(page, books[0], what="the book in that row", hidden=True)
    yield from _elsewhere(page, "This book at Lumo Market")
    yield from page.finish(
        (yield from page.reach_below(books[0], PRICE, what="the price")),
        say=(
            "Read the price under the title of the book.",
            "The shop's page of the book has its price right below the name: answer with it.",
        ),
    )


# --- how many are left --------------------------------------------------------------------------------------------


def _stock_params(db: Query) -> Sequence[Params]:
    return [{"author": author} for author in _AUTHORS]


def _stock_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT stock FROM shop.product WHERE name = ?", (_book_of(p["author"]),)).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(row["stock"]),)))


def _stock(page: Page, p: Params) -> Solver:
    yield from look_for(page, p["author"])
    books = [link.name for link in page.find_all("link") if link.name in THINGS["books"].rows]
    book = books[0]
    yield from look_up(page, "Lumo Market")
    yield from page.click(
        "link",
        "Back office of Lumo Market",
        direction="up",
        say=(
            "The article on the shop has “Back office of Lumo Market” at its right: open it.",
            "Under “Elsewhere”, beside the article, there is a way into the shop's back office.",
        ),
    )
    yield from search_all(page, book, book)
    field = yield from page.reach(("textbox", "spinbutton"), "Stock", what="the field for the stock")
    yield from page.finish(
        field.value,
        say=(
            "The field “Stock” in the part “Price and stock” holds the number.",
            "How many there are is written in “Stock”; answer with it and leave it as it is.",
        ),
    )


TEMPLATES = (
    Template(
        id="wikipedia.founded_cheapest_to_cart",
        sites=_SHOP,
        start=_START,
        logins=_LOGINS,
        intents=(
            "The encyclopedia tells which company was founded in {city} in {year}. Put the cheapest product that Lumo"
            " Market sells of it in my cart.",
            "One of the shop's makers was founded in {year} in {city}. Find out which, and add its cheapest product to"
            " the cart in the shop.",
        ),
        params=_cheapest_params,
        check=_cheapest_check,
        solve=_cheapest,
        second_route=_cheapest_by_search,
    ),
    Template(
        id="wikipedia.author_to_cart",
        sites=_SHOP,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which book did {author} write? Put two copies of it in my cart at Lumo Market.",
            "Find the book by {author} in the encyclopedia and add two of it to the cart in the shop.",
        ),
        params=_book_params,
        check=_book_check,
        solve=_book,
        second_route=_book_by_search,
    ),
    Template(
        id="wikipedia.book_price",
        sites=_SHOP,
        start=_START,
        logins=_LOGINS,
        intents=(
            "One of the books in the encyclopedia's list of books {clue}. What does it cost at Lumo Market?",
            "How much does the shop ask for the book that {clue}, according to the encyclopedia's list of books?",
        ),
        params=_cost_params,
        check=_cost_check,
        solve=_cost,
    ),
    Template(
        id="wikipedia.author_stock",
        sites=_OFFICE,
        start=_START,
        logins=_OFFICE_LOGINS,
        intents=(
            "Look up in the encyclopedia what {author} wrote. How many copies of this book does the back office of"
            " Lumo Market have in stock?",
            "How many pieces of the book by {author} are in stock according to the shop's back office? The encyclopedia"
            " knows the title.",
        ),
        params=_stock_params,
        check=_stock_check,
        solve=_stock,
    ),
)
