"""What harnesses get wrong when they act, as their users report it; each test is named after the symptom."""

from __future__ import annotations

import asyncio

import pytest

from guideact.browser.execute import held
from guideact.types import Click, Mark, Point, PressEnter, Scroll, Select, Type
from tests.browser.conftest import Hand, code

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_click_by_coordinates_opens_a_native_select_whose_list_cannot_be_seen(hand: Hand) -> None:
    await hand.open("select.html")
    point = hand.point("Sort by")
    assert await hand.do(Click(target=point)) is None
    assert "focused" in hand.find("Sort by").states
    assert "Sort by" in hand.seen.notices[0]
    assert await hand.do(Select(target=point, option="price: low to high ")) is None
    assert hand.find("Sort by").value == "Price: low to high"
    assert hand.text().endswith("input:low change:low")


async def test_both_groundings_select_the_same(hand: Hand) -> None:
    for grounding in ("mark", "point"):
        await hand.open("select.html")
        target: Mark | Point = hand.mark("Sort by") if grounding == "mark" else hand.point("Sort by")
        assert await hand.do(Select(target=target, option="low")) is None  # by value
        assert hand.find("Sort by").value == "Price: low to high"


async def test_an_option_that_is_not_there_names_those_that_are(hand: Hand) -> None:
    await hand.open("select.html")
    outcome = await hand.choose("Sort by", "Cheapest")
    assert outcome is not None
    assert outcome.code == "option_missing"
    assert '"Newest first", "Price: low to high"' in outcome.detail
    assert code(await hand.choose("Sort by", "Price: high to low")) == "disabled"


async def test_a_list_for_several_options_keeps_those_already_chosen(hand: Hand) -> None:
    await hand.open("select.html")
    assert "multiselect" in hand.find("Sizes").states
    await hand.choose("Sizes", "S")
    await hand.choose("Sizes", "L")
    assert hand.find("Sizes").value == "S, L"


async def test_a_select_that_the_page_puts_back_is_reported(hand: Hand) -> None:
    await hand.open("select.html")
    assert code(await hand.choose("Stubborn", "Blue")) == "value_reverted"


async def test_a_control_that_leads_to_another_page_may_go_back_while_that_page_is_on_its_way(hand: Hand) -> None:
    for name, value in (("Go to", "There"), ("Day", "2026-05-06"), ("Code", "abc")):
        await hand.open("leads.html")
        assert await (hand.choose(name, value) if name == "Go to" else hand.type(name, value)) is None
        assert hand.seen.title == "Slow"
    # The browser mostly holds the question back until the next page is there. Here it is asked with the act, and would
    # raise if the field that went back were taken for a refusal.
    await hand.open("leads.html")
    tab = hand.session._active
    assert tab is not None
    [day] = [element for (_, element), one in hand.session.seen_by_element().items() if one.name == "Day"]
    async with asyncio.TaskGroup() as both:
        both.create_task(tab.call(tab.main, "assign", day, "2026-05-06"))
        both.create_task(held(tab, tab.main, "taken", day, "2026-05-06"))


async def test_a_value_set_without_events_or_put_back_by_the_framework(hand: Hand) -> None:
    await hand.open("reverts.html")
    assert await hand.type("Listened", "abc") is None
    assert hand.text().split()[-3:] == ["input", "keyup", "change"]
    assert code(await hand.type("Put back", "new")) == "value_reverted"
    assert await hand.type("Masked", "5551234567") is None
    assert hand.find("Masked").value == "(555) 123-4567"
    assert code(await hand.type("Short", "too long")) == "value_reverted"


async def test_change_fires_once_even_after_the_field_is_left(hand: Hand) -> None:
    await hand.open("reverts.html")
    await hand.type("Listened", "abc")
    await hand.click("Short")
    assert hand.text().split().count("change") == 1


async def test_a_custom_list_is_opened_and_its_option_clicked(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("Colour", "green") is None
    assert "colour:Green" in hand.text()
    outcome = await hand.choose("Colour", "Purple")
    assert outcome is not None
    assert outcome.code == "option_missing"
    assert '"Red", "Green", "Blue"' in outcome.detail
    assert code(await hand.choose("Colour", "Blue")) == "disabled"


async def test_a_custom_list_by_point(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.do(Select(target=hand.point("Colour"), option="Red")) is None
    assert "colour:Red" in hand.text()


async def test_a_virtualised_list_is_scrolled_to_the_option(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("Row", "Row 200") is None
    assert "row:Row 200" in hand.text()


async def test_a_select_hidden_behind_a_widget(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("Country", "Norway") is None
    assert "country:Norway" in hand.text()


async def test_a_widget_that_opens_no_list_hands_over_to_the_select_it_hides(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("Silent", "Two") is None
    assert "plain:Two" in hand.text()


async def test_a_list_without_any_roles(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("Choose a month", "February") is None
    assert "month:February" in hand.text()


async def test_a_list_that_appears_while_one_types(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("City", "Tampere") is None
    assert "city:Tampere" in hand.text()


async def test_a_datalist_and_a_radio_group(hand: Hand) -> None:
    await hand.open("combobox.html")
    assert await hand.choose("Browser", "firefox") is None
    assert hand.find("Browser").value == "Firefox"
    assert code(await hand.choose("Browser", "Lynx")) == "option_missing"
    assert code(await hand.choose("Plain", "x")) == "not_a_select"


async def test_a_neighbour_covers_the_target_and_other_points_are_tried(hand: Hand) -> None:
    await hand.open("covered.html")
    assert await hand.click("Half covered") is None
    assert "half" in hand.text()


async def test_what_covers_the_target_is_named(hand: Hand) -> None:
    await hand.open("covered.html")
    target = hand.mark("Wholly covered")
    await hand.session.active_page.evaluate("panel.style.display = 'block'")
    outcome = await hand.do(Click(target=target))
    assert outcome is not None
    assert outcome.code == "covered"
    assert 'div "Chat"' in outcome.detail
    assert "whole" not in hand.text()


async def test_a_cookie_banner_is_named_as_such(hand: Hand) -> None:
    await hand.open("covered.html")
    target = hand.mark("Behind the banner")
    await hand.session.active_page.evaluate("document.getElementById('cookie-banner').style.display = 'block'")
    outcome = await hand.do(Click(target=target))
    assert outcome is not None
    assert outcome.code == "covered"
    assert "a cookie banner" in outcome.detail
    assert "We use cookies" in outcome.detail


@pytest.mark.parametrize("name", ["Drawn by its label", "Deaf to the mouse", "Only a label", "Ordinary"])
async def test_a_checkbox_that_ignores_clicks_while_its_label_works(hand: Hand, name: str) -> None:
    await hand.open("checkbox.html")
    assert "unchecked" in hand.find(name, "checkbox").states
    assert await hand.click(name, "checkbox") is None
    assert "checked" in hand.find(name, "checkbox").states
    assert await hand.click(name, "checkbox") is None
    assert "unchecked" in hand.find(name, "checkbox").states


async def test_a_checkbox_that_ignores_clicks_by_point(hand: Hand) -> None:
    await hand.open("checkbox.html")
    assert await hand.do(Click(target=hand.point("Deaf to the mouse"))) is None
    assert "checked" in hand.find("Deaf to the mouse").states


async def test_a_radio_button(hand: Hand) -> None:
    await hand.open("checkbox.html")
    await hand.click("Second")
    assert "checked" in hand.find("Second").states
    assert "unchecked" in hand.find("First").states


async def test_a_wrapped_link_whose_centre_is_empty(hand: Hand) -> None:
    await hand.open("wrapped.html")
    for name, end in (("read more", "#wrapped"), ("go on", "#sparse")):
        assert await hand.click(name) is None
        assert hand.seen.url.endswith(end)


@pytest.mark.parametrize(
    "text", ["漢字かな交じり文", "日本語 😀👩‍👩‍👧", "Acme™ ½ – “quoted”", "Ünïcödé Ελληνικά العربية", ""]
)
async def test_typing_that_knows_only_a_key_table(hand: Hand, text: str) -> None:
    await hand.open("typing.html")
    assert await hand.type("Text", text) is None
    assert hand.find("Text").value == text


async def test_typing_into_every_kind_of_field(hand: Hand) -> None:
    await hand.open("typing.html")
    for name, text, value in (
        ("Notes", "two\nlines", "two\nlines"),
        ("Letter", "Dear all of you", "Dear all of you"),
        ("Day", "2026-03-16", "2026-03-16"),
        ("Day", "4/5/2026", "2026-04-05"),
        ("Day", "6 May 2026", "2026-05-06"),
        ("Time", "14:30", "14:30"),
        ("Count", "12", "12"),
        ("Volume", "7", "7"),
        ("Colour", "#ff8800", "#ff8800"),
    ):
        assert await hand.type(name, text) is None, name
        assert hand.find(name).value == value
    log = hand.text()
    assert "day:input day:change" in log
    assert "volume:input volume:change" in log


async def test_a_field_that_cannot_hold_the_text_says_what_it_takes(hand: Hand) -> None:
    await hand.open("typing.html")
    outcome = await hand.type("Day", "soon")
    assert outcome is not None
    assert outcome.code == "value_reverted"
    assert "YYYY-MM-DD" in outcome.detail
    assert code(await hand.type("Volume", "70")) == "value_reverted"


async def test_typing_by_point_and_through_a_wrapper(hand: Hand) -> None:
    await hand.open("typing.html")
    assert await hand.do(Type(target=hand.point("Text"), text="by point")) is None
    assert hand.find("Text").value == "by point"
    assert await hand.type("Wrapper", "inside") is None
    assert hand.find("Search here").value == "inside"


async def test_enter_submits_where_the_focus_is(hand: Hand) -> None:
    await hand.open("typing.html")
    await hand.type("Text", "sent")
    assert await hand.do(PressEnter()) is None
    assert hand.seen.url.endswith("typing.html?text=sent")


async def test_timeouts_as_the_only_error(hand: Hand) -> None:
    await hand.open("typing.html")
    assert code(await hand.type("Fixed", "x")) == "not_editable"
    assert code(await hand.type("Off", "x")) == "disabled"
    assert code(await hand.click("Off")) == "disabled"
    assert code(await hand.type("Button", "x")) == "not_editable"
    assert code(await hand.do(Click(target=Mark(mark=999)))) == "no_such_mark"
    assert code(await hand.do(Click(target=Point(x=5000, y=1)))) == "off_page"
    assert code(await hand.choose("Text", "x")) == "not_a_select"
    await hand.open("changing.html")
    target = hand.mark("Will go")
    await hand.session.active_page.evaluate("gone.remove()")
    assert code(await hand.do(Click(target=target))) == "gone"
    target = hand.mark("Drop the frame")
    await hand.session.goto(hand.site.url("typing.html"))
    assert code(await hand.do(Click(target=target))) == "stale_mark"


async def test_a_sticky_header_hides_the_target_after_scrolling(hand: Hand) -> None:
    await hand.open("sticky.html")
    await hand.session.active_page.evaluate("scrollTo(0, 1400)")
    await hand.look()
    target = hand.mark("Far down")
    await hand.session.active_page.evaluate("scrollTo(0, 2110)")  # right under the header
    assert await hand.do(Click(target=target)) is None
    assert "clicked" in hand.text()


async def test_scroll_moves_what_is_under_the_target(hand: Hand) -> None:
    await hand.open("scrolling.html")
    assert "scrollable" in hand.find("Results").states
    assert "Item 6" not in hand.names()
    assert await hand.do(Scroll(direction="down", target=hand.mark("Item 1"))) is None
    assert hand.seen.scroll.y == 0
    assert "Item 6" in hand.names()
    assert "Item 0" not in hand.names()
    assert await hand.do(Scroll(direction="up", target=hand.point("Item 6"))) is None
    assert "Item 0" in hand.names()
    assert await hand.do(Scroll(direction="right", target=hand.mark("Wide"))) is None
    assert await hand.do(Scroll(direction="down")) is None
    assert hand.seen.scroll.y == pytest.approx(720)


async def test_scroll_at_the_end_says_so(hand: Hand) -> None:
    await hand.open("scrolling.html")
    await hand.do(Scroll(direction="up"))
    assert hand.seen.notices == ("Nothing scrolled up: it is at its end.",)


async def test_scroll_of_a_page_whose_main_part_scrolls(hand: Hand) -> None:
    await hand.open("inner.html")
    assert "Four" not in hand.text()
    await hand.do(Scroll(direction="down"))
    assert "Four" in hand.text()
