"""Questions that only a picture of the encyclopedia answers: charts, drawings with numbers, colours of emblems."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.pictures import CHARTS, DIAGRAMS, EMBLEMS, FLAGS, visitors
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import look_up, take_suggestion
from guideact.types import AnswerCheck, Check

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


def _enlarge(page: Page, caption: str) -> Solver:
    yield from page.click(
        "link",
        f"Enlarge picture: {caption}",
        what="the picture",
        say=(
            "Click the picture to see it larger.",
            "The picture can be enlarged: a click on it opens it in the middle of the screen.",
        ),
    )


# --- the best year ------------------------------------------------------------------------------------------------

_EVENTS = ("Nordic Lamp Week", "Open Atlas Summit", "Harbour Code Camp", "Half-Frame Festival")


def _best_params(db: Query) -> Sequence[Params]:
    return [{"event": event, "seen": str(max(visitors(event), key=lambda bar: bar[1])[0])} for event in _EVENTS]


def _best_check(db: Query, p: Params) -> Check:
    most = max(number for _, number in visitors(p["event"]))
    (year,) = (year for year, number in visitors(p["event"]) if number == most)
    return Check(answer=AnswerCheck(kind="number", expected=(str(year),)))


def _best(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["event"])
    yield from _enlarge(page, "Visitors by year")
    yield from page.finish(
        p["seen"],
        say=(
            "Look for the tallest bar and read the year below it.",
            "Each bar is a year. The highest of them tells when most people came.",
        ),
    )


# --- the tallest bar of a chart -----------------------------------------------------------------------------------

_CHARTED = (
    ("Gravel bicycle", "chart-grip", "Grip of four tread patterns on wet gravel",
     "Which tread pattern holds best on wet gravel, by the chart in the article on gravel bicycles?"),
    ("Wool", "chart-wool-warmth", "Warmth of fibres of equal weight",
     "Which fibre is the warmest by the chart in the encyclopedia's article on wool?"),
    ("Töölö Bicycle Workshop", "chart-repairs", "What was repaired in 2025",
     "What did the Töölö Bicycle Workshop repair most often in 2025? There is a chart in its article."),
    ("Esplanadi Reading Room", "chart-loans", "Loans by shelf in 2025",
     "From which shelf of the Esplanadi Reading Room was lent most in 2025? Its article has a chart."),
    ("Morrow Islands", "chart-island-people", "Inhabitants of the five large islands",
     "Which of the Morrow Islands has the most inhabitants, by the chart in their article?"),
)  # fmt: skip


def _bar_params(db: Query) -> Sequence[Params]:
    return [
        {
            "title": title,
            "chart": chart,
            "caption": caption,
            "question": question,
            "seen": max(CHARTS[chart].bars, key=lambda bar: bar[1])[0],
        }
        for title, chart, caption, question in _CHARTED
    ]


def _bar_check(db: Query, p: Params) -> Check:
    bars = dict(CHARTS[p["chart"]].bars)
    (label,) = (label for label, number in bars.items() if number == max(bars.values()))
    return Check(answer=AnswerCheck(kind="text", expected=(label,)))


def _bar(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from _enlarge(page, p["caption"])
    yield from page.finish(
        p["seen"],
        say=(
            "Answer with the word under the tallest bar.",
            "Compare the heights of the bars; what is written below the highest one was asked for.",
        ),
    )


# --- the number of a part -----------------------------------------------------------------------------------------

_DRAWN = (
    ("Kettle", "diagram-kettle", "Parts of a stovetop kettle", 6),
    ("Fountain pen", "diagram-pen", "Parts of a fountain pen", 3),
    ("Half-frame camera", "diagram-camera", "Parts of a half-frame camera", 5),
    ("Desk lamp", "diagram-lamp", "Parts of a desk lamp", 2),
    ("Tent", "diagram-tent", "Parts of a ridge tent", 6),
)


def _part_params(db: Query) -> Sequence[Params]:
    return [
        {"title": title, "drawing": name, "caption": caption, "number": number, "seen": DIAGRAMS[name][1][number - 1]}
        for title, name, caption, number in _DRAWN
    ]


def _part_check(db: Query, p: Params) -> Check:
    numbered = dict(enumerate(DIAGRAMS[p["drawing"]][1], 1))
    return Check(answer=AnswerCheck(kind="text", expected=(numbered[p["number"]],)))


def _part(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from _part_seen(page, p)


def _part_by_suggestion(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, p["title"][:5], p["title"])
    yield from _part_seen(page, p)


def _part_seen(page: Page, p: Params) -> Solver:
    yield from _enlarge(page, p["caption"])
    yield from page.finish(
        p["seen"],
        say=(
            f"Read what the key below the drawing says beside {p['number']}.",
            f"Under the drawing each number has its part. Give the one that belongs to {p['number']}.",
        ),
    )


# --- the colour of an emblem --------------------------------------------------------------------------------------

_COLOURED = ("Ferro", "Decibel", "Holzig", "Volta", "Inkwell")


def _emblem_params(db: Query) -> Sequence[Params]:
    fields = {"Ferro": "red", "Decibel": "black", "Holzig": "yellow", "Volta": "blue", "Inkwell": "purple"}
    return [{"company": company, "seen": fields[company]} for company in _COLOURED]


def _emblem_check(db: Query, p: Params) -> Check:
    _, field, _ = EMBLEMS[slug_of(p["company"])]
    return Check(answer=AnswerCheck(kind="text", expected=(field,)))


def _emblem(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, p["company"][:4], p["company"])
    yield from page.finish(
        p["seen"],
        say=(
            "The box on the right begins with the emblem; name the colour of its round field.",
            "Look at the disc over the caption “The emblem”. The colour behind the figure is the answer.",
        ),
    )


# --- what is in the middle of a flag ------------------------------------------------------------------------------

_FLAGGED = ("Tarnholm", "Oldfall", "Skerrow", "Morrow Islands")
_FIGURES = {"anchor": "anchor", "house": "house", "bird": "bird", "star": "star"}


def _flag_params(db: Query) -> Sequence[Params]:
    seen = {"Tarnholm": "anchor", "Oldfall": "house", "Skerrow": "bird", "Morrow Islands": "star"}
    return [{"place": place, "seen": seen[place]} for place in _FLAGGED]


def _flag_check(db: Query, p: Params) -> Check:
    figure = FLAGS[slug_of(p["place"])][2].split()[1]
    return Check(answer=AnswerCheck(kind="text", expected=(_FIGURES[figure],)))


def _flag(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["place"])
    caption = "Flag of the islands" if p["place"] == "Morrow Islands" else f"Flag of {p['place']}"
    yield from _enlarge(page, caption)
    yield from page.finish(
        p["seen"],
        say=(
            "Say what the small figure on the flag is.",
            "Besides its stripes the flag has one figure: that is what you name.",
        ),
    )


TEMPLATES = (
    Template(
        id="wikipedia.picture_best_year",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "In which year did most visitors come to {event}? The encyclopedia has a chart.",
            "Look at the chart in the article on {event}: which year had the most visitors?",
        ),
        params=_best_params,
        check=_best_check,
        solve=_best,
        picture=True,
    ),
    Template(
        id="wikipedia.picture_chart",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=("{question}", "I would like to know this from the encyclopedia: {question}"),
        params=_bar_params,
        check=_bar_check,
        solve=_bar,
        picture=True,
    ),
    Template(
        id="wikipedia.picture_part",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "In the encyclopedia's drawing in the article “{title}”, which part has the number {number}?",
            "What is number {number} called in the drawing that goes with the article on {title}?",
        ),
        params=_part_params,
        check=_part_check,
        solve=_part,
        second_route=_part_by_suggestion,
        picture=True,
    ),
    Template(
        id="wikipedia.picture_emblem",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "What colour is the background of {company}'s emblem, as the encyclopedia shows it?",
            "I want to print the emblem of {company}. Which colour is the disc behind the figure?",
        ),
        params=_emblem_params,
        check=_emblem_check,
        solve=_emblem,
        picture=True,
    ),
    Template(
        id="wikipedia.picture_flag",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "What figure is on the flag of {place}, besides the stripes?",
            "There is a small figure on the flag of {place} in the encyclopedia. What does it show?",
        ),
        params=_flag_params,
        check=_flag_check,
        solve=_flag,
        picture=True,
    ),
)
