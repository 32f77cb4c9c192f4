"""A guide as a tour: one script that runs it over the live page, as a user script or as a script tag of the site.

It shows a small starter at the edge of the page. Once started it lights what the step is about (driver.js draws the
light and the bubble), waits until the user does it, and goes on, across page loads of one tab; where the element is
gone it says so, and where it bears another name it says that. It blocks nothing on the page, sends nothing, and loads
nothing; names and sentences reach the page as text alone.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from guideact import __version__
from guideact.guides import rows
from guideact.guides.guide import Guide, GuideStep
from guideact.guides.publish.words import address

WORDS = {
    "en": {
        "start": "Show me",
        "go_on": "Go on at step {n}",
        "progress": "Step {n} of {of}",
        "gone": "What this step is about is not on the page.",
        "gone_named": "“{name}” is not on this page.",
        "called": "It is called “{name}” here.",
        "next": "Next",
        "skip": "Skip",
        "back": "Back",
        "stop": "Stop",
        "done": "Done",
    },
    "zh": {
        "start": "开始引导",
        "go_on": "从第 {n} 步继续",
        "progress": "第 {n} 步，共 {of} 步",
        "gone": "页面上找不到这一步的对象。",
        "gone_named": "此页面上没有“{name}”。",
        "called": "它在这里叫“{name}”。",
        "next": "下一步",
        "skip": "跳过",
        "back": "上一步",
        "stop": "停止",
        "done": "完成",
    },
}

_EYES = (
    "fold, cut, children, typeOf, tagOf, SKIP, boxOf, isVisible, labelsOf, flatParent, textOf, doc, shadowOf, "
    "rootElement, roleOf, nameOf, within, connected, closest, attr, selectedText, deepHit, focusedElement, matches, "
    "rowWords"
)
"""What tour.js uses of dom.js."""


def tour(guide: Guide) -> str:
    """The script."""
    told = {"id": guide.id, "title": guide.title, "steps": [_step(step) for step in guide.steps]}
    words = WORDS["zh" if guide.language.startswith("zh") else "en"]
    # The page must stay usable under the light.
    driver_css = _shipped("vendor/driver.css").replace(".driver-active *{pointer-events:none}", "")
    return "".join(
        [
            _header(guide),
            "(() => {\n",
            "if (window.top !== window || globalThis.guideactTour) return;\nglobalThis.guideactTour = true;\n",
            f"// driver.js, {_licence()}\n",
            "const vendor = {};\n(function () {\n",
            _shipped("vendor/driver.js.iife.js"),
            "\n}).call(vendor);\nconst { driver } = vendor.driver.js;\n",
            f"const CSS = {_literal(driver_css + _shipped('tour.css'))};\n",
            f"const WORDS = {_literal(words)};\n",
            f"const GUIDE = {_literal(told)};\n",
            f"const {{ {_EYES} }} = (() => {{\n",
            (files("guideact.browser") / "dom.js").read_text(encoding="utf-8"),
            f"\nreturn {{ {_EYES} }};\n}})();\n",
            _shipped("tour.js"),
            "})();\n",
        ]
    )


def _step(step: GuideStep) -> dict[str, object]:
    said: dict[str, Any] = {"sentence": step.sentence, "verb": step.verb}
    if step.value and step.verb in ("type", "select"):
        said["value"] = step.value
    if step.secret:
        said["secret"] = True
    if step.target is not None:
        said["target"] = step.target.model_dump(mode="json", exclude_defaults=True)
        if quoted := rows.quoted(step):
            said["target"] |= {"said": quoted}
    if host := urlsplit(step.url).hostname:
        said["host"] = host
    return said


def _header(guide: Guide) -> str:
    """What a manager of user scripts reads: a name and the sites."""
    hosts = {urlsplit(url).hostname for url in (address(guide.start_url), *(step.url for step in guide.steps))}
    lines = [
        "// ==UserScript==",
        f"// @name        {_line(guide.title)}",
        f"// @namespace   guideact.{guide.id}",
        f"// @version     {__version__}",
        *(f"// @match       *://{_line(host)}/*" for host in sorted(filter(None, hosts))),
        "// @run-at      document-idle",
        "// @grant       none",
        "// ==/UserScript==",
    ]
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    """For a comment: on one line, and without what could end the script tag that the tour is put into."""
    return re.sub(r"[\s\u2028\u2029]+", " ", text).replace("<", "‹")


def _licence() -> str:
    text = _shipped("vendor/driver-LICENSE.txt").strip()
    return "\n// ".join(text.splitlines())


def _literal(value: object) -> str:
    """JSON that no script tag and no line of a script ends early."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def _shipped(name: str) -> str:
    return (files("guideact.guides.publish") / name).read_text(encoding="utf-8")
