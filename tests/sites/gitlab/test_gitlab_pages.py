"""Every page answers, every control has a name, and nobody sees what is not theirs."""

from __future__ import annotations

import re
from html import unescape

import pytest

from guideact.sites.gitlab import markdown
from tests.sites.gitlab.conftest import Forge

PROJECT = "/harbour-code/tidewater"
PAGES = (
    "/",
    "/explore",
    "/explore?topic=maps&sort=stars",
    "/dashboard/personal",
    "/dashboard/starred",
    "/dashboard/issues",
    "/dashboard/issues?scope=created&state=all",
    "/dashboard/merge_requests",
    "/dashboard/merge_requests?scope=created",
    "/dashboard/todos",
    "/dashboard/todos?state=done&reason=assigned",
    "/search?search=queue",
    "/search?search=queue&scope=issues",
    "/search?search=queue&scope=merge_requests",
    "/search?search=queue&scope=code",
    "/search?search=spring&scope=milestones",
    "/search?search=emma&scope=users",
    "/search?search=nothinglikeit&scope=code",
    "/groups",
    "/groups/harbour-code",
    "/groups/harbour-code/members",
    "/users/emma_l",
    "/users/emma_l?tab=projects",
    "/users/mikkos?tab=starred",
    "/profile",
    "/snippets",
    "/snippets?scope=all",
    "/snippets/1",
    "/snippets/1/edit",
    "/snippets/new",
    "/new",
    PROJECT,
    *(
        f"{PROJECT}/{page}"
        for page in (
            "activity",
            "activity?kind=comment",
            "members",
            "issues",
            "issues?state=all&sort=due",
            "issues?label=bug&assignee=-",
            "issues?milestone=-",
            "issues/new",
            "issues/3",
            "issues/3/edit",
            "board",
            "board?assignee=emma_l",
            "labels",
            "labels/new",
            "milestones",
            "milestones?state=closed",
            "milestones/new",
            "merge_requests",
            "merge_requests?state=all",
            "merge_requests/new?source=typo",
            "merge_requests/2",
            "merge_requests/2/changes",
            "merge_requests/2/commits",
            "merge_requests/2/edit",
            "merge_requests/1",
            "files",
            "files/tidewater",
            "files/README.md",
            "files/README.md?view=code",
            "files/tidewater/queue.py?ref=v0.8.0",
            "raw/README.md",
            "blame/tidewater/queue.py",
            "history/tidewater/queue.py",
            "edit/README.md",
            "delete/README.md",
            "new-file?folder=docs",
            "find-file?name=py",
            "commits",
            "commits?author=emma_l",
            "branches",
            "tags",
            "releases",
            "releases/new",
            "compare",
            "compare?from=main&to=typo",
            "settings",
            "fork",
        )
    ),
)
MISSING = (
    "/nobody/nothing",
    f"{PROJECT}/issues/999",
    f"{PROJECT}/merge_requests/999",
    f"{PROJECT}/files/no/such/file",
    f"{PROJECT}/files?ref=no-such-branch",
    f"{PROJECT}/commit/ffffffff",
    f"{PROJECT}/milestones/999",
    "/users/nobody",
    "/groups/nobody",
    "/snippets/999",
    f"{PROJECT}/blame/none",
    f"{PROJECT}/issues/{'9' * 30}",
    f"/snippets/{'9' * 30}",
)


@pytest.mark.parametrize("path", PAGES)
async def test_pages(forge: Forge, path: str) -> None:
    page = await forge.get(path)
    if "/raw/" in path:
        return
    assert page.count("<h1") >= 1 or "Set your status" in page
    assert len(re.findall(r"<[a-z]", page)) < 1500
    for tag in re.findall(r"<(?:input|select|textarea)\b[^>]*>", page):
        if 'type="hidden"' in tag or " hidden" in tag:
            continue
        named = "aria-label=" in tag or (
            (found := re.search(r' id="([^"]+)"', tag)) is not None and f'for="{found[1]}"' in page
        )
        assert named or 'type="radio"' in tag or 'type="checkbox"' in tag, tag
    identifiers = re.findall(r' id="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize("path", MISSING)
async def test_what_is_not_there(forge: Forge, path: str) -> None:
    await forge.get(path, 404)


async def test_internal_links_of_a_project_lead_somewhere(forge: Forge) -> None:
    page = await forge.get(PROJECT)
    for path in sorted({unescape(link) for link in re.findall(r'href="(/[^"#]*)"', page)}):
        if not path.startswith("/static"):
            await forge.get(path)


async def test_private_and_internal_projects_are_hidden(forge: Forge) -> None:
    guest, stranger = forge.signed_in(""), forge.signed_in("liam_oc")
    await forge.get("/emma_l/dotfiles")
    await stranger.get("/emma_l/dotfiles", 404)
    await guest.get("/emma_l/dotfiles", 404)
    await guest.get("/lumo-market/order-desk", 404)
    await stranger.get("/lumo-market/order-desk")
    assert "emma_l/dotfiles" not in await stranger.get("/search?search=dotfiles")
    assert ".aliases" not in await stranger.get("/search?search=alias&scope=code")
    assert ".aliases" in await forge.get("/search?search=alias&scope=code")
    assert "Backup before a journey" not in await stranger.get("/snippets?scope=all")
    await stranger.get("/snippets/2", 404)


async def test_a_guest_reads_and_is_sent_to_sign_in(forge: Forge) -> None:
    guest = forge.signed_in("")
    page = await guest.get(f"{PROJECT}/issues/3")
    assert "Sign in" in page
    assert "Edit labels" not in page
    response = await guest.client.get("/dashboard/todos")
    assert response.headers["location"].startswith("/login?next=")


async def test_signing_in(forge: Forge) -> None:
    guest = forge.signed_in("")
    await guest.post("/login", 422, username="emma_l", password="wrong")
    response = await guest.post("/login", username="emma_l", password="password123", next="/snippets")
    assert response.headers["location"] == "/snippets"
    assert "To-do list" in await guest.get("/")


def test_markdown_is_safe_and_does_what_it_says() -> None:
    hostile = markdown.render('<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror="y"> `<b>`')
    assert "<script" not in hostile
    assert "<img" not in hostile
    assert 'href="javascript' not in hostile
    assert "<code>&lt;b&gt;</code>" in hostile
    text = "# Title\n\nA **bold** *word*, #3 and !2 by @emma_l.\n\n- one\n- two\n"
    text += "\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n"
    markup = markdown.render(text, "a/b")
    for piece in (
        "<h2>Title</h2>",
        "<strong>bold</strong>",
        "<em>word</em>",
        '<a href="/a/b/issues/3">#3</a>',
        '<a href="/a/b/merge_requests/2">!2</a>',
        'href="/users/emma_l"',
        "<li>one</li><li>two</li>",
        "<td>2</td>",
        "<blockquote><p>said</p></blockquote>",
    ):
        assert piece in markup
