"""Questions that tables and lists of the encyclopedia answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.companies import COMPANIES
from guideact.sites.wikipedia.corpus import by_slug
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.records import RECORDS, THINGS
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import (
    follow,
    look_up,
    sort_by,
    use_tool,
)
from guideact.types import AnswerCheck, Check

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


# --- who won ------------------------------------------------------------------------------------------------------

_WON = (
    ("Harbour Cup", 2013, "Winner", "Which place won the Harbour Cup in 2013?"),
    ("Inspector's Lantern", 2009, "Writer", "Who received the Inspector's Lantern in 2009?"),
    ("Three Rivers Chess Cup", 2018, "Winner", "Who came first in the Three Rivers Chess Cup of 2018?"),
    ("Midnight Sun Relay", 2004, "Team", "Which team won the Midnight Sun Relay in 2004?"),
    ("Half-Frame Prize", 2015, "Photographer", "Which photographer won the Half-Frame Prize in 2015?"),
)


def _winner_params(db: Query) -> Sequence[Params]:
    return [{"cup": cup, "year": year, "column": column, "question": text} for cup, year, column, text in _WON]


def _winner_check(db: Query, p: Params) -> Check:
    record = RECORDS[p["cup"]]
    (row,) = (row for row in record.rows() if row[0] == str(p["year"]))
    return Check(answer=AnswerCheck(kind="text", expected=(row[record.head.index(record.winner)],)))


def _winner(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["cup"])
    yield from page.reach_text(p["column"], what="the table of winners")
    yield from page.reach_text(str(p["year"]), what=f"the row of {p['year']}")
    yield from page.finish(
        _name_beside(page, str(p["year"])),
        say=(
            f"Find {p['year']} in the first column; the name next to it is your answer.",
            "The table goes year by year. Right of the year that was asked for stands who won.",
        ),
    )


def _name_beside(page: Page, year: str) -> str:
    """The text in the second column: what stands right of a year that begins a row."""
    starts = [line for line in page.lines() if line.text.strip() == year]
    rows = [
        min(beside, key=lambda line: line.box.x).text.strip()
        for start in starts
        if (
            beside := [
                line
                for line in page.lines()
                if line.box.x > start.box.x + start.box.width and abs(line.box.centre[1] - start.box.centre[1]) < 6
            ]
        )
    ]
    if not rows:
        raise page.stuck(f"no row of {year}")
    return rows[0]


# --- the most of something ----------------------------------------------------------------------------------------

_MOST = (
    ("lighthouses", "List of lighthouses of the Morrow Islands", "Range (nmi)", True, "Which lighthouse of the Morrow"
     " Islands can be seen from farthest away?"),
    ("bridges", "List of bridges of the Morrow Islands", "Length (m)", False, "Which of the listed bridges of the"
     " Morrow Islands is the shortest?"),
    ("ships", "List of ships of the Morrow Islands", "Length (m)", True, "What is the longest ship in the"
     " encyclopedia's list of ships of the Morrow Islands called?"),
    ("books", "List of books", "Pages", True, "Which book in the encyclopedia's list of books has the most pages?"),
    ("films", "List of films", "Minutes", False, "Which film in the list of films is the shortest?"),
)  # fmt: skip


def _most_params(db: Query) -> Sequence[Params]:
    return [
        {"kind": kind, "list": title, "column": column, "most": most, "question": text}
        for kind, title, column, most, text in _MOST
    ]


def _most_check(db: Query, p: Params) -> Check:
    kind = THINGS[p["kind"]]
    at = kind.names.index(p["column"])
    choose = max if p["most"] else min
    title = choose(kind.rows, key=lambda name: int(kind.rows[name][at]))
    return Check(answer=AnswerCheck(kind="text", expected=(title,)))


def _most(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["list"])
    yield from sort_by(page, p["column"], descending=p["most"])
    head = page.find("button", p["column"])
    assert head is not None
    under = [link for link in page.find_all("link") if link.box.y > head.box.y + 10]
    titles = [link for link in under if link.name in THINGS[p["kind"]].rows and link.box.x < head.box.x]
    first = min(titles, key=lambda link: link.box.y)
    yield from page.finish(
        first.name,
        say=(
            "The first row under the heads now has the one that was asked for; answer with its name.",
            "Sorted like this, the table begins with the right entry. Give the name in its first column.",
        ),
    )


# --- the largest of a trade ---------------------------------------------------------------------------------------

_TRADES = (
    ("Makers of lamps", "lamps"),
    ("Makers of audio equipment", "audio equipment"),
    ("Makers of toys", "toys"),
    ("Makers of stationery", "stationery"),
)


def _trade_params(db: Query) -> Sequence[Params]:
    return [{"category": category, "trade": trade} for category, trade in _TRADES]


def _trade_check(db: Query, p: Params) -> Check:
    inside = [name for name in COMPANIES if f"[[Category:{p['category']}]]" in by_slug()[slug_of(name)].source]
    return Check(answer=AnswerCheck(kind="text", expected=(max(inside, key=lambda name: COMPANIES[name].employees),)))


def _trade(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Categories",
        say=(
            "Open “Categories” in the line under the search field.",
            "The second link below the logo, “Categories”, shows how all articles are grouped.",
        ),
    )
    yield from follow(page, "Companies by trade")
    yield from follow(page, p["category"])
    names = sorted({link.name for link in page.find_all("link") if link.name in COMPANIES})
    staff: dict[str, int] = {}
    for at, name in enumerate(names):
        yield from follow(page, name, what=("the first company", "the second company")[at], hidden=True)
        yield from page.reach_text("Employees", what="the line “Employees” in the box of facts")
        staff[name] = int(page.read("Employees").replace(",", ""))
        if at < len(names) - 1:
            yield from page.go_back(
                say=(
                    "Remember the number of employees that the box gives, and go back to the category.",
                    "The box states the size of the company. With that noted, return to the page you came from.",
                )
            )
    yield from page.finish(
        max(staff, key=lambda name: staff[name]),
        say=(
            "Compare the numbers under “Employees” that you have seen and name the company with the largest.",
            "You now know the size of each of them, so answer with the name of the biggest.",
        ),
    )


# --- how many articles link here ----------------------------------------------------------------------------------

_LINKED = ("Papier", "Gullhaven", "Silas Penhollow", "Ember Rock Light", "Burr grinder")


def _linked_params(db: Query) -> Sequence[Params]:
    return [{"title": title} for title in _LINKED]


def _linked_check(db: Query, p: Params) -> Check:
    names = {p["title"]}
    for one in by_slug().values():
        if one.title == p["title"]:
            names |= _redirects_to(one.slug)
    count = 0
    for one in by_slug().values():
        targets = {target.strip() for target in re.findall(r"\[\[([^\]|#]+)", one.source)}
        count += any(slug_of(name) in {slug_of(target) for target in targets} for name in names)
    return Check(answer=AnswerCheck(kind="number", expected=(str(count),)))


def _redirects_to(slug: str) -> set[str]:
    from guideact.sites.wikipedia.corpus import redirects

    return {title for title, target in redirects().values() if target == slug}


def _linked(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from use_tool(page, "What links here")
    count = page.matches(r"redirects included:\s*(\d+)")
    number = count[0].group(1) if count else page.read("Articles that link here, redirects included:")
    yield from page.finish(
        number,
        say=(
            "The line under the tabs counts the articles; that number is the answer.",
            "There is no need to count the links yourself, for their number stands above them.",
        ),
    )


def _linked_by_information(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from use_tool(page, "Page information")
    yield from page.finish(
        page.read("Articles that link here"),
        say=(
            "The table's line “Articles that link here” has the number.",
            "Among the figures about the page is how many articles link to it.",
        ),
    )


TEMPLATES = (
    Template(
        id="wikipedia.winner",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=("{question}", "Look it up in the encyclopedia, please: {question}"),
        params=_winner_params,
        check=_winner_check,
        solve=_winner,
    ),
    Template(
        id="wikipedia.most",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=("{question}", "I need this for a quiz: {question}"),
        params=_most_params,
        check=_most_check,
        solve=_most,
    ),
    Template(
        id="wikipedia.largest_of_trade",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Go through the encyclopedia's category of makers of {trade}. Which of these companies has the most"
            " employees?",
            "Which company in the category “{category}” employs the most people?",
        ),
        params=_trade_params,
        check=_trade_check,
        solve=_trade,
    ),
    Template(
        id="wikipedia.links_count",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many articles of the encyclopedia link to the one on {title}?",
            "Tell me the number of articles that have a link to “{title}”.",
        ),
        params=_linked_params,
        check=_linked_check,
        solve=_linked,
        second_route=_linked_by_information,
    ),
)
