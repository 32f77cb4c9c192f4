"""Deeds on the map that many solvers have, each with sentences of its own that vary from task to task."""

from __future__ import annotations

from collections.abc import Generator

from guideact.tasks.phrases import Bank, pick
from guideact.tasks.solve import Act, Page
from guideact.types import Observation

Deed = Generator[Act, Observation, None]

_SEARCH_TYPE: Bank = (
    (
        "Type “{query}” into the search box at the top.",
        "Enter “{query}” where it says “Search for places, streets or coordinates”.",
        "Write “{query}” in the wide field beside the logo.",
        "Put “{query}” into the field of the green search button.",
        "Fill the search field in the header with “{query}”.",
        "Give the search at the top of the page the words “{query}”.",
    ),
    (
        "The header has one field for everything that can be found; let it read “{query}”.",
        "Begin with a search. What to look for is “{query}”, and the field for it is next to the name “Wayfinder”.",
        "Anything on the map can be searched from the top of the page, “{query}” too.",
        "Suggestions may unfold while you write “{query}” in the field at the top; you need not take one.",
        "To find the place, start with the search field: “{query}” is what goes in.",
        "Next to the logo is the search field, in which “{query}” should stand.",
    ),
)
_SEARCH_GO: Bank = (
    (
        "Press Enter to get the list of results.",
        "Hit Enter; what was found is listed on the left.",
        "Start the search with the Enter key.",
        "Confirm with Enter and wait for the results beside the map.",
        "Send the search off by pressing Enter.",
    ),
    (
        "With Enter the search begins, and pins appear on the map for everything it finds.",
        "Once the words are in, the Enter key brings up a page headed “Results for”.",
        "Only Enter is missing now. A numbered list shows that it worked.",
        "The results come up in the left part of the page as soon as you press Enter.",
        "A press of Enter turns the words into a list of places with numbers.",
    ),
)
_OPEN: Bank = (
    (
        "Open “{name}” by its name in the list.",
        "Click the name “{name}” among the results.",
        "Choose “{name}” from the list on the left.",
        "Pick “{name}” to see its page.",
        "Follow the name “{name}” in the left column.",
        "Select “{name}”; its page shows what is known about it.",
    ),
    (
        "The entry you want is called “{name}”, and its bold name leads on.",
        "Among what was found is “{name}”. Its page has the address, the hours and more.",
        "Each name in the list opens a page of its own; here it is “{name}”.",
        "Look for “{name}” next to one of the numbers and click it.",
        "When the list is there, “{name}” is what to click; the map then moves to it.",
        "To learn more about “{name}”, go to its page by the name.",
    ),
)
_NAV: Bank = (
    (
        "Go to “{name}” in the row at the top right.",
        "Click “{name}” in the header.",
        "Choose “{name}” from the links at the top of the page.",
        "Open “{name}”, to the right of the search box.",
        "Switch to “{name}” with the link in the top bar.",
    ),
    (
        "The header has a link “{name}”, which leads to the right page.",
        "Up in the bar are four links, and this task needs “{name}”.",
        "What you need is behind “{name}”, up beside the search field.",
        "Begin with “{name}”: you find it in the white bar that stays at the top.",
        "One of the words at the top right reads “{name}”. That is the way.",
    ),
)
_TAB: Bank = (
    (
        "Switch to the tab “{name}” under the buttons.",
        "Open the tab “{name}”.",
        "Click “{name}” in the row of three tabs.",
        "Change from “Overview” to “{name}”.",
    ),
    (
        "Three tabs divide the page of a place; “{name}” is the one that matters here.",
        "What you look for stands behind the tab “{name}”, below the name of the place.",
        "The lower part of the left column changes when you choose “{name}” there.",
        "Below the buttons is a line of tabs, “{name}” among them: choose it.",
    ),
)
_START: Bank = (
    (
        "Type “{name}” into the field “Start”.",
        "Enter “{name}” as the start.",
        "Fill “Start” with “{name}”.",
        "Put “{name}” into the upper of the fields.",
    ),
    (
        "The way begins at “{name}”, so that is what belongs in “Start”.",
        "First the map wants to know where you are: “{name}”.",
        "Below the three ways of travelling comes the field “Start”. Let it say “{name}”.",
        "Where the journey starts is asked first; write “{name}” there.",
    ),
)
_END: Bank = (
    (
        "Type “{name}” into “Destination”.",
        "Enter “{name}” as the destination.",
        "Fill the field “Destination” with “{name}”.",
        "Put “{name}” where the journey should end.",
    ),
    (
        "Where you are going is asked in “Destination”: “{name}”.",
        "The field below is for the end of the way, which is “{name}”.",
        "Let the second field, “Destination”, read “{name}”.",
        "As you want to arrive at “{name}”, this name goes into “Destination”.",
    ),
)
_MODE: Bank = (
    (
        "Choose “{name}” at the top of the form.",
        "Click “{name}” among the three ways to travel.",
        "Set the way of travelling to “{name}”.",
        "Pick “{name}” from the row of three.",
    ),
    (
        "Three boxes in a row say how you travel, and “{name}” is the right one; it turns green.",
        "Routes differ with how one travels: this one is for “{name}”.",
        "Above the fields you decide on “{name}”.",
        "The heading is followed by three choices. Have “{name}” marked.",
    ),
)
_GO: Bank = (
    (
        "Press “Get directions”.",
        "Ask for the route with the wide green button.",
        "Click “Get directions” and wait for the routes below.",
        "Let the map find the way: “Get directions”.",
    ),
    (
        "The green button under the fields works the route out and draws it as a blue line.",
        "With both ends filled in, “Get directions” lists the routes, the quickest first.",
        "Now everything is set for “Get directions”; cards with times appear beneath it.",
        "A blue line on the map tells that “Get directions” has done its work, so press that button.",
    ),
)
_SUGGESTION: Bank = (
    (
        "Take “{name}” from the suggestions.",
        "Choose “{name}” in the list that has dropped down.",
        "Click the suggestion “{name}”.",
    ),
    (
        "Suggestions have appeared under the field; “{name}” is among them and leads straight to its page.",
        "There is no need to press Enter, as “{name}” is already offered below what you wrote.",
        "The small list under the field holds “{name}”. A click opens it.",
    ),
)
_MENU: Bank = (
    (
        "Open the menu behind your name at the top right.",
        "Click your name in the header.",
        "Unfold the menu that bears your first name.",
    ),
    (
        "Your own pages are in a menu at the right end of the header, behind your name.",
        "At the far right of the top bar stands your name. A click there shows a list of pages.",
        "Settings, reviews and history hide behind your name, up on the right.",
    ),
)
_MENU_ITEM: Bank = (
    (
        "Choose “{name}” from the menu.",
        "Click “{name}” in the list that has opened.",
        "Go on to “{name}”.",
    ),
    (
        "The menu has an entry “{name}”, which is what you need.",
        "One of the lines under your name reads “{name}”; follow it.",
        "With the menu open, “{name}” is one click away.",
    ),
)
_LIST: Bank = (
    (
        "Open the list “{name}”.",
        "Click “{name}” among your lists.",
        "Choose the list called “{name}”.",
    ),
    (
        "Your lists stand one below the other; the name “{name}” opens the right one.",
        "Among the cards is “{name}”. Its name leads to the places in it.",
        "What you want to change is kept in “{name}”, so go into that list.",
    ),
)
_CATEGORY: Bank = (
    (
        "Choose “{name}” under “Find nearby”.",
        "Click the label “{name}” in the tab.",
        "Ask for “{name}” around here.",
    ),
    (
        "The tab offers several kinds of places; “{name}” lists those, the closest first.",
        "Rounded labels lead to what is near. This time take “{name}”.",
        "To see how far the next ones are, click “{name}” among the labels.",
    ),
)


def phrase(page: Page, bank: Bank, **slots: str) -> tuple[str, str]:
    """Two sentences from a bank, varied from task to task and page to page."""
    return pick(bank, f"{page.task_id}/{page.seen.url.split('localhost')[-1]}/{sorted(slots.items())}", **slots)


def look_up(page: Page, query: str) -> Deed:
    """Search the map with the field in the header: two steps."""
    yield from page.type("Search the map", query, say=phrase(page, _SEARCH_TYPE, query=query))
    yield from page.press_enter(say=phrase(page, _SEARCH_GO))


def open_listed(page: Page, name: str, *, what: str = "") -> Deed:
    """Open a place that is listed on this page, by its name and not by its pin."""
    yield from page.reach("link", name, what=what or f"“{name}” in the list")
    yield from page.click("link", name, say=phrase(page, _OPEN, name=name), what=what)


def open_place(page: Page, name: str) -> Deed:
    """Search for a place and open its page: three steps."""
    yield from look_up(page, name)
    yield from open_listed(page, name)


def suggested(page: Page, query: str, name: str) -> Deed:
    """Open a place through the suggestions under the search field: two steps."""
    yield from page.type("Search the map", query, say=phrase(page, _SEARCH_TYPE, query=query))
    yield from page.click("option", name, say=phrase(page, _SUGGESTION, name=name))


def nav(page: Page, name: str) -> Deed:
    """To a part of the site by the links in the header: Explore, Directions, Measure, Saved places."""
    yield from page.click("link", name, say=phrase(page, _NAV, name=name), direction="up")


def tab(page: Page, name: str) -> Deed:
    """A tab of a place's page: Overview, Reviews, Nearby."""
    yield from page.click("tab", name, say=phrase(page, _TAB, name=name))


def start_at(page: Page, name: str) -> Deed:
    yield from page.type("Start", name, say=phrase(page, _START, name=name))


def end_at(page: Page, name: str) -> Deed:
    yield from page.type("Destination", name, say=phrase(page, _END, name=name))


def travel(page: Page, name: str) -> Deed:
    """Car, Bicycle or On foot."""
    yield from page.click("radio", name, say=phrase(page, _MODE, name=name), direction="up")


def go(page: Page) -> Deed:
    yield from page.click("button", "Get directions", say=phrase(page, _GO))


def route(page: Page, start: str, end: str, mode: str) -> Deed:
    """Directions between two places: to the page, both fields, the way of travelling, the button."""
    yield from nav(page, "Directions")
    yield from travel(page, mode)
    yield from start_at(page, start)
    yield from end_at(page, end)
    yield from go(page)


def route_to(page: Page, start: str, end: str, mode: str) -> Deed:
    """The same from the page of the destination."""
    yield from open_place(page, end)
    yield from page.click(
        "link",
        "Directions",
        near="Share",
        say=(
            "Ask for the way with “Directions”, the green button under the name.",
            "The page of a place has a button “Directions” that fills in the destination for you.",
        ),
    )
    yield from travel(page, mode)
    yield from start_at(page, start)
    yield from go(page)


def account(page: Page, name: str) -> Deed:
    """A page of the account by the menu in the header: Settings, Your reviews, Your reports, Search history."""
    yield from page.click("button", "Emma", say=phrase(page, _MENU), direction="up", what="your name")
    yield from page.click("link", name, say=phrase(page, _MENU_ITEM, name=name))


def open_list(page: Page, name: str) -> Deed:
    """One of the member's own lists, by the header: two steps."""
    yield from nav(page, "Saved places")
    yield from page.click("link", name, say=phrase(page, _LIST, name=name))


def nearby(page: Page, place: str, category: str) -> Deed:
    """The places of a category around a place: five steps."""
    yield from open_place(page, place)
    yield from tab(page, "Nearby")
    yield from page.click("link", category, say=phrase(page, _CATEGORY, name=category))
