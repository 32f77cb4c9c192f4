"""Sentences made by rule from what a step does: for steps that nobody has described, and for targets that were mended.

They say the kind of thing and quote its name; where that fits several things they say what stands beside it.
"""

from __future__ import annotations

from guideact.guides.around import fold
from guideact.guides.guide import GuideTarget
from guideact.types import Candidate, Observation, Verb

_KINDS = {
    "en": {
        "button": "button",
        "link": "link",
        "checkbox": "check box",
        "radio": "choice",
        "switch": "switch",
        "tab": "tab",
        "menuitem": "menu entry",
        "option": "entry",
        "combobox": "list",
        "listbox": "list",
        "textbox": "field",
        "searchbox": "search field",
        "spinbutton": "number field",
        "slider": "slider",
    },
    "zh": {
        "button": "按钮",
        "link": "链接",
        "checkbox": "复选框",
        "radio": "选项",
        "switch": "开关",
        "tab": "标签页",
        "menuitem": "菜单项",
        "option": "选项",
        "combobox": "列表",
        "listbox": "列表",
        "textbox": "输入框",
        "searchbox": "搜索框",
        "spinbutton": "数字框",
        "slider": "滑块",
    },
}
_FORMS = {
    "en": {
        "click": "Click {target}.",
        "tick": "Tick {target}.",
        "untick": "Clear {target}.",
        "type": "Type “{value}” into {target}.",
        "clear": "Empty {target}.",
        "secret": "Type your {secret} into {target}.",
        "select": "Choose “{value}” in {target}.",
        "scroll": "Scroll {value}.",
        "press_enter": "Press Enter.",
        "go_back": "Go back to the page before.",
        "finish": "You are done: compare what you see with what you wanted.",
        "named": "the {kind} “{name}”",
        "near": "{target} beside “{near}”",
        "nameless": "the {kind}",
        "thing": "item",
        "up": "up",
        "down": "down",
        "left": "left",
        "right": "right",
    },
    "zh": {
        "click": "点击{target}。",
        "tick": "勾选{target}。",
        "untick": "取消勾选{target}。",
        "type": "在{target}中输入“{value}”。",
        "clear": "清空{target}。",
        "secret": "在{target}中输入您的{secret}。",
        "select": "在{target}中选择“{value}”。",
        "scroll": "向{value}滚动。",
        "press_enter": "按回车键。",
        "go_back": "返回上一页。",
        "finish": "完成：请核对您看到的内容。",
        "named": "{kind}“{name}”",
        "near": "“{near}”旁边的{target}",
        "nameless": "{kind}",
        "thing": "项目",
        "up": "上",
        "down": "下",
        "left": "左",
        "right": "右",
    },
}


def draft(
    verb: Verb,
    target: GuideTarget | None,
    value: str = "",
    *,
    secret: str = "",
    language: str = "en",
    alone: bool = True,
    checked: bool = False,
) -> str:
    """One sentence for a step, in English or Chinese (any other language gets English).

    `alone` says that nothing else in view has the target's role and name; `checked` that a click clears a check box.
    """
    language = "zh" if language.startswith("zh") else "en"
    forms = _FORMS[language]
    named = _named(target, language, alone, verb) if target is not None else forms["thing"]
    if verb == "type" and secret:
        return forms["secret"].format(secret=secret, target=named)
    if verb == "type" and not value:
        return forms["clear"].format(target=named)
    if verb == "scroll":
        return forms["scroll"].format(value=forms.get(value, forms["down"]))
    if verb == "click" and target is not None and target.role == "checkbox":
        return forms["untick" if checked else "tick"].format(target=named)
    return forms[verb].format(target=named, value=value)


def kind_of(role: str, language: str = "en", verb: Verb | None = None) -> str:
    """What a person calls a control of this role; a list box that is typed into is a field."""
    language = "zh" if language.startswith("zh") else "en"
    role = "textbox" if role == "combobox" and verb == "type" else role
    return _KINDS[language].get(role, _FORMS[language]["thing"])


def alone(seen: Observation, target: Candidate) -> bool:
    """Whether the target is the only candidate in view of its role and name."""
    return not any(
        other.mark != target.mark and other.role == target.role and fold(other.name) == fold(target.name)
        for other in seen.candidates
    )


def _named(target: GuideTarget, language: str, alone: bool, verb: Verb) -> str:
    forms = _FORMS[language]
    kind = kind_of(target.role, language, verb)
    name = target.name or target.text
    said = forms["named"].format(kind=kind, name=name) if name else forms["nameless"].format(kind=kind)
    if target.near and (not alone or not name):
        said = forms["near"].format(target=said, near=target.near[0])
    return said
