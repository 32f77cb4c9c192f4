"""GACS, the guide-action consistency score: do the sentence and the action of a step say the same?

MAG (arXiv 2607.10079) names the parts of it and not how they are computed, nor any threshold. Ours, each 0..1:

    action     the predicted verb and value are the gold ones
    place      the predicted target is the gold one: mark, or point in the box; where only a point is known, at most
               `px` from it ("coordinate tolerance")
    head_verb  the first word of the guide that names a way of acting names that of the predicted verb
    name       F1 of tokens, as multisets, between the name of the predicted target and the stretch of the guide of the
               same length that shares most with it
    referent   the guide tells the predicted target from the others: no other candidate shares more of its words

    gacs       the mean of the parts that apply
    gacs_all   1 where each part that applies reaches its threshold

`place`, `name` and `referent` apply to actions with a target; `name` to targets that have a name, `referent` where the
page has candidates. A step whose action or guide is missing has a GACS of 0.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from guideact.metrics.tokens import tokenise
from guideact.types import Frozen

WAYS: dict[str, str] = {
    "click": """click clicks clicking press pressing choose choosing open opening select pick picking tap follow go take
        switch send add confirm unfold mark tick untick check uncheck save finish start begin push hit sign remove
        delete close expand view see show submit visit jump use turn bring store move look
        点击 单击 按 打开 选择 进入""",
    "type": """type types typing enter write fill put give replace set overwrite change name search describe explain
        begin start use let 输入 填写 键入 填""",
    "select": "select selecting choose choosing pick picking set change sort take have narrow order 选择 选 选中",
    "scroll": "scroll scrolling roll travel move go page continue further below down up 滚动 下拉 向下 向上",
    "press_enter": "enter press hit strike confirm send start run search submit return 回车 按",
    "go_back": "back return leave previous before 返回 后退 回到",
    "finish": """finish stop done end answer read report reply complete completed through ready say note tell give
        conclude over compare count 完成 结束 回答 停止""",
}
"""The words that name each way of acting. A word can belong to several."""


PHRASES = {
    "go back": "go_back",
    "press enter": "press_enter",
    "hit enter": "press_enter",
    "strike enter": "press_enter",
}
"""Pairs of words that name one way, whatever their first word names alone."""


class Thresholds(Frozen):
    """What a part must reach for `gacs_all`, and how near a point must be. Unpublished: these are ours."""

    px: float = 25
    name: float = 0.5


DEFAULT = Thresholds()
_VERSION = "1"


def describe(thresholds: Thresholds = DEFAULT) -> str:
    """Version and thresholds, for signatures."""
    return f"gacs{_VERSION},px={thresholds.px:g},name={thresholds.name:g},referent=1"


def head_verb(guide: str, verb: str) -> bool:
    """Whether the first word (or pair of `PHRASES`) of the guide that names any way of acting names this verb's."""
    words = _words(guide)
    for at, word in enumerate(words):
        if (phrase := PHRASES.get(" ".join(words[at : at + 2]))) is not None:
            return phrase == verb
        if word in _ALL_WAYS:
            return word in _WAYS[verb]
    return False


def name_f1(guide: str, name: str) -> float | None:
    """F1 of tokens between a name and the best stretch of the guide of its length; None for a name without tokens."""
    wanted = tokenise(name)
    if not wanted:
        return None
    said = tokenise(guide)
    size = min(len(wanted), len(said))
    if not size:
        return 0.0
    count = Counter(wanted)
    best = max((Counter(said[at : at + size]) & count).total() for at in range(len(said) - size + 1))
    return 2 * best / (len(wanted) + size)


def referent(guide: str, names: Sequence[str], target: int) -> bool:
    """Whether no other candidate shares as many words with the guide, each weighted by how few candidates have it.

    `names` are the candidates' texts, `target` the place of the right one among them. Candidates whose texts are the
    same cannot be told apart by naming, and do not count against each other.
    """
    scores = overlaps(guide, names)
    own = scores[target]
    return own > 0 and all(score < own or names[at] == names[target] for at, score in enumerate(scores) if at != target)


def overlaps(guide: str, names: Sequence[str]) -> list[float]:
    """For each text, what it shares with the guide: the sum over the distinct words of both of 1 / (texts with it),
    divided by the square root of the number of its own distinct words, so that a long text is not named by accident."""
    said = _word_set(guide)
    sets = [_word_set(name) for name in names]
    shared = [words & said for words in sets]
    held = Counter(itertools.chain.from_iterable(shared))
    return [
        math.fsum(1 / held[word] for word in both) / math.sqrt(len(words)) if both else 0.0
        for words, both in zip(sets, shared, strict=True)
    ]


def parts(
    guide: str,
    verb: str,
    *,
    action_right: bool,
    place_right: bool | None,
    names: Sequence[str],
    target: int | None,
    target_name: str,
) -> dict[str, float]:
    """The parts that apply. `names` and `target` as for `referent`, None where the target is no candidate."""
    found: dict[str, float] = {"action": float(action_right), "head_verb": float(head_verb(guide, verb))}
    if place_right is not None:
        found["place"] = float(place_right)
    if target is not None:
        named = name_f1(guide, target_name)
        if named is not None:
            found["name"] = named
        found["referent"] = float(referent(guide, names, target))
    return found


def gacs(found: dict[str, float], thresholds: Thresholds = DEFAULT) -> dict[str, float]:
    """`gacs`, `gacs_all` and each part as `gacs_<part>`."""
    needed = {"name": thresholds.name}
    whole = all(score >= needed.get(part, 1) for part, score in found.items())
    return {
        "gacs": math.fsum(found.values()) / len(found),
        "gacs_all": float(whole),
        **{f"gacs_{part}": score for part, score in sorted(found.items())},
    }


@lru_cache(maxsize=1 << 16)
def _word_set(text: str) -> frozenset[str]:
    # Pages repeat themselves: of the names of a dataset's candidates, one in thirty is a new one.
    return frozenset(_words(text))


def _words(text: str) -> tuple[str, ...]:
    """Tokens, with runs of Chinese characters cut into pairs and singles too, so that 点击 is a word."""
    tokens = tokenise(text)
    found: list[str] = []
    for at, token in enumerate(tokens):
        if len(token) == 1 and ord(token) > 0x2E7F and at + 1 < len(tokens) and len(tokens[at + 1]) == 1:
            found.append(token + tokens[at + 1])
        found.append(token)
    return tuple(found)


_WAYS = {verb: frozenset(words.split()) for verb, words in WAYS.items()}
_ALL_WAYS = frozenset().union(*_WAYS.values())
