"""A model with recorded answers, behind an endpoint that speaks chat completions: a script of steps for each request.

It finds its targets in the menu that it is sent, by their names, as a model would. Asked as `judge`, it gives a verdict
by the last two words of the reference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from guideact.actions import format_answer
from guideact.types import Action, Click, Finish, GoBack, Mark, PressEnter, Select, Type
from tests.models.endpoint import Behaviour
from tests.models.wire import completion

Script = tuple[tuple[str, ...], ...]
"""Steps: (verb, name of the target, value)."""


def answering(scripts: Mapping[str, Script]) -> Behaviour:
    """Answers requests by the script of their task, which the first line of the task names."""

    async def respond(request: Request) -> Response:
        body = json.loads(await request.body())
        user = _text(body["messages"][-1])
        if body["model"] == "judge" and "Reference: " in user:
            return JSONResponse(completion(_verdict(user)))
        task = re.search(r"^Task: (.*)$", user, re.MULTILINE)
        if task is None:
            return JSONResponse(completion("yes"))
        steps = int(re.findall(r"^Steps so far: (\d+)$", user, re.MULTILINE)[0])
        return JSONResponse(completion(_answer(scripts[task[1]][steps], user)))

    return respond


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _answer(step: tuple[str, ...], prompt: str) -> str:
    verb, *words = step
    action: Action
    match verb, words:
        case "click", [name]:
            action = Click(target=_mark(name, prompt))
        case "type", [name, text]:
            action = Type(target=_mark(name, prompt), text=text)
        case "select", [name, option]:
            action = Select(target=_mark(name, prompt), option=option)
        case "enter", []:
            action = PressEnter()
        case "back", []:
            action = GoBack()
        case _:
            action = Finish(answer=words[0] if words else "")
    return format_answer(action, "Do what the page offers here.")


def _mark(name: str, prompt: str) -> Mark:
    lines = re.findall(r'^\[(\d+)\] \w+ "((?:[^"\\]|\\.)*)"', prompt, re.MULTILINE)
    return Mark(mark=next(int(mark) for mark, found in lines if name in found))


def _verdict(prompt: str) -> str:
    told = {key: json.loads(value) for key, value in re.findall(r'^(\w+): (".*")$', prompt, re.MULTILINE)}
    right = all(word in told["Answer"] for word in told["Reference"].split()[-2:])
    return json.dumps({"reason": "by its last words", "verdict": "correct" if right else "incorrect"})
