"""Lines of JSON are told by line feeds alone."""

from __future__ import annotations

import json

from guideact.jsonl import numbered_lines


def test_a_string_may_hold_what_python_breaks_lines_at() -> None:
    odd = {"guide": "one\u2028two\x85three\x1cfour"}
    text = f"{json.dumps(odd, ensure_ascii=False)}\n\n  \n{json.dumps({})}\n"
    assert len(text.splitlines()) > 4
    assert [(number, json.loads(line)) for number, line in numbered_lines(text)] == [(1, odd), (4, {})]
