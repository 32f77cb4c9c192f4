"""What editors do: edit, compare, restore, watch, talk, keep lists, choose preferences."""

from __future__ import annotations

import re

from .conftest import Reader


def field(page: str, name: str) -> str:
    found = re.search(rf'<textarea[^>]*name="{name}"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL)
    assert found is not None
    return found[1].replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def base(page: str) -> str:
    found = re.search(r'name="base" value="(\d+)"', page)
    assert found is not None
    return found[1]


async def test_a_section_is_edited_and_everything_knows(emma: Reader) -> None:
    page = await emma.get("/edit/Linen?section=1")
    text = field(page, "source").replace("Flax is pulled", "Zyzzyx is pulled")
    fields = {"section": "1", "base": base(page), "source": text, "summary": "A word", "watch": "1"}
    preview = await emma.post("/edit/Linen?section=1", 200, **fields, do="preview")
    assert "Nothing is saved yet." in preview.text
    changes = await emma.post("/edit/Linen?section=1", 200, **fields, do="changes")
    assert "<ins>Zyzzyx</ins>" in changes.text
    assert {change.table for change in emma.changes()} == {"user"}
    await emma.post("/edit/Linen?section=1", **fields, do="save")
    assert "Zyzzyx is pulled" in await emma.get("/wiki/Linen")
    assert 'href="/wiki/Linen"' in await emma.get("/search?q=zyzzyx")
    assert "A word" in await emma.get("/history/Linen")
    assert "A word" in await emma.get("/recent")
    assert "Linen" in await emma.get("/watchlist")
    assert [change.table for change in emma.changes() if change.op == "insert"] == ["revision", "watch"]
    (revision,) = emma.rows("SELECT * FROM revision WHERE body IS NOT NULL")
    assert revision["size"] == len(revision["body"].encode())


async def test_an_edit_of_an_outdated_text_is_refused(emma: Reader) -> None:
    page = await emma.get("/edit/Linen")
    stale = base(page)
    text = field(page, "source")
    assert "An article cannot be empty" in (await emma.post("/edit/Linen", 422, source=" ", base=stale)).text
    await emma.post("/edit/Linen", base=stale, source=text + "\nMore.\n", summary="")
    refused = await emma.post("/edit/Linen", 422, base=stale, source=text + "\nOther.\n", summary="")
    assert "Somebody has changed the article meanwhile" in refused.text


async def test_saving_nothing_makes_no_revision(emma: Reader) -> None:
    page = await emma.get("/edit/Linen")
    await emma.post("/edit/Linen", base=base(page), source=field(page, "source"), watch="1")
    assert {change.table for change in emma.changes()} == {"user"}


async def test_a_fact_is_changed_by_its_field(emma: Reader) -> None:
    page = await emma.get("/facts/Papier")
    fields = {
        f"fact-{number}": value
        for number, value in re.findall(r'id="fact-\d+" name="fact-(\d+)" value="([^"]*)"', page)
    }
    assert fields["fact-0"] == "1889"
    await emma.post("/facts/Papier", base=base(page), **{**fields, "fact-3": "97"}, summary="Two more")
    shown = await emma.get("/wiki/Papier")
    assert '<th scope="row">Employees</th><td>97</td>' in shown
    (revision,) = emma.rows("SELECT body FROM revision WHERE body IS NOT NULL")
    assert revision["body"].count("\n") > 20


async def test_links_and_categories_follow_an_edit(emma: Reader) -> None:
    page = await emma.get("/edit/Linen")
    text = field(page, "source").replace("[[Category:Clothing]]", "[[Category:Plants]]\n\nSee [[Tagus]].")
    await emma.post("/edit/Linen", base=base(page), source=text, summary="")
    assert 'href="/wiki/Linen"' in await emma.get("/links/Tagus")
    assert 'href="/wiki/Linen"' in await emma.get("/category/Plants")
    assert 'href="/wiki/Linen"' not in await emma.get("/category/Clothing")


async def test_a_new_article(emma: Reader) -> None:
    await emma.get("/edit/Egg_cup")
    await emma.post("/edit/Egg_cup", title="Egg cup", source="An '''egg cup''' holds an egg.", summary="New")
    assert "<b>egg cup</b>" in await emma.get("/wiki/Egg_cup")
    assert "Egg cup" in await emma.get("/search/suggest?q=egg")
    assert "Egg cup" in await emma.get("/all?letter=E")
    assert "<mark>egg</mark>" in await emma.get("/search?q=egg+holds")


async def test_two_revisions_are_compared_in_whatever_order(emma: Reader) -> None:
    rows = emma.rows(
        "SELECT r.id FROM revision r JOIN article a ON a.id = r.article_id WHERE a.slug = 'Nordvik' ORDER BY number"
    )
    first, last = rows[0]["id"], rows[-1]["id"]
    one = await emma.get(f"/compare?old={first}&new={last}")
    assert one.count('class="diff-added"') > 3
    assert re.findall(r"<h2>(\w+) revision", one) == ["Older", "Newer"]
    turned = await emma.get(f"/compare?old={last}&new={first}")
    assert one.split("<main")[1].split('name="next"')[0] == turned.split("<main")[1].split('name="next"')[0]
    (other,) = emma.rows(
        "SELECT r.id FROM revision r JOIN article a ON a.id = r.article_id WHERE a.slug = 'Tea' AND number = 1"
    )
    await emma.get(f"/compare?old={first}&new={other['id']}", 404)


async def test_an_earlier_revision_is_restored(emma: Reader) -> None:
    (old,) = emma.rows(
        "SELECT r.id FROM revision r JOIN article a ON a.id = r.article_id WHERE a.slug = 'Nordvik' AND number = 2"
    )
    before = await emma.get(f"/revision/{old['id']}")
    await emma.post(f"/restore/{old['id']}", summary="Back")
    now = await emma.get("/wiki/Nordvik")
    assert "The Harbour Mug" not in now
    assert before.count("<p>") >= 1
    assert "Back" in await emma.get("/history/Nordvik")


async def test_protected_articles_can_only_be_read(emma: Reader, guest: Reader) -> None:
    assert "only administrators" in await emma.get("/edit/Almanach")
    (old,) = emma.rows(
        "SELECT r.id FROM revision r JOIN article a ON a.id = r.article_id WHERE a.slug = 'Almanach' AND number = 1"
    )
    await emma.post(f"/restore/{old['id']}", 403, summary="")
    await guest.sign_in("ainov")
    assert 'name="source"' in await guest.get("/edit/Almanach")


async def test_watching(emma: Reader) -> None:
    await emma.post("/watch/Linen", do="add", next="/wiki/Linen")
    assert "Unwatch Linen" in await emma.get("/watchlist")
    await emma.post("/watch/Linen", do="remove")
    assert "Unwatch Linen" not in await emma.get("/watchlist")
    assert {change.table for change in emma.changes()} == {"user"}


async def test_talk(emma: Reader) -> None:
    refused = await emma.post("/talk/Linen/new", 422, title="", body="x")
    assert "Give the topic a title." in refused.text
    await emma.post("/talk/Linen/new", title="Creases", body="Really?\nEvery time?")
    page = await emma.get("/talk/Linen")
    assert "Creases" in page
    assert "with a full cup" in page
    (topic,) = emma.rows("SELECT id FROM talk_topic WHERE title = 'Creases'")
    await emma.post(f"/reply/{topic['id']}", body="Yes.")
    assert "Yes." in await emma.get("/talk/Linen")
    await emma.post(f"/reply/{topic['id']}", body="")
    assert len(emma.rows("SELECT id FROM talk_comment WHERE topic_id = ?", topic["id"])) == 2


async def test_reading_lists(emma: Reader) -> None:
    await emma.post("/lists", name="Cloth", description="soft")
    (made,) = emma.rows("SELECT * FROM reading_list WHERE name = 'Cloth'")
    await emma.post("/lists/add/Linen", list=str(made["id"]))
    await emma.post("/lists/add/Linen", list=str(made["id"]))
    page = await emma.get(f"/lists/{made['id']}")
    assert page.count("Remove Linen") == 1
    (item,) = emma.rows("SELECT id FROM reading_list_item WHERE list_id = ?", made["id"])
    await emma.post(f"/lists/{made['id']}/items/{item['id']}/remove")
    await emma.post(f"/lists/{made['id']}/rename", name="Textiles", description="")
    assert "Textiles" in await emma.get("/lists")
    await emma.post(f"/lists/{made['id']}/delete")
    assert {change.table for change in emma.changes()} == {"user"}
    (foreign,) = emma.rows("SELECT MIN(id) AS id FROM reading_list WHERE user_id <> 1")
    await emma.get(f"/lists/{foreign['id']}", 404)


async def test_preferences_change_what_is_seen(emma: Reader) -> None:
    await emma.post(
        "/preferences",
        date_format="iso",
        time_zone="Asia/Tokyo",
        appearance="dark",
        text_size="large",
        results_per_page="20",
        language="xx",
        signature="x",
    )
    page = await emma.get("/history/Kettle")
    assert 'class="look-dark text-large" data-previews="off"' in page
    assert "2026-01-2" in page
    assert "1–20" in await emma.get("/search?q=the&full=1")
    (row,) = emma.rows("SELECT * FROM preference WHERE user_id = 1")
    assert row["language"] == "en"
    assert row["watch_edited"] == 0


async def test_thanks_and_pages_of_one_s_own(emma: Reader) -> None:
    (edit,) = emma.rows("SELECT MIN(id) AS id FROM revision WHERE user_id = 5")
    await emma.post(f"/thank/{edit['id']}")
    await emma.post(f"/thank/{edit['id']}")
    assert len([change for change in emma.changes() if change.table == "thanks"]) == 1
    (own,) = emma.rows("SELECT MIN(id) AS id FROM revision WHERE user_id = 1")
    await emma.post(f"/thank/{own['id']}")
    assert "cannot thank yourself" in await emma.get("/")
    await emma.post("/user/emma_l/edit", about="I like '''mugs'''.")
    assert "<b>mugs</b>" in await emma.get("/user/emma_l")
    await emma.post("/user/hwalsh/edit", 403, about="x")


async def test_signing_in_and_out(guest: Reader) -> None:
    refused = await guest.post("/login", 422, username="emma_l", password="wrong")
    assert "The user name or the password is not right." in refused.text
    await guest.post("/login", 422, username="", password="")
    await guest.sign_in()
    assert "Your page" in await guest.get("/")
    await guest.post("/logout")
    assert "Your page" not in await guest.get("/")
