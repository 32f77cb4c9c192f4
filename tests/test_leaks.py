"""Guides that speak of the machinery are caught; guides that a person would write are not."""

from __future__ import annotations

import pytest

from guideact.leaks import find_leaks
from guideact.types import Box, Observation, TextLine


@pytest.mark.parametrize(
    ("guide", "kind"),
    [
        ("Click [12] to open the cart.", "leak_mark"),
        ("Click on mark 12.", "leak_mark"),
        ("Open the cart (mark 7).", "leak_mark"),
        ("Press the marker #3 at the top.", "leak_mark"),
        ("Click element 45.", "leak_mark"),
        ("Choose candidate no. 4 in the list.", "leak_mark"),
        ("点击标记12。", "leak_mark"),
        ("Click at (640, 360).", "leak_coordinate"),
        ("Click the point [128, 44].", "leak_coordinate"),
        ("点击（640，360）处。", "leak_coordinate"),
        ("Click at x=640, y=360.", "leak_coordinate"),
        ("Tap the coordinates 640, 360.", "leak_coordinate"),
        ("Scroll down by 300 px.", "leak_coordinate"),
        ("Scroll down 300 pixels.", "leak_coordinate"),
        ("Click #add-to-cart.", "leak_selector"),
        ("Click #addToCart.", "leak_selector"),
        ("Press button.primary in the header.", "leak_selector"),
        ("Click the .btn-primary below.", "leak_selector"),
        ("Click input[name=qty].", "leak_selector"),
        ("Use //button[text()='Save'].", "leak_selector"),
        ("Find it with the XPath shown.", "leak_selector"),
        ("Click what has aria-label Search.", "leak_selector"),
        ("Click the div under the title.", "leak_dom"),
        ("Click the <button> under the title.", "leak_dom"),
        ("Look into the DOM.", "leak_dom"),
        ("Click the input element.", "leak_dom"),
        ("Open the combobox Size.", "leak_dom"),
        ("Switch to the iframe.", "leak_dom"),
    ],
)
def test_leaks_are_named(guide: str, kind: str) -> None:
    assert kind in [fault.kind for fault in find_leaks(guide)]


@pytest.mark.parametrize(
    "guide",
    [
        "Set the quantity to 12.",
        "Open order #000000187 in the list.",
        "Click the number 2 below the list to go to page 2.",
        "Choose size 42 (EU) in the Size list.",
        "Mark 3 reviews as approved.",
        "Mark 5 stars in the rating row.",
        "Choose the price range $1,000 - $1,999 (1,234 items).",
        "The total (1,234) appears at the bottom.",
        "Type 12.50 into Price; the new total is 37.50.",
        "Enter the date 03/16/2026.",
        "Post the question in #general.",
        "Type 60.1699, 24.9384 into the search field.",
        "Open the file index.html.",
        "Write to support@shop.example.com for help.",
        "Visit www.example.com.",
        "Select the wing-span filter and then 24 mm.",
        "Type ISBN 978-0-13-110362-7.",
        "Add item 3 of 5 to the cart.",
        "Type the phone number (555) 010-2233.",
        "Open house number 12 on the map.",
        "Choose the label 'bug' and set weight 3.",
        "Compare the Pixel 7 with the Pixel 8.",
        "Select the table lamp in the list on the left.",
        "Use the button labelled Add to Cart at the right of the product.",
        "将数量设置为 12。",
        "The form at the top closes and a message appears.",
        "Click Next; the counter shows step 2 of 4.",
        "Rate it 4 out of 5.",
        "Check the box beside Order 000000012, then open Actions.",
        "Choose the sizes 38, 40 and 42.",
        "On March 3, 2026 (Tuesday), click Save.",
    ],
)
def test_ordinary_sentences_are_let_through(guide: str) -> None:
    assert find_leaks(guide) == ()


def test_what_the_page_itself_shows_is_no_leak() -> None:
    box = Box(x=0, y=0, width=1, height=1)
    page = Observation(url="", title="", texts=(TextLine(text="See the note [12] below", box=box),))
    assert find_leaks("Click the note [12].", page) == ()
    assert find_leaks("Click the note [13].", page) != ()
