"""What members do, by plain forms: each deed changes what it names and nothing besides."""

from __future__ import annotations

from typing import Any

from .conftest import Member


def only(member: Member, *tables: str) -> None:
    """The tables that changed, and how often."""
    assert sorted(f"{change.op} {change.table}" for change in member.changes()) == sorted(tables)


def foreign_post(member: Member) -> dict[str, Any]:
    return member.rows(
        "SELECT p.*, f.slug FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.author_id <> 1"
        " AND p.status = 'visible'"
        " AND p.id NOT IN (SELECT post_id FROM vote WHERE post_id IS NOT NULL)"
        " AND p.id NOT IN (SELECT post_id FROM saved WHERE post_id IS NOT NULL)"
        " AND p.is_locked = 0 ORDER BY p.id LIMIT 1"
    )[0]


async def test_voting_up_then_down_then_not(emma: Member) -> None:
    post = foreign_post(emma)
    await emma.post(f"/post/{post['id']}/vote/up")
    only(emma, "insert vote")
    await emma.post(f"/post/{post['id']}/vote/down")
    assert emma.value("SELECT value FROM vote WHERE post_id = ?", post["id"]) == -1
    await emma.post(f"/post/{post['id']}/vote/down")
    assert emma.changes() == ()


async def test_a_vote_counts(emma: Member) -> None:
    post = foreign_post(emma)
    response = await emma.client.post(
        f"/post/{post['id']}/vote/up", data={"csrf": emma.csrf}, headers={"X-Requested-With": "fetch"}
    )
    assert response.json() == {"text": "", "vote": 1, "score": post["ups"] - post["downs"] + 1}


async def test_saving_and_hiding(emma: Member) -> None:
    post = foreign_post(emma)
    await emma.post(f"/post/{post['id']}/save")
    await emma.post(f"/post/{post['id']}/hide")
    only(emma, "insert hidden", "insert saved")
    assert post["title"] in await emma.get("/user/emma_l/hidden")
    assert f'/comments/{post["id"]}"' not in await emma.get(f"/f/{post['slug']}?sort=new")
    await emma.post(f"/post/{post['id']}/save")
    await emma.post(f"/post/{post['id']}/hide")
    assert emma.changes() == ()


async def test_joining_and_leaving(emma: Member) -> None:
    await emma.post("/f/tea/subscribe")
    only(emma, "insert subscription")
    await emma.post("/f/tea/subscribe")
    assert emma.changes() == ()


async def test_a_text_post_is_written_edited_and_deleted(emma: Member) -> None:
    flair = emma.value("SELECT x.id FROM flair x JOIN forum f ON f.id = x.forum_id WHERE f.slug = 'tea'")
    page = await emma.post(
        "/submit", kind="text", forum="tea", flair=str(flair), title="A cup", body="Is it **enough**?"
    )
    only(emma, "insert post")
    address = page.headers["location"]
    assert "<strong>enough</strong>" in await emma.get(address)
    number = int(address.rsplit("/", 1)[1])
    await emma.post(f"/post/{number}/edit", body="It is.", flair="")
    assert emma.value("SELECT body FROM post WHERE id = ?", number) == "It is."
    await emma.post(f"/post/{number}/delete")
    await emma.get(address, 404)


async def test_a_post_is_refused_with_reasons(emma: Member) -> None:
    page = await emma.post("/submit", 422, kind="link", forum="", title="", url="nowhere")
    for text in ("Choose the forum", "Give your post a title", "Enter an address"):
        assert text in page.text
    assert (
        "Choose one of the pictures" in (await emma.post("/submit", 422, kind="picture", forum="tea", title="X")).text
    )
    assert emma.changes() == ()


async def test_a_picture_is_chosen_or_sent(emma: Member) -> None:
    await emma.post("/submit", kind="picture", forum="tea", title="My pot", picture="teapot")
    only(emma, "insert post")
    sent = await emma.client.post(
        "/submit",
        data={"csrf": emma.csrf, "kind": "picture", "forum": "tea", "title": "Mine"},
        files={"upload": ("a.png", b"\x89PNG\r\n\x1a\n rest", "image/png")},
    )
    assert sent.status_code == 303
    only(emma, "insert post", "insert post", "insert upload")
    assert "/upload/1" in await emma.get(sent.headers["location"])
    refused = await emma.client.post(
        "/submit",
        data={"csrf": emma.csrf, "kind": "picture", "forum": "tea", "title": "Mine"},
        files={"upload": ("a.svg", b"<svg onload=x>", "image/svg+xml")},
    )
    assert refused.status_code == 422


async def test_comments_and_answers(emma: Member) -> None:
    post = foreign_post(emma)
    address = f"/f/{post['slug']}/comments/{post['id']}"
    await emma.post(f"{address}/answer", body="First <b>of</b> all.")
    only(emma, "insert comment")
    number = emma.value("SELECT max(id) FROM comment")
    await emma.post(f"{address}/answer", body="Second.", parent=number)
    page = await emma.get(address)
    assert "First &lt;b&gt;of&lt;/b&gt; all." in page
    await emma.post(f"/comment/{number}/edit", body="Better.")
    await emma.post(f"/comment/{number}/delete")
    page = await emma.get(address)
    assert "Deleted by its author" in page
    assert "Second." in page
    await emma.post(f"{address}/answer", 422, body=" ")


async def test_nobody_edits_what_others_wrote(other: Member) -> None:
    number = other.value("SELECT min(id) FROM post WHERE author_id = 1")
    for path in (f"/post/{number}/edit", f"/post/{number}/delete"):
        await other.post(path, 403, body="Mine now.")
    assert other.changes() == ()


async def test_crossposting(emma: Member) -> None:
    post = foreign_post(emma)
    await emma.post(f"/post/{post['id']}/crosspost", 422, forum=post["slug"], title="Again")
    page = await emma.post(f"/post/{post['id']}/crosspost", forum="tea", title="Seen elsewhere")
    only(emma, "insert post")
    assert "Crossposted from" in await emma.get(page.headers["location"])


async def test_reporting(emma: Member) -> None:
    post = foreign_post(emma)
    await emma.post(f"/post/{post['id']}/report", 422, reason="Because")
    await emma.post(f"/post/{post['id']}/report", reason="Spam", note="Third time.")
    only(emma, "insert report")


async def test_blocking_takes_posts_out_of_lists(emma: Member) -> None:
    post = foreign_post(emma)
    author = emma.value("SELECT username FROM member WHERE id = ?", post["author_id"])
    assert f'/comments/{post["id"]}"' in await emma.get(f"/f/{post['slug']}?sort=new")
    await emma.post(f"/user/{author}/block")
    only(emma, "insert blocked")
    assert f'/comments/{post["id"]}"' not in await emma.get(f"/f/{post['slug']}?sort=new")


async def test_messages(emma: Member) -> None:
    unread = emma.value("SELECT count(*) FROM message WHERE is_read = 0 AND sender_id <> 1")
    await emma.post("/messages/mark", conversation="1", **{"as": "read"})
    only(emma, "update message")
    assert emma.value("SELECT count(*) FROM message WHERE is_read = 0 AND sender_id <> 1") == unread - 1
    await emma.post("/messages/mark", conversation="1", **{"as": "unread"})
    assert emma.changes() == ()
    await emma.post("/messages/compose", 422, to="nobody.here", subject="Hello", body="Hello")
    await emma.post("/messages/compose", to="villeh", subject="Hello", body="Is the pump back?")
    only(emma, "insert conversation", "insert message")
    await emma.post("/messages/2", body="I will.")
    assert emma.value("SELECT body FROM message ORDER BY id DESC") == "I will."


async def test_moderating(emma: Member) -> None:
    report = emma.rows(
        "SELECT * FROM report WHERE post_id IS NOT NULL AND forum_id = (SELECT id FROM forum WHERE slug = 'austin')"
    )[0]
    number = report["post_id"]
    await emma.post(f"/f/austin/mod/post/{number}/remove")
    assert emma.value("SELECT status FROM post WHERE id = ?", number) == "removed"
    assert emma.value("SELECT count(*) FROM report WHERE post_id = ? AND status = 'open'", number) == 0
    await emma.post(f"/f/austin/mod/post/{number}/approve")
    assert emma.value("SELECT status FROM post WHERE id = ?", number) == "visible"
    await emma.post(f"/f/austin/mod/post/{number}/switch/pin")
    await emma.post(f"/f/austin/mod/post/{number}/switch/lock")
    assert emma.rows("SELECT is_pinned, is_locked FROM post WHERE id = ?", number) == [{"is_pinned": 1, "is_locked": 1}]


async def test_a_locked_post_takes_no_comments(emma: Member, other: Member) -> None:
    number = emma.value(
        "SELECT p.id FROM post p JOIN forum f ON f.id = p.forum_id WHERE f.slug = 'austin' ORDER BY p.id"
    )
    await emma.post(f"/f/austin/mod/post/{number}/switch/lock")
    await other.post(f"/f/austin/comments/{number}/answer", 403, body="But")
    await emma.post(f"/f/austin/comments/{number}/answer", body="Moderators may.")


async def test_a_ban_holds_and_is_lifted(emma: Member, other: Member) -> None:
    number = emma.value(
        "SELECT p.id FROM post p JOIN forum f ON f.id = p.forum_id WHERE f.slug = 'austin' ORDER BY p.id"
    )
    await emma.post("/f/austin/mod/bans", 422, username="nobody", reason="", days="5")
    await emma.post("/f/austin/mod/bans", username="ruthg", reason="Unkind", days="7")
    assert emma.value("SELECT days FROM ban ORDER BY id DESC") == 7
    await other.post(f"/f/austin/comments/{number}/answer", 403, body="But")
    await emma.post(f"/f/austin/mod/bans/{emma.value('SELECT max(id) FROM ban')}/lift")
    await other.post(f"/f/austin/comments/{number}/answer", body="Thank you.")


async def test_rules_flairs_and_words_of_a_forum(emma: Member, other: Member) -> None:
    await emma.post("/f/austin/mod/rules", title="Shade", body="Say where it is.")
    number = emma.value("SELECT max(id) FROM forum_rule")
    await emma.post(f"/f/austin/mod/rules/{number}", title="Shade first", body="Say where it is.")
    assert "Shade first" in await emma.get("/f/austin")
    await emma.post(f"/f/austin/mod/rules/{number}/delete")
    await emma.post("/f/austin/mod/flairs", name="Shade")
    await emma.post("/f/austin/mod/flairs", 422, name="shade")
    await emma.post("/f/austin/mod/about", tagline="Hot", about="Very.", posting="moderators")
    page = await other.post("/submit", 422, kind="text", forum="austin", title="Hello")
    assert "Only moderators post" in page.text


async def test_a_wiki_page_keeps_its_history(emma: Member) -> None:
    old = emma.value("SELECT body FROM wiki_page WHERE slug = 'shade-map'")
    await emma.post("/f/austin/wiki/shade-map/edit", body="Under the bridge.", note="Shorter")
    only(emma, "insert wiki_revision", "update wiki_page")
    assert "Shorter" in await emma.get("/f/austin/wiki/shade-map/history")
    await emma.post("/f/austin/wiki/shade-map/history/1/restore")
    assert emma.value("SELECT body FROM wiki_page WHERE slug = 'shade-map'") == old
    await emma.post("/f/austin/wiki/new", title="Late cafés", body="None.", note="")
    assert "None." in await emma.get("/f/austin/wiki/late-cafes")


async def test_settings(emma: Member) -> None:
    await emma.post("/settings/lists", list_view="compact", default_sort="new", comment_sort="old")
    only(emma, "update preference")
    assert "view-compact" in await emma.get("/")
    await emma.post("/settings/email", digest="never", notify_messages="1")
    assert emma.value("SELECT notify_replies FROM preference WHERE member_id = 1") == 0
    await emma.post("/settings/profile", bio="Mud.", full_name="Emma Lopez", city="Austin", colour="#1f6f6b")
    assert "Mud." in await emma.get("/user/emma_l")
    await emma.post("/settings/account", 422, email="x", password="wrong", new_password="short")


async def test_a_new_member(guest: Member) -> None:
    await guest.post("/register", 422, username="A", email="x", password="1")
    await guest.post("/register", username="newcomer", email="new@example.com", password="password9")
    await guest.get("/settings/lists")
    await guest.post("/settings/lists", list_view="compact", default_sort="new", comment_sort="old")
    assert "view-compact" in await guest.get("/all")
