"""How guides are cut into tokens."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenize import tokenize as rouge_tokenize

from guideact.metrics.tokens import _SIGNS, tokenise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click “Add to Cart”.", ["click", "add", "to", "cart"]),
        ("Order #000000187 costs $1,299.00", ["order", "000000187", "costs", "1", "299", "00"]),
        ("don't re-use a_b", ["don", "t", "re", "use", "a", "b"]),
        ("点击“加入购物车”按钮", list("点击加入购物车按钮")),
        ("在SKU-12上点击Save", ["在", "sku", "12", "上", "点", "击", "save"]),
        ("カートに入れる", list("カートに入れる")),
        ("１２ Ｃａｒｔ", ["12", "cart"]),  # full-width forms
        ("Écru mug", ["écru", "mug"]),
        ("E\u0301cru mug", ["écru", "mug"]),  # an accent as a character of its own
        ("장바구니에 담기", ["장바구니에", "담기"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs belong to their word
        ("𠮷野家", ["𠮷", "野", "家"]),  # beyond the basic plane
        ("", []),
        ("⚙️ → !", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert list(tokenise(text)) == expected


def test_case_can_be_kept() -> None:
    assert tokenise("Save ALL", lowercase=False) == ("Save", "ALL")


@given(st.text(alphabet=[*(chr(code) for code in range(32, 127)), *map(chr, _SIGNS)]))
def test_signs_separate_like_any_other(text: str) -> None:
    # The character at the end is none that the short way knows, so the long way is taken.
    assert tokenise(text) == tokenise(f"{text} ⁂")


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_is_cut_as_the_rouge_reference_does(text: str) -> None:
    assert list(tokenise(text)) == rouge_tokenize(text, None)


@given(st.text())
def test_nothing_alphanumeric_is_lost(text: str) -> None:
    def kept(string: str) -> str:
        return "".join(character for character in string if character.isalnum())

    folded = unicodedata.normalize("NFKC", text).lower()
    assert kept("".join(tokenise(text))) == kept(folded)


@given(st.text(), st.text())
def test_a_space_never_joins_or_splits(one: str, other: str) -> None:
    assert tokenise(f"{one} {other}") == tokenise(one) + tokenise(other)


def test_sacrebleus_tokenisers_keep_punctuation() -> None:
    assert tokenise('Click "Save".', "13a") == ("click", '"', "save", '"', ".")
    assert tokenise("点击Save。", "zh") == ("点", "击", "save", "。")
