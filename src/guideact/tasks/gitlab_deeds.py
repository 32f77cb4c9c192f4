"""Deeds in the forge that many solvers have: getting to a project and its pages, lists, forms, the side column."""

from __future__ import annotations

import re
from collections.abc import Generator

from guideact.tasks.nearby import fold
from guideact.tasks.phrases import Bank, pick
from guideact.tasks.solve import Act, Page
from guideact.types import Click, Mark, Observation

Deed = Generator[Act, Observation, None]

_SEARCH: Bank = (
    (
        "Type “{query}” into the search box in the dark bar at the top.",
        "Click into “Search Quayside” and write “{query}”.",
        "Enter “{query}” in the field with the magnifying glass, up in the header.",
        "Start typing “{query}” in the search field of the top bar; suggestions appear below it.",
        "Put “{query}” into the box at the top of the page.",
    ),
    (
        "Every page has a search box in its dark header, which should now read “{query}”.",
        "The quickest way to a project is the box in the top bar: give it “{query}” and wait for the list.",
        "Use the header's search. While “{query}” stands in it, matching projects drop down.",
        "For this the search field at the top needs the words “{query}”.",
        "Look for the field between the menu and your picture; “{query}” belongs into it.",
    ),
)
_SUGGESTION: Bank = (
    (
        "Choose “{name}” from the suggestions.",
        "Click the entry “{name}” in the list that has dropped down.",
        "Take “{name}” out of what is suggested; the project's page opens.",
        "Pick “{name}” below the search box.",
    ),
    (
        "A short list hangs from the box, and “{name}” in it leads straight to the project.",
        "Among the suggestions is “{name}”, with the project's name beside it: open that one.",
        "What you want is suggested as “{name}”. A click on it takes you there.",
        "No need to press Enter, since “{name}” is already on offer under the field.",
    ),
)
_PROJECT: Bank = (
    (
        "Open the project “{name}” from the list.",
        "Click “{name}” in your list of projects.",
        "Go to “{name}” by its title in the list.",
        "Follow the title “{name}” to the project's own page.",
    ),
    (
        "Your projects are listed here by their last commit; “{name}” is the one to enter.",
        "Each row has a title that can be clicked, and the right one reads “{name}”.",
        "Find “{name}” in the list: its title opens an overview with files and a README.",
        "The row you need carries the name “{name}” in bold.",
    ),
)
_SIDE: Bank = (
    (
        "Go to “{entry}” in the menu on the left.",
        "Click “{entry}” in the project's side menu.",
        "Choose “{entry}” at the left edge of the page.",
        "In the column on the left, open “{entry}”.",
        "Follow “{entry}” in the menu beside the page.",
        "Press “{entry}”, one of the entries at the left.",
    ),
    (
        "The project's pages are listed down the left side; the one for this is “{entry}”.",
        "What you need is kept under “{entry}”, which the left-hand menu leads to.",
        "Look at the menu along the left edge, where “{entry}” is waiting.",
        "To get further, the side menu has an entry “{entry}”; it is highlighted once you are there.",
        "Left of the page stands the project's menu. Its entry “{entry}” is the right one.",
        "A white column at the left names all parts of the project, “{entry}” among them.",
    ),
)
_ROW: Bank = (
    (
        "Open “{name}” by its title.",
        "Click the title “{name}” in the list.",
        "Select “{name}” to see its page.",
        "Go on to “{name}”.",
        "Choose the entry “{name}”.",
        "Bring up “{name}” with a click on its name.",
    ),
    (
        "One of the rows is titled “{name}”; the title is a link to all the rest.",
        "Find “{name}” in the list, and click it to see the details.",
        "The entry that matters reads “{name}”, and its own page has more.",
        "With the list in front of you, look for “{name}” and open it.",
        "Titles in this list can be opened. Yours is “{name}”.",
        "Your next stop is the page of “{name}”, whose name you find among the rows.",
    ),
)
_ENTRY: Bank = (
    (
        "Open “{name}” in the table of files.",
        "Choose “{name}” from the files and folders.",
        "Click “{name}” in the listing.",
        "Go into “{name}”.",
    ),
    (
        "Files and folders are listed below the branch; the way leads through “{name}”.",
        "In the table of files one row reads “{name}”; its name opens it.",
        "Look for “{name}” in the first column of the table and follow it.",
        "The listing has a row for “{name}”, with the commit that changed it last.",
    ),
)
_FIELD: Bank = (
    (
        "Type “{value}” into the field “{field}”.",
        "Fill in “{field}” with “{value}”.",
        "Put “{value}” in the box labelled “{field}”.",
        "Under “{field}”, {where}, write “{value}”.",
        "Enter “{value}” for “{field}”.",
        "Click into “{field}” {where} and make it say “{value}”.",
    ),
    (
        "The field “{field}”, {where}, should read “{value}”.",
        "Look {where}: the field “{field}” there waits for “{value}”.",
        "“{value}” goes into “{field}”, which stands {where}.",
        "To get the form right, “{field}” has to hold “{value}”.",
        "Of the fields {where}, “{field}” is the one that takes “{value}”.",
        "As for “{field}”, have it contain “{value}” and nothing else.",
    ),
)
_CHOICE: Bank = (
    (
        "Set the list “{field}” to “{value}”.",
        "Choose “{value}” under “{field}”.",
        "Pick “{value}” from the drop-down “{field}” {where}.",
        "Change “{field}” to “{value}”.",
    ),
    (
        "The drop-down “{field}”, {where}, has an entry “{value}” that fits.",
        "Have “{field}” show “{value}”, as the request says.",
        "“{value}” is among the entries of “{field}”, which stands {where}.",
        "For “{field}” there are a few choices, of which “{value}” is needed.",
    ),
)
_FILTER: Bank = (
    (
        "Narrow the list with “{field}” set to “{value}”.",
        "Choose “{value}” in the filter “{field}” above the list.",
        "Set “{field}” to “{value}”; the list reloads by itself.",
        "Pick “{value}” from “{field}”, in the white bar over the rows.",
    ),
    (
        "Above the rows is a bar of filters, in which “{field}” should read “{value}”.",
        "Not all rows matter: with “{value}” chosen as “{field}”, the others go away.",
        "The drop-down “{field}” cuts the list down as soon as “{value}” is taken from it.",
        "There is a list named “{field}” over the rows. Once it shows “{value}”, only what fits is left.",
    ),
)
_SAVE: Bank = (
    (
        "Press “{button}”; a green message at the top confirms it.",
        "Finish with the button “{button}”.",
        "Click “{button}” and look for the confirmation above.",
        "Send the form off by “{button}”.",
        "Confirm with “{button}”.",
    ),
    (
        "Nothing is kept until “{button}” is pressed. The page then comes back with a green note.",
        "With everything in its place, “{button}” is what remains to be pressed.",
        "You know that it was stored when, after “{button}”, a message says so.",
        "At the end of the form is the button “{button}”, which stores what you entered.",
        "Below what you have filled in stands “{button}”: it keeps the changes.",
    ),
)
_UNFOLD: Bank = (
    (
        "Unfold “{name}” in the column on the right.",
        "Click “{name}” at the right; a small form opens below it.",
        "In the right-hand column, press “{name}”.",
        "Open the small form behind “{name}”, right of the description.",
    ),
    (
        "The column at the right shows what is set; “{name}” there lets you change it.",
        "Beside the description, in the right column, is a link “{name}” that unfolds a form.",
        "What you want to change can be reached by “{name}”, one of the green links on the right.",
        "To the right of the text each property has its own link. Yours is “{name}”.",
    ),
)
_TOKEN: Bank = (
    (
        "Type “{value}” into “{field}” to find it in the list.",
        "Search for “{value}” in the box “{field}”.",
        "Start to write “{value}” under “{field}”.",
        "Enter “{value}” where it says “Type to search”, under “{field}”.",
    ),
    (
        "The box “{field}” lists what there is, and typing “{value}” leaves only what fits.",
        "Several things can be chosen under “{field}”; look for “{value}” by its name.",
        "Click into “{field}”: with “{value}” in it, the list below gets short.",
        "As “{field}” is a list that can be searched, give it the words “{value}”.",
    ),
)
_OPTION: Bank = (
    (
        "Choose “{value}” from the list below the box.",
        "Click the entry “{value}”; it turns into a small chip.",
        "Take “{value}” out of the open list.",
        "Pick “{value}” in the list and go on.",
    ),
    (
        "The entry “{value}” has come up, and a click adds it to what is chosen.",
        "Below the box stands “{value}”: once clicked, its name is kept over the field.",
        "Only “{value}” is wanted from the list that has opened.",
        "From what is left in the list, “{value}” is the right one. Its name then appears above.",
    ),
)
_CALENDAR: Bank = (
    (
        "Open the calendar with the small button “{button}”.",
        "Click the calendar symbol, “{button}”, beside the date.",
        "Press “{button}” right of the field to see a calendar.",
    ),
    (
        "Days are picked in a calendar, which the symbol “{button}” at the end of the field brings up.",
        "Next to the empty date is a button with a calendar on it; it is called “{button}”.",
        "A calendar saves typing: “{button}” opens it below the field.",
    ),
)
_MONTH: Bank = (
    (
        "Turn the calendar to the next month with the arrow on its right.",
        "Go one month on in the calendar.",
        "Press the right-hand arrow above the days.",
    ),
    (
        "The day lies in a later month, so the arrow “Next month” is needed.",
        "Over the days are two arrows; the one on the right shows the month after.",
        "This is not the right month yet. “Next month” moves the calendar on.",
    ),
)
_DAY: Bank = (
    (
        "Click the {day}.",
        "Choose the {day} in the calendar.",
        "Pick the {day}; the calendar closes.",
        "Take the {day} from the days shown.",
    ),
    (
        "In the calendar the {day} is the day to click, and the field then shows it.",
        "Of the days in front of you, only the {day} is right.",
        "Now the month is right: look for the {day} and click it.",
        "The field takes over the {day} as soon as you click that day.",
    ),
)


def say(page: Page, bank: Bank, **slots: str) -> tuple[str, str]:
    """Two sentences from a bank of this module, varied from task to task and page to page."""
    return pick(bank, f"{page.task_id}/{page.seen.url}/{sorted(slots.items())}", **slots)


def open_project(page: Page, full_path: str) -> Deed:
    """A project's page by the search of the top bar and its suggestions: two steps."""
    query = full_path.split("/")[1]
    box = yield from page.reach("combobox", "Search Quayside", direction="up")
    yield from page.type(box.name, query, role="combobox", say=say(page, _SEARCH, query=query))
    yield from page.click("option", full_path, say=say(page, _SUGGESTION, name=full_path))


def open_listed_project(page: Page, namespace: str, name: str) -> Deed:
    """A project of the list on the start page: one step, and scrolls."""
    yield from page.click("link", f"{namespace} / {name}", what=f"“{name}”", say=say(page, _PROJECT, name=name))


def side(page: Page, entry: str) -> Deed:
    """Another page of the project, by its side menu."""
    yield from page.unfold("Project pages")
    exact = [link for link in page.find_all("link", entry) if fold(link.name) == fold(entry)]
    # A page may also name itself in the path above its heading; that leads to the same place.
    column = page.find("link", "Activity")
    links = [link for link in exact if column is not None and abs(link.box.x - column.box.x) < 4] or exact
    if not links:
        raise page.stuck(f"no entry {entry!r} in the side menu", [link.name for link in page.find_all("link")], entry)
    yield from page.act(Click(target=Mark(mark=links[0].mark)), say(page, _SIDE, entry=entry))


def open_row(page: Page, name: str, *, what: str = "") -> Deed:
    """Something in a list of the page, by its title. `what` describes it where the name would give the answer away."""
    words = say(page, _ROW, name=name)
    yield from page.click("link", name, what=what or f"the entry “{name}”", say=words)


def open_entry(page: Page, name: str) -> Deed:
    """A file or folder of a listing, whose name may also stand in the path above it."""
    links = [link for link in page.find_all("link", name) if fold(link.name) == fold(name)]
    if not links:
        raise page.stuck(f"no file {name!r}", [link.name for link in page.find_all("link")], name)
    lowest = max(links, key=lambda link: link.box.y)
    yield from page.act(Click(target=Mark(mark=lowest.mark)), say(page, _ENTRY, name=name))


def after(page: Page, text: str, pattern: str) -> str:
    """The first match of a pattern in the lines below a text, in any column."""
    above = [line for line in page.lines() if fold(text) in fold(line.text)]
    for line in page.lines():
        if above and line.box.y > above[0].box.y + 4 and (found := re.search(pattern, line.text)):
            return found.group()
    raise page.stuck(f"nothing like {pattern!r} after {text!r}", [line.text for line in page.lines()], text)


def open_issue(page: Page, full_path: str, title: str) -> Deed:
    """An issue, by its project and its list: four steps."""
    yield from open_project(page, full_path)
    yield from side(page, "Issues")
    yield from open_row(page, title)


def open_merge_request(page: Page, full_path: str, title: str) -> Deed:
    """A merge request, by its project and its list: four steps."""
    yield from open_project(page, full_path)
    yield from side(page, "Merge requests")
    yield from open_row(page, title)


def fill(page: Page, field: str, value: str, *, where: str = "in the form", shown: str = "") -> Deed:
    """Put a text into a field. `shown` is what the guide says where the text is too long for a sentence."""
    yield from page.type(field, value, say=say(page, _FIELD, field=field, value=shown or value, where=where))


def choose(page: Page, field: str, value: str, *, where: str = "in the form") -> Deed:
    """Choose an entry of a native list of a form."""
    yield from page.select(field, value, say=say(page, _CHOICE, field=field, value=value, where=where))


def filter_by(page: Page, field: str, value: str) -> Deed:
    """Narrow or sort a list by one of the native lists above it."""
    yield from page.select(field, value, say=say(page, _FILTER, field=field, value=value))


def save(page: Page, button: str) -> Deed:
    """Press the button that stores a form."""
    yield from page.click("button", button, say=say(page, _SAVE, button=button))


def unfold(page: Page, name: str) -> Deed:
    """Open one of the small forms in the right column of an issue or a merge request."""
    yield from page.click("button", name, direction="up", say=say(page, _UNFOLD, name=name))


def add_token(page: Page, field: str, value: str) -> Deed:
    """Choose something in a list that can be searched: two steps."""
    yield from page.type(field, value, role="combobox", say=say(page, _TOKEN, field=field, value=value))
    yield from page.click("option", value, say=say(page, _OPTION, value=value))


def pick_day(page: Page, button: str, day: str) -> Deed:
    """Choose a day in the calendar behind a button. `day` as it is read aloud: “Friday, April 3, 2026”."""
    yield from page.click("button", button, say=say(page, _CALENDAR, button=button))
    month = re.sub(r"^\w+, (\w+) \d+, (\d+)$", r"\1 \2", day)
    for _ in range(12):
        if page.shows(month):
            break
        yield from page.click("button", "Next month", say=say(page, _MONTH))
    short = re.sub(r"^\w+, (\w+) (\d+), \d+$", r"\2th of \1", day)
    short = re.sub(r"^(1|21|31)th", r"\1st", re.sub(r"^(2|22)th", r"\1nd", re.sub(r"^(3|23)th", r"\1rd", short)))
    yield from page.click("button", day, say=say(page, _DAY, day=short))
