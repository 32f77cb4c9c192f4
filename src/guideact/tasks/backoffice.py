"""Deeds in the back office that many solvers have: the menu, the lists with their filters and mass actions, forms."""

from __future__ import annotations

from collections.abc import Callable, Generator

from guideact.tasks.nearby import fold
from guideact.tasks.phrases import Bank, pick
from guideact.tasks.solve import Act, Page
from guideact.types import Candidate, Click, Mark, Observation

Deed = Generator[Act, Observation, None]

_SECTIONS = frozenset(
    {
        ("link", "dashboard"),
        *(("button", name) for name in ("sales", "catalog", "customers", "marketing", "content", "reports", "system")),
    }
)
"""What the side menu consists of, whoever is signed in."""

_MENU_GROUP: Bank = (
    (
        "Open “{group}” in the dark menu on the left.",
        "Click “{group}” in the side menu; its entries unfold beside it.",
        "Start at the left edge, with the menu entry “{group}”.",
        "Unfold “{group}” in the column of sections on the left.",
        "Press “{group}” in the menu at the side to see what belongs to it.",
        "In the left-hand menu, choose the section “{group}”.",
        "Go to the side menu and open its “{group}” part.",
    ),
    (
        "The menu down the left side has a section “{group}”, which opens at a click.",
        "What you need is kept under “{group}”, one of the sections of the menu on the left.",
        "Look at the dark column on the left: behind “{group}” is a small list of pages.",
        "A small arrow next to “{group}” in the side menu shows that there is more inside.",
        "All work begins in the side menu, this time with “{group}”; a panel with links appears.",
        "Of the sections listed at the left edge, “{group}” is the right one here.",
        "To find the page, unfold the section named “{group}” at the left.",
        "“{group}”, on the left, gathers the pages for this job.",
    ),
)
_MENU_ITEM: Bank = (
    (
        "Choose “{item}” from the entries that have appeared.",
        "Follow “{item}” to its page.",
        "Click “{item}”; the heading of the next page repeats the word.",
        "Take “{item}” from the little list.",
        "Select “{item}” in the panel that has opened.",
        "Go on to “{item}”.",
        "Pick “{item}” and wait for its page.",
    ),
    (
        "The list beside the menu names several pages, “{item}” among them; that is where to go.",
        "One of the links now on offer reads “{item}”, and it leads to the page you want.",
        "Next comes the entry “{item}”. You are there when it stands as the title at the top.",
        "In the open section, “{item}” is the page for this task.",
        "With the section open, “{item}” is only one click away.",
        "Its entry “{item}” brings up what you are looking for.",
        "Among these links you want “{item}”.",
    ),
)
_VIEW: Bank = (
    (
        "Switch the list to “{view}” with the row of words above it.",
        "Narrow the list with the ready-made view “{view}”.",
        "Click “{view}” right above the search box of the list.",
        "Restrict what is listed by choosing the tab “{view}”.",
        "Pick the view “{view}” at the top of the list.",
    ),
    (
        "Above the list are ready-made views; “{view}” hides everything else.",
        "Only “{view}” matters here, and a view of that name stands over the table.",
        "The first line of the list's frame offers views. With “{view}” a label below says what is filtered.",
        "Instead of reading all rows, have the list show “{view}” alone.",
        "There is a shortcut for this in the top row of the list, called “{view}”.",
    ),
)
_LIST_TYPE: Bank = (
    (
        "Type “{query}” into the search field above the list.",
        "Enter “{query}” in the list's own search box, where it says “{hint}”.",
        "Look for “{query}” with the search field at the top left of the list.",
        "Write “{query}” in the box over the table.",
        "Put “{query}” where “{hint}” is suggested.",
    ),
    (
        "The box over the table searches this list only; give it “{query}”.",
        "There are many rows, so let the search field of the list find “{query}”.",
        "To bring the right row up, the field with the hint “{hint}” should read “{query}”.",
        "Right below the views is a search field, and “{query}” is what it needs.",
        "Paging is slow; searching the list for “{query}” is quicker.",
    ),
)
_LIST_GO: Bank = (
    (
        "Press Enter; only the rows that match stay.",
        "Run the search of the list with Enter.",
        "Hit Enter and watch the list shrink.",
        "Confirm with the Enter key to filter the rows.",
    ),
    (
        "Enter starts the search, after which the count below the table is smaller.",
        "The list reacts as soon as you press Enter.",
        "With the words in the box, the Enter key leaves just the matching rows.",
        "What is missing is the Enter key: it reloads the table with the rows found.",
    ),
)
_FILTERS: Bank = (
    (
        "Open the filter panel with the button “Filters” at the right of the list.",
        "Click “Filters” over the right end of the table.",
        "Unfold the filters by the button next to “Columns”.",
        "Bring up the filter fields with “Filters”.",
    ),
    (
        "The list can be filtered by its columns: a button “Filters” shows the fields for that.",
        "To the right of the list's search box, “Filters” unfolds a panel with one field a column.",
        "Hidden behind “Filters” are the fields that narrow the table down.",
        "You need the filter panel, which “Filters” near the right edge opens.",
    ),
)
_APPLY: Bank = (
    (
        "Press “Apply filters” at the foot of the panel.",
        "Send the filters off with “Apply filters”.",
        "Click “Apply filters”; labels above the table then name each filter.",
        "Put the filters to work with the blue button of the panel.",
    ),
    (
        "Nothing is filtered until you press “Apply filters”, at the lower right of the panel.",
        "With the panel filled in, “Apply filters” reloads the table with fewer rows.",
        "The panel's blue button, “Apply filters”, makes the list follow your choices.",
        "Once “Apply filters” is pressed, the table holds only what fits.",
    ),
)
_ROW: Bank = (
    (
        "Open “{name}” by clicking it in its row.",
        "Click “{name}” in the table.",
        "Choose the entry “{name}” from the list.",
        "Go to the page of “{name}” through the link in its row.",
        "Follow the blue “{name}” in the list.",
        "Select “{name}” to see everything about it.",
    ),
    (
        "The row you need begins with “{name}”, and that text is a link.",
        "Find “{name}” in the table; clicking it shows the details.",
        "What is printed in blue can be opened, and here it is “{name}”.",
        "With the rows in front of you, look for “{name}” and open it.",
        "Each row has a link to its own page: take the one named “{name}”.",
        "Your row is the one with “{name}”, whose page has all the rest.",
    ),
)
_TICK: Bank = (
    (
        "Tick the box in front of {what}.",
        "Mark the row of {what} with its check box.",
        "Put a tick beside {what}, at the left end of the row.",
        "Select {what} by the small square on its left.",
        "Check the box that starts the row of {what}.",
    ),
    (
        "Each row begins with a check box. The one of {what} has to be ticked.",
        "At the left edge of the table, tick {what}; the counter above goes up by one.",
        "{What} should be among the selected rows, so give it a tick.",
        "For a mass action the rows are ticked first: here it is {what}.",
        "The counter “selected” over the table takes {what} in once its box is checked.",
    ),
)
_TICK_ALL: Bank = (
    (
        "Tick the topmost box, in the head of the table, to select all rows at once.",
        "Select every row on the page with the check box beside the column titles.",
        "Check the box in the table's first line; all rows get a tick.",
    ),
    (
        "All rows that are left are wanted, and the box in the head of the table takes them together.",
        "Rather than ticking one row after the other, use the check box above them all.",
        "Left of the column titles is a box for the whole page. A tick there marks each row.",
    ),
)
_MASS: Bank = (
    (
        "Set the list of actions above the table to “{action}”.",
        "Pick “{action}” from “Choose an action”.",
        "Choose the mass action “{action}”.",
        "Select “{action}” in the drop-down left of “Apply to selected”.",
    ),
    (
        "What happens to the ticked rows is set in the drop-down over the table: “{action}”.",
        "The drop-down that says “Choose an action” offers “{action}”, which is what you want.",
        "Above the column titles, the actions for several rows are listed; yours is “{action}”.",
        "For all ticked rows together there is “{action}”, in the list of actions.",
    ),
)
_MASS_GO: Bank = (
    (
        "Press “Apply to selected” and agree if you are asked.",
        "Carry it out with “Apply to selected”.",
        "Click “Apply to selected”; a message at the top says how many rows were changed.",
        "Run the action by “Apply to selected”.",
    ),
    (
        "The button beside the list of actions, “Apply to selected”, does it, and a green note reports the count.",
        "Nothing has changed so far. “Apply to selected” is what makes it happen.",
        "After “Apply to selected” the page comes back with a message about the rows.",
        "A question may come up once you press “Apply to selected”; say yes to it.",
    ),
)
_GLOBAL: Bank = (
    (
        "Type “{query}” into the search box at the very top.",
        "Search the whole back office for “{query}” with the box in the top bar.",
        "Enter “{query}” in the bar at the top; suggestions drop down.",
        "Put “{query}” into “Search orders, customers and products”.",
    ),
    (
        "The box in the top bar finds orders, customers and products alike: give it “{query}”.",
        "There is a short cut past the menu: the search at the top of every page, with “{query}” in it.",
        "Above everything else is a search box, where “{query}” brings up suggestions while you type.",
        "Without going through any menu, “{query}” can be looked up in the top bar.",
    ),
)
_SUGGESTION: Bank = (
    (
        "Choose “{name}” from the suggestions.",
        "Click the suggestion “{name}” below the box.",
        "Take “{name}” out of the list that has dropped down.",
        "Open “{name}” straight from the suggestions.",
    ),
    (
        "Under the box “{name}” is suggested, and clicking it opens the page at once.",
        "A list hangs from the search box. Your entry in it is “{name}”.",
        "Among what the search suggests, “{name}” is the one to open.",
        "The suggestion “{name}” leads right to where you want to be.",
    ),
)
_FIELD: Bank = (
    (
        "Type “{value}” into the field “{field}” {where}.",
        "Fill in “{field}” with “{value}”.",
        "Put “{value}” in the box labelled “{field}”.",
        "Under “{field}”, {where}, write “{value}”.",
        "Set “{field}” to “{value}”; you find it {where}.",
        "Enter “{value}” for “{field}”.",
        "Give “{field}” the value “{value}”.",
        "Click into “{field}” {where} and make it say “{value}”.",
    ),
    (
        "The field “{field}”, {where}, should read “{value}”.",
        "What belongs into “{field}” is “{value}”; nothing is stored before you save.",
        "Look {where}: the field “{field}” there waits for “{value}”.",
        "“{value}” goes into “{field}”, which stands {where}.",
        "Once “{field}” shows “{value}”, this part of the form is right.",
        "To get the form right, “{field}” has to hold “{value}”.",
        "Of the fields {where}, “{field}” is the one that takes “{value}”.",
        "As for “{field}”, have it contain “{value}” and nothing else.",
    ),
)
_CHOICE: Bank = (
    (
        "Set the list “{field}” to “{value}”.",
        "Choose “{value}” under “{field}” {where}.",
        "Pick “{value}” from the drop-down “{field}”.",
        "From “{field}”, {where}, select “{value}”.",
        "Change “{field}” to “{value}”.",
    ),
    (
        "The drop-down “{field}”, {where}, has an entry “{value}” that fits.",
        "For “{field}” the form offers a few choices; “{value}” is the one needed.",
        "Have “{field}” show “{value}”, as the request says.",
        "“{value}” is among the entries of “{field}”, which stands {where}.",
        "As “{field}”, only “{value}” is right here.",
    ),
)
_SWITCH: Bank = (
    (
        "Turn {on} the switch “{name}” {where}.",
        "Click the switch “{name}” so that it is {on}.",
        "Move “{name}” to {on} with one click.",
        "Flip “{name}” {where}; it should be {on} afterwards.",
    ),
    (
        "The switch “{name}” has to be {on}: its colour tells, green for on and grey for off.",
        "Look {where}, where “{name}” is still the other way round; one click turns it {on}.",
        "“{name}” is a switch, and at the end it must be {on}.",
        "With a click on it, “{name}” becomes {on}.",
    ),
)
_SAVE: Bank = (
    (
        "Press “{button}”; a green message at the top confirms it.",
        "Store it with the button “{button}”.",
        "Finish the form with “{button}” at the bottom right.",
        "Click “{button}” and look for the confirmation above.",
        "Send the form off by “{button}”.",
    ),
    (
        "Nothing is kept until “{button}” is pressed. The page then comes back with a green note.",
        "The blue button “{button}” stores what you entered.",
        "With all fields as they should be, “{button}” is what remains to be pressed.",
        "You know that it was stored when, after “{button}”, a message says so.",
        "In the bar at the foot of the form, “{button}” keeps the changes.",
    ),
)


def say(page: Page, bank: Bank, **slots: str) -> tuple[str, str]:
    """Two sentences from a bank of this module, varied from task to task and page to page."""
    return pick(bank, f"{page.task_id}/{page.seen.url}/{sorted(slots.items())}", **slots)


def in_menu(page: Page) -> Callable[[Candidate], bool]:
    """What tells whether something stands in the side menu: beside its sections, be they in a column or in a row."""
    sections = [one for one in page.find_all(("link", "button")) if (one.role, fold(one.name)) in _SECTIONS]
    if not sections:
        return lambda one: False
    top, height = sections[0].box.y, sections[0].box.height
    if len(sections) > 1 and all(abs(one.box.y - top) < height / 2 for one in sections):
        return lambda one: abs(one.box.y - top) < height / 2
    left, right = sections[0].box.x, sections[0].box.x + sections[0].box.width
    return lambda one: left - 4 <= one.box.x and one.box.x + one.box.width <= right + 4


def menu(page: Page, group: str, item: str) -> Deed:
    """Go to a page through the side menu: two steps, or one where its section is open already."""
    inside = in_menu(page)
    links = [link for link in page.find_all("link", item, within=inside) if fold(link.name) == fold(item)]
    if not links:
        buttons = page.find_all("button", group, within=inside)
        if not buttons:
            there = [button.name for button in page.find_all("button", within=inside)]
            raise page.stuck(f"no section {group!r} in the menu", there, group)
        yield from page.act(Click(target=Mark(mark=buttons[0].mark)), say(page, _MENU_GROUP, group=group))
        links = page.find_all("link", item, near=group)
    if not links:
        there = [link.name for link in page.find_all("link", near=group)]
        raise page.stuck(f"no {item!r} in the menu under {group!r}", there, item)
    yield from page.act(Click(target=Mark(mark=links[0].mark)), say(page, _MENU_ITEM, item=item))


def search_all(page: Page, query: str, suggestion: str, *, what: str = "") -> Deed:
    """Open something by the search of the top bar and its suggestions: two steps."""
    box = yield from page.reach("combobox", "Search orders, customers and products", direction="up")
    yield from page.type(box.name, query, role="combobox", say=say(page, _GLOBAL, query=query))
    yield from page.click("option", suggestion, say=say(page, _SUGGESTION, name=what or suggestion))


def view(page: Page, name: str) -> Deed:
    """Switch a list to one of its ready-made views."""
    yield from page.unfold("Views")
    inside = in_menu(page)
    found = [link for link in page.find_all("link", name) if not inside(link)]
    if not found:
        raise page.stuck(f"no view {name!r}", [link.name for link in page.find_all("link")], name)
    yield from page.act(Click(target=Mark(mark=found[0].mark)), say(page, _VIEW, view=name))


def search_list(page: Page, hint: str, query: str) -> Deed:
    """Search a list with its own box: two steps."""
    words = say(page, _LIST_TYPE, query=query, hint=hint)
    yield from page.type(hint, query, role="searchbox", say=words)
    yield from page.press_enter(say=say(page, _LIST_GO))


def open_filters(page: Page) -> Deed:
    """Unfold a list's filter panel."""
    yield from page.click("button", "Filters", say=say(page, _FILTERS))


def apply_filters(page: Page) -> Deed:
    """Send the filter panel off."""
    yield from page.click("button", "Apply filters", say=say(page, _APPLY))


def open_row(page: Page, name: str, *, what: str = "") -> Deed:
    """Open an entry of a list by its link. `what` describes it where the name would give the answer away."""
    words = say(page, _ROW, name=name)
    yield from page.click("link", name, what=what or f"the row of “{name}”", say=words)


def open_order(page: Page, number: str) -> Deed:
    """An order's page, by way of the list of orders and its search."""
    yield from menu(page, "Sales", "Orders")
    yield from search_list(page, "Order number, name or email", number)
    yield from open_row(page, number)


def tick(page: Page, label: str, what: str) -> Deed:
    """Tick a row; `label` is the box's whole name, `what` says in the guide which row it is."""
    yield from page.click("checkbox", label, what=f"the box of {what}", say=say(page, _TICK, what=what))


def tick_all(page: Page, nouns: str) -> Deed:
    """Tick all rows of the page."""
    yield from page.click("checkbox", f"Select all {nouns} on this page", say=say(page, _TICK_ALL))


def mass_action(page: Page, action: str, before: Deed | None = None) -> Deed:
    """Do something to the ticked rows: two steps; `before` fills in the value that some actions need."""
    yield from page.reach("combobox", "Mass action", what="the list of actions", direction="up")
    yield from page.select("Mass action", action, say=say(page, _MASS, action=action))
    if before is not None:
        yield from before
    yield from page.click("button", "Apply to selected", say=say(page, _MASS_GO))


def fill(page: Page, field: str, value: str, *, where: str = "in the form", near: str = "") -> Deed:
    """Put a text into a field of a form."""
    yield from page.type(field, value, near=near, say=say(page, _FIELD, field=field, value=value, where=where))


def choose(page: Page, field: str, value: str, *, where: str = "in the form") -> Deed:
    """Choose an entry of a native list of a form."""
    yield from page.select(field, value, say=say(page, _CHOICE, field=field, value=value, where=where))


def switch(page: Page, name: str, *, on: bool, where: str = "in the form") -> Deed:
    """Flip a switch that is the other way round."""
    words = say(page, _SWITCH, name=name, on="on" if on else "off", where=where)
    yield from page.click("switch", name, say=words)


def save(page: Page, button: str) -> Deed:
    """Press the button that stores a form."""
    yield from page.click("button", button, say=say(page, _SAVE, button=button))
