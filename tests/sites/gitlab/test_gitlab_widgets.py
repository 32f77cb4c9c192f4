"""The custom controls as an agent meets them: seen in observations, worked by clicks, typing and Enter alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from guideact.browser import Session, launch
from guideact.sites.server import SiteServer, serve
from guideact.sites.world import NOW
from guideact.types import Action, Candidate, Click, Mark, Observation, PressEnter, Scroll, Select, Type


class Hands:
    """Finds controls by role and the beginning of their name, the shortest that fits; scrolls where none is seen."""

    def __init__(self, session: Session, server: SiteServer) -> None:
        self.session = session
        self.server = server

    def value(self, sql: str) -> Any:
        return self.server.database(0, "gitlab").connection.execute(sql).fetchall()[0][0]

    async def open(self, path: str) -> None:
        await self.session.goto(self.server.url("gitlab") + path)

    async def see(self) -> Observation:
        return await self.session.observe(screenshot=False)

    async def find(self, role: str, name: str) -> Candidate:
        for _ in range(6):
            seen = await self.see()
            fitting = [one for one in seen.candidates if one.role == role and one.name.startswith(name)]
            if fitting:
                return min(fitting, key=lambda one: len(one.name))
            await self.session.execute(Scroll(direction="down"))
            await self.session.settle()
        raise AssertionError(f"no {role} {name!r} among {[(one.role, one.name) for one in seen.candidates]}")

    async def act(self, action: Action) -> None:
        assert await self.session.execute(action) is None
        await self.session.settle()

    async def click(self, role: str, name: str) -> None:
        await self.act(Click(target=Mark(mark=(await self.find(role, name)).mark)))

    async def type(self, role: str, name: str, text: str) -> None:
        await self.act(Type(target=Mark(mark=(await self.find(role, name)).mark), text=text))

    async def select(self, name: str, option: str) -> None:
        await self.act(Select(target=Mark(mark=(await self.find("combobox", name)).mark), option=option))

    async def says(self, text: str) -> bool:
        return any(text in line.text for line in (await self.see()).texts)


@pytest.fixture
async def hands() -> AsyncIterator[Hands]:
    async with serve(0) as server, launch() as browser:
        cookie = server.cookie(0, "gitlab", "emma_l")
        async with browser.session(allow=server.allow(0), now=NOW, cookies=[cookie]) as session:
            yield Hands(session, server)
            assert server.faults(0) == []


async def test_search_suggests_and_the_clone_panel_lies_in_a_shadow_root(hands: Hands) -> None:
    await hands.open("/")
    await hands.type("combobox", "Search Quayside", "tidew")
    await hands.click("option", "harbour-code/tidewater")
    assert (await hands.see()).url.endswith("/harbour-code/tidewater")
    await hands.click("button", "Clone")
    address = await hands.find("textbox", "Clone with SSH")
    assert address.value == "git@quayside.example:harbour-code/tidewater.git"
    await hands.click("button", "Copy SSH address")
    await hands.click("button", "Star")
    await hands.find("button", "Unstar")


async def test_the_side_column_of_an_issue(hands: Hands) -> None:
    await hands.open("/harbour-code/tidewater/issues/9")
    await hands.click("button", "Edit labels")
    await hands.type("combobox", "Add a label", "perf")
    await hands.click("option", "performance")
    await hands.click("button", "Remove bug")
    await hands.click("button", "Save labels")
    sql = "SELECT group_concat(l.name, ',') FROM issue_label x JOIN label l ON l.id = x.label_id WHERE x.issue_id = "
    issue = hands.value("SELECT i.id FROM issue i WHERE title LIKE 'tidewater put%'")
    assert sorted(hands.value(f"{sql}{issue}").split(",")) == ["good first issue", "performance"]
    await hands.click("button", "Edit due date")
    await hands.click("button", "Choose due date")
    await hands.click("button", "Next month")
    await hands.click("button", "Thursday, April 16, 2026")
    await hands.click("button", "Save due date")
    assert hands.value(f"SELECT due_on FROM issue WHERE id = {issue}") == "2026-04-16"


async def test_a_preview_and_a_board_card_that_is_moved(hands: Hands) -> None:
    await hands.open("/harbour-code/tidewater/issues/9")
    await hands.type("textbox", "Comment", "This is **bold**.")
    await hands.click("tab", "Preview")
    assert await hands.says("bold")
    await hands.click("tab", "Write")
    await hands.click("button", "Comment")
    assert hands.value("SELECT body FROM note ORDER BY id DESC") == "This is **bold**."
    await hands.open("/harbour-code/lantern/board")
    await hands.select("Move #2 to", "doing")
    assert await hands.says("#2 was moved to doing.")


async def test_members_are_invited_by_name_and_removed_after_a_question(hands: Hands) -> None:
    await hands.open("/emma_l/garden-log/members")
    await hands.click("button", "Invite members")
    await hands.type("combobox", "Name or user name", "Zoe")
    await hands.click("option", "Zoe Patel")
    await hands.select("Role of the new member", "Reporter")
    await hands.click("button", "Invite")
    assert await hands.says("Zoe Patel was added as Reporter.")
    await hands.click("button", "Remove Zoe Patel")
    assert "Remove Zoe Patel from the project?" in [dialog.message for dialog in (await hands.see()).dialogs]
    assert await hands.says("Zoe Patel was removed from the project.")


async def test_modals(hands: Hands) -> None:
    await hands.open("/emma_l/garden-log/settings")
    await hands.click("button", "Delete project")
    await hands.type("textbox", "Address of the project", "emma_l/garden-log")
    await hands.act(PressEnter())
    assert await hands.says("The project emma_l/garden-log was deleted.")
    await hands.click("button", "Account menu")
    await hands.click("button", "Set status")
    await hands.type("textbox", "What is your status?", "Digging")
    await hands.click("button", "Save status")
    assert hands.value("SELECT status_text FROM account WHERE id = 1") == "Digging"
