"""Every word of the studio is there in Chinese."""

from __future__ import annotations

import re
from importlib.resources import files

from guideact.report.words import RESULTS
from guideact.studio import app, reviews
from guideact.studio.words import CHINESE, translate

TEMPLATES = {path.name: path.read_text("utf-8") for path in files("guideact.studio").joinpath("templates").iterdir()}


def test_what_the_templates_say_is_there_in_chinese() -> None:
    said = {key for text in TEMPLATES.values() for key in re.findall(r"""\bt\("((?:[^"\\]|\\.)*)\"""", text)}
    said |= {key for text in TEMPLATES.values() for key in re.findall(r"\bt\('([^']*)'", text)}
    said |= {"My work", "Settle", "Progress", "Runs", "Blind audit"}  # of the menu
    assert len(said) > 80
    assert said - CHINESE.keys() == set()


def test_what_the_code_says_is_there_in_chinese() -> None:
    source = "".join(files("guideact.studio").joinpath(name).read_text("utf-8") for name in ("app.py", "reviews.py"))
    problems = set(re.findall(r'(?:Problem\(|problem = )"([^"]+)"', source))
    assert len(problems) >= 5
    said = problems | set(reviews.REASONS) | set(app._PROBLEMS.values()) | set(RESULTS)
    assert said - CHINESE.keys() == set()


def test_no_word_is_left_over() -> None:
    source = "".join(files("guideact.studio").joinpath(f"{n}.py").read_text("utf-8") for n in ("app", "reviews", "web"))
    everything = source + "".join(TEMPLATES.values())
    dynamic = {"accept", "edit", "reject", "insert", "update", "delete", *RESULTS}
    assert [key for key in CHINESE if key not in everything and key not in dynamic] == []


def test_places_are_filled_in() -> None:
    assert translate("zh", "Step {n} of {m}", n=2, m=9) == "第 2 步，共 9 步"
    assert translate("en", "Step {n} of {m}", n=2, m=9) == "Step 2 of 9"
    places = re.compile(r"\{\w+\}")
    for english, chinese in CHINESE.items():
        assert sorted(places.findall(english)) == sorted(places.findall(chinese)), english
