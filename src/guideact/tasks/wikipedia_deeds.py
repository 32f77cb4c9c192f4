"""Deeds in the encyclopedia that many solvers have, each with sentences of its own that vary from task to task."""

from __future__ import annotations

from collections.abc import Generator

from guideact.tasks.phrases import Bank, pick
from guideact.tasks.solve import Act, Page
from guideact.types import Mark, Observation, PressEnter, Type

Deed = Generator[Act, Observation, None]

_BANKS: dict[str, Bank] = {
    "search_type": (
        (
            "Type “{query}” into the search box at the top of the page.",
            "Enter “{query}” in the field that says “Search Almanach”.",
            "Click into the wide field beside the name Almanach and write “{query}”.",
            "Put “{query}” into the search field of the header.",
            "Fill “Search Almanach” with “{query}”; titles may be suggested below.",
            "Write “{query}” where the encyclopedia offers to search.",
        ),
        (
            "Every page has a search field at its top. Give it the words “{query}”.",
            "The quickest way in is the search; what it needs is “{query}”.",
            "Next to the green book is a field for titles and words, and yours should read “{query}”.",
            "Start at the header: in its long white field the text “{query}” is wanted.",
            "Rather than leafing through categories, search, with “{query}” as the search words.",
            "Look to the right of the logo. That field takes what you look for, here “{query}”.",
        ),
    ),
    "search_title": (
        (
            "Press Enter; as this is the title of an article, you land on it at once.",
            "Hit Enter to go straight to the article.",
            "Confirm with Enter and wait for the article of that name.",
            "Send it off with the Enter key, which opens the article itself.",
            "Start the search with Enter: the page with this very heading opens.",
        ),
        (
            "With Enter the article comes up, for a search for a whole title needs no list of results.",
            "The Enter key does the rest. You are right when the large heading repeats what you typed.",
            "Once the title stands in the field, Enter leads to the page it names.",
            "No list will follow: Enter takes a complete title directly to its article.",
            "Only Enter is missing now, and the heading of the next page shows that it worked.",
        ),
    ),
    "search_words": (
        (
            "Press Enter to get the list of articles that hold these words.",
            "Hit Enter; a page of results opens.",
            "Start the search with Enter and look at the results.",
            "Send the words off with the Enter key.",
        ),
        (
            "Enter runs the search through all texts, and “Search results” heads the next page.",
            "Since the words are no title, Enter brings up a list with extracts.",
            "The results appear after Enter, with the found words marked in yellow.",
            "Pressing Enter shows where these words occur.",
        ),
    ),
    "suggestion": (
        (
            "Choose {name} from the titles that drop down.",
            "Click {name} in the list of suggestions.",
            "Pick {name} below the search field.",
            "Take the suggested title {name}.",
        ),
        (
            "Suggestions unfold under the field as you type, and one of them is {name}.",
            "There is no need to finish the word: {name} is offered already.",
            "Among the titles that appear below is {name}, which leads right to the article.",
            "The list under the field has what you want, namely {name}.",
        ),
    ),
    "follow": (
        (
            "Follow the link {name}.",
            "Click {name} to open that article.",
            "Open {name} through its link.",
            "Go on to {name} by clicking it.",
            "Select the link that reads {name}.",
        ),
        (
            "The words {name} are a link, and the article behind it is what you need next.",
            "One of the links here is {name}; it leads on.",
            "From here {name} is one click away.",
            "What comes next is behind {name}, underlined like every link.",
            "Look for {name} among the links. A new article opens from there.",
        ),
    ),
    "tab_history": (
        (
            "Open “History” at the right above the text.",
            "Choose the “History” tab over the article.",
            "Click “History”, beside “Edit”, to see who changed what.",
            "Go to the article's “History”.",
        ),
        (
            "Above the article, on the right, are three views; “History” lists all its revisions.",
            "Every change is kept, and “History” in the row under the title shows them.",
            "The list of earlier versions is behind “History”, to the right of “Edit”.",
            "Under the heading there is a row of tabs. The one for former versions is called “History”.",
        ),
    ),
    "tab_talk": (
        (
            "Switch to “Talk”, the tab beside “Article”.",
            "Open the “Talk” page under the title.",
            "Click “Talk” at the left above the text.",
            "Go to “Talk”, where readers discuss the article.",
        ),
        (
            "Discussions have a page of their own; the tab “Talk” under the heading opens it.",
            "Right of “Article” stands “Talk”, which leads to what people say about it.",
            "Comments are not in the article but behind its “Talk” tab.",
            "To find the conversation, use “Talk”, the second tab below the title.",
        ),
    ),
    "tool": (
        (
            "Choose “{name}” in the column of tools on the right.",
            "Click “{name}” under “Tools”.",
            "Use the tool “{name}” at the right edge.",
            "Pick “{name}” from the tools beside the article.",
        ),
        (
            "The right margin has a list headed “Tools”, and “{name}” is in it.",
            "What you need is a tool: “{name}”, to the right of the text.",
            "Beside the article, under “Tools”, “{name}” is offered.",
            "Look at the far right. “{name}” is among the links there.",
        ),
    ),
    "sort": (
        (
            "Click “{name}” in the head of the table to sort by it.",
            "Sort the table by its column “{name}”.",
            "Press the column head “{name}”.",
            "Use the head of the column “{name}” to put the rows in order.",
        ),
        (
            "The heads of this table are buttons; “{name}” arranges the rows by that column.",
            "To put the rows in order, click where the column says “{name}”.",
            "An arrow beside “{name}” shows the order, which a click on it changes.",
            "Rather than reading every line, let the table sort itself: “{name}” is the column.",
        ),
    ),
    "sort_again": (
        (
            "Click “{name}” once more, so that the largest comes first.",
            "Press the same head again to turn the order round.",
            "Sort by “{name}” a second time, which puts the highest value on top.",
        ),
        (
            "The arrow points up now, that is, the smallest is first; another click on “{name}” reverses this.",
            "As the order is rising, “{name}” has to be clicked again.",
            "One more click on “{name}”, and the arrow points down with the greatest value in the first row.",
        ),
    ),
    "summary": (
        (
            "Write “{text}” into “Edit summary”.",
            "Type the summary “{text}”.",
            "Enter “{text}” in the field for the edit summary.",
            "Fill in “{text}” as the reason for the edit.",
        ),
        (
            "The field “Edit summary” tells others what was done; it should read “{text}”.",
            "Below the text there is room for a summary, here “{text}”.",
            "Other editors will see the summary, so “Edit summary” gets the words “{text}”.",
            "Before saving, say what you did: “{text}”, in the line “Edit summary”.",
        ),
    ),
    "fill": (
        (
            "Type “{text}” into “{name}”.",
            "Write “{text}” in the field “{name}”.",
            "Enter “{text}” under “{name}”.",
            "Put “{text}” where it says “{name}”.",
        ),
        (
            "The field “{name}” is for this: it should read “{text}”.",
            "Under the label “{name}” the text “{text}” is wanted.",
            "Now to “{name}”, which takes “{text}”.",
            "Of the fields here “{name}” is the one to fill, with “{text}”.",
        ),
    ),
}


def say(page: Page, bank: str, **slots: str) -> tuple[str, str]:
    """Two sentences of a bank of this module, varied from task to task and step to step."""
    return pick(_BANKS[bank], f"{bank}/{page.task_id}/{len(page.seen.texts)}", **slots)


def type_search(page: Page, query: str) -> Deed:
    """Put words into the search box of the header."""
    box = yield from page.reach("combobox", "Search the encyclopedia", what="the search field", direction="up")
    yield from page.act(Type(target=Mark(mark=box.mark), text=query), say(page, "search_type", query=query))


def look_up(page: Page, title: str) -> Deed:
    """Open an article by its whole title: two steps."""
    yield from type_search(page, title)
    yield from page.act(PressEnter(), say(page, "search_title"))


def look_for(page: Page, words: str) -> Deed:
    """Search the texts for words that are no title: two steps."""
    yield from type_search(page, words)
    yield from page.act(PressEnter(), say(page, "search_words"))


def take_suggestion(page: Page, typed: str, title: str) -> Deed:
    """Open an article by the beginning of its title: two steps."""
    yield from type_search(page, typed)
    yield from page.click("option", title, say=say(page, "suggestion", name=f"“{title}”"))


def follow(page: Page, name: str, *, near: str = "", what: str = "", hidden: bool = False) -> Deed:
    """Click a link of the page. With `hidden` the guide says `what` in place of the name."""
    shown = what if hidden else f"“{name}”"
    yield from page.click("link", name, near=near, what=what or f"“{name}”", say=say(page, "follow", name=shown))


def open_history(page: Page) -> Deed:
    """The history of the article in view."""
    yield from page.click("link", "History", direction="up", say=say(page, "tab_history"))


def open_talk(page: Page) -> Deed:
    """The talk page of the article in view."""
    yield from page.click("link", "Talk", direction="up", say=say(page, "tab_talk"))


def use_tool(page: Page, name: str) -> Deed:
    """A link of the right-hand column."""
    yield from page.click("link", name, direction="up", say=say(page, "tool", name=name))


def sort_by(page: Page, column: str, *, descending: bool) -> Deed:
    """Sort the table of an article by a click on the head of a column, or two."""
    yield from page.click("button", column, what=f"the column “{column}”", say=say(page, "sort", name=column))
    if descending:
        yield from page.click("button", column, direction="up", say=say(page, "sort_again", name=column))


def fill(page: Page, name: str, text: str, *, near: str = "") -> Deed:
    """Put a text into a field of a form."""
    yield from page.type(name, text, near=near, say=say(page, "fill", name=name, text=text))


def summarise(page: Page, text: str) -> Deed:
    """Fill in the edit summary."""
    yield from page.type("Edit summary", text, say=say(page, "summary", text=text))
