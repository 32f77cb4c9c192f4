"""What demonstrations tell of names: what stands behind them, and which of them come last."""

from __future__ import annotations

from guideact.models.builtin.lore import Clicked, learned_lore, new_words
from guideact.models.builtin.view import view_of
from guideact.models.builtin.words import read_goal
from guideact.train.examples import Demo, lore_in
from guideact.types import Click, Finish, Mark
from tests.tasks.pages import candidate, line, page
from tests.train.small_shop import demo_step

HOME = page(candidate(1, "link", "Settings", 10, 10), candidate(2, "link", "Help", 10, 40))
SETTINGS = page(candidate(1, "textbox", "Tagline", 10, 10), candidate(2, "button", "Save", 10, 40), line("Help", 9, 9))


def test_only_words_that_were_not_there_before_stand_behind_a_name() -> None:
    assert new_words(HOME, SETTINGS) == {"tagli", "save"}


def test_how_often_a_name_comes_last_is_told_where_there_are_enough_clicks() -> None:
    clicks = [Clicked("save *", frozenset({"done"}), last=True)] * 3
    clicks += [Clicked("settings", frozenset({"tagli"}), last=False)] * 4 + [Clicked("add *", frozenset(), last=True)]
    lore = learned_lore([*clicks, Clicked("* *", frozenset({"x"}), last=False)])
    assert dict(lore.closing) == {"save": "often", "setti": "seldom"}
    assert (lore.closes("Save changes"), lore.closes("Add"), lore.closes("7")) == ("often", "unknown", "unknown")
    assert dict(lore.behind) == {"save *": {"done"}, "settings": {"tagli"}, "add *": set()}
    assert lore.asked_behind("settings", read_goal("Change the taglines of the forum.")) == 1
    assert lore.asked_behind("nowhere", read_goal("Change the tagline.")) == 0


def demo(name: str, template: str) -> Demo:
    steps = (
        demo_step(HOME, Click(target=Mark(mark=1)), 0),
        demo_step(SETTINGS, Click(target=Mark(mark=2)), 1),
        demo_step(SETTINGS, Finish(), 2),
    )
    return Demo(name, template, "Change the tagline.", steps)


def test_a_template_learns_from_the_others_alone() -> None:
    lore = lore_in([demo("a1", "a"), demo("a2", "a"), demo("b1", "b")])
    assert lore[""].behind["setting"] == lore["a"].behind["setting"] == {"tagli", "save"}
    assert (lore[""].closing, lore["a"].closing) == ({"save": "often", "setti": "seldom"}, {})
    alone = lore_in([demo("a1", "a")])
    assert "setting" in alone[""].behind
    assert alone["a"].behind == {}


def test_a_view_knows_the_best_way_to_what_no_page_in_view_says() -> None:
    lore = lore_in([demo("a1", "a")])[""]
    view = view_of("Give the forum another tagline.", HOME, (), lore=lore)
    assert view.asked_behind == {"setting": 1, "help": 0}
    assert view.most_behind == 1
    assert view_of("Give it another tagline.", HOME, ("Press “Save”.",), lore=lore).closed == "unknown"
