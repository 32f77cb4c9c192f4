"""Deeds on the boards that many solvers have, in steps with varied sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

from guideact.tasks.menus import menus
from guideact.tasks.phrases import Bank, pick
from guideact.tasks.solve import Act, Page
from guideact.types import Box, Candidate, Click, Mark, Observation

Deed = Generator[Act, Observation, None]

_SEARCH_TYPE: Bank = (
    (
        "Type “{query}” into the search box at the top of the boards.",
        "Put the words “{query}” in the field “Search the boards”.",
        "Enter “{query}” where the header says “Search the boards”.",
        "Start with the search box in the middle of the header and write “{query}” into it.",
        "In the header, fill the search field with “{query}”.",
        "Let the boards look for “{query}”: type it in the rounded field at the top.",
    ),
    (
        "The rounded box in the header searches every forum; it should read “{query}”.",
        "Every page has a search field in its header, and this time “{query}” belongs in it.",
        "There are hundreds of posts, so it is quicker to search for “{query}” than to leaf through lists.",
        "With “{query}” in the field at the top, a short list of suggestions drops down; you can leave it alone.",
        "What you are after can be found by its words: “{query}”, in the box beside the logo.",
        "Nothing needs to be opened first. The field at the very top takes “{query}”.",
    ),
)
_SEARCH_GO: Bank = (
    (
        "Press Enter to see all results.",
        "Run the search with the Enter key.",
        "Confirm with Enter and wait for the page of results.",
        "Hit Enter; the heading then repeats your words.",
        "Send the search off with Enter.",
        "Strike the Enter key to leave the suggestions behind and get the whole list.",
    ),
    (
        "The Enter key starts the search, after which a list of posts fills the middle of the page.",
        "There is no button beside the field: Enter does it.",
        "Once you press Enter, the number of results stands above the list.",
        "All that is missing is the Enter key; tabs for posts, comments, forums and people then appear.",
        "A page headed “Results” comes up as soon as Enter is pressed.",
        "Searching begins when you press Enter.",
    ),
)
_OPEN_POST: Bank = (
    (
        "Open {what} by clicking its title.",
        "Click the title of {what} to get to its own page.",
        "Go to {what} through its title in bold letters.",
        "Follow the bold title of {what}.",
        "Pick {what} from the list.",
        "Choose {what}; the comments are on the page behind it.",
        "Enter the thread: the title of {what} is a link.",
    ),
    (
        "In the list you will see {what}; its bold line leads to the whole thread.",
        "The whole text and all comments are on a page of their own, which the title of {what} opens.",
        "Each card has a bold title. The one of {what} is what you want.",
        "One card in the list is {what}, and a click on its title shows the comments below it.",
        "You need the page of {what}. Its title takes you there.",
        "Behind the title of {what} is the complete thread.",
        "{What} is listed here; clicking the title loads it with everything that was said about it.",
    ),
)
_FORUM: Bank = (
    (
        "Go to the forum “{forum}” in the column on the left.",
        "Click “{forum}” under “Your forums”.",
        "Open “{forum}” from the list of forums at the left edge.",
        "In the left column, choose “{forum}”.",
        "Start in “{forum}”, which is listed on the left.",
        "Visit “{forum}”: it is one of the forums in the side column.",
    ),
    (
        "The forums that you have joined are listed on the left, “{forum}” among them.",
        "Look for “{forum}” in the left-hand list; a coloured dot stands before each name.",
        "This is about one forum only, and “{forum}” has an entry in the column at the left.",
        "Under the heading “Your forums” there is a link to “{forum}”.",
        "To see what was posted in “{forum}”, use its entry in the side column.",
        "“{forum}” can be reached from every page, by its name on the left.",
    ),
)
_DIRECTORY: Bank = (
    (
        "Open the “Directory” in the column on the left.",
        "Click “Directory”, the third entry at the left.",
        "Bring up the list of all forums with “Directory”.",
        "Go to “Directory” at the top of the side column.",
    ),
    (
        "All forums stand in a table behind “Directory”, near the top left.",
        "Forums that you have not joined are found under “Directory” in the left column.",
        "A table of every forum, with its members and posts, is what “Directory” at the left shows.",
        "The left column offers a “Directory”; take it to see the forums side by side.",
    ),
)
_DIRECTORY_FORUM: Bank = (
    (
        "Choose “{forum}” in the table.",
        "Click the name “{forum}” in the first column.",
        "Find the row of “{forum}” and follow its name.",
        "Go to “{forum}” by its name in the table.",
    ),
    (
        "The rows are sorted by name; “{forum}” is a link in the first column.",
        "Each row begins with a forum's name, and you need the one that reads “{forum}”.",
        "Among the forums listed there is “{forum}”, whose name opens its page.",
        "In the row that begins with “{forum}”, the name itself is the link.",
    ),
)
_SORT: Bank = (
    (
        "Switch the order of the posts to “{order}”.",
        "Click “{order}” in the bar above the posts.",
        "Have the list sorted anew with “{order}”.",
        "Choose “{order}” over the list.",
        "Change the sorting: “{order}” is in the bar over the first post.",
    ),
    (
        "The bar over the first post offers several orders; “{order}” is the one to use.",
        "Posts come in the order “Hot” at first, so press “{order}” above them.",
        "Above the list stand four ways to sort it. You want “{order}”.",
        "With “{order}”, in the white bar over the posts, the list is arranged as this needs.",
        "To see the right post first, the list has to be sorted by “{order}”.",
    ),
)
_PERIOD: Bank = (
    (
        "Set the list of periods at the right to “{period}”.",
        "Select “{period}” in the small list at the end of the bar.",
        "Widen or narrow the time span to “{period}” with the list beside the orders.",
        "Choose “{period}” as the period.",
    ),
    (
        "Next to the orders is a list of time spans; “{period}” covers what was asked.",
        "At first only one week counts. The small list at the right should say “{period}”.",
        "Which posts count depends on the period, so make it “{period}”.",
        "A drop-down list has appeared at the right end of the bar, and it needs to read “{period}”.",
    ),
)
_MENU: Bank = (
    (
        "Open the menu behind your name at the top right.",
        "Click “emma_l” in the header.",
        "Press your own name in the right corner to unfold a menu.",
        "Unfold your personal menu with the button “emma_l”.",
        "Start in the upper right corner, with your round picture.",
    ),
    (
        "Your own pages hang under your name in the right corner of the header.",
        "In the header, to the far right, your name opens a small menu.",
        "A menu with your profile and settings drops down from “emma_l” at the top right.",
        "What belongs to you is gathered behind the button with your name.",
        "The round picture with your initials is a button; a short list appears under it.",
    ),
)
_MENU_ITEM: Bank = (
    (
        "Choose “{item}” in the menu.",
        "Click “{item}” in the list that has opened.",
        "Go on to “{item}”.",
        "Take the entry “{item}”.",
        "Pick “{item}” from your menu.",
    ),
    (
        "The menu has a few entries, and “{item}” is the one for this.",
        "Of the links in the open menu you need “{item}”.",
        "“{item}” is among the entries; the page it leads to bears the name of what it shows.",
        "With the menu open, “{item}” is one click away.",
        "Below your name, “{item}” leads on.",
    ),
)
_MESSAGES: Bank = (
    (
        "Open your messages with the envelope in the header.",
        "Click the envelope at the top right.",
        "Go to your messages: the envelope next to “Create post”.",
        "Press the envelope in the header to see who has written to you.",
    ),
    (
        "An envelope in the header, with the number of unread ones on it, leads to your messages.",
        "What people have written to you is behind the envelope beside “Create post”.",
        "Messages have an icon of their own: look for the envelope in the top bar.",
        "To the left of your name there is an envelope; your inbox opens when you press it.",
    ),
)
_MODERATION: Bank = (
    (
        "Open the moderators' page with the shield in the header.",
        "Click the shield at the top right.",
        "Press the shield beside the envelope.",
        "Go to the reports: the shield in the top bar leads there.",
    ),
    (
        "Moderators have a shield in the header; its number says how much was reported.",
        "The icon shaped like a shield, between the envelope and your name, gathers the reports.",
        "Reports from all your forums are on one page, behind the shield at the top.",
        "Look for the shield in the header and press it to see what has been reported.",
    ),
)
_FIELD: Bank = (
    (
        "Type “{value}” into “{field}”.",
        "Fill “{field}” with “{value}”.",
        "Enter “{value}” under “{field}”.",
        "Write “{value}” in the field “{field}”.",
        "In “{field}”, put “{value}”.",
        "Give “{field}” the text “{value}”.",
    ),
    (
        "The field labelled “{field}” takes “{value}”.",
        "What belongs in “{field}” is “{value}”, exactly as it is written here.",
        "Look for the label “{field}”; below it goes “{value}”.",
        "Now for the field “{field}”: it should say “{value}”.",
        "“{value}” is the text for the box named “{field}”.",
        "One of the fields is called “{field}”. Replace what it holds, if anything, by “{value}”.",
    ),
)
_LONG: Bank = (
    (
        "Write your text into “{field}”: “{value}”",
        "Type “{value}” in the large box “{field}”.",
        "Compose the text under “{field}”: “{value}”",
        "Fill in “{field}” with the words “{value}”.",
    ),
    (
        "The large box called “{field}” is for the text itself: “{value}”",
        "Under the row of small format buttons there is room for the text, which reads “{value}”",
        "Below the label “{field}” goes what you want to say: “{value}”",
        "No formatting is needed in “{field}”; just put “{value}” there.",
    ),
)
_CHOICE: Bank = (
    (
        "Set “{field}” to “{value}”.",
        "Select “{value}” in the list “{field}”.",
        "Choose “{value}” under “{field}”.",
        "Change “{field}” to “{value}” with its list.",
    ),
    (
        "The list under “{field}” should show “{value}”.",
        "For “{field}” there are several choices, and “{value}” is the right one.",
        "Among the entries of “{field}” you will find “{value}”; take it.",
        "“{field}” is a drop-down list. Make it say “{value}”.",
    ),
)
_COMBO_OPEN: Bank = (
    (
        "Open the list “{field}” by clicking into it.",
        "Click into the box “{field}”; its choices unfold below.",
        "Unfold “{field}”.",
        "Press the box labelled “{field}” to see what it offers.",
    ),
    (
        "“{field}” is a box with a list of its own, which drops down at a click.",
        "The choices for “{field}” stay hidden until you click into its box.",
        "There is a small arrow in the box “{field}”; a click anywhere in it brings up the entries.",
        "To choose, first click the box under the label “{field}”.",
    ),
)
_COMBO_TYPE: Bank = (
    (
        "The list is long, so type “{value}” to narrow it down.",
        "Type “{value}” into the box and the list shrinks to what fits.",
        "Write “{value}” in “{field}” instead of scrolling through the list.",
    ),
    (
        "More entries are hidden below; with “{value}” typed into the box only the right one stays.",
        "The box “{field}” can be written in, and “{value}” leaves few entries to choose from.",
        "Not all entries fit on the screen. Entering “{value}” brings up the one you need.",
    ),
)
_COMBO_PICK: Bank = (
    (
        "Take “{value}” from the list.",
        "Click the entry “{value}”.",
        "Choose “{value}” among the entries that have appeared.",
        "Pick “{value}”; the box then shows it.",
    ),
    (
        "The list has an entry “{value}”, and that is the one.",
        "In the open list you see “{value}”; a click puts it into the box.",
        "Of all the entries you need “{value}”.",
        "Once “{value}” has been clicked, the list closes and the box shows your choice.",
    ),
)
_PRESS: Bank = (
    (
        "Send the form off with “{button}”.",
        "Press “{button}” to finish.",
        "Click “{button}”.",
        "Confirm with the button “{button}”.",
        "Store it: press “{button}”.",
        "Complete this with a click on “{button}”.",
    ),
    (
        "Nothing is kept until you press “{button}”; a dark note at the bottom then confirms it.",
        "The button “{button}” below the fields sends everything off.",
        "What is left is “{button}”. A short message at the foot of the window says that it worked.",
        "Under the form there is “{button}”, which puts it through.",
        "With everything in place, “{button}” does the rest.",
        "Look below the last field for “{button}” and use it.",
    ),
)
_RADIO: Bank = (
    (
        "Choose “{value}” for “{field}”.",
        "Mark “{value}” under “{field}”.",
        "Under “{field}”, click “{value}”.",
    ),
    (
        "“{field}” is a row of choices of which one can be taken: “{value}”.",
        "There is a choice to make for “{field}”, and it is “{value}”.",
        "The right answer to “{field}” is “{value}”; a click selects it.",
    ),
)
_DONE: Bank = (
    (
        "The dark note at the bottom has confirmed it, so this is done.",
        "You are finished: a short message at the foot of the window says that it was stored.",
        "That was all; the page shows the result already.",
        "Stop here, for the change has been made.",
        "Everything is in place and nothing more has to be pressed.",
    ),
    (
        "A message in a dark bubble tells that it worked, and nothing else was asked for.",
        "What you see now is the result, and it stays so without another click.",
        "When the note appears at the lower edge, the job is over.",
        "There is nothing left to do: the page has come back with your change in it.",
        "With the confirmation on the screen the task is complete.",
    ),
)


def say(page: Page, bank: Bank, **slots: str) -> tuple[str, str]:
    """Two sentences of a bank of this module, varied from task to task and page to page."""
    return pick(bank, f"{page.task_id}/{page.seen.url}/{sorted(slots.items())}", **slots)


def search(page: Page, query: str) -> Deed:
    """Search the boards by the box in the header: two steps."""
    yield from page.reach("combobox", "Search the boards", what="the search box", direction="up")
    yield from page.type("Search the boards", query, say=say(page, _SEARCH_TYPE, query=query))
    yield from page.press_enter(say=say(page, _SEARCH_GO, query=query))


def open_post(page: Page, title: str, *, what: str = "") -> Deed:
    """Open a post that is listed on this page."""
    yield from page.click(
        "link", title, say=say(page, _OPEN_POST, what=what or f"the post “{title}”"), what=what or f"the post “{title}”"
    )


def find_post(page: Page, title: str, *, query: str = "", what: str = "") -> Deed:
    """Search for a post by its title (or by `query`) and open it: three steps."""
    yield from search(page, query or title)
    yield from open_post(page, title, what=what)


def beside_menu(page: Page) -> Callable[[Box], bool]:
    """What tells whether something stands outside the menu of forums, which may be a column, a strip, or folded up."""
    first = page.find("link", "Front page")
    if first is None:
        return lambda box: True
    links = {first.name: first.box}
    for link in page.find_all("link"):
        if link.name in menus("reddit")["Boards"] and link.name not in links:
            # A post may hold a link of the same name, in a row of its own.
            ours = page.find("link", link.name, near=first.name) if link.locator.row else link
            links.update({link.name: ours.box} if ours is not None else {})
    ends = [box for box in links.values() if box.y >= first.box.y]
    left, right = min(box.x for box in ends) - 4, max(box.x + box.width for box in ends) + 4
    top, bottom = first.box.y - 4, max(box.y + box.height for box in ends) + 4
    if "About the boards" not in links:
        bottom = float("inf")

    def outside(box: Box) -> bool:
        x, y = box.centre
        return x > right or x < left or y > bottom or y < top

    return outside


def in_page(page: Page) -> Callable[[Candidate], bool]:
    """What tells whether something stands in the page itself and not in the menu of forums, after scrolls too."""
    return lambda one: beside_menu(page)(one.box)


def open_forum(page: Page, name: str) -> Deed:
    """Go to a forum: by the left column where Emma reads it, otherwise through the directory."""
    yield from page.unfold("Boards")
    outside = beside_menu(page)
    links = page.find_all("link", name, within=lambda link: not outside(link.box))
    if links and links[0].name == name:
        yield from page.act(Click(target=Mark(mark=links[0].mark)), say(page, _FORUM, forum=name))
        return
    yield from open_directory(page)
    yield from page.click("link", name, say=say(page, _DIRECTORY_FORUM, forum=name))


def open_directory(page: Page) -> Deed:
    """The table of all forums."""
    yield from page.click("link", "Directory", say=say(page, _DIRECTORY))


def sort_by(page: Page, order: str, period: str = "") -> Deed:
    """Choose the order of a list of posts, and the period for those that have one."""
    yield from page.click("link", order, say=say(page, _SORT, order=order), direction="up")
    if period:
        yield from page.select("Period", period, say=say(page, _PERIOD, period=period))


def open_menu(page: Page, item: str) -> Deed:
    """A page of one's own, by the menu behind one's name: two steps. My profile, Saved, Messages, Settings."""
    yield from page.click("button", "emma_l", say=say(page, _MENU), direction="up")
    yield from page.click("link", item, say=say(page, _MENU_ITEM, item=item))


def open_settings(page: Page, part: str) -> Deed:
    """A part of the settings: Profile, Lists, Email, Privacy, Account."""
    yield from open_menu(page, "Settings")
    if part != "Profile":
        yield from page.click(
            "link",
            part,
            say=(
                f"Switch to the part “{part}” in the bar over the form.",
                f"The settings come in five parts, named in a bar; what you need is in “{part}”.",
            ),
        )


def open_messages(page: Page) -> Deed:
    """The inbox."""
    yield from page.click("link", "Messages", say=say(page, _MESSAGES), direction="up")


def open_conversation(page: Page, subject: str, *, what: str = "") -> Deed:
    """A conversation that is listed on this page."""
    what = what or f"“{subject}”"
    yield from page.click(
        "link",
        subject,
        what=what,
        say=(
            f"Open the conversation {what}.",
            f"Every line of the inbox has a subject; click the one that reads {what} to see all of it.",
        ),
    )


def open_moderation(page: Page) -> Deed:
    """The reports of all forums that Emma moderates."""
    yield from page.click("link", "Moderation", say=say(page, _MODERATION), direction="up")


def fill(page: Page, field: str, value: str) -> Deed:
    """Put a text into a field of a form."""
    yield from page.type(field, value, say=say(page, _FIELD, field=field, value=value))


def write(page: Page, field: str, value: str) -> Deed:
    """Put a text into the large box of an editor."""
    yield from page.type(field, value, say=say(page, _LONG, field=field, value=value))


def choose(page: Page, field: str, value: str) -> Deed:
    """Choose an entry of a native list."""
    yield from page.select(field, value, say=say(page, _CHOICE, field=field, value=value))


def pick_from(page: Page, field: str, value: str) -> Deed:
    """Choose an entry of one of the boards' own lists: two steps, or three where the list has to be narrowed."""
    yield from page.click("combobox", field, say=say(page, _COMBO_OPEN, field=field))
    if page.find("option", value) is None:
        yield from page.type(field, value, role="combobox", say=say(page, _COMBO_TYPE, field=field, value=value))
    yield from page.click("option", value, say=say(page, _COMBO_PICK, value=value))


def mark(page: Page, field: str, value: str) -> Deed:
    """Choose one of several radio buttons."""
    yield from page.click("radio", value, say=say(page, _RADIO, field=field, value=value))


def press(page: Page, button: str) -> Deed:
    """Press the button that sends a form off."""
    yield from page.click("button", button, say=say(page, _PRESS, button=button))


def done(page: Page) -> Deed:
    """End a task that has changed something."""
    yield from page.finish(say=say(page, _DONE))


def first_post(page: Page) -> str:
    """The title of the first post of the list in view: the line below its first author."""
    ages = [line.box for line in page.lines() if re.search(r"\b(minute|hour|day|week|month|year)s? ago$", line.text)]
    outside = beside_menu(page)
    ages = [box for box in ages if outside(box)]
    if not ages:
        raise page.stuck("no list of posts")
    top = min(ages, key=lambda box: box.y)
    titles = [link for link in page.find_all("link") if 8 < link.box.y - top.y < 50 and outside(link.box)]
    titles = [link for link in titles if -10 < top.x - link.box.x < 300]
    if not titles:
        raise page.stuck("no title of a post", [link.name for link in page.find_all("link")])
    return min(titles, key=lambda link: link.box.y).name
