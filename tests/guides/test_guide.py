"""A guide as a file: written, read, refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.guides.guide import FILE, Guide, GuideStep, GuideTarget, picture_of, read_guide, slug, write_guide

PNG = b"\x89PNG a picture"
SHA = hashlib.sha256(PNG).hexdigest()


def made(**changes: object) -> Guide:
    step = GuideStep(
        sentence="Click “Save”.",
        verb="click",
        target=GuideTarget(role="button", name="Save"),
        image=SHA,
        url="http://x/",
    )
    done = GuideStep(sentence="You are done.", verb="finish")
    return Guide(id="save", title="Save it", start_url="http://x/", steps=(step, done)).model_copy(update=changes)


def test_what_is_written_is_read_again_and_holds_no_defaults(tmp_path: Path) -> None:
    write_guide(tmp_path / "save", made(), {SHA: PNG, "0" * 64: b"of another guide"})
    assert read_guide(tmp_path / "save") == read_guide(tmp_path / "save" / FILE) == made()
    assert picture_of(tmp_path / "save", SHA) == PNG
    assert sorted(path.name for path in (tmp_path / "save" / "images").iterdir()) == [f"{SHA}.png"]
    text = (tmp_path / "save" / FILE).read_text(encoding="utf-8")
    assert json.loads(text)["format"] == 1
    assert "ordinal" not in text
    assert "“Save”" in text, "a person reads it"


def test_a_guide_is_replaced_and_pictures_that_nobody_shows_go(tmp_path: Path) -> None:
    write_guide(tmp_path, made(), {SHA: PNG})
    write_guide(tmp_path, made(title="Keep it"), {})
    assert read_guide(tmp_path).title == "Keep it"
    write_guide(tmp_path, made(steps=made().steps[1:]), {})
    assert list((tmp_path / "images").iterdir()) == []


def test_nothing_is_mixed_with_the_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="holds no guide"):
        write_guide(tmp_path, made(), {SHA: PNG})
    with pytest.raises(InputError, match="is a file"):
        write_guide(tmp_path / "letter.txt", made(), {SHA: PNG})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ('{"format": 7}', "of format 7"),
        ('{"format": 1, "id": "a", "title": "A", "start_url": "http://a/", "steps": []}', "steps: "),
        (
            '{"id": "A b", "title": "A", "start_url": "http://a/", "steps": [{"sentence": "x", "verb": "click"}]}',
            "id: ",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "http://a/", "steps": [{"sentence": "x", "verb": "fly"}]}',
            "steps.0.verb",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "http://a/", "x": 1, '
            '"steps": [{"verb": "finish", "sentence": "x"}]}',
            "x: Extra",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "javascript:alert(1)", '
            '"steps": [{"verb": "finish", "sentence": "x"}]}',
            "start_url: should begin with https://",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "http://a/", "steps": [{"verb": "click", "sentence": "x", '
            '"box": {"x": 1, "y": 1, "width": -5, "height": 0}}]}',
            "steps.0.box: should have a size of 0 or more",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "http://a/", "steps": [{"verb": "click", "sentence": "x", '
            '"box": {"x": NaN, "y": 1, "width": 5, "height": 5}}]}',
            "steps.0.box: should have a size of 0 or more",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "http://a/", "steps": [{"verb": "click", "sentence": "x", '
            '"point": [1, NaN]}]}',
            "steps.0.point.1: Input should be a finite number",
        ),
        (
            '{"id": "a", "title": "A", "start_url": "http://a/", "steps": [{"verb": "click", "sentence": "x", '
            '"target": {"frame": "0); raise SystemExit #"}}]}',
            "steps.0.target.frame: ",
        ),
    ],
)
def test_what_is_no_guide_is_named_with_its_field(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        read_guide(tmp_path)
    assert "\n" not in str(caught.value)


def test_what_is_said_stays_on_one_line() -> None:
    guide = Guide(
        id="a",
        title=" Save\n# it\x1b[31m ",
        start_url="HTTPS://a/",
        steps=(GuideStep(sentence="Open\u2028 it.\r\n  raise", verb="finish"),),
    )
    assert guide.title == "Save # it [31m"
    assert guide.steps[0].sentence == "Open it. raise"


def test_a_folder_without_a_guide_and_a_picture_that_was_changed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no guide"):
        read_guide(tmp_path)
    write_guide(tmp_path, made(), {SHA: PNG})
    (tmp_path / "images" / f"{SHA}.png").write_bytes(b"another")
    with pytest.raises(InputError, match="was changed"):
        picture_of(tmp_path, SHA)


def test_names_of_folders() -> None:
    assert slug("Cancel my order #12, please!") == "cancel-my-order-12-please"
    assert slug("取消订单") == "guide"
    assert len(slug("word " * 50)) <= 60
