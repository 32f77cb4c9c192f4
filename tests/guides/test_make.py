"""Guides from what was done, on the live sites."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from guideact.data import open_dataset
from guideact.env import WebEnv, open_env
from guideact.errors import InputError
from guideact.guides.guide import read_guide
from guideact.guides.make import MASK, Moment, from_dataset, from_episode, from_gold, guide_of
from guideact.guides.naming import naming
from guideact.guides.places import embedded_site, hosts_of
from guideact.guides.stage import secret_variable, secrets_from
from guideact.guides.trials import guide_set
from guideact.harness.log import read_episodes
from guideact.sites.server import serve
from guideact.types import Box, Candidate, Locator, Mark, Observation, TextLine, Type
from tests.cli.calling import spawn

TASK = "shopping.price.1"
SECRET_TASK = "shopping_admin.customer_new.1"


@pytest.fixture
async def env() -> AsyncIterator[WebEnv]:
    async with open_env() as opened:
        yield opened


async def test_gold_becomes_a_guide_with_clean_pictures(env: WebEnv) -> None:
    guide, pictures = await from_gold(TASK, env)
    assert guide.task_id == TASK
    assert guide.start_url.startswith("__SHOPPING__")
    assert [step.verb for step in guide.steps][-1] == "finish"
    assert guide.steps[-1].value == "", "a guide does not age with an answer"
    assert {step.image for step in guide.steps} == set(pictures)
    for step in guide.steps:
        with Image.open(io.BytesIO(pictures[step.image])) as picture:
            assert picture.size == (step.viewport.width, step.viewport.height)
        if step.target is not None:
            assert step.box is not None
            assert step.target.role
            assert step.target.css
            assert step.target.near


async def test_a_secret_is_in_no_field_of_a_guide(env: WebEnv) -> None:
    guide, _ = await from_gold(SECRET_TASK, env)
    typed = [step for step in guide.steps if step.secret]
    assert [(step.verb, step.value) for step in typed] == [("type", "")]
    assert guide.secrets == ("password",)
    assert "lantern-48" not in guide.model_dump_json()
    assert MASK in typed[0].sentence
    assert secrets_from({"GUIDEACT_SECRET_PASSWORD": "new"}, guide) == {"password": "new"}
    with pytest.raises(InputError, match="Set GUIDEACT_SECRET_PASSWORD"):
        secrets_from({}, guide)


async def test_an_episode_of_a_run_and_a_dataset_give_the_same_steps_as_gold(tmp_path: Path, env: WebEnv) -> None:
    gold, _ = await from_gold(TASK, env)
    run = tmp_path / "run"
    assert (await spawn("run", "--sample-id", TASK, "--no-screenshots", "--log-dir", str(run))).status == 0
    (episode,) = read_episodes(run)
    again, pictures = await from_episode(episode, "scripted/gold", env)
    assert [(step.verb, step.target, step.value, step.image) for step in again.steps] == [
        (step.verb, step.target, step.value, step.image) for step in gold.steps
    ]
    assert again.source == "run: scripted/gold"
    assert set(pictures) == {step.image for step in again.steps}
    first = episode.steps[0]
    assert first.target is not None
    moved = first.model_copy(update={"target": first.target.model_copy(update={"name": "Search books"})})
    other = episode.model_copy(update={"steps": (moved, *episode.steps[1:])})
    with pytest.raises(InputError, match="acts on something else now"):
        await from_episode(other, "scripted/gold", env)

    assert (await spawn("data", "build", str(tmp_path / "data"), TASK)).status == 0
    demo, kept = from_dataset(open_dataset(tmp_path / "data"), TASK)
    assert [(step.verb, step.target, step.sentence) for step in demo.steps] == [
        (step.verb, step.target, step.sentence) for step in gold.steps
    ]
    assert set(kept) == {step.image for step in demo.steps}

    # Trials take guides from both.
    for source in (run, tmp_path / "data"):
        trial = guide_set(str(source), "as_is", [TASK]).guide(TASK)
        assert trial is not None
        assert [key.verb for key in trial.key] == [step.verb for step in gold.steps]
        assert all(line.sentence for line in trial.lines)


async def test_an_agent_makes_a_guide_of_any_site_by_its_address(tmp_path: Path) -> None:
    async with serve(port=0) as server:
        url, out = server.url("shopping"), tmp_path / "out"
        said = await spawn(
            "guide", "make", url, "Search products for “Zeppelin”", "--model", "scripted/overlap", "--max-steps", "3",
            "--out", str(out),
        )  # fmt: skip
        assert said.status == 1, said.err
        guide = read_guide(out)
        assert guide.start_url == url
        first = guide.steps[0].target
        assert first is not None
        assert (guide.steps[0].verb, first.name) == ("click", "Search products")
        assert "did not say that it was done" in said.err
        assert guide.source == "agent: scripted/overlap"
        taken = await spawn("guide", "make", url, "Search", "--out", str(out))
        assert taken.status == 2
        assert "not empty" in taken.err
    nowhere = await spawn("guide", "make", "shop", "Search", "--model", "scripted/overlap")
    assert nowhere.status == 2
    assert "is no address of a site" in nowhere.err


def _field(name: str, value: str = "") -> Candidate:
    return Candidate(
        mark=1,
        role="textbox",
        name=name,
        value=value,
        box=Box(x=10, y=10, width=90, height=20),
        point=(20, 20),
        locator=Locator(role="textbox", name=name, css="#it"),
    )


def test_a_field_that_shows_bullets_is_secret_whatever_it_is_called() -> None:
    before, after, name = _field("Losung"), _field("Losung", "•••••••"), _field("Name")
    name = name.model_copy(update={"locator": name.locator.model_copy(update={"row": "You typed geheim! there"})})
    shown = TextLine(text="Last: geheim!", box=Box(x=10, y=40, width=90, height=20))
    moments = [
        Moment(
            Observation(url="http://x/", title="x", candidates=(before,)),
            Type(target=Mark(mark=1), text="geheim!"),
            before,
        ),
        Moment(
            Observation(url="http://x/?q=geheim!", title="for geheim!", candidates=(after,), texts=(shown,)),
            Type(target=Mark(mark=1), text="once more"),
            name,
        ),
    ]
    guide, _ = guide_of(moments, title="Sign in with geheim!", start_url="http://x/", source="test")
    assert "geheim" not in guide.model_dump_json()
    assert guide.steps[0].secret == "losung"
    assert guide.steps[0].sentence == "Type your losung into the field “Losung”."
    assert guide.steps[1].value == "once more"
    assert guide.steps[1].target is not None
    assert guide.steps[1].target.row == f"You typed {MASK} there"
    assert secret_variable("card number") == "GUIDEACT_SECRET_CARD_NUMBER"


def test_the_sentence_that_names_most_is_chosen() -> None:
    said = ("Fill in the box at the top.", "Type “tea” into the field “Search”.", "Give “Search” the word.")
    assert naming(said, "Search", "tea") == said[1]
    assert naming(said, "Other", "") == said[0]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("__SHOPPING_ADMIN__/orders", "shopping_admin"),
        ("http://shopping-admin.localhost/orders", "shopping_admin"),
        ("http://shopping.localhost:8080/", ""),
        ("https://example.org/", ""),
        ("__NOWHERE__/", ""),
    ],
)
def test_which_addresses_are_embedded(url: str, site: str) -> None:
    assert embedded_site(url) == site


def test_hosts_that_may_be_reached() -> None:
    assert hosts_of("https://Example.org/a") == ("example.org:443",)
    assert hosts_of("http://example.org:81/", ("cdn.example.org", "*.net:443")) == (
        "example.org:81",
        "cdn.example.org:*",
        "*.net:443",
    )
    assert hosts_of("http://example.org/", ("*",)) is None
    with pytest.raises(InputError, match=re.escape("'ftp://x' is no address of a site")):
        hosts_of("ftp://x")
