"""What published guides say besides the guide itself, in English and Chinese; and how their parts are put."""

from __future__ import annotations

import re
from collections.abc import Mapping

from guideact.guides.guide import Guide, GuideStep
from guideact.types import Box

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "steps": "{n} steps",
        "step": "{n} step",
        "contents": "Contents",
        "starts": "Starts at",
        "signed_in": "Signed in as",
        "value": "Value",
        "type": "Type",
        "select": "Choose",
        "secret": "your {secret}",
        "whole": "The whole page",
        "on": "On the page",
        "lit": "Screenshot of the page “{title}” with {target} lit",
        "shot": "Screenshot of the page “{title}”",
        "made": "Source: {source}",
        "before": "Before you begin",
        "need": "You need",
        "top": "Back to the top",
        "thing": "the place to act on",
    },
    "zh": {
        "steps": "{n} 个步骤",
        "step": "{n} 个步骤",
        "contents": "目录",
        "starts": "起始地址",
        "signed_in": "登录身份",
        "value": "值",
        "type": "输入",
        "select": "选择",
        "secret": "您的{secret}",
        "whole": "整个页面",
        "on": "所在页面",
        "lit": "页面“{title}”的截图，{target}已高亮",
        "shot": "页面“{title}”的截图",
        "made": "来源：{source}",
        "before": "开始之前",
        "need": "您需要",
        "top": "回到顶部",
        "thing": "操作位置",
    },
}
_PARTS = re.compile(r"(“[^“”]+”|\"[^\"]+\"|「[^「」]+」)")


def words_of(guide: Guide) -> Mapping[str, str]:
    """The words in the guide's language; English for any but Chinese."""
    return WORDS["zh" if guide.language.startswith("zh") else "en"]


def parts(sentence: str) -> list[tuple[str, bool]]:
    """A sentence in pieces, each with whether it is quoted: those are names and values, and stand out."""
    return [(piece, bool(_PARTS.fullmatch(piece))) for piece in _PARTS.split(sentence) if piece]


def value_of(guide: Guide, step: GuideStep) -> tuple[str, str]:
    """What is typed or chosen in a step, with the word for doing so; both "" where nothing is."""
    words = words_of(guide)
    if step.secret:
        return words["type"], words["secret"].format(secret=step.secret)
    if step.verb in ("type", "select") and step.value:
        return words[step.verb], step.value
    return "", ""


def picture_text(guide: Guide, step: GuideStep) -> str:
    """What a picture shows, for those who do not see it."""
    words = words_of(guide)
    name = (step.target.name or step.target.text) if step.target is not None else ""
    target = f"“{name}”" if name else words["thing"]
    return words["lit" if step.box or step.point else "shot"].format(title=step.title or step.url, target=target)


def lit_box(guide: Guide, index: int) -> Box | None:
    """What is lit in the picture of a step: its target; for Enter, the field that was typed into right before."""
    step = guide.steps[index]
    if step.verb == "press_enter" and step.box is None and index:
        before = guide.steps[index - 1]
        if before.verb == "type" and before.url == step.url:
            return before.box
    return step.box


def needs(guide: Guide) -> list[tuple[str, str]]:
    """What a reader must have or be before the first step: pairs of a heading and what it is."""
    words = words_of(guide)
    found = [(words["starts"], address(guide.start_url))]
    found += [(words["signed_in"], f"{user} ({site.replace('_', ' ')})") for site, user in guide.signed_in.items()]
    if guide.secrets:
        found.append((words["need"], ", ".join(words["secret"].format(secret=secret) for secret in guide.secrets)))
    return found


def address(start_url: str) -> str:
    """A start for people: `__SHOPPING__/cart` becomes http://shopping.localhost/cart."""
    found = re.fullmatch(r"__([A-Z]+(?:_[A-Z]+)*)__(.*)", start_url, re.DOTALL)
    if found is None:
        return start_url
    return f"http://{found[1].lower().replace('_', '-')}.localhost{found[2] or '/'}"


def linked(url: str) -> str:
    """The address where it may be linked to, "" for what no page should link to."""
    return url if re.match(r"https?://", url, re.IGNORECASE) else ""
