"""Chrome DevTools Recorder: its JSON, read and written.

What a recording cannot say stands in a field `guideact` of each step (the sentence, and what `change` was), which
Chrome passes over. Recorder has no step for going back: it becomes a custom step of that name.
"""

from __future__ import annotations

import json
import re
from typing import Any

from guideact.errors import InputError
from guideact.guides.exchange.steps import Collector
from guideact.guides.guide import Guide, GuideStep, GuideTarget
from guideact.guides.publish.words import address
from guideact.types import VERBS, Verb, Viewport

_ARIA = re.compile(r'aria/(?P<name>.*?)(?:\[role="(?P<role>[\w-]+)"\])?$', re.DOTALL)
_ROLES = {"a": "link", "button": "button", "select": "combobox", "textarea": "textbox"}
_QUIET = frozenset({"setViewport", "navigate", "close", "keyUp", "waitForElement", "waitForExpression"})


def write_recording(guide: Guide) -> str:
    """The guide as a recording that Chrome's Recorder imports. Secrets are named in braces, never held."""
    viewport = guide.steps[0].viewport
    steps: list[dict[str, Any]] = [
        {
            "type": "setViewport",
            "width": viewport.width,
            "height": viewport.height,
            "deviceScaleFactor": 1,
            "isMobile": False,
            "hasTouch": False,
            "isLandscape": False,
        },
        {"type": "navigate", "url": address(guide.start_url)},
    ]
    depth = 0
    for step in guide.steps:
        depth = depth + (step.value == "down") - (step.value == "up") if step.verb == "scroll" else 0
        steps += _written(step, max(depth, 0))
    return json.dumps({"title": guide.title, "steps": steps}, ensure_ascii=False, indent=2) + "\n"


def _written(step: GuideStep, depth: int) -> list[dict[str, Any]]:
    ours = {"guideact": {"sentence": step.sentence, "verb": step.verb}}
    at: dict[str, Any] = {"target": "main"}
    target = step.target
    if target is not None:
        at["selectors"] = _selectors(target)
        if target.frame:
            at["frame"] = [int(part) for part in target.frame.split("/")]
    match step.verb:
        case "click" if target is not None:
            x, y = step.point or (0, 0)
            box = step.box
            inside = (round(x - box.x, 2), round(y - box.y, 2)) if box is not None and step.point else (1, 1)
            return [{"type": "click", **at, "offsetX": inside[0], "offsetY": inside[1], **ours}]
        case "type" | "select" if target is not None:
            value = "{" + step.secret + "}" if step.secret else step.value
            return [{"type": "change", **at, "value": value, **ours}]
        case "press_enter":
            return [
                {"type": "keyDown", "target": "main", "key": "Enter", **ours},
                {"type": "keyUp", "target": "main", "key": "Enter"},
            ]
        case "scroll":
            return [
                {"type": "scroll", "target": "main", "x": 0, "y": round(depth * 0.8 * step.viewport.height), **ours}
            ]
        case _:
            return [{"type": "customStep", "target": "main", "name": step.verb, "parameters": {}, **ours}]


def _selectors(target: GuideTarget) -> list[list[str]]:
    found: list[list[str]] = []
    if target.name:
        role = f'[role="{target.role}"]' if target.role and target.role != "clickable" else ""
        found.append([f"aria/{target.name}{role}"])
    if target.css:
        # One selector for each shadow root on the way.
        found.append(target.css.split(" >>> "))
    if target.text and not target.name:
        found.append([f"text/{target.text}"])
    return found or [[target.role or "body"]]


# --- reading --------------------------------------------------------------------------------------------------------


def read_recording(text: str, path: str, language: str = "en") -> Guide:
    """The guide of a recording. Raises InputError where it is none, naming the step."""
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}", fix="Export it from the Recorder anew.") from error
    if not isinstance(loaded, dict) or not isinstance(loaded.get("steps"), list):
        raise InputError(f"{path} is no recording: it has no list of steps", fix="Export it from the Recorder as JSON.")
    found = Collector(path, language)
    depth = 0.0
    for number, step in enumerate(loaded["steps"], 1):
        if not isinstance(step, dict) or not isinstance(step.get("type"), str):
            raise InputError(f"{path}: step {number} has no type", fix="Export it from the Recorder anew.")
        depth = _read(found, step, number, depth)
    return found.guide(str(loaded.get("title") or "Recording"), "Chrome Recorder")


def _read(found: Collector, step: dict[str, Any], number: int, depth: float) -> float:
    kind = step["type"]
    ours = step.get("guideact") if isinstance(step.get("guideact"), dict) else {}
    sentence = str(ours.get("sentence") or "") if isinstance(ours, dict) else ""
    if kind == "setViewport":
        try:
            found.viewport = Viewport(width=step["width"], height=step["height"])
        except (KeyError, ValueError) as error:
            raise InputError(f"{found.path}: step {number} has no width and height", fix="Export it anew.") from error
    elif kind == "navigate":
        found.went_to(str(step.get("url") or ""))
    elif kind in ("click", "doubleClick"):
        found.add("click", _target(step, found.path, number), sentence=sentence)
    elif kind == "change":
        target = _target(step, found.path, number)
        found.add(_verb_of_change(step, target), target, str(step.get("value", "")), sentence)
    elif kind == "keyDown" and step.get("key") == "Enter":
        found.add("press_enter", sentence=sentence)
    elif kind == "scroll" and not step.get("selectors"):
        y = float(step.get("y") or 0)
        found.add("scroll", None, "up" if y < depth else "down", sentence)
        depth = y
    elif kind == "customStep" and step.get("name") in VERBS:
        verb: Verb = step["name"]
        found.add(verb, sentence=sentence)
    elif kind == "keyDown":
        found.left_out[f"the key {step.get('key')}"] += 1
    elif kind not in _QUIET:
        found.left_out[f"a step of the kind {kind}"] += 1
    for event in step.get("assertedEvents") or ():
        if isinstance(event, dict) and event.get("type") == "navigation" and event.get("url"):
            found.url, found.title = str(event["url"]), str(event.get("title") or "")
            depth = 0.0
    return depth


def _target(step: dict[str, Any], path: str, number: int) -> GuideTarget:
    role = name = css = text = ""
    for selector in step.get("selectors") or ():
        chain = [str(part) for part in selector] if isinstance(selector, list) else [str(selector)]
        first = chain[0] if chain else ""
        if first.startswith("aria/"):
            aria = _ARIA.fullmatch(chain[-1])
            if aria is not None and not name:
                name, role = aria["name"], role or (aria["role"] or "")
        elif first.startswith("text/"):
            text = text or first.removeprefix("text/")
        elif not first.startswith(("xpath/", "pierce/")) and not css:
            css = " >>> ".join(chain)
    if not (name or css or text):
        raise InputError(
            f"{path}: step {number} names no element", fix="Switch on CSS or ARIA selectors, and record anew."
        )
    tag = re.search(r"(?:^|[\s>])(a|button|select|textarea)(?:[.#:\[][^\s>]*)?$", css)
    frame = "/".join(str(part) for part in step.get("frame") or ())
    return GuideTarget(role=role or (_ROLES[tag[1]] if tag else ""), name=name, css=css, text=text, frame=frame)


def _verb_of_change(step: dict[str, Any], target: GuideTarget) -> Verb:
    ours = step.get("guideact")
    if isinstance(ours, dict) and ours.get("verb") in ("type", "select"):
        return "select" if ours["verb"] == "select" else "type"
    return "select" if re.search(r"(?:^|[\s>])select(?:[.#:\[][^\s>]*)?$", target.css) else "type"
