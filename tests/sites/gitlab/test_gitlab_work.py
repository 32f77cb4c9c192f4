"""What can be done, what it changes, and who may not do it."""

from __future__ import annotations

from guideact.sites.gitlab import blobs, repository
from tests.sites.gitlab.conftest import Forge

TIDEWATER = "/harbour-code/tidewater"
BOX = "/emma_l/recipe-box"


def _project(forge: Forge, path: str) -> int:
    return int(forge.value("SELECT id FROM project WHERE full_path = ?", path.strip("/")))


def _label(forge: Forge, path: str, name: str) -> int:
    return int(forge.value("SELECT id FROM label WHERE project_id = ? AND name = ?", _project(forge, path), name))


def _file(forge: Forge, path: str, branch: str, name: str) -> str:
    revision = repository.find_revision(forge.db, _project(forge, path), branch)
    assert revision is not None
    return blobs.read(forge.db, repository.tree(forge.db, revision)[name].blob)


async def test_an_issue_from_beginning_to_end(forge: Forge) -> None:
    bug, taken = _label(forge, TIDEWATER, "bug"), _label(forge, TIDEWATER, "to do")
    ville = forge.value("SELECT id FROM account WHERE username = 'villeh'")
    await forge.post(f"{TIDEWATER}/issues/new", 422, title="")
    await forge.post(f"{TIDEWATER}/issues/new", 422, title="x", due_on="2026-02-31")
    response = await forge.post(
        f"{TIDEWATER}/issues/new",
        title="The worker sleeps too long",
        body="Half a second is *long*.",
        labels=[str(bug), str(taken)],
        assignees=[str(ville)],
        due_on="2026-04-01",
        weight="2",
    )
    address = response.headers["location"]
    assert address == f"{TIDEWATER}/issues/16"
    page = await forge.get(address)
    for text in ("The worker sleeps too long", "<em>long</em>", "Ville Heikkinen", "Apr 1, 2026"):
        assert text in page
    assert forge.value("SELECT reason FROM todo WHERE account_id = ? AND author_id = 1", ville) == "assigned"
    await forge.post(f"{address}/labels", labels=[str(bug)])
    await forge.post(f"{address}/weight", weight="5")
    await forge.post(f"{address}/weight", weight="99")
    await forge.post(f"{address}/milestone", milestone="9" * 30)
    await forge.post(f"{address}/due", due_on="")
    await forge.post(f"{address}/milestone", milestone=str(forge.value("SELECT id FROM milestone WHERE title = '0.9'")))
    await forge.post(f"{address}/comment", body="Thank you, @mikkos", state="closed")
    row = forge.db.execute("SELECT * FROM issue WHERE title = 'The worker sleeps too long'").fetchall()[0]
    assert (row["state"], row["weight"], row["due_on"], row["closed_at"]) == ("closed", 5, "", "2026-03-16 10:00:00")
    thread = await forge.get(address)
    for text in ("removed label to do", "set the weight to 5", "closed this", "removed the due date"):
        assert text in thread
    await forge.post(f"{address}/comment", state="open")
    assert forge.value("SELECT state FROM issue WHERE id = ?", row["id"]) == "open"


async def test_roles_are_enforced(forge: Forge) -> None:
    stranger, guest, reporter = (forge.signed_in(name) for name in ("liam_oc", "naomi_b", "gracie_b"))
    for person in (stranger, guest):
        page = await person.get(f"{BOX}/issues/1")
        assert "Edit labels" not in page
        assert "Close issue" not in page
        await person.post(f"{BOX}/issues/1/labels", 403, labels=[])
        await person.post(f"{BOX}/issues/1/comment", 403, state="closed")
        await person.post(f"{BOX}/board/move", 403, issue="1", column="closed")
        await person.get(f"{BOX}/edit/README.md", 403)
        await person.get(f"{BOX}/settings", 403)
        await person.post(f"{BOX}/members", 403, person="mikkos", role="Guest")
    await reporter.post(f"{BOX}/issues/1/weight", weight="1")
    await reporter.post(f"{BOX}/branches", 403, name="mine", source="main")
    await reporter.post(f"{BOX}/merge_requests/1/finish", 403, deed="merge")
    developer = forge.signed_in("juliap")
    await developer.post(f"{BOX}/branches", name="mine", source="main")
    await developer.post(f"{BOX}/merge_requests/1/finish", 403, deed="merge")
    await developer.post(f"{BOX}/settings/archive", 403)
    assert "protected" in (await developer.get(f"{BOX}/edit/README.md"))
    maintainer = forge
    await maintainer.get(f"{TIDEWATER}/settings")
    await maintainer.post(f"{TIDEWATER}/settings/delete", 403, confirmation="harbour-code/tidewater")
    await maintainer.post(f"{TIDEWATER}/members", 422, person="liam_oc", role="Owner")


async def test_whoever_opened_an_issue_may_close_it(forge: Forge) -> None:
    author = forge.signed_in("naomi_b")
    await author.post(f"{BOX}/issues/5/comment", state="closed")
    assert forge.value("SELECT state FROM issue WHERE title LIKE 'Lentil soup:%'") == "closed"


async def test_the_board_moves_an_issue(forge: Forge) -> None:
    doing, wanted = _label(forge, TIDEWATER, "in progress"), _label(forge, TIDEWATER, "to do")
    await forge.post(f"{TIDEWATER}/board/move", issue="3", column=str(doing))
    issue = forge.value("SELECT id FROM issue WHERE iid = 3 AND project_id = ?", _project(forge, TIDEWATER))
    labels = {row[0] for row in forge.db.execute("SELECT label_id FROM issue_label WHERE issue_id = ?", (issue,))}
    assert doing in labels
    assert wanted not in labels
    await forge.post(f"{TIDEWATER}/board/move", issue="3", column="closed")
    assert forge.value("SELECT state FROM issue WHERE id = ?", issue) == "closed"
    await forge.post(f"{TIDEWATER}/board/lists", deed="remove", list=str(forge.value("SELECT min(id) FROM board_list")))
    await forge.post(f"{TIDEWATER}/board/lists", label=str(_label(forge, TIDEWATER, "docs")))


async def test_a_file_is_edited_on_a_branch_and_merged(forge: Forge) -> None:
    before = _file(forge, BOX, "main", "recipes/pancakes.txt")
    text = before.replace("2 eggs", "3 eggs")
    edit = f"{BOX}/edit/recipes/pancakes.txt"
    await forge.post(edit, 422, ref="main", path="recipes/pancakes.txt", content=before, message="x", target="same")
    response = await forge.post(
        edit,
        ref="main",
        path="recipes/pancakes.txt",
        content=text.replace("\n", "\r\n"),
        message="One more egg",
        target="new",
        new_branch="more-eggs",
        start="1",
    )
    assert response.headers["location"] == f"{BOX}/merge_requests/new?source=more-eggs&target=main"
    assert 'value="One more egg"' in await forge.get(response.headers["location"])
    response = await forge.post(
        f"{BOX}/merge_requests/new", source="more-eggs", target="main", title="One more egg", body="Fluffier."
    )
    address = response.headers["location"]
    changes = await forge.get(f"{address}/changes")
    assert "3 eggs" in changes
    assert "2 eggs" in changes
    assert _file(forge, BOX, "main", "recipes/pancakes.txt") == before
    await forge.post(f"{address}/finish", deed="merge", delete_branch="1")
    assert _file(forge, BOX, "main", "recipes/pancakes.txt") == text
    assert repository.branch_row(forge.db, _project(forge, BOX), "more-eggs") is None
    assert "Merged" in await forge.get(address)
    assert forge.value("SELECT count(*) FROM blob") == 1


async def test_files_are_added_renamed_and_deleted(forge: Forge) -> None:
    await forge.post(
        f"{BOX}/new-file", ref="main", path="recipes/toast.txt", content="Toast", message="Add", target="same"
    )
    assert _file(forge, BOX, "main", "recipes/toast.txt") == "Toast\n"
    for bad in ("recipes", "../secret", "a b.txt", "recipes/toast.txt", ""):
        await forge.post(f"{BOX}/new-file", 422, ref="main", path=bad, content="x", message="Add", target="same")
    await forge.post(
        f"{BOX}/edit/recipes/toast.txt", ref="main", path="toast.txt", content="Toast\n", message="Move", target="same"
    )
    await forge.get(f"{BOX}/files/recipes/toast.txt", 404)
    await forge.post(f"{BOX}/delete/toast.txt", ref="main", message="Eaten", target="same")
    await forge.get(f"{BOX}/files/toast.txt", 404)


async def test_reviews_decide_whether_it_can_be_merged(forge: Forge) -> None:
    request = "/lumo-market/storefront/merge_requests/1"
    await forge.post(f"{request}/review", verdict="changes_requested", body="Please test words of three letters.")
    assert "Emma Lopez has requested changes." in await forge.get(request)
    await forge.post(f"{request}/review", verdict="approved")
    page = await forge.get(request)
    assert "Ready to be merged" in page
    assert "Your role does not include merging" in page
    await forge.post(f"{request}/finish", 403, deed="merge")
    await forge.signed_in("ainov").post(f"{request}/finish", deed="merge")
    own = "/emma_l/recipe-box/merge_requests/new"
    await forge.post(own, source="fix-scale", target="main", title="Halves")
    await forge.post("/emma_l/recipe-box/merge_requests/4/review", 403, verdict="approved")
    draft = f"{TIDEWATER}/merge_requests/3"
    await forge.post(f"{draft}/finish", 403, deed="merge")
    await forge.post(f"{draft}/finish", deed="close")
    assert "Reopen merge request" in await forge.get(draft)


async def test_both_sides_changed_cannot_be_merged(forge: Forge) -> None:
    await forge.post(
        f"{BOX}/edit/scale.py",
        ref="main",
        path="scale.py",
        content="print('scaled')\n",
        message="Simpler",
        target="same",
    )
    await forge.post(f"{BOX}/merge_requests/new", source="fix-scale", target="main", title="Halves")
    assert "Both branches have changed scale.py." in await forge.get(f"{BOX}/merge_requests/4")
    await forge.post(f"{BOX}/merge_requests/4/finish", 403, deed="merge")


async def test_members_settings_and_the_end_of_a_project(forge: Forge) -> None:
    await forge.post(f"{BOX}/members", 422, person="nobody at all", role="Guest")
    await forge.post(f"{BOX}/members", person="villeh", role="Developer")
    member = forge.value("SELECT id FROM project_member WHERE role = 'Developer' AND account_id = 45")
    await forge.post(f"{BOX}/members/{member}", role="Reporter")
    assert forge.value("SELECT role FROM project_member WHERE id = ?", member) == "Reporter"
    await forge.post(f"{BOX}/members/{member}", deed="remove")
    own = forge.value("SELECT id FROM project_member WHERE account_id = 1 AND project_id = ?", _project(forge, BOX))
    await forge.post(f"{BOX}/members/{own}", 403, deed="remove")
    await forge.post(f"{BOX}/settings", 422, part="general", name="")
    await forge.post(f"{BOX}/settings", part="general", name="Soup Box", description="Soups.", topics="soup,  bowls ")
    assert forge.value("SELECT topics FROM project WHERE name = 'Soup Box'") == "soup, bowls"
    await forge.post(f"{BOX}/settings", part="visibility", visibility="private")
    await forge.signed_in("liam_oc").get(BOX, 404)
    await forge.post(f"{BOX}/settings/archive")
    assert "archived" in await forge.get(BOX)
    await forge.post(f"{BOX}/issues/1/comment", 403, body="Too late")
    await forge.post(f"{BOX}/settings/archive")
    await forge.post(f"{BOX}/settings/delete", confirmation="recipe-box")
    await forge.get(BOX)
    await forge.post(f"{BOX}/settings/delete", confirmation="emma_l/recipe-box")
    await forge.get(BOX, 404)
    assert forge.value("SELECT count(*) FROM issue WHERE title LIKE 'Lentil soup:%'") == 0


async def test_stars_forks_todos_snippets_status(forge: Forge) -> None:
    await forge.post(f"{TIDEWATER}/star")
    assert forge.changes() == [("star", "insert")]
    await forge.post(f"{TIDEWATER}/star")
    assert forge.changes() == []
    await forge.post("/harbour-code/lantern/fork", name="Lantern", path="lantern")
    assert "Forked from" in await forge.get("/emma_l/lantern")
    await forge.get("/emma_l/lantern/merge_requests")
    await forge.post("/harbour-code/lantern/fork", 422, name="Lantern", path="lantern")
    first = forge.value("SELECT id FROM todo WHERE account_id = 1 AND state = 'pending' ORDER BY id")
    await forge.post(f"/dashboard/todos/{first}", state="done")
    await forge.signed_in("liam_oc").post(f"/dashboard/todos/{first}", 404, state="pending")
    await forge.post("/dashboard/todos/done")
    assert "Nothing to do" in await forge.get("/dashboard/todos")
    await forge.post("/snippets/new", 422, title="", file_name="a.py", content="x", visibility="public")
    await forge.post("/snippets/new", title="Hello", file_name="a.py", content="print(1)", visibility="public")
    await forge.post("/snippets/1/edit", title="TODO", file_name="t.sh", content="ls", visibility="internal")
    await forge.signed_in("liam_oc").post("/snippets/1/edit", 403, title="Mine")
    await forge.post("/snippets/1/delete")
    await forge.post("/profile/status", status_emoji="🌴", status_text="On holiday", is_busy="1")
    assert "On holiday" in await forge.get("/users/emma_l")
    await forge.post("/profile", 422, full_name="Emma Lopez", website="example.com")
    await forge.post("/profile", full_name="Emma Lopez", bio="Hi", location="Austin", organisation="", website="")


async def test_labels_milestones_tags_releases_and_a_new_project(forge: Forge) -> None:
    await forge.post(f"{BOX}/labels/new", 422, name="Bug", color="blue")
    await forge.post(f"{BOX}/labels/new", name="soup", color="orange", description="With a spoon")
    label = _label(forge, BOX, "soup")
    await forge.post(f"{BOX}/labels/{label}", name="soups", color="red", description="")
    await forge.post(f"{BOX}/labels/{label}/delete")
    await forge.post(f"{BOX}/milestones/new", 422, title="June", starts_on="2026-06-30", due_on="2026-06-01")
    response = await forge.post(f"{BOX}/milestones/new", title="June", due_on="2026-06-30")
    await forge.post(f"{response.headers['location']}/state", deed="close")
    await forge.post(f"{response.headers['location']}/edit", title="July", due_on="2026-07-31")
    await forge.post(f"{response.headers['location']}/state", deed="delete")
    await forge.post(f"{BOX}/tags", name="spring", source="main", message="Green")
    tag = forge.value("SELECT id FROM tag WHERE name = 'spring'")
    await forge.post(f"{BOX}/releases/new", 422, tag=str(tag), title="")
    await forge.post(f"{BOX}/releases/new", tag=str(tag), title="Spring menu", body="- Peas")
    assert "Spring menu" in await forge.get(f"{BOX}/releases")
    space = forge.value("SELECT id FROM namespace WHERE account_id = 1")
    await forge.post("/new", 422, name="", namespace=str(space), visibility="public")
    response = await forge.post(
        "/new", name="Bread & Butter", namespace=str(space), description="Loaves.", visibility="public", readme="1"
    )
    assert response.headers["location"] == "/emma_l/bread-butter"
    assert "Loaves." in await forge.get("/emma_l/bread-butter")
    other = forge.value("SELECT id FROM namespace WHERE path = 'lumo-market'")
    await forge.post("/new", 422, name="Mine", namespace=str(other), visibility="public")


async def test_members_of_a_group_belong_to_all_its_projects(forge: Forge) -> None:
    stranger = forge.signed_in("liam_oc")
    await stranger.get("/harbour-code/drydock", 404)
    await stranger.post("/groups/harbour-code/members", 403, person="liam_oc", role="Owner")
    assert "Invite to the group" not in await stranger.get("/groups/harbour-code/members")
    await forge.post("/groups/harbour-code/members", 422, person="nobody at all", role="Guest")
    await forge.post("/groups/harbour-code/members", 422, person="liam_oc", role="Owner")
    await forge.post("/groups/harbour-code/members", person="Liam O'Connor", role="Reporter")
    assert "Reporter" in await stranger.get("/harbour-code/drydock")
    member = forge.value("SELECT max(id) FROM group_member")
    await forge.post(f"/groups/harbour-code/members/{member}", role="Developer")
    assert forge.value("SELECT role FROM group_member WHERE id = ?", member) == "Developer"
    owner = forge.value("SELECT id FROM group_member WHERE role = 'Owner' AND namespace_id = 85")
    await forge.post(f"/groups/harbour-code/members/{owner}", 403, deed="remove")
    await forge.signed_in("mikkos").post(f"/groups/harbour-code/members/{owner}", 403, deed="remove")
    await forge.post(f"/groups/harbour-code/members/{member}", deed="remove")
    await stranger.get("/harbour-code/drydock", 404)
