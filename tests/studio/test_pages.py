"""The pages, asked for as a browser does: who may see what, what is refused, and what is put down."""

from __future__ import annotations

import re

import httpx
import pytest

from guideact.studio.store import Store
from tests.studio.conftest import PASSWORD, Visitor

pytestmark = pytest.mark.asyncio
Visitors = dict[str, Visitor]


async def begin(visitor: Visitor) -> httpx.Response:
    """To the first step of a task of somebody's own."""
    await visitor.get("/work")
    return await visitor.post("/next")


def number_of(response: httpx.Response) -> int:
    return int(response.url.path.rsplit("/", 1)[1])


async def test_nothing_is_shown_to_whoever_is_not_signed_in(visitors: Visitors) -> None:
    stranger = visitors["stranger"]
    for path in ("/", "/work", "/review/1", "/settle", "/progress", "/runs", "/audit", f"/picture/{'0' * 64}"):
        response = await stranger.get(path)
        assert response.url.path == "/sign-in"
        assert "made.1" not in response.text
    wrong = await stranger.post("/sign-in", name="ann", password="wrong password")
    assert wrong.status_code == 401
    assert "The name or the password is wrong." in wrong.text
    unknown = await stranger.post("/sign-in", name="nobody", password="wrong password")
    assert (unknown.status_code, "is wrong" in unknown.text) == (401, True)
    for _ in range(4):
        await stranger.post("/sign-in", name="ann", password="wrong password")
    assert (await stranger.post("/sign-in", name="ann", password=PASSWORD)).status_code == 429


async def test_leads_alone_settle_and_see_progress(visitors: Visitors) -> None:
    for path in ("/settle", "/progress", "/settle/1"):
        assert (await visitors["ann"].get(path)).status_code == 403
        assert (await visitors["lea"].get(path)).status_code == 200
    await visitors["ann"].get("/work")
    assert (await visitors["ann"].post("/give", task="made.1", person="ann")).status_code == 403


async def test_forms_of_other_pages_are_refused(visitors: Visitors, store: Store) -> None:
    ann = visitors["ann"]
    step = number_of(await begin(ann))
    for token in ("", "guessed", visitors["bo"].token):
        response = await ann.client.post(f"/review/{step}", data={"csrf": token, "decision": "accept"})
        assert response.status_code == 403
    assert store.labels() == []
    assert (
        await ann.client.post(f"/review/{step}", data={"csrf": ann.token, "text": "x" * 300_000})
    ).status_code == 413


async def test_every_answer_carries_the_policy_and_other_names_get_none(visitors: Visitors) -> None:
    ann = visitors["ann"]
    for path in ("/work", "/static/studio.js", "/nowhere", "/review/999", f"/picture/{'0' * 64}", "/picture/..%2Fkey"):
        response = await ann.get(path)
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
    cookie = (await visitors["stranger"].client.get("/sign-in")).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    elsewhere = await ann.client.get("/work", headers={"host": "rebound.example"})
    assert elsewhere.status_code == 421
    assert "<" not in elsewhere.text


async def test_a_session_cannot_be_made_up(visitors: Visitors) -> None:
    client = visitors["stranger"].client
    client.cookies.set("guideact_studio", "eyJwZXJzb24iOiAibGVhIn0=.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert (await client.get("/progress")).url.path == "/sign-in"


async def test_a_step_is_accepted_reworded_or_rejected(visitors: Visitors, store: Store) -> None:
    ann = visitors["ann"]
    shown = await begin(ann)
    assert "Do step 1." in shown.text
    assert "Look for number 1" in shown.text
    first = number_of(shown)
    same = await ann.post(f"/review/{first}", decision="edit", text=" Do  step 1. ")
    assert (same.status_code, "as it was" in same.text) == (422, True)
    leaking = await ann.post(f"/review/{first}", decision="edit", text="Click [12].")
    assert (leaking.status_code, "[12]" in leaking.text) == (422, True)
    empty = await ann.post(f"/review/{first}", decision="edit", text="  ")
    assert empty.status_code == 422
    assert store.labels() == []
    after = await ann.post(f"/review/{first}", decision="edit", text="Search for it.", seconds="7.5", note="shorter")
    second = number_of(after)
    assert second != first
    assert "Search for it." in after.text  # among the earlier steps
    unsaid = await ann.post(f"/review/{second}", decision="reject")
    assert (unsaid.status_code, "Say why" in unsaid.text) == (422, True)
    third = number_of(await ann.post(f"/review/{second}", decision="reject", reason="not clear"))
    done = await ann.post(f"/review/{third}", decision="accept", flagged="1")
    assert done.url.path == "/work"
    assert "finished" in done.text
    labels = store.labels()
    assert [(label.decision, label.text, label.reason, label.flagged) for label in labels] == [
        ("edit", "Search for it.", "", False), ("reject", "", "not clear", False), ("accept", "Do step 3.", "", True),
    ]  # fmt: skip
    assert labels[0].seconds == 7.5
    assert all(label.person == "ann" and label.at for label in labels)
    for bad in ({"decision": "burn"}, {"decision": "accept", "seconds": "soon"}):
        assert (await ann.post(f"/review/{third}", **bad)).status_code == 400


async def test_reviews_are_independent(visitors: Visitors) -> None:
    ann, bo = visitors["ann"], visitors["bo"]
    first = number_of(await begin(ann))
    await ann.post(f"/review/{first}", decision="edit", text="The words of Ann.")
    shown = await begin(bo)
    assert number_of(shown) == first  # the overlap is whole
    assert "The words of Ann." not in shown.text
    following = await bo.post(f"/review/{first}", decision="accept")
    assert "The words of Ann." not in following.text
    other = first + 3  # of the task that nobody has
    assert (await bo.get(f"/review/{other}")).status_code == 403
    assert (await bo.post(f"/review/{other}", decision="accept")).status_code == 403


async def test_a_lead_settles_what_people_differ_about(visitors: Visitors, store: Store) -> None:
    ann, bo, lea = visitors["ann"], visitors["bo"], visitors["lea"]
    first = number_of(await begin(ann))
    await ann.post(f"/review/{first}", decision="edit", text="Search for it.")
    await begin(bo)
    await bo.post(f"/review/{first}", decision="accept")
    assert "Search for it." in (await lea.get("/settle")).text
    shown = await lea.get(f"/settle/{first}")
    assert "ann" in shown.text
    assert "bo" in shown.text
    after = await lea.post(f"/review/{first}", kind="settled", decision="edit", text="Search for it here.")
    assert "Nobody differs" in after.text
    assert store.labels(first)[-1].kind == "settled"
    assert (await ann.post(f"/review/{first}", kind="settled", decision="accept")).status_code == 403
    progress = (await lea.get("/progress")).text
    assert "of 6 steps reviewed" in progress
    await lea.post("/give", task="made.2", person="bo")
    assert store.assignments()["made.2"] == ["bo"]
    await lea.post("/give", task="made.2", person="bo", take="1")
    assert "made.2" not in store.assignments()
    assert (await lea.post("/give", task="nothing", person="bo")).status_code == 400


async def test_the_language_is_kept(visitors: Visitors, store: Store) -> None:
    ann = visitors["ann"]
    await ann.get("/work")
    assert "我的工作" in (await ann.post("/language", language="zh", back="/work")).text
    person = store.person("ann")
    assert person is not None
    assert person.language == "zh"
    away = await ann.client.post(
        "/language", data={"csrf": ann.token, "language": "en", "back": "//evil.example/"}, follow_redirects=False
    )
    assert away.headers["location"] == "/"
    away = await visitors["stranger"].client.get("/sign-in?to=https://evil.example/")
    assert "evil.example" not in away.text


async def test_runs_are_ranked_and_compared_task_by_task(visitors: Visitors) -> None:
    ann = visitors["ann"]
    board = (await ann.get("/runs")).text
    assert board.index("strong-model") < board.index("weak-model")
    compared = await ann.get("/runs?a=strong&b=weak")
    assert compared.url.path == "/runs/strong/against/weak"
    links = re.findall(r'href="(/runs/(?:strong|weak)/[^"]+/\d+)"', compared.text)
    assert len(links) >= 4
    shown = await ann.get(links[0])
    assert "solved" in shown.text
    pictures = re.findall(r'href="(/runs/strong/picture/[^"]+)"', shown.text)
    assert (await ann.get(pictures[0])).headers["content-type"] == "image/png"
    for path in (
        "/runs/nothing",
        "/runs/strong/nothing/0",
        "/runs/strong/picture/run.json",
        "/runs/strong/picture/../run.json",
    ):
        assert (await ann.get(path)).status_code == 404


async def test_the_audit_is_blind(visitors: Visitors, store: Store) -> None:
    ann, lea = visitors["ann"], visitors["lea"]
    for _ in range(8):
        shown = await ann.get("/audit/strong")
        assert shown.url.path == "/audit/strong"
        for word in ("solved", "failed", "strong-model", "expected &#39;", "passed"):
            assert word not in shown.text
        fields = dict(re.findall(r'name="(task|sample)" value="([^"]*)"', shown.text))
        await ann.post("/audit/strong", stands="done", **fields)
    assert len(store.verdicts()) == 8
    assert (await ann.get("/audit/strong")).url.path == "/audit"
    assert "Agrees" not in (await ann.get("/audit")).text
    told = (await lea.get("/audit")).text
    assert "n = 8" in told
    assert (await ann.post("/audit/strong", stands="maybe", task="x", sample="0")).status_code == 400
    assert (await ann.post("/audit/strong", stands="done", task="x", sample="0")).status_code == 404
