"""The five-key answer: every action survives, what models really send is read, the rest is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.actions import KEYS, format_answer, parse_answer
from guideact.types import (
    Action,
    Click,
    Finish,
    GoBack,
    Grounding,
    Mark,
    Point,
    PressEnter,
    Scroll,
    Select,
    Type,
    Viewport,
)

VIEWPORT = Viewport()


def targets(grounding: Grounding) -> st.SearchStrategy[Mark] | st.SearchStrategy[Point]:
    if grounding == "som":
        return st.builds(Mark, mark=st.integers(1, 400))
    return st.builds(Point, x=st.floats(0, VIEWPORT.width), y=st.floats(0, VIEWPORT.height))


def actions(grounding: Grounding) -> st.SearchStrategy[Action]:
    target = targets(grounding)
    text = st.text()
    return st.one_of(
        st.builds(Click, target=target),
        st.builds(Type, target=target, text=text),
        st.builds(Select, target=target, option=text.filter(lambda option: bool(option.strip()))),
        st.builds(
            Scroll, direction=st.sampled_from(["up", "down", "left", "right"]), target=st.one_of(st.none(), target)
        ),
        st.just(PressEnter()),
        st.just(GoBack()),
        st.builds(Finish, answer=text),
    )


@pytest.mark.parametrize("grounding", ["som", "coord"])
@given(data=st.data(), order=st.permutations(KEYS))
def test_every_action_survives_format_and_parse(grounding: Grounding, data: st.DataObject, order: list[str]) -> None:
    action = data.draw(actions(grounding))
    guide = data.draw(st.text().filter(lambda text: bool(text.strip())))
    think = data.draw(st.text())
    answer = parse_answer(
        format_answer(action, guide, think, grounding, order), grounding, viewport=VIEWPORT, marks=400, order=order
    )
    assert answer.faults == ()
    assert answer.action == action
    assert answer.guide == guide.strip()
    assert answer.think == think


@given(data=st.data(), before=st.text(alphabet="abc {}'\"[]:,\n"), after=st.text(alphabet="abc ,.\n"))
def test_an_answer_survives_talk_around_it(data: st.DataObject, before: str, after: str) -> None:
    action = data.draw(actions("som"))
    text = format_answer(action, "Do this.", grounding="som")
    answer = parse_answer(f"```json\n{text}\n```\n{after}", "som")
    assert answer.action == action
    parse_answer(before + text + after, "som")  # whatever stands before, reading never raises


@given(st.text())
def test_any_text_is_read_without_raising(text: str) -> None:
    answer = parse_answer(text, "som")
    assert answer.faults or answer.action is not None


def test_the_keys_come_in_the_order_asked_for() -> None:
    order = ("guide", "think", "action", "target", "value")
    text = format_answer(Click(target=Mark(mark=3)), "Open it.", order=order)
    assert tuple(json.loads(text)) == order


def test_a_label_with_the_other_groundings_target_is_refused() -> None:
    with pytest.raises(ValueError, match="grounding som"):
        format_answer(Click(target=Point(x=1, y=2)), "Open it.", grounding="som")


def forgiven(text: str, grounding: Grounding = "som") -> Action:
    answer = parse_answer(text, grounding, viewport=VIEWPORT, marks=99)
    assert answer.faults == (), answer.faults
    assert answer.action is not None
    return answer.action


@pytest.mark.parametrize(
    "text",
    [
        '{"think": "", "action": "click", "target": [12], "value": null, "guide": "Go."}',
        '```json\n{"action": "click", "target": [12], "guide": "Go."}\n```',
        'Sure! Here is it: {"action": "click", "target": 12, "guide": "Go."} Hope it helps.',
        "{'action': 'click', 'target': [12], 'value': None, 'guide': 'Go.'}",
        "{'action': 'click', 'target': '12', 'value': null, 'guide': 'Open the customer's page.'}",
        '{"action": "click", "target": "[12]", "value": null, "guide": "Go.",}',
        '{"action": "click", "target": [12,], "value": null, "guide": "Go."}',
        '{"action": "Click", "target": 12.0, "guide": "Go."}',
        '{"action": "click", "target": ["12"], "guide": "Go."}',
        '{"action": "click", "target": [[12]], "guide": "Go."}',
        '{"action": "click", "target": {"mark": 12}, "guide": "Go."}',
        '{"Action": "click", "Target": 12, "Guide": "Go."}',
        '{"action": "click", "target": 12, "guide": "Choose "Save" below."}',
        '{"action": "click", "target": 12, "guide": "Two\nlines."}',
        '<think>maybe {"action": "finish", "guide": "x"}?</think>{"action": "click", "target": 12, "guide": "Go."}',
        'set {x} then {"action": "click", "target": 12, "guide": "Go {now}."}',
    ],
)
def test_what_models_really_send_is_read(text: str) -> None:
    assert forgiven(text) == Click(target=Mark(mark=12))


@pytest.mark.parametrize(
    "target", ["[640, 360]", '"640, 360"', '"(640, 360)"', '["640", "360"]', '{"x": 640, "y": 360}']
)
def test_points_in_every_dress(target: str) -> None:
    assert forgiven(f'{{"action": "click", "target": {target}, "guide": "Go."}}', "coord") == Click(
        target=Point(x=640, y=360)
    )


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"action": "press enter", "guide": "Go."}', PressEnter()),
        ('{"action": "goBack", "target": null, "guide": "Go."}', GoBack()),
        ('{"action": "type", "target": 3, "value": 12, "guide": "Go."}', Type(target=Mark(mark=3), text="12")),
        ('{"action": "type", "target": 3, "value": "", "guide": "Go."}', Type(target=Mark(mark=3), text="")),
        ('{"action": "scroll", "value": "Down", "guide": "Go."}', Scroll(direction="down")),
        ('{"action": "finish", "value": ["a", "b"], "guide": "Go."}', Finish(answer='["a", "b"]')),
        ('{"action": "finish", "value": 42, "guide": "Go."}', Finish(answer="42")),
        ('{"action": "finish", "guide": "Go."}', Finish(answer="")),
    ],
)
def test_values(text: str, action: Action) -> None:
    assert forgiven(text) == action


def test_a_comma_before_a_bracket_inside_a_string_stays() -> None:
    text = '{"action": "type", "target": 3, "value": "a,] b,}", "guide": "Go.",}'
    assert forgiven(text) == Type(target=Mark(mark=3), text="a,] b,}")


@pytest.mark.parametrize(
    ("text", "grounding", "kind", "part"),
    [
        ("", "som", "not_json", "empty"),
        ("click on the button", "som", "not_json", "no JSON object"),
        ('{"action": "click", "target": [12], "gui', "som", "not_json", "cut off"),
        ('{"verb": "click"}', "som", "not_json", "key action"),
        ('{"action": null, "guide": "Go."}', "som", "missing_key", "action"),
        ('{"action": "tap", "target": 1, "guide": "Go."}', "som", "unknown_verb", "tap"),
        ('{"action": "click", "guide": "Go."}', "som", "bad_target", "missing"),
        ('{"action": "click", "target": 0, "guide": "Go."}', "som", "bad_target", "no mark 0"),
        ('{"action": "click", "target": 100, "guide": "Go."}', "som", "bad_target", "1 to 99"),
        ('{"action": "click", "target": 1.5, "guide": "Go."}', "som", "bad_target", "1.5"),
        ('{"action": "click", "target": true, "guide": "Go."}', "som", "bad_target", "True"),
        ('{"action": "click", "target": "the button", "guide": "Go."}', "som", "bad_target", "the button"),
        ('{"action": "click", "target": [640, 360], "guide": "Go."}', "som", "wrong_grounding", "point"),
        ('{"action": "click", "target": [12], "guide": "Go."}', "coord", "wrong_grounding", "mark"),
        ('{"action": "click", "target": [1441, 2], "guide": "Go."}', "coord", "bad_target", "1440x900"),
        ('{"action": "click", "target": [-1, 2], "guide": "Go."}', "coord", "bad_target", "outside"),
        ('{"action": "click", "target": [NaN, 2], "guide": "Go."}', "coord", "bad_target", "point"),
        ('{"action": "click", "target": [1, 2, 3], "guide": "Go."}', "coord", "bad_target", "point"),
        ('{"action": "type", "target": 1, "guide": "Go."}', "som", "bad_value", "text"),
        ('{"action": "select", "target": 1, "value": " ", "guide": "Go."}', "som", "bad_value", "empty"),
        ('{"action": "scroll", "value": "sideways", "guide": "Go."}', "som", "bad_value", "sideways"),
        ('{"action": "go_back", "guide": ""}', "som", "no_guide", "guide"),
    ],
)
def test_what_cannot_be_forgiven_is_named(text: str, grounding: Grounding, kind: str, part: str) -> None:
    answer = parse_answer(text, grounding, viewport=VIEWPORT, marks=99)
    assert [fault.kind for fault in answer.faults] == [kind]
    assert part in answer.faults[0].detail
    if kind != "no_guide":
        assert answer.action is None


def test_a_guide_is_not_missed_where_the_arm_has_none() -> None:
    order = ("think", "action", "target", "value")
    answer = parse_answer('{"action": "go_back"}', "som", order=order)
    assert answer.action == GoBack()
    assert answer.faults == ()


@pytest.mark.parametrize(
    "text",
    [
        "{" * 20_000,
        "{'\"a, " * 5_000,
        "{" * 500 + "'\"\\" * 5_000,
        '{"' * 20_000,
        "{'a': '" * 5_000,
        '{"action": "click", "target": "1' + " " * 50_000 + '"}',
        "\\" * 50_000 + '"',
        '"' + " " * 50_000 + '"' + " " * 50_000,
    ],
)
def test_a_degenerate_answer_is_given_up_on_soon(text: str) -> None:
    # A quadratic reading of these takes minutes, and a run would stand still: what is tested is that it ends.
    assert parse_answer(text, "som").action is None


def test_an_answer_after_braces_that_never_close_is_still_found() -> None:
    text = "{" * 50 + ' it\'s {"x": ' + '{"action": "click", "target": 12, "guide": "Go."}'
    assert forgiven(text) == Click(target=Mark(mark=12))


def test_half_a_character_becomes_the_sign_for_a_missing_one() -> None:
    answer = parse_answer(r'{"action": "finish", "value": "a\ud83d", "guide": "Lone \ud83d here."}', "som")
    assert answer.guide == "Lone \ufffd here."
    assert answer.action == Finish(answer="a\ufffd")
    assert answer.model_dump_json()


@pytest.mark.parametrize("target", ["1" + "0" * 400, '"1' + "0" * 90 + '"', "1e400", "-1e300", f"[{'9' * 400}, 3]"])
def test_numbers_beyond_any_screen_are_no_target(target: str) -> None:
    for grounding in ("som", "coord"):
        answer = parse_answer(f'{{"action": "click", "target": {target}, "guide": "Go."}}', grounding)
        assert answer.action is None
        assert answer.faults
