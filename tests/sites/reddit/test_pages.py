"""Every page opens, for a guest and for Emma, and can be used by someone who sees nothing."""

from __future__ import annotations

import re

import pytest

from tests.sites.shopping.test_pages import Markup

from .conftest import Member

PUBLIC = (
    "/",
    "/?sort=new",
    "/?sort=top&t=month&after=20",
    "/all?sort=controversial&t=all",
    "/forums?sort=members&dir=desc&topic=Home",
    "/f/coffee",
    "/f/coffee?flair=Question&sort=new",
    "/f/ceramics/wiki",
    "/f/ceramics/wiki/first-firing/history",
    "/f/ceramics/wiki/first-firing/history/1",
    "/search?q=kettle&forum=coffee&t=year&kind=text&sort=comments",
    "/search?q=soup&type=comments&author=gracie_b",
    "/search?q=tea&type=forums",
    "/search?q=helsinki&type=people",
    "/search?q=",
    "/user/emma_l",
    "/user/villeh/comments?sort=top",
    "/user/emma_l/card",
    "/about",
)
OWN = (
    "/submit?forum=coffee",
    "/user/emma_l/saved",
    "/user/emma_l/hidden",
    "/user/emma_l/upvoted",
    "/messages",
    "/messages?box=unread",
    "/messages?q=permit",
    "/messages/1",
    "/messages/compose?to=villeh",
    "/messages/recipients?q=vi",
    "/settings/profile",
    "/settings/lists",
    "/settings/email",
    "/settings/privacy",
    "/settings/account",
    "/moderation",
    "/f/austin/mod/queue",
    "/f/austin/mod/removed",
    "/f/austin/mod/bans",
    "/f/austin/mod/rules",
    "/f/austin/mod/flairs",
    "/f/austin/mod/about",
    "/f/austin/mod/log",
    "/f/austin/wiki/breakfast-tacos/edit",
    "/f/austin/wiki/new",
    "/post/1/report",
    "/post/1/crosspost",
    "/comment/1/report",
)


def check(page: str) -> None:
    markup = Markup(page)
    assert not markup.nameless
    assert markup.posts == markup.tokens
    assert not markup.inline
    assert [name for name, count in markup.ids.items() if count > 1] == []
    if "<html" in page:
        assert markup.references <= set(markup.ids)
        assert len(re.findall(r"<[a-z]", page)) < 1500


async def test_for_a_guest(guest: Member) -> None:
    for path in (*PUBLIC, "/login", "/register"):
        check(await guest.get(path))


async def test_for_emma(emma: Member) -> None:
    for path in (*PUBLIC, *OWN):
        check(await emma.get(path))
    assert emma.changes() == ()


@pytest.mark.parametrize("who", ["guest", "emma"])
async def test_every_forum_and_every_tenth_post_opens(guest: Member, emma: Member, who: str) -> None:
    member = {"guest": guest, "emma": emma}[who]
    for row in member.rows("SELECT slug FROM forum"):
        check(await member.get(f"/f/{row['slug']}"))
    for row in member.rows("SELECT f.slug, p.id FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.id % 10 = 1"):
        check(await member.get(f"/f/{row['slug']}/comments/{row['id']}"))


async def test_what_is_not_there_is_said(emma: Member) -> None:
    for path in ("/f/nowhere", "/f/coffee/comments/99999", "/user/nobody", "/f/coffee/wiki/nothing", "/messages/999"):
        assert "Back to the front page" in await emma.get(path, 404)


async def test_a_guest_is_led_to_the_sign_in_and_back(guest: Member) -> None:
    response = await guest.client.get("/messages")
    assert response.headers["location"] == "/login?next=%2Fmessages"
    await guest.get("/login")
    response = await guest.post("/login", username="emma_l", password="password123", next="/messages")
    assert response.headers["location"] == "/messages"


async def test_others_do_not_see_what_is_emmas(other: Member) -> None:
    await other.get("/messages/1", 404)
    await other.get("/user/emma_l/saved", 404)
    await other.get("/f/austin/mod/queue", 403)
    await other.get("/moderation", 403)


async def test_pictures_are_drawn(guest: Member) -> None:
    from guideact.sites.reddit.pictures import PICTURES

    for name in PICTURES:
        assert (await guest.get(f"/picture/{name}.svg")).startswith("<svg")
    used = {row["picture"] for row in guest.rows("SELECT DISTINCT picture FROM post WHERE picture <> ''")}
    assert used <= set(PICTURES)
