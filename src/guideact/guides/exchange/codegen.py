"""Playwright's codegen: the Python that it writes, read and written.

A script is read as a syntax tree and never run. A comment right above a line is the sentence of its step.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from guideact.errors import InputError
from guideact.guides.exchange.steps import Collector
from guideact.guides.guide import Guide, GuideStep, GuideTarget
from guideact.guides.publish.words import address
from guideact.guides.stage import secret_variable

_COMMENT = re.compile(r"^\s*#\s*(?:\d+\.\s*)?(.+)$")
_HEAD = """\
import os

from playwright.sync_api import Playwright, sync_playwright


def run(playwright: Playwright) -> None:
    browser = playwright.chromium.launch(headless=False)
    context = browser.new_context(viewport={{"width": {width}, "height": {height}}})
    page = context.new_page()
    page.goto({url})
"""
_FOOT = """
    # ---------------------
    context.close()
    browser.close()


with sync_playwright() as playwright:
    run(playwright)
"""


def write_codegen(guide: Guide, *, title: str = "") -> str:
    """The guide as a script like those that `playwright codegen --target python` writes.

    Secrets are read from the environment when it runs.
    """
    viewport = guide.steps[0].viewport
    head = _HEAD.format(width=viewport.width, height=viewport.height, url=_text(address(guide.start_url)))
    lines = [f'"""{_doc(title or guide.title)}"""\n', head]
    for number, step in enumerate(guide.steps, 1):
        lines.append(f"    # {number}. {step.sentence}\n")
        lines.append(f"    {_line(step)}\n")
    return "\n".join((lines[0], "".join(lines[1:]))) + _FOOT


def _line(step: GuideStep) -> str:
    target = step.target
    match step.verb:
        case "click" if target is not None:
            return f"{_locator(target)}.click()"
        case "type" if target is not None:
            value = f"os.environ[{_text(secret_variable(step.secret))}]" if step.secret else _text(step.value)
            return f"{_locator(target)}.fill({value})"
        case "select" if target is not None:
            return f"{_locator(target)}.select_option(label={_text(step.value)})"
        case "press_enter":
            return 'page.keyboard.press("Enter")'
        case "go_back":
            return "page.go_back()"
        case "scroll":
            down = {"down": "0, 720", "up": "0, -720", "right": "720, 0", "left": "-720, 0"}[step.value or "down"]
            return f"page.mouse.wheel({down})"
        case _:
            return "pass"


def _locator(target: GuideTarget) -> str:
    page = "page"
    for part in filter(None, target.frame.split("/")):
        page += f'.locator("iframe").nth({part}).content_frame'
    if target.role and target.role != "clickable" and target.name:
        found = f"{page}.get_by_role({_text(target.role)}, name={_text(target.name)}, exact=True)"
        return f"{found}.nth({target.ordinal})" if target.ordinal else found
    if target.css:
        # Playwright's selectors look into open shadow roots by themselves.
        return f"{page}.locator({_text(target.css.replace(' >>> ', ' '))})"
    return f"{page}.get_by_text({_text(target.text or target.name)}, exact=True)"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _doc(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


# --- reading --------------------------------------------------------------------------------------------------------


def read_codegen(text: str, path: str, language: str = "en") -> Guide:
    """The guide of a script. Raises InputError where it is no Python, or drives no page."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        where = f" at line {line}" if line else ""
        raise InputError(
            f"{path} is no Python{where}", fix="Write it with `playwright codegen --target python`."
        ) from error
    comments = {
        number: said[1]
        for number, line in enumerate(text.splitlines(), 1)
        if (said := _COMMENT.match(line)) is not None
    }
    found = Collector(path, language)
    for statement in _statements(tree.body):
        if isinstance(statement, ast.Expr) and (chain := _chain(statement.value)):
            _read(found, chain, comments.get(statement.lineno - 1, ""))
    title = ast.get_docstring(tree) or "Recording"
    return found.guide(title.splitlines()[0], "Playwright codegen")


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """All statements in order, those of functions and `with` blocks among them."""
    flat: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.With | ast.AsyncWith):
            flat += _statements(statement.body)
        else:
            flat.append(statement)
    return flat


Link = tuple[str, list[Any], dict[str, Any]]
"""One link of a chain: `.name(args, key=value)`, or `.name` alone."""


def _chain(node: ast.expr) -> list[Link]:
    """`page.get_by_role("x").click()` as links, the first one the page's name; empty for anything else."""
    links: list[Link] = []
    while True:
        if isinstance(node, ast.Await):
            node = node.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            links.append(
                (node.func.attr, [_value(a) for a in node.args], {k.arg or "": _value(k.value) for k in node.keywords})
            )
            node = node.func.value
        elif isinstance(node, ast.Attribute):
            links.append((node.attr, [], {}))
            node = node.value
        elif isinstance(node, ast.Name):
            links.append((node.id, [], {}))
            return links[::-1] if re.fullmatch(r"page\d*", node.id) else []
        else:
            return []


def _value(node: ast.expr) -> Any:
    """A literal; the name of what an `os.environ[...]` reads; the pattern of a `re.compile(...)`; None for the rest."""
    if isinstance(node, ast.Subscript):
        return _value(node.slice)
    if isinstance(node, ast.Call) and node.args:
        return _value(node.args[0])
    try:
        return ast.literal_eval(node)
    except (ValueError, SyntaxError, RecursionError):
        return None


def _read(found: Collector, chain: list[Link], sentence: str) -> None:
    *middle, (last, args, keys) = chain[1:]
    first = str(args[0]) if args and args[0] is not None else ""
    if last == "goto":
        found.went_to(first)
    elif last == "go_back":
        found.add("go_back", sentence=sentence)
    elif last == "wheel":
        numbers = [n for n in args if isinstance(n, int | float)]
        down = len(numbers) < 2 or numbers[1] >= 0
        found.add("scroll", None, "down" if down else "up", sentence)
    elif last == "press" and (first == "Enter" or not middle):
        if first == "Enter":
            found.add("press_enter", sentence=sentence)
        else:
            found.left_out[f"the key {first}"] += 1
    elif (target := _target(middle)) is not None:
        if last in ("click", "dblclick", "check", "uncheck", "set_checked", "tap"):
            found.add("click", target, sentence=sentence)
        elif last in ("fill", "type", "press_sequentially", "clear"):
            found.add("type", target, first, sentence)
        elif last == "select_option":
            option = keys.get("label", args[0] if args else "")
            found.add("select", target, str(option[0] if isinstance(option, list) and option else option), sentence)
        elif last == "press":
            found.left_out[f"the key {first}"] += 1
        else:
            found.left_out[f"a step of the kind {last}"] += 1
    elif last not in ("close", "keyboard", "set_viewport_size", "wait_for_load_state", "wait_for_url"):
        found.left_out[f"a step of the kind {last}"] += 1


def _target(links: list[Link]) -> GuideTarget | None:
    """What a chain of locators finds; None where it finds nothing."""
    role = name = css = text = ""
    ordinal, near = 0, ""
    frames: list[str] = []
    for method, args, keys in links:
        first = str(args[0]) if args and args[0] is not None else ""
        if method == "get_by_role":
            role, name = first, str(keys.get("name") or "")
        elif method in ("get_by_label", "get_by_placeholder", "get_by_alt_text", "get_by_title"):
            name = first
        elif method == "get_by_text":
            text = first
        elif method == "get_by_test_id":
            css = f"[data-testid={_text(first)}]"
        elif method in ("locator", "frame_locator"):
            css = f"{css} {first}".strip()
        elif method == "nth":
            ordinal = int(first) if first.isdigit() else 0
        elif method == "filter":
            near = str(keys.get("has_text") or "")
        if method in ("content_frame", "frame_locator"):
            frames.append(str(ordinal))
            css, ordinal = "", 0
    if not (role or name or css or text):
        return None
    return GuideTarget(
        role=role, name=name, ordinal=ordinal, css=css, text=text, near=(near,) if near else (), frame="/".join(frames)
    )
