"""Signing in, health and resets, on the stand-in."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from guideact.browser import Browser, launch
from guideact.errors import InputError, SiteError
from guideact.harness.world import WebArenaWorld
from guideact.tasks.webarena import upkeep
from guideact.tasks.webarena.login import Logins, Refused
from guideact.tasks.webarena.place import Place, open_place, probe_place
from guideact.tasks.webarena.setup import Setup, read_setup
from guideact.tasks.webarena.tasks import WebArenaTask, load_webarena
from guideact.tasks.webarena.turns import Turns
from guideact.types import Finish
from guideact.webarena import WebArenaEnv

from .cases import CASES
from .standin import StandIn, serve_standin


@pytest.fixture
async def there() -> AsyncIterator[StandIn]:
    async with serve_standin() as standin:
        yield standin


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with launch() as launched:
        yield launched


def setup_of(there: StandIn, folder: Path | None = None, text: str = "", **more: str) -> Setup:
    file = None
    if folder is not None:
        file = folder / "sites.toml"
        file.write_text(text, encoding="utf-8")
    return read_setup(file, [], {**there.environ, **more})


def task_of(name: str, folder: Path) -> WebArenaTask:
    path = folder / "task.json"
    path.write_text(json.dumps(CASES[name].raw(1, "")), encoding="utf-8")
    return load_webarena(path)[0]


ALL = ("shopping", "shopping_admin", "reddit", "gitlab")


async def test_a_login_is_kept_and_done_anew_when_it_was_lost(there: StandIn, browser: Browser) -> None:
    logins = Logins(setup_of(there))
    for site in ALL:
        state = await logins.state(browser, [site])
        assert await logins.holds(site, state)
    assert there.logins == list(ALL)
    await logins.state(browser, ["gitlab", "reddit"])
    assert there.logins == list(ALL)
    there.sessions["reddit"].clear()
    both = await logins.state(browser, ["gitlab", "reddit"])
    assert there.logins == [*ALL, "reddit"]
    assert {cookie["name"] for cookie in both["cookies"]} == {"_gitlab_session", "PHPSESSID"}


async def test_logins_are_kept_in_a_folder_that_nobody_else_can_read(
    there: StandIn, browser: Browser, tmp_path: Path
) -> None:
    setup = setup_of(there, tmp_path, f"states = '{tmp_path / 'auth'}'")
    await Logins(setup).state(browser, ["gitlab"])
    kept = tmp_path / "auth" / "gitlab_state.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    await Logins(setup).state(browser, ["gitlab"])
    assert there.logins == ["gitlab"]
    kept.write_text("damaged")
    await Logins(setup).state(browser, ["gitlab"])
    assert there.logins == ["gitlab", "gitlab"]


async def test_an_account_that_is_refused_is_told_before_anything_starts(
    there: StandIn, browser: Browser, tmp_path: Path
) -> None:
    setup = setup_of(there, WA_GITLAB_USERNAME="somebody", WA_GITLAB_PASSWORD="s3cret-word")
    with pytest.raises(Refused):
        await Logins(setup).state(browser, ["gitlab"])
    async with open_place(setup) as place:
        with pytest.raises(InputError) as caught:
            await probe_place(place, [task_of("url", tmp_path)], browser)
    said = str(caught.value)
    assert said.startswith("gitlab does not accept the account somebody. Set WA_GITLAB_USERNAME and WA_GITLAB_PASSWORD")
    assert "s3cret-word" not in said


async def test_a_site_that_does_not_answer_is_told_with_its_variable_and_tasks(
    there: StandIn, browser: Browser, tmp_path: Path
) -> None:
    there.down.add("map")
    async with open_place(setup_of(there)) as place:
        with pytest.raises(InputError) as caught:
            await probe_place(place, [task_of("judged", tmp_path)], browser)
    assert "map at http://127.0.0.1" in str(caught.value)
    assert "answers 503 (webarena.1 need it)" in str(caught.value)
    assert "correct MAP (or WA_MAP" in str(caught.value)


async def test_an_episode_begins_only_on_sites_that_answer(there: StandIn, browser: Browser, tmp_path: Path) -> None:
    task = task_of("two sites", tmp_path)
    async with open_place(setup_of(there)) as place:
        env = WebArenaEnv(browser, place, screenshots=False)
        await env.reset(task)
        there.down.add("wikipedia")
        with pytest.raises(SiteError, match=r"wikipedia at .* answers 503"):
            await env.reset(task)
        there.down.clear()
        await env.reset(task)
        await env.step(Finish(answer="446"))
        assert (await env.check()).passed
        await env.close()


async def test_an_outage_is_when_no_site_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = {"map": "map answers 503", "gitlab": ""}

    async def fault(setup: Setup, site: str) -> str:
        return faults[site]

    monkeypatch.setattr(upkeep, "site_fault", fault)
    setup = Setup(addresses={})
    world = WebArenaWorld(Place(setup, Logins(setup), Turns(None, never), ""), ("map", "gitlab"))
    await world.probe()
    faults["gitlab"] = "gitlab cannot be reached"
    with pytest.raises(SiteError, match=r"no site answers any more: map answers 503; gitlab cannot be reached\. Start"):
        await world.probe()


async def never(sites: tuple[str, ...]) -> None:
    raise AssertionError("nothing is put back")


@pytest.mark.parametrize("name", ["url", "tabs", "two sites"])
async def test_only_the_sites_can_be_reached_and_a_task_begins_signed_in(
    there: StandIn, browser: Browser, tmp_path: Path, name: str
) -> None:
    async with open_place(setup_of(there)) as place:
        env = WebArenaEnv(browser, place, screenshots=False)
        seen = await env.reset(task_of(name, tmp_path))
        with pytest.raises(InputError, match="not among the hosts"):
            await env.session.goto(there.control)
        match name:
            case "url":
                assert (await env.session.active_page.context.cookies())[0]["name"] == "_gitlab_session"
                assert not seen.notices
            case "tabs":
                assert seen.title == "Blue Candle, 4 Pack"
                assert [tab.title for tab in seen.tabs] == ["Red Candle, 12 Pack", "Blue Candle, 4 Pack"]
                assert seen.notices == ("2 tabs are open. Going back closes this one and shows the next.",)
            case _:
                assert seen.title == "OpenStreetMap"
                assert "links to the other sites" in seen.notices[0]
        await env.close()


async def test_a_reset_by_address_waits_until_it_is_over(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "POLL_SECONDS", 0.01)
    there.reset_takes = 2
    setup = setup_of(there, WA_FULL_RESET=there.control)
    assert setup.reset is not None
    there.data["map"].starred = True
    await upkeep.put_back(setup, setup.reset, tuple(setup.addresses))
    assert there.reset_takes < 0
    assert not there.data["map"].starred


async def test_a_reset_by_command_is_told_the_site(there: StandIn, tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = f"import sys; open({str(out)!r}, 'a').write(sys.argv[1] + ' ')"
    command = json.dumps(f'{sys.executable} -c "{script}" {{site}}')
    setup = setup_of(there, tmp_path, f"[reset]\ncommand = {command}\n")
    assert setup.reset is not None
    await upkeep.put_back(setup, setup.reset, ("map", "gitlab"))
    assert out.read_text() == "map gitlab "


@pytest.mark.parametrize(
    ("reset", "said"),
    [
        ({"command": "sh -c 'echo broken >&2; exit 3'"}, "the reset command ended with status 3: broken"),
        ({"url": "http://127.0.0.1:9/reset"}, "the reset at http://127.0.0.1:9/reset cannot be reached"),
        ({"command": "sleep 60", "seconds": 0.2}, "took more than 0.2 s"),
    ],
)
async def test_a_reset_that_fails_is_the_surroundings_failure(
    there: StandIn, tmp_path: Path, reset: dict[str, Any], said: str
) -> None:
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in reset.items())
    setup = setup_of(there, tmp_path, f"[reset]\n{lines}")
    assert setup.reset is not None
    with pytest.raises(SiteError) as caught:
        await upkeep.put_back(setup, setup.reset, ("map",))
    assert said in str(caught.value)


def test_of_sites_that_overwrite_each_others_cookie_only_one_is_signed_in_to() -> None:
    task = WebArenaTask(
        id="t.1",
        intent="Do it",
        sites=("shopping", "reddit"),
        start_url="__SHOPPING__",
        start_urls=("__SHOPPING__",),
        number=1,
        signs_in=("shopping", "reddit"),
        kind="mutate",
    )

    async def never(sites: tuple[str, ...]) -> None:
        raise AssertionError(sites)

    def place(*addresses: str) -> Place:
        setup = Setup(addresses=dict(zip(("shopping", "reddit"), addresses, strict=True)))
        return Place(setup, Logins(setup), Turns(None, never), "http://127.0.0.1:1/")

    assert place("http://h:1", "http://h:2").signs_in(task) == ("shopping",)
    assert place("http://h:1", "http://g:2").signs_in(task) == ("shopping", "reddit")
    forge = task.model_copy(update={"signs_in": ("gitlab", "reddit")})
    both = Setup(addresses={"gitlab": "http://h:1", "reddit": "http://h:2"})
    assert Place(both, Logins(both), Turns(None, never), "").signs_in(forge) == ("gitlab", "reddit")
    named = task.model_copy(update={"storage_state": "./.auth/reddit_state.json", "signs_in": ("reddit",)})
    assert place("http://h:1", "http://h:2").signs_in(named) == ("reddit",)
