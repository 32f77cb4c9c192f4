"""What the boards' scripts do, in a real browser: by mouse, by keyboard, and what is left without them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from playwright.async_api import Dialog, Page, async_playwright, expect

from guideact.browser.launch import find_chromium
from guideact.sites.server import SiteServer, serve

Open = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture
async def server() -> AsyncIterator[SiteServer]:
    async with serve() as running:
        yield running
        assert running.faults() == []


@pytest.fixture
def opened(server: SiteServer) -> Open:
    """Opens a page as Emma; a script that fails or breaks the security policy fails the test."""

    @asynccontextmanager
    async def visit(path: str, *, scripts: bool = True) -> AsyncIterator[Page]:
        faults: list[str] = []
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
            context = await browser.new_context(
                base_url=server.url("reddit"),
                viewport={"width": 1440, "height": 900},
                java_script_enabled=scripts,
                reduced_motion="reduce",
            )
            cookie = server.cookie(0, "reddit", "emma_l")
            await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
            page = await context.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
            await page.goto(path)
            yield page
            await browser.close()
        assert faults == []

    return visit


def count(server: SiteServer, sql: str) -> int:
    number = server.database(0, "reddit").connection.execute(sql).fetchall()[0][0]
    assert isinstance(number, int)
    return number


async def test_votes_and_saving_happen_in_place(opened: Open, server: SiteServer) -> None:
    async with opened("/f/tea?sort=new") as page:
        card = page.locator(".post-card").first
        score = int(await card.locator(".score").inner_text())
        up = card.get_by_role("button", name="Upvote")
        await up.focus()
        await page.keyboard.press("Enter")
        await expect(card.locator(".score")).to_have_text(str(score + 1))
        await expect(up).to_have_attribute("aria-pressed", "true")
        await card.get_by_role("button", name="Downvote").click()
        await expect(card.locator(".score")).to_have_text(str(score - 1))
        await card.get_by_role("button", name="Save").click()
        await expect(card.get_by_role("button", name="Unsave")).to_be_visible()
        await expect(page.locator(".toast")).to_contain_text("Saved to your list.")
        assert page.url.endswith("/f/tea?sort=new")


async def test_without_scripts_a_vote_leads_back_to_the_page(opened: Open, server: SiteServer) -> None:
    before = count(server, "SELECT count(*) FROM vote")
    async with opened("/f/tea?sort=new", scripts=False) as page:
        await page.get_by_role("button", name="Upvote").first.click()
        await expect(page.get_by_role("button", name="Upvote").first).to_have_attribute("aria-pressed", "true")
        assert page.url.endswith("/f/tea?sort=new")
    assert count(server, "SELECT count(*) FROM vote") == before + 1


async def test_a_list_goes_on_as_one_scrolls_and_by_its_button(opened: Open) -> None:
    async with opened("/all") as page:
        cards = page.locator(".post-card")
        await expect(cards).to_have_count(20)
        for shown in (40, 60, 80):
            # The key goes to the end of what is laid out by then, which on a busy machine may still be the part before.
            async with asyncio.timeout(20):
                while await cards.count() < shown:
                    await page.keyboard.press("End")
                    await page.wait_for_timeout(100)
        await expect(cards).to_have_count(80)
        more = page.get_by_role("link", name="Load more posts")
        await more.focus()
        await page.keyboard.press("Enter")
        await expect(cards).to_have_count(100)


async def test_the_list_of_forums_is_searched_by_keyboard_and_brings_its_flairs(
    opened: Open, server: SiteServer
) -> None:
    async with opened("/submit") as page:
        forum = page.get_by_role("combobox", name="Forum")
        await forum.click()
        await forum.fill("slow")
        await page.keyboard.press("Enter")
        await expect(forum).to_have_value("Slow Tea")
        await page.get_by_role("combobox", name="Flair").click()
        await page.get_by_role("option", name="Kettle").click()
        await page.locator(".kind", has_text="Picture").click()
        await page.get_by_role("radio", name="Teapot").check()
        await page.get_by_role("textbox", name="Title").fill("Steam")
        await page.get_by_role("button", name="Publish post").click()
        await expect(page.get_by_role("heading", name="Steam")).to_be_visible()
    assert count(server, "SELECT count(*) FROM post WHERE title = 'Steam' AND picture = 'teapot' AND flair_id > 0") == 1


async def test_the_editor_marks_and_previews(opened: Open) -> None:
    async with opened("/post/1") as page:
        area = page.get_by_role("textbox", name="Add a comment")
        await area.fill("strong")
        await area.select_text()
        await page.get_by_role("button", name="Bold").click()
        await expect(area).to_have_value("**strong**")
        await page.get_by_role("tab", name="Preview").click()
        await expect(page.locator(".editor-preview strong")).to_have_text("strong")


async def test_comments_fold_and_answers_open(opened: Open) -> None:
    async with opened("/post/1") as page:
        comment = page.locator(".thread-top > li").first
        await comment.get_by_role("button", name="Fold comment").first.click()
        await expect(comment.locator(".comment-body").first).to_be_hidden()
        await comment.get_by_role("button", name="Fold comment").first.click()
        await comment.get_by_text("Reply").first.click()
        await comment.get_by_label("Your reply").first.fill("Agreed.")
        await comment.get_by_role("button", name="Post reply").first.click()
        await expect(page.get_by_text("Agreed.")).to_be_visible()


async def test_a_report_is_sent_from_the_dialog(opened: Open, server: SiteServer) -> None:
    before = count(server, "SELECT count(*) FROM report")
    async with opened("/post/1") as page:
        await page.get_by_role("link", name="Report post").click()
        dialog = page.get_by_role("dialog", name="Report to the moderators")
        await dialog.get_by_label("Unkind").check()
        await dialog.get_by_role("button", name="Send report").click()
        await expect(page.locator(".toast")).to_contain_text("will look at it")
    assert count(server, "SELECT count(*) FROM report WHERE reason = 'Unkind' AND reporter_id = 1") == 1
    assert count(server, "SELECT count(*) FROM report") == before + 1


async def test_a_recipient_is_suggested_and_a_card_hovers_over_a_name(opened: Open) -> None:
    async with opened("/messages/compose") as page:
        to = page.get_by_role("combobox", name="To")
        await to.press_sequentially("ville")
        await expect(page.get_by_role("option", name="villeh")).to_be_visible()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(to).to_have_value("villeh")
        await page.goto("/f/tea")
        # A pointer that merely rests where a page loads opens nothing; this one has moved.
        await page.mouse.move(5, 5)
        await page.mouse.move(50, 90)
        await page.locator(".post-card .person").first.hover()
        await expect(page.locator("#hover-card")).to_contain_text("Joined")


async def test_deleting_asks_first(opened: Open, server: SiteServer) -> None:
    number = count(server, "SELECT min(id) FROM post WHERE author_id = 1")

    async def dismiss(dialog: Dialog) -> None:
        await dialog.dismiss()

    async def accept(dialog: Dialog) -> None:
        await dialog.accept()

    async with opened(f"/post/{number}") as page:
        page.once("dialog", dismiss)
        await page.get_by_role("button", name="Delete post").click()
        assert count(server, f"SELECT count(*) FROM post WHERE id = {number} AND status = 'visible'") == 1
        page.once("dialog", accept)
        await page.get_by_role("button", name="Delete post").click()
        await expect(page.locator(".toast")).to_contain_text("Your post is deleted.")
