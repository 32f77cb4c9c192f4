"""G against hand-computed values, sacrebleu and the ROUGE reference implementation."""

import math
import tracemalloc

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from guideact.metrics import GuideScoring, ceiling, concatenate, floor, guide_score
from guideact.metrics.guide import Smoothing, has_tokens
from guideact.metrics.tokens import tokenise

WORDS = ("click", "the", "save", "button", "on", "page", "cart", "点", "击", "按", "钮", "Écru", "12", "mug")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
reference_sets = st.lists(sentences, min_size=1, max_size=4)
english = st.lists(st.sampled_from([word for word in WORDS if word.isascii()]), min_size=1, max_size=20).map(" ".join)


def test_by_hand() -> None:
    # guide: click the red button; reference: click the blue button on the left
    score = guide_score("Click the red button.", ["Click the blue button on the left."])
    brevity = math.exp(1 - 7 / 4)
    assert score.bleu1 == pytest.approx(brevity * 3 / 4)
    assert score.bleu2 == pytest.approx(brevity * math.sqrt(3 / 4 * 1 / 3))
    assert score.rouge1 == pytest.approx(2 * 3 / (4 + 7))
    assert score.rouge_l == pytest.approx(2 * 3 / (4 + 7))
    assert score.g == pytest.approx((score.bleu1 + score.bleu2 + score.rouge1 + score.rouge_l) / 4)


def test_the_order_of_words_matters_to_bleu2_and_rouge_l_alone() -> None:
    score = guide_score("button save the click", ["click the save button"])
    assert (score.bleu1, score.rouge1) == (1, 1)
    assert score.bleu2 == 0
    assert score.rouge_l == pytest.approx(1 / 4)


def test_clipping_counts_a_repeated_word_once() -> None:
    assert guide_score("the the the the", ["the cart"]).bleu1 == pytest.approx(1 / 4)
    assert guide_score("the the the the", ["the cart", "the the"]).bleu1 == pytest.approx(2 / 4)


def test_the_nearest_reference_sets_the_length_and_the_shorter_of_two_wins() -> None:
    # Lengths 2 and 4 are equally near to 3: the shorter one costs nothing.
    assert guide_score("a b c", ["a b", "a b c d"]).bleu1 == 1
    assert guide_score("a b c", ["a b c d"]).bleu1 == pytest.approx(math.exp(1 - 4 / 3))


def test_one_token_that_matches_scores_1_and_one_that_does_not_0() -> None:
    assert guide_score("Save", ["save"]).g == 1
    assert guide_score("Cancel", ["save"]).g == 0


def test_identical_chinese_scores_1_and_different_chinese_does_not() -> None:
    assert guide_score("点击加入购物车按钮。", ["点击加入购物车按钮。"]).g == 1
    assert guide_score("打开我的账户", ["点击加入购物车按钮"]).g == 0
    half = guide_score("点击购物车", ["点击加入购物车按钮"])
    assert half.rouge1 == pytest.approx(2 * 5 / (5 + 9))
    assert half.rouge_l == pytest.approx(2 * 5 / (5 + 9))
    # Bigrams 点击, 购物, 物车 match, 击购 does not.
    assert half.bleu2 == pytest.approx(math.exp(1 - 9 / 5) * math.sqrt(3 / 4))


def test_what_the_usual_tools_make_of_identical_chinese() -> None:
    text = "点击加入购物车按钮。"
    assert RougeScorer(["rougeL"]).score(text, text)["rougeL"].fmeasure == 0
    assert BLEU(tokenize="13a", max_ngram_order=2).corpus_score([text], [[text]]).score == 0


@pytest.mark.parametrize(("smoothing", "expected"), [("exp", 0.112), ("none", 0.0), ("floor", 0.05)])
def test_smoothing_decides_what_an_unmatched_order_is_worth(smoothing: Smoothing, expected: float) -> None:
    # Six of sixteen words are found in the reference, none of the fifteen pairs of neighbours.
    guide = "a 1 b 2 c 3 d 4 e 5 f 6 7 8 9 10"
    reference = "f e d c b a l m n o p q r s t u"
    score = guide_score(guide, [reference], GuideScoring(smoothing=smoothing))
    assert score.bleu1 == 6 / 16
    assert score.bleu2 == pytest.approx(expected, abs=0.0005)


@given(sentences, reference_sets, st.sampled_from(["none", "floor", "add-k", "exp"]))
def test_bleu_is_sacrebleus(guide: str, references: list[str], smoothing: Smoothing) -> None:
    score = guide_score(guide, references, GuideScoring(smoothing=smoothing))
    cut = [" ".join(tokenise(text)) for text in (guide, *references)]
    for order, ours in ((1, score.bleu1), (2, score.bleu2)):
        oracle = BLEU(tokenize="none", smooth_method=smoothing, max_ngram_order=order, effective_order=True)
        assert ours == pytest.approx(oracle.sentence_score(cut[0], cut[1:]).score / 100, abs=1e-12)


@given(english, st.lists(english, min_size=1, max_size=3))
def test_with_13a_bleu_is_sacrebleus_on_raw_text(guide: str, references: list[str]) -> None:
    texts = [f"{text.capitalize()}, “now”." for text in (guide, *references)]
    score = guide_score(texts[0], texts[1:], GuideScoring(tokeniser="13a", smoothing="exp"))
    oracle = BLEU(tokenize="13a", lowercase=True, smooth_method="exp", max_ngram_order=2, effective_order=True)
    assert score.bleu2 == pytest.approx(oracle.sentence_score(texts[0], texts[1:]).score / 100, abs=1e-12)


@given(english, st.lists(english, min_size=1, max_size=3))
def test_rouge_is_the_reference_implementations_on_english(guide: str, references: list[str]) -> None:
    score = guide_score(guide, references)
    oracle = RougeScorer(["rouge1", "rougeL"]).score_multi(references, guide)
    assert score.rouge1 == pytest.approx(oracle["rouge1"].fmeasure, abs=1e-12)
    assert score.rouge_l == pytest.approx(oracle["rougeL"].fmeasure, abs=1e-12)


@given(st.text(), st.lists(st.text(), min_size=1, max_size=3))
def test_scores_stay_in_range_and_identity_scores_1(guide: str, references: list[str]) -> None:
    assume(any(has_tokens(reference) for reference in references))
    score = guide_score(guide, references)
    for value in (score.bleu1, score.bleu2, score.rouge1, score.rouge_l, score.g):
        assert 0 <= value <= 1
    if has_tokens(guide):
        assert guide_score(guide, [*references, guide]).g == 1


@given(sentences, reference_sets, st.randoms())
def test_the_order_of_references_does_not_matter(guide: str, references: list[str], random: object) -> None:
    shuffled = references[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert guide_score(guide, references) == guide_score(guide, shuffled)


@given(sentences, reference_sets, sentences)
def test_another_reference_never_lowers_rouge(guide: str, references: list[str], more: str) -> None:
    before, after = guide_score(guide, references), guide_score(guide, [*references, more])
    assert after.rouge1 >= before.rouge1
    assert after.rouge_l >= before.rouge_l


@given(sentences, sentences)
def test_punctuation_case_and_spacing_change_nothing(guide: str, reference: str) -> None:
    loud = "  ".join(f"“{word.upper()}”," for word in guide.split())
    assert guide_score(loud, [reference]) == guide_score(guide, [reference])


def test_nothing_said_scores_0_and_nothing_to_compare_with_is_refused() -> None:
    assert guide_score("", ["click save"]).g == 0
    assert guide_score("…", ["click save"]).g == 0
    assert guide_score("click save", ["", "click save"]).g == 1
    for references in ([], [""], ["!?"]):
        with pytest.raises(ValueError, match="reference"):
            guide_score("click save", references)


def test_joined_references_hold_every_sentence() -> None:
    steps = [["a", "b", "c"], ["d", "e"], [], ["f"]]
    assert concatenate(steps) == ("a d f", "b e f", "c d f")
    assert concatenate([]) == ()
    assert concatenate([[], []]) == ()


def test_ceiling_is_the_mean_of_each_reference_against_the_others() -> None:
    texts = ["click save", "click the save button", "press save"]
    each = [
        guide_score(texts[0], texts[1:]).g,
        guide_score(texts[1], [texts[0], texts[2]]).g,
        guide_score(texts[2], texts[:2]).g,
    ]
    assert ceiling(texts) == pytest.approx(sum(each) / 3)
    assert ceiling(["click save"]) is None
    assert ceiling(["click save", "!"]) is None
    assert ceiling(["click save", "click save"]) == 1


def test_floor_is_the_better_constant_guide_repeated() -> None:
    english_reference = "Click the button on the page. Open the cart."
    repeated = "Click the button on the page. Click the button on the page."
    assert floor([english_reference], 2) == guide_score(repeated, [english_reference]).g
    assert floor(["点击页面上的按钮。"], 1) == 1


def test_a_very_long_guide_is_scored_in_little_memory() -> None:
    guide = " ".join(f"w{i}" for i in range(60_000))
    tracemalloc.start()
    assert guide_score(guide, ["w1 w3 w2 w59999"]).rouge_l == pytest.approx(2 * 3 / 60_004)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64e6  # a bit set for each of its tokens would take 200 MB
