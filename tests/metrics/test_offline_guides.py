"""chrF and the consistency of guide and action."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from guideact.metrics.chrf import chrf
from guideact.metrics.gacs import Thresholds, describe, gacs, head_verb, name_f1, overlaps, parts, referent
from guideact.types import VERBS

LETTERS = st.text(alphabet="abc 点击按钮.,", max_size=24)


@given(LETTERS, st.lists(LETTERS.filter(lambda text: bool(text.strip())), min_size=1, max_size=3))
def test_chrf_is_sacrebleus(text: str, references: list[str]) -> None:
    assert chrf(text, references) == pytest.approx(CHRF().sentence_score(text, references).score / 100, abs=1e-9)


def test_chrf_is_exact_for_chinese_and_deaf_to_case_and_width() -> None:
    assert chrf("点击加入购物车按钮。", ["点击加入购物车按钮。"]) == 1
    assert 0 < chrf("点击购物车。", ["点击加入购物车按钮。"]) < 1
    assert chrf("CLICK ＳＡＶＥ", ["click save"]) == 1
    assert chrf("", ["click save"]) == 0
    assert chrf("x", ["click save", "x"]) == 1
    with pytest.raises(ValueError, match="needs a reference"):
        chrf("x", ["", " "])


@pytest.mark.parametrize(
    ("guide", "verb", "same"),
    [
        ("Click “Save”.", "click", True),
        ("Click “Save”.", "type", False),
        ("In the field “Name”, type “Oak”.", "type", True),
        ("With Enter you send it off.", "press_enter", True),
        ("Press Enter to search.", "press_enter", True),
        ("Go back to the list.", "go_back", True),
        ("Go back to the list.", "click", False),
        ("Press Enter to search.", "click", False),
        ("Go to the list.", "click", True),
        ("Scroll down to the reviews.", "scroll", True),
        ("点击“保存”按钮。", "click", True),
        ("输入名称。", "type", True),
        ("输入名称。", "click", False),
        ("滚动页面。", "scroll", True),
        ("Hm.", "click", False),
    ],
)
def test_the_first_word_that_names_a_way_of_acting_counts(guide: str, verb: str, same: bool) -> None:
    assert head_verb(guide, verb) == same


def test_every_verb_has_words() -> None:
    from guideact.metrics.gacs import WAYS

    assert set(WAYS) == set(VERBS)
    assert all(words.split() for words in WAYS.values())


def test_a_name_is_looked_for_in_the_best_stretch_of_the_guide() -> None:
    assert name_f1("Press “Add to cart” below the price.", "Add to cart") == 1
    assert name_f1("Press “Add” here.", "Add to cart") == pytest.approx(1 / 3)
    assert name_f1("Scroll on.", "Add to cart") == 0
    assert name_f1("点击加入购物车按钮", "加入购物车") == 1
    assert name_f1("", "Add") == 0
    assert name_f1("Press it.", "…") is None


def test_a_guide_refers_to_the_candidate_that_shares_most_of_its_rarer_words() -> None:
    names = ["Save changes", "Save draft", "Cancel", "Cancel"]
    assert referent("Press “Save changes”.", names, 0)
    assert not referent("Press “Save”.", names, 0)
    assert not referent("Press “Save changes”.", names, 1)
    # What bears the same name cannot be told apart by naming it.
    assert referent("Press “Cancel”.", names, 3)
    assert overlaps("Press “Cancel”.", names) == [0, 0, 0.5, 0.5]


def test_gacs_is_the_mean_of_the_parts_that_apply() -> None:
    common = {"names": ["Save changes", "Cancel"], "target": 0, "target_name": "Save changes"}
    right = parts("Press “Save changes”.", "click", action_right=True, place_right=True, **common)  # type: ignore[arg-type]
    assert right == {"action": 1, "head_verb": 1, "place": 1, "name": 1, "referent": 1}
    assert gacs(right)["gacs"] == gacs(right)["gacs_all"] == 1
    half = parts("Press “Save”.", "click", action_right=True, place_right=True, **common)  # type: ignore[arg-type]
    assert half["name"] == pytest.approx(0.5)
    assert gacs(half)["gacs_all"] == 1
    assert gacs(half, Thresholds(name=0.6))["gacs_all"] == 0
    bare = parts(
        "Press Enter.", "press_enter", action_right=False, place_right=None, names=[], target=None, target_name=""
    )
    assert bare == {"action": 0, "head_verb": 1}
    assert gacs(bare) == {"gacs": 0.5, "gacs_all": 0, "gacs_action": 0, "gacs_head_verb": 1}


def test_thresholds_stand_in_the_signature() -> None:
    assert describe() == "gacs1,px=25,name=0.5,referent=1"
    assert describe(Thresholds(px=14, name=0.8)) == "gacs1,px=14,name=0.8,referent=1"
