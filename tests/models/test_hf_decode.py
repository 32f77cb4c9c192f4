"""Choosing tokens: forced starts, probabilities, vision tokens, and chance that depends on the seed alone."""

from __future__ import annotations

import math
import threading
from collections import Counter

import pytest

from guideact.models.hf_decode import Stopped, Written, score, start_of, write
from guideact.models.hf_encode import Encoded, encode, plain, text_of
from guideact.models.hf_load import Loaded, load, locate

from .tiny import ANSWERS, png, taught, tiny


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(locate(str(tiny())))


@pytest.fixture(scope="module")
def asked(loaded: Loaded) -> Encoded:
    return encode(loaded, "You act.", "Task: tea", png(96, 64))


def written(
    loaded: Loaded, asked: Encoded, prefix: str = "", limit: int = 12, temperature: float = 0.0, seed: str = "0"
) -> Written:
    return write(loaded, asked, prefix=prefix, limit=limit, temperature=temperature, seed=seed, stop=threading.Event())


def test_greedy_is_what_transformers_finds_by_itself(loaded: Loaded, asked: Encoded) -> None:
    tensors = asked.tensors((), loaded.config.image_token_id, "cpu")
    found = loaded.model.generate(**tensors, max_new_tokens=12, do_sample=False, suppress_tokens=list(loaded.barred()))
    assert written(loaded, asked).ids == tuple(found[0, len(asked.ids) :].tolist())


def test_the_picture_is_looked_at(loaded: Loaded, asked: Encoded) -> None:
    other = encode(loaded, "You act.", "Task: tea", png(96, 64, shade=20))
    assert other.ids == asked.ids
    assert written(loaded, other).chosen != written(loaded, asked).chosen


def test_the_end_is_a_choice_and_no_text() -> None:
    sure = load(locate(str(taught(ANSWERS[0]))))
    found = written(sure, encode(sure, "You act.", "Task: tea", None), limit=200)
    assert found.ended
    assert found.text == ANSWERS[0] == text_of(sure, list(found.ids))
    assert found.chosen[-1][:2] == (sure.tokenizer.eos_token_id, "")
    assert "".join(text for _, text, _ in found.chosen) == ANSWERS[0]
    assert all(-0.7 < log <= 0 for _, _, log in found.chosen)


def test_log_probabilities_are_those_of_a_forward_pass(loaded: Loaded, asked: Encoded) -> None:
    """Each token's, by one pass over prompt and answer: what was drawn from is what is said."""
    found = written(loaded, asked, temperature=1.0, seed="a", limit=30)
    import torch

    with torch.no_grad():
        logits = loaded.model(**asked.tensors(found.ids, loaded.config.image_token_id, "cpu")).logits[0].double()
    logits[:, list(loaded.barred())] = -math.inf
    for place, (token, _, log) in enumerate(found.chosen, start=len(asked.ids) - 1):
        assert log == pytest.approx(float(torch.log_softmax(logits[place], -1)[token]), abs=1e-4)


def test_no_vision_token_is_ever_drawn(loaded: Loaded) -> None:
    """Even by a model that wants nothing else."""
    import torch

    keen = load(locate(str(tiny())))
    barred = list(keen.barred())
    with torch.no_grad():
        table = keen.model.get_output_embeddings().weight
        table[barred] *= 30
    asked = encode(keen, "", "Look.", None)
    with torch.inference_mode():
        wanted = keen.model(**asked.tensors((), None, "cpu")).logits[0, -1].argmax()
    assert int(wanted) in barred
    for temperature in (0.0, 2.0):
        assert not set(written(keen, asked, temperature=temperature, limit=40).ids) & set(barred)


def test_chance_is_the_seeds_alone(loaded: Loaded, asked: Encoded) -> None:
    import torch

    first = written(loaded, asked, temperature=1.0, seed="a")
    torch.manual_seed(99)
    torch.rand(7)
    assert written(loaded, asked, temperature=1.0, seed="a") == first
    assert written(loaded, asked, temperature=1.0, seed="b") != first


def test_tokens_are_drawn_as_often_as_they_are_likely(loaded: Loaded, asked: Encoded) -> None:
    """Against the probabilities of a forward pass, at a temperature that is not 1."""
    import torch

    with torch.no_grad():
        logits = loaded.model(**asked.tensors((), loaded.config.image_token_id, "cpu")).logits[0, -1].double()
    logits[list(loaded.barred())] = -math.inf
    expected = torch.softmax(logits / 0.4, -1)
    drawn = Counter(written(loaded, asked, temperature=0.4, seed=str(n), limit=1).chosen[0][0] for n in range(300))
    likeliest = int(expected.argmax())
    share, sure = drawn[likeliest] / 300, float(expected[likeliest])
    assert 0.03 < sure < 0.97
    assert abs(share - sure) < 4 * math.sqrt(sure * (1 - sure) / 300)


# --- forced starts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prefix",
    [
        '{"think": "", "action": "click", ',
        '{"think": "", "act',
        '{"think": ""',
        '{"guide": "Click Save.",',
        "{",
        '{"a": "é😀',
    ],
)
def test_a_start_is_kept_word_for_word(loaded: Loaded, asked: Encoded, prefix: str) -> None:
    start = start_of(loaded, prefix)
    assert text_of(loaded, list(start.ids)) + start.owed == prefix
    found = written(loaded, asked, prefix=prefix, temperature=1.0)
    assert (prefix + found.text).startswith(text_of(loaded, list(found.ids))[: len(prefix)])
    assert found.ids[: len(start.ids)] == start.ids
    assert len(found.chosen) <= 12


def test_tokens_end_where_the_model_would_have_ended_them() -> None:
    """Cut anywhere, a start of what it would say by itself leads to the very tokens that it would have written."""
    sure = load(locate(str(taught(ANSWERS[0]))))
    asked = encode(sure, "You act.", "Task: tea", None)
    alone = written(sure, asked, limit=200)
    assert alone.ids == tuple(plain(sure, ANSWERS[0]))
    for cut in range(1, len(ANSWERS[0])):
        forced = written(sure, asked, prefix=ANSWERS[0][:cut], limit=200)
        assert forced.text == ANSWERS[0][cut:], cut
        assert forced.ids == alone.ids, cut
        assert "".join(text for _, text, _ in forced.chosen) == ANSWERS[0][cut:]


def test_what_is_given_is_scored_token_by_token(loaded: Loaded, asked: Encoded) -> None:
    import torch

    prefix, text = '{"guide": "Click the Save button."', ', "action": "click"}'
    found = score(loaded, asked, prefix, text)
    whole = plain(loaded, prefix + text)
    # The last quote of the start and the comma are one token, which counts whole.
    assert "".join(token for token, _ in found) == '"' + text
    with torch.no_grad():
        logits = loaded.model(**asked.tensors(tuple(whole), loaded.config.image_token_id, "cpu")).logits[0].double()
    logits[:, list(loaded.barred())] = -math.inf
    logs = torch.log_softmax(logits, -1)
    expected = [float(logs[len(asked.ids) + n - 1, t]) for n, t in enumerate(whole)][-len(found) :]
    assert [log for _, log in found] == pytest.approx(expected, abs=1e-4)


def test_nobody_waits_any_more(loaded: Loaded, asked: Encoded) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        write(loaded, asked, prefix="", limit=10, temperature=0.0, seed="", stop=stop)
