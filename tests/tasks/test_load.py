"""A task file either loads or says in one line what to mend, and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guideact.errors import InputError
from guideact.tasks.load import load_tasks

GOOD: dict[str, Any] = {
    "id": "mine.1",
    "intent": "What does the tent cost?",
    "sites": ["shopping"],
    "start_url": "__SHOPPING__/",
    "check": {"answer": {"kind": "money", "expected": ["12.00"]}},
}


def test_the_three_notations_give_the_same_tasks(tmp_path: Path) -> None:
    second = {**GOOD, "id": "mine.2"}
    (tmp_path / "a.json").write_text(json.dumps({"tasks": [GOOD, second]}))
    (tmp_path / "b.json").write_text(json.dumps([GOOD, second]))
    (tmp_path / "c.jsonl").write_text(json.dumps(GOOD) + "\n\n" + json.dumps(second) + "\n")
    (tmp_path / "d.toml").write_text(
        "\n".join(
            f"""
[[tasks]]
id = "{name}"
intent = "What does the tent cost?"
sites = ["shopping"]
start_url = "__SHOPPING__/"
[tasks.check.answer]
kind = "money"
expected = ["12.00"]
"""
            for name in ("mine.1", "mine.2")
        )
    )
    loaded = [load_tasks(path) for path in sorted(tmp_path.iterdir())]
    assert len(loaded) == 4
    assert all(tasks == loaded[0] for tasks in loaded)
    assert [task.id for task in loaded[0]] == ["mine.1", "mine.2"]


def with_change(**change: Any) -> dict[str, Any]:
    return {**GOOD, "check": {"state": [{"site": "shopping", "required": [change]}]}}


BAD = [
    ({**GOOD, "intend": "x"}, "task 1 (mine.1): unknown field 'intend'. Did you mean 'intent'?"),
    (
        {**GOOD, "check": {"answer": {"kind": "money", "expects": []}}},
        "task 1 (mine.1): the field 'check.answer.expected' is missing, and 'expects' is unknown. "
        "Did you mean 'expected'?",
    ),
    (
        {("strat_url" if key == "start_url" else key): value for key, value in GOOD.items()} | {"note": "x"},
        "task 1 (mine.1): the field 'start_url' is missing, and 'strat_url' is unknown. Did you mean 'start_url'?",
    ),
    (
        {**GOOD, "note": "x", "check": {"answer": {"kind": "money"}}},
        "task 1 (mine.1): the field 'check.answer.expected' is missing. Add it.",
    ),
    (
        with_change(op="insert", tabel="cart"),
        "the field 'check.state.0.required.0.table' is missing, and 'tabel' is unknown. Did you mean 'table'?",
    ),
    (
        {**GOOD, "check": {"answer": {"kind": "money", "expected": [], "tolerence": 1}}},
        "task 1 (mine.1): unknown field 'check.answer.tolerence'. Did you mean 'tolerance'?",
    ),
    (
        with_change(table="cart", op="insert", vaules={}),
        "task 1 (mine.1): unknown field 'check.state.0.required.0.vaules'. Did you mean 'values'?",
    ),
    ({**GOOD, "sites": ["shoping"]}, "task 1 (mine.1): unknown site 'shoping'. Did you mean 'shopping'?"),
    ({**GOOD, "logins": {"nowhere": "x"}}, "unknown site 'nowhere'. Sites: shopping, shopping_admin"),
    (
        {**GOOD, "logins": {"shopping_admin": "admin"}},
        "task 1 (mine.1): logins names shopping_admin, which is none of the task's sites.",
    ),
    ({**GOOD, "id": "a" * 201}, "field 'id': String should have at most 200 characters"),
    (
        {**GOOD, "check": {"answer": {"kind": "number", "expected": ["12", "a dozen boxes"]}}},
        "task 1 (mine.1): check.answer.expected: 'a dozen boxes' is no number.",
    ),
    ({**GOOD, "check": {"answer": {"kind": "date", "expected": ["tomorrow"]}}}, "'tomorrow' is no date."),
    ({**GOOD, "check": {"answer": {"kind": "list", "expected": ["a", " "]}}}, "an item of the list is empty."),
    (
        {**GOOD, "start_url": "http://shopping.localhost/"},
        "start_url 'http://shopping.localhost/' is on none of the task's sites. Begin it with __SHOPPING__/.",
    ),
    ({**GOOD, "start_url": "__SHOPPING_ADMIN__/"}, "is on none of the task's sites"),
    ({**GOOD, "id": "Mine 1"}, "field 'id': String should match pattern"),
    ({key: value for key, value in GOOD.items() if key != "intent"}, "the field 'intent' is missing"),
    (["not a task"], "task 1: a task is an object, not list. Wrap it in braces."),
    (
        with_change(table="address", op="update", where={"customer_id": 1}, values={"city": "Turku"}),
        "check.state.0.required.0.where names customer_id, which the update does not change. Identify the row by id.",
    ),
    (
        {**GOOD, "check": {}},
        "task 1 (mine.1): nothing is checked, so an agent that does nothing would succeed. "
        "Give the check at least one of answer, judge, url, page, state.",
    ),
    ({key: value for key, value in GOOD.items() if key != "check"}, "task 1 (mine.1): nothing is checked"),
    (
        {**GOOD, "check": {"answer": {"expected": []}}},
        "task 1 (mine.1): check.answer.expected is empty. Give at least one value.",
    ),
    (
        with_change(table="adress", op="insert"),
        "check.state.0.required.0.table: there is no table 'adress'. Did you mean 'address'?",
    ),
]


@pytest.mark.parametrize(("record", "message"), BAD)
def test_a_wrong_task_names_the_field_and_the_fix(tmp_path: Path, record: Any, message: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([record]))
    with pytest.raises(InputError) as caught:
        load_tasks(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_that_is_not_called_id_identifies_an_update(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    record = with_change(table="setting", op="update", where={"key": "tax.rate_percent"}, values={"value": "24"})
    path.write_text(json.dumps([record]))
    assert len(load_tasks(path)) == 1


def test_an_id_twice(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps(GOOD) + "\n")
    with pytest.raises(InputError, match=r"line 2: the id 'mine.1' was used by line 1\. Rename one"):
        load_tasks(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'[\n  {"id": }\n]', "line 2, column 10: Expecting value"),
        ("a.jsonl", b'\n{"id": }', "line 2, column 8: Expecting value"),
        ("a.toml", b"[[tasks]]\nid = ", "is no TOML: Invalid value (at"),
        ("a.json", b"[]", "holds no task"),
        ("a.json", b'{"task": []}', "holds no list of tasks"),
        ("a.yaml", b"", "has no known ending. Use .json, .jsonl or .toml."),
        ("a.json", b"[" * 100_000, "nested too deeply to be read. Nest them less."),
        ("a.toml", b"a = " + b"[" * 100_000, "nested too deeply to be read. Nest them less."),
        ("a.jsonl", b"\n" + b"1" * 5000, "line 2: a number has too many digits to be read."),
        ("a.toml", b"a = " + b"1" * 5000, "a number has too many digits to be read."),
        ("a.json", b"\xff\xfe", "is not UTF-8 (byte 0). Save it as UTF-8."),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_tasks(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_line_ends_where_json_says_and_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    record = {**GOOD, "intent": "One\u2028Two\x85Three"}
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(record, ensure_ascii=False).encode() + b"\r\n")
    assert [task.intent for task in load_tasks(path)] == [record["intent"]]


def test_no_such_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no task file"):
        load_tasks(tmp_path / "none.json")
    with pytest.raises(InputError, match="is a folder"):
        load_tasks(tmp_path)
