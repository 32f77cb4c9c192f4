"""Wordings of guide sentences for steps that come in many tasks.

Each bank has two columns that are built differently, so that the two references of a step never share a skeleton;
which wordings a step gets depends on the task and the step, so that no wording is everywhere. Templates write the
sentences of their own steps themselves: these are for what every shop or back office has.
"""

from __future__ import annotations

import zlib

Bank = tuple[tuple[str, ...], tuple[str, ...]]

BANKS: dict[str, Bank] = {
    "scroll_down": (
        (
            "Scroll down the page until you can see {what}.",
            "Move further down; {what} sits below the part that is shown now.",
            "Keep scrolling towards the bottom of the page, watching for {what}.",
            "Go down one screen to get closer to {what}.",
            "Roll the page downwards so that {what} comes into view.",
            "Continue down past this section to find {what}.",
            "Page down to bring {what} onto the screen.",
            "Travel further down the page and stop where {what} appears.",
        ),
        (
            "{What} is not visible yet: it lies lower on this page, so scroll down.",
            "What you need next, {what}, is further down; the scroll bar or the mouse wheel gets you there.",
            "Since {what} is below the visible area, the page has to move up a screen's height.",
            "There is more below. Scroll until {what} shows up.",
            "Nothing to click in this part. Lower down you will come across {what}.",
            "You will find {what} only after scrolling down past what is on the screen.",
            "To reach {what}, let the page slide up by about a screen.",
            "If you do not see {what}, that is because it is lower on the page: scroll down.",
        ),
    ),
    "scroll_up": (
        (
            "Scroll back up to {what}.",
            "Return towards the top of the page, where {what} is.",
            "Go up again until {what} is in view.",
            "Move the page back up; you need {what}.",
        ),
        (
            "{What} is above what you see now, so scroll up.",
            "Having passed {what} on the way down, head back up for it.",
            "Further up, out of sight at the moment, is {what}: scroll towards the top.",
            "The top part of the page holds {what}; scroll up to see it.",
        ),
    ),
    "scroll_inside": (
        (
            "Scroll inside the list itself, not the whole page, until {what} appears.",
            "With the pointer over the list, scroll it to bring up {what}.",
            "Run down the list with the mouse wheel as far as {what}.",
        ),
        (
            "The list has its own scroll bar; moving it reveals {what}.",
            "{What} is hidden lower in this small scrolling area, so scroll within it.",
            "Only part of the list is showing. Further down in it you will see {what}.",
        ),
    ),
    "unfold": (
        (
            "Open the menu “{name}”; what belongs to it shows underneath.",
            "Click “{name}” to unfold it.",
            "Press the button “{name}”, which opens a list of links.",
            "Unfold “{name}” first.",
            "Bring up the entries of “{name}” with a click.",
        ),
        (
            "What you need is folded away behind “{name}”, and a click there reveals it.",
            "Nothing is listed yet: “{name}” has to be opened before you can choose from it.",
            "The entries of “{name}” stay hidden until that button is pressed.",
            "A list waits behind “{name}”. You know that it is open when its links appear.",
            "Look for “{name}”, which is closed at the moment, and have it open.",
        ),
    ),
    "list_open": (
        (
            "Click the list “{name}” so that its entries drop down.",
            "Open the drop-down “{name}”.",
            "Unfold the choices of “{name}” with a click on the box.",
            "Press the box labelled “{name}”; a list appears.",
        ),
        (
            "The box “{name}” hides a list, and a click on it shows what can be chosen.",
            "To change “{name}”, have a look at its entries first: they come up when the box is clicked.",
            "Before anything can be picked, the list “{name}” must be open.",
            "A small arrow marks “{name}” as a list. It opens under the pointer.",
        ),
    ),
    "list_pick": (
        (
            "Choose “{option}” from the open list.",
            "Click the entry “{option}”; the list closes by itself.",
            "Take “{option}” out of the entries shown.",
            "Set “{name}” to “{option}” with a click on that entry.",
        ),
        (
            "Among the entries that have come up is “{option}”, the one for “{name}”.",
            "After a click on “{option}” the box “{name}” shows it as chosen.",
            "With the list in front of you, “{option}” is what to pick.",
            "The right entry reads “{option}”, and the box repeats it once it is chosen.",
        ),
    ),
    "cookies": (
        (
            "Choose “{button}” in the cookie notice at the bottom so that it stops covering the page.",
            "Get the cookie bar out of the way with its “{button}” button.",
            "Answer the cookie question at the foot of the window with “{button}”; the bar then disappears.",
            "Click “{button}” on the bar about cookies to close it.",
        ),
        (
            "A notice about cookies hides the lower part of the screen: “{button}” closes it.",
            "Before going on, settle the cookie notice; “{button}” is enough, and the space below becomes free.",
            "Because the bar about cookies lies over what you need, press “{button}” and watch it go away.",
            "The bar at the very bottom asks about cookies, and “{button}” makes it vanish.",
        ),
    ),
    "search_type": (
        (
            "Type “{query}” into the search box at the top of the page.",
            "Enter “{query}” in the “Search the whole store” field in the header.",
            "Click into the search field beside the shop's logo and write “{query}”.",
            "Put “{query}” in the box with the magnifying glass, up in the header.",
            "Write “{query}” where it says “Search the whole store”.",
            "Fill the search field at the top with “{query}”; suggestions may drop down as you type.",
        ),
        (
            "The search field in the header takes the name of what you want: “{query}”.",
            "Use the search at the top rather than browsing, and give it the words “{query}”.",
            "At the top of every page is a search box. Yours should now read “{query}”.",
            "For the quickest way there, start a search: the text to enter is “{query}”.",
            "Look for the wide white field next to the logo; once “{query}” stands in it, you are ready to search.",
            "Searching beats leafing through categories here, so have “{query}” in the search box.",
        ),
    ),
    "search_go": (
        (
            "Press Enter to start the search; a page of results opens.",
            "Hit Enter, and the shop lists what it found.",
            "Confirm with the Enter key and wait for the list of matches.",
            "Send the search off with Enter.",
            "Press the Enter key to see the matching products.",
        ),
        (
            "With the words in place, Enter runs the search, and the heading of the next page repeats them.",
            "The search starts as soon as you press Enter; matching products then fill the page.",
            "Now only the Enter key is missing. You know it worked when the results page appears.",
            "Enter takes you to the results, which carry your search words in their heading.",
            "Once the field is filled, pressing Enter brings up the results.",
        ),
    ),
    "open_result": (
        (
            "Open “{name}” by clicking its name in the list.",
            "Choose “{name}” among the results to see its own page.",
            "Pick the entry called “{name}” from the products shown.",
            "Click the name “{name}” under its picture.",
            "Select “{name}” in the list of matches.",
        ),
        (
            "The product you want, “{name}”, is in the list now; its name leads to the page with all details.",
            "Find “{name}” among the cards and follow its name. A large picture tells you that you are there.",
            "Each card's title is a link, and the one that reads “{name}” brings up the right product page.",
            "Look through the cards for “{name}”, whose title takes you further.",
            "With “{name}” in sight, go to its page by way of the title.",
        ),
    ),
    "open_department": (
        (
            "Go to “{name}” in the bar of categories under the header.",
            "Choose the department “{name}” from the row of categories at the top.",
            "Click “{name}” in the category bar.",
            "Start in the department “{name}”, one of the words in the bar below the search box.",
        ),
        (
            "All departments stand in one row beneath the search field; “{name}” is the one to enter.",
            "The bar under the logo lists the departments, and what you look for belongs to “{name}”.",
            "What you are after is kept under “{name}”, which the strip of categories at the top leads to.",
            "To browse instead of searching, begin with “{name}” in the strip below the header.",
        ),
    ),
    "open_category": (
        (
            "Narrow the department down to “{name}” with the link on the left.",
            "In the left column, under “Subcategories”, follow “{name}”.",
            "Click “{name}” in the list of subcategories beside the products.",
            "Choose “{name}” from the subcategories at the left edge.",
        ),
        (
            "The left side offers the subcategories of this department. Yours is “{name}”; the heading will say so.",
            "Too many things are listed here: the subcategory “{name}” on the left leaves only what matters.",
            "A list headed “Subcategories” starts the left column, and “{name}” is in it.",
            "From the subcategories beside the product cards take “{name}”; the page's title changes to match.",
        ),
    ),
    "filter": (
        (
            "Cut the list down: click “{value}” under “{filter}” in the left column.",
            "Under the heading “{filter}” in the left column, choose “{value}”.",
            "Restrict the list to “{value}” with the “{filter}” filter beside the products.",
            "Use the filter “{filter}” on the left and pick “{value}” from it.",
        ),
        (
            "The left column filters the list. A click on “{value}”, in the group “{filter}”, leaves fewer cards.",
            "Only “{value}” matters here, and the group “{filter}” at the left edge can hide all the rest.",
            "On the left is a group of filters, “{filter}”; once its “{value}” is on, a label above the cards says so.",
            "To leave out everything else, have the filter group “{filter}” show “{value}” alone.",
        ),
    ),
    "option_select": (
        (
            "Set “{option}” to “{value}”.",
            "Choose “{value}” from the list “{option}” on the right.",
            "Pick the {option} “{value}” in the drop-down above the quantity.",
        ),
        (
            "The shop wants to know the {option} first: “{value}” is the entry to take from that list.",
            "A list to the right of the picture holds every {option}; yours is “{value}”.",
            "Beside the picture you decide on the {option}. Have the list show “{value}”.",
        ),
    ),
    "option_open": (
        (
            "Open the list “{option}” to see what there is.",
            "Click the box under “{option}”; its choices unfold.",
            "Unfold the choices of “{option}” on the right side.",
        ),
        (
            "The box called “{option}” opens at a click and shows what can be had.",
            "Before it goes into the cart this product needs a decision about “{option}”: have a look at the choices.",
            "What can be chosen as “{option}” is hidden in a box beside the picture until you click it.",
        ),
    ),
    "option_pick": (
        (
            "Choose “{value}” from the entries that have appeared.",
            "Click “{value}” in the open list, which then closes.",
            "Take the entry “{value}”.",
        ),
        (
            "Among the entries is “{value}”; after a click on it the box shows that name.",
            "The one you need reads “{value}”, and choosing it folds the list up again.",
            "Now that the list is open, “{value}” can be picked from it.",
        ),
    ),
    "option_swatch": (
        (
            "Click the {option} “{value}” among the samples on the right.",
            "Select “{value}” under “{option}”.",
            "Choose “{value}” from the row of coloured dots.",
        ),
        (
            "Each sample under “{option}” is a choice, and “{value}” is the right one here.",
            "Under the price stand the samples; a ring around “{value}” shows that it is chosen.",
            "There is a row of samples for the {option}, in which “{value}” has to be marked.",
        ),
    ),
    "quantity": (
        (
            "Change the quantity to {quantity}.",
            "Type {quantity} into the box between the minus and the plus sign.",
            "Replace the number in “Quantity” by {quantity}.",
        ),
        (
            "One piece is suggested; overwrite that with {quantity}.",
            "The small box left of “Add to cart” says how many you buy. It should read {quantity}.",
            "How many pieces is set next to the cart button, so {quantity} belongs there.",
        ),
    ),
    "add_to_cart": (
        (
            "Press “Add to cart”; a message at the top confirms it.",
            "Put “{name}” in the cart with the wide button on the right.",
            "Click “Add to cart” next to the quantity and watch the number at the cart icon go up.",
            "Send it to your cart with the button “Add to cart”.",
        ),
        (
            "The dark button “Add to cart” does it, and a short note says that “{name}” was added.",
            "With everything set, “Add to cart” is what is left to press on this page.",
            "Once you have pressed “Add to cart”, the cart in the upper right corner counts the new items.",
            "Your choice only counts after a click on “Add to cart”, beside the quantity.",
        ),
    ),
    "account_menu": (
        (
            "Open the menu under your name at the top right.",
            "Click your name in the header; a small menu with your account pages drops down.",
            "Unfold the account menu behind your first name in the upper right corner.",
            "Press the button that bears your name, in the header.",
        ),
        (
            "Your account pages are kept in a menu at the top right, behind your name: open it.",
            "At the right end of the header stands your name. A click there lists your orders, wishes and addresses.",
            "To get at your orders and settings, use the menu named after you in the header.",
            "The little figure with your name next to it hides a menu, which a click reveals.",
        ),
    ),
    "account_page": (
        (
            "Choose “{name}” from the menu that has opened.",
            "Click “{name}” in the small menu.",
            "Go on to “{name}”, one of the entries below your full name.",
            "Pick the menu's entry “{name}”.",
        ),
        (
            "One of the entries under your name reads “{name}”, and it leads to the right page.",
            "In the menu, “{name}” is the line you need. The page that follows carries the same heading.",
            "What you are after is behind “{name}” in the opened menu.",
            "With the menu open, “{name}” is one click away.",
        ),
    ),
    "sign_in_email": (
        (
            "Enter the e-mail address {value} in the “Email” field.",
            "Type {value} as your e-mail address.",
            "Fill in the first field of the sign-in form with {value}.",
        ),
        (
            "The sign-in form asks for an e-mail address first; it is {value}.",
            "Under “Sign in”, the field “Email” should read {value}.",
            "Start the form with the address you registered with, {value}.",
        ),
    ),
    "sign_in_password": (
        (
            "Enter your password in the field below the e-mail address.",
            "Type the account's password; it shows as dots.",
            "Fill in the “Password” field.",
        ),
        (
            "The password goes into the second field, where dots stand for what you type.",
            "Below the address there is a field for the password, which stays hidden while you write.",
            "Next comes the secret part of the form: your password.",
        ),
    ),
}


def sentences(bank: str, seed: str, **slots: str) -> tuple[str, str]:
    """Two wordings from a bank, one from each column, chosen by the seed. `{What}` is `what` with a capital letter."""
    return pick(BANKS[bank], f"{bank}/{seed}", **slots)


def pick(bank: Bank, seed: str, **slots: str) -> tuple[str, str]:
    """The same from a bank that is kept elsewhere."""
    first, second = bank
    number = zlib.crc32(seed.encode())
    if "what" in slots:
        slots["What"] = slots["what"][:1].upper() + slots["what"][1:]
    return (
        first[number % len(first)].format(**slots),
        second[number // len(first) % len(second)].format(**slots),
    )
