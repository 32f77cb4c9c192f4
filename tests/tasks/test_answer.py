"""Form is forgiven, a second claim never is."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.tasks.checks.answer import check_answer, near_misses
from guideact.types import AnswerCheck


def passes(kind: str, expected: str | tuple[str, ...], answer: str, tolerance: float = 0) -> bool:
    values = (expected,) if isinstance(expected, str) else expected
    check = AnswerCheck.model_validate({"kind": kind, "expected": values, "tolerance": tolerance})
    return check_answer(check, answer).passed


SAME = [
    ("text", "Trail Tent", "trail tent"),
    ("text", "Trail Tent", "  “Trail   Tent”. "),
    ("text", "Trail Tent", "The answer is Trail Tent"),
    ("text", "Trail Tent", "The final answer: Trail Tent"),
    ("text", "Trail Tent", "The cheapest tent is Trail Tent."),
    ("text", "Trail Tent", "It's Trail Tent!"),
    ("text", "Trail Tent", "**Trail Tent**"),
    ("text", "Emma's Café", "EMMA’S CAFÉ"),
    ("text", "in stock", "In Stock"),
    ("text", "红色帐篷", "红色帐篷。"),
    ("text", "红色帐篷", "答案是红色帐篷"),
    ("text", "ＡＢＣ", "abc"),
    ("number", "1234", "1,234"),
    ("number", "12", "12.0"),
    ("number", "12", "There are 12 reviews."),
    ("number", "12", "twelve"),
    ("number", "12", "Order #187 has 12 items"),
    ("number", "12", "Order 000000187 has 12 items"),
    ("number", "1", "one"),
    ("number", "0", "None"),
    ("number", "0", "There are no reviews"),
    ("number", "-5", "−5"),
    ("number", "15", "15%"),
    ("number", "12", "共12条评论"),
    ("number", "12", "十二"),
    ("number", "120", "一百二十"),
    ("number", "12", "１２"),
    ("number", "4.5", "4.5 stars"),
    ("money", "1234", "$1,234.00"),
    ("money", "$1,234.00", "1234"),
    ("money", "1234", "USD 1,234"),
    ("money", "1234", "1,234.00 dollars"),
    ("money", "34.50", "The total of order 000000187 was $34.50."),
    ("money", "34.50", "$34.5"),
    ("money", "0", "$0.00"),
    ("money", "-5", "-$5.00"),
    ("money", "-5", "$-5.00"),
    ("money", "¥12", "12元"),
    ("date", "2026-03-16", "16 March 2026"),
    ("date", "2026-03-16", "March 16, 2026"),
    ("date", "2026-03-16", "Mar 16th, 2026"),
    ("date", "2026-03-16", "3/16/26"),
    ("date", "2026-03-16", "03/16/2026"),
    ("date", "2026-03-16", "16/3/2026"),
    ("date", "2026-03-16", "16.3.2026"),
    ("date", "2026-03-16", "2026/3/16"),
    ("date", "2026-03-16", "Monday, March 16, 2026 at 10:00 AM"),
    ("date", "2026-03-16", "2026-03-16T10:00:00"),
    ("date", "2026-03-16", "It arrived on the 16th of March 2026."),
    ("date", "2026-03-16", "2026年3月16日"),
    ("date", "2026-03-04", "3/4/2026"),
]


@pytest.mark.parametrize(("kind", "expected", "answer"), SAME)
def test_the_same_said_otherwise(kind: str, expected: str, answer: str) -> None:
    assert passes(kind, expected, answer)


DIFFERENT = [
    ("text", "Trail Tent", "Trail Tent or City Tent"),
    ("text", "Trail Tent", "Trail Tent, City Tent"),
    ("text", "Trail Tent", "Tent"),
    ("text", "Trail Tent", "It is not Trail Tent"),
    ("text", "Trail Tent", "not Trail Tent"),
    ("text", "Trail Tent", "City Tent, Dome Tent and the other is Trail Tent"),
    ("text", "Trail Tent", "Maybe it is Trail Tent"),
    ("text", "Trail Tent", ""),
    ("text", "Trail Tent", "..."),
    ("text", "红色帐篷", "蓝色帐篷"),
    ("number", "12", "12 or 13"),
    ("number", "12", "12 of 20"),
    ("number", "12", "not 12"),
    ("number", "12", "12, 13, 14"),
    ("number", "12", "12 or thirteen"),
    ("number", "12", "SKU A12"),
    ("number", "12", "1 2"),
    ("number", "1234", "1,23,4"),
    ("number", "12", "112"),
    ("number", "12", "十三"),
    ("number", "1.5", "15"),
    ("money", "1234", "€1,234"),
    ("money", "1234", "$1,234 or $1,235"),
    ("money", "34.50", "$34.50 or 35"),
    ("money", "34.50", "$34.5 €34.5"),
    ("money", "34.50", "$3450"),
    ("money", "12", "12元"),
    ("date", "2026-03-16", "March 16"),
    ("date", "2026-03-16", "March 16 or 17, 2026"),
    ("date", "2026-03-16", "2026-03-16 or 2026-03-17"),
    ("date", "2026-03-16", "Tuesday, March 16, 2026"),
    ("date", "2026-03-16", "March 2026"),
    ("date", "2026-03-04", "4/3/2026"),
    ("date", "2026-02-28", "2026-02-30"),
    ("date", "2026-03-16", "2025-03-16"),
]


@pytest.mark.parametrize(("kind", "expected", "answer"), DIFFERENT)
def test_something_else(kind: str, expected: str, answer: str) -> None:
    assert not passes(kind, expected, answer)


def test_one_of_several_expected_values_will_do() -> None:
    assert passes("text", ("Trail Tent", "Trail Tent (2 persons)"), "Trail Tent (2 persons)")
    assert not passes("text", ("Trail Tent", "City Tent"), "Trail Tent, City Tent")


def test_tolerance_is_in_the_units_of_the_kind() -> None:
    assert passes("number", "12", "13", tolerance=1)
    assert not passes("number", "12", "14", tolerance=1)
    assert passes("money", "12.00", "$12.01", tolerance=0.01)
    assert passes("date", "2026-03-16", "March 17, 2026", tolerance=1)
    assert not passes("date", "2026-03-16", "March 18, 2026", tolerance=1)


@pytest.mark.parametrize(
    "answer",
    [
        "Mug, Tent and Chair",
        "Mug, Tent, and Chair",
        '["Mug", "Tent", "Chair"]',
        "Mug\nTent\nChair",
        "- Mug\n- Tent\n- Chair",
        "1. Mug\n2. Tent\n3. Chair",
        "The items are: Mug, Tent, Chair.",
        "Items:\nMug\nTent\nChair",
        "Mug; Tent; Chair",
        "Mug、Tent、Chair",
        "MUG，TENT，CHAIR",
    ],
)
def test_lists_in_many_notations(answer: str) -> None:
    assert passes("list", ("Mug", "Tent", "Chair"), answer)
    assert passes("set", ("Chair", "Mug", "Tent"), answer)
    assert not passes("list", ("Chair", "Mug", "Tent"), answer)
    assert not passes("set", ("Mug", "Tent"), answer)
    assert not passes("set", ("Mug", "Tent", "Chair", "Lamp"), answer)


def test_items_may_hold_commas_and_conjunctions() -> None:
    items = ("Salt and Pepper Set", "Tent, red")
    assert passes("set", items, "Tent, red and Salt and Pepper Set")
    assert passes("list", items, "Salt and Pepper Set, Tent, red")
    assert not passes("list", items, "Tent, red, Salt and Pepper Set")


def test_items_are_compared_as_what_they_are() -> None:
    assert passes("list", ("$12.00", "$1,300.50"), "12; 1300.5")
    assert passes("set", ("2026-03-16", "2026-04-01"), "April 1, 2026; March 16, 2026")
    assert not passes("list", ("$12.00", "$13.00"), "$13.00; $12.00")


def test_a_set_does_not_mind_a_repeated_item_and_a_list_does() -> None:
    assert passes("set", ("a", "b"), "a, b, a")
    assert not passes("list", ("a", "b"), "a, b, a")


def test_a_reason_names_the_answer() -> None:
    part = check_answer(AnswerCheck(kind="number", expected=("12",)), "13")
    assert part.reason == "answer '13' is not the expected number"


names = st.from_regex(r"[A-Z][a-z]{2,8}( [A-Z][a-z]{2,8}){0,2}", fullmatch=True)


@given(st.integers(min_value=-(10**9), max_value=10**9))
def test_any_whole_number_survives_thousands_separators(value: int) -> None:
    assert passes("number", str(value), f"It is {value:,}.")
    assert not passes("number", str(value), f"{value + 1:,}")


@given(st.integers(min_value=0, max_value=10**9))
def test_any_amount_survives_its_usual_form(cents: int) -> None:
    shown = f"${cents // 100:,}.{cents % 100:02}"
    assert passes("money", str(cents / 100), shown)
    assert passes("money", shown, f"{cents / 100:.2f}")
    assert not passes("money", shown, f"${(cents + 1) // 100:,}.{(cents + 1) % 100:02}")


@given(st.dates(min_value=date(1970, 1, 1), max_value=date(2068, 12, 31)))
def test_any_date_survives_its_usual_forms(day: date) -> None:
    for shown in (
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day:%A}, {day:%B} {day.day}, {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        assert passes("date", day.isoformat(), shown), shown


@given(st.lists(names, min_size=1, max_size=5, unique=True), st.data())
def test_any_order_is_the_same_set_and_only_its_own_the_same_list(items: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(items))
    assert passes("set", tuple(items), ", ".join(shuffled))
    assert passes("list", tuple(items), "\n".join(shuffled)) == (shuffled == items)


@given(
    st.one_of(
        st.tuples(st.just("text"), st.tuples(names)),
        st.tuples(st.just("number"), st.tuples(st.integers(0, 10**6).map(str))),
        st.tuples(st.just("money"), st.tuples(st.integers(0, 10**6).map(lambda cents: f"{cents / 100:.2f}"))),
        st.tuples(st.just("date"), st.tuples(st.dates(date(1970, 1, 1), date(2060, 1, 1)).map(date.isoformat))),
        st.tuples(st.sampled_from(["list", "set"]), st.lists(names, min_size=1, max_size=4, unique=True).map(tuple)),
    )
)
def test_every_near_miss_is_a_miss(case: tuple[str, tuple[str, ...]]) -> None:
    kind, expected = case
    check = AnswerCheck.model_validate({"kind": kind, "expected": expected})
    separator = "; "
    assert check_answer(check, separator.join(expected)).passed
    for wrong in near_misses(check):
        assert not check_answer(check, wrong).passed, wrong
