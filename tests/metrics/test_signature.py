"""The signature names what a score depends on."""

from guideact.metrics import GuideScoring, sign


def test_it_names_every_choice_on_one_line() -> None:
    line = str(sign(GuideScoring(), resamples=10_000, seed=0, level=0.95))
    for part in ("tokeniser:words", "case:lower", "smoothing:none", "stemming:none", "rouge:f1", "gamma:0.4", "seed:0"):
        assert part in line.split("|")
    assert "sacrebleu" not in line
    assert "\n" not in line


def test_sacrebleus_version_is_there_where_its_tokeniser_is_used() -> None:
    plain = sign(GuideScoring(), resamples=1, seed=0, level=0.9)
    other = sign(GuideScoring(tokeniser="13a", lowercase=False), resamples=1, seed=0, level=0.9)
    assert other.sacrebleu
    assert other.case == "kept"
    assert plain != other
