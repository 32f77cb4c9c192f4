"""Fills the forge's database: the same bytes on every build, from `content/` and the people that all sites share.

Threads that only another site completes (T), or that facts of another site stand behind (F):

T1   lumo-market/order-desk #1 quotes order 000000187: what its status is, the back office tells
T2   lumo-market/order-desk #2 asks for the shipping method of order 000000042
T3   lumo-market/order-desk #3 asks for the grand total of order 000000101
T4   lumo-market/storefront #2 names the Gooseneck Pour-Over Kettle, whose price the shop tells
T5   lumo-market/storefront #3 names the Reading Corner Lamp, whose SKU the shop tells
T6   lumo-market/storefront #5 names the Trail Pack 35 L and its price
T7   lumo-market/price-watch watches products of the shop by their SKUs
T8   harbour-code/camp-site has the dates of Harbour Code Camp: `companies.EVENTS`
T9   open-atlas/gazetteer asks when companies on the map were founded: `companies.COMPANIES`
T10  plain-text/days-2026 plans Plain Text Days in Berlin, of which encyclopaedia and forum write
T11  toolo-bikes/workshop-calendar gives the workshop's founding year and its place on the map
T12  slow-kettle/steep-timer asks for the capacity of kettles that the shop sells
T13  north-star/relay-planner plans the Midnight Sun Relay at Pyynikki Park, which is on the map
"""

from __future__ import annotations

import hashlib
import random
import re
import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from guideact.sites.companies import ORGANISATIONS
from guideact.sites.gitlab.content_files import Commit, Event, Planned, Project, digest, moment, projects
from guideact.sites.world import PEOPLE

__all__ = ["PASSWORD", "build"]

PASSWORD = "password123"
GROUPS = {
    "harbour-code": ("Harbour Code", "Open-source software from the harbour of Helsinki."),
    "lumo-market": ("Lumo Market", "What runs the shop, from the shelf to the parcel."),
    "open-atlas": ("Open Atlas Foundation", "Free maps, and the tools that draw them."),
    "plain-text": ("Institute for Plain Text", "Research on software that people can read."),
    "toolo-bikes": ("Töölö Bicycle Workshop", "Small programs for a small workshop."),
    "slow-kettle": ("Slow Kettle Society", "Tea, with a stopwatch."),
    "north-star": ("North Star Orienteering", "Maps, controls and split times."),
    "reading-room": ("Esplanadi Reading Room", "A library and its shelves."),
}
"""Path of a group -> name, description. Their founders in `companies` own them."""
_MEMBERS = {
    "harbour-code": "emma_l Maintainer, villeh Developer, elina_m Developer, dkim Developer, nora_j Reporter",
    "lumo-market": "emma_l Developer, ainov Maintainer, maxschulz Developer, priya_s Developer, isa_ramos Reporter",
    "open-atlas": "emma_l Reporter, amelia_h Maintainer, pablo_n Developer, sakura_i Developer",
    "plain-text": "hannah_mue Maintainer, jweiss Developer, sanne_dv Developer, lottie_e Reporter",
    "toolo-bikes": "mikkos Maintainer, sofi_bcn Developer",
    "slow-kettle": "emma_l Guest, owen_c Maintainer, callum_f Developer",
    "north-star": "tuomasn Maintainer, eerola Developer",
    "reading-room": "venlak Developer, ellar Reporter",
}
_STATUS = {
    "mikkos": ("⚓", "On the island until Thursday", 1),
    "ainov": ("📦", "Stocktaking", 1),
    "annavogel": ("📚", "Writing the annual report", 0),
    "zoe_p": ("🗺️", "Surveying in Leith", 0),
    "villeh": ("🔧", "In the workshop", 0),
    "dkim": ("🌲", "Back on Monday", 1),
    "hannah_mue": ("☕", "Ask me about sentences", 0),
}
_BIOS = {
    "emma_l": ("Writes tools for kitchens, gardens and shops. Likes small programs.", "Trailhead"),
    "mikkos": ("Founder of Harbour Code. Queues, boats, queues for boats.", "Harbour Code"),
    "ainov": ("Tableware by day, tables by night.", "Nordvik"),
    "annavogel": ("Counts words so that you need fewer of them.", "Institute for Plain Text"),
    "zoe_p": ("Maps belong to everybody.", "Open Atlas Foundation"),
    "villeh": ("True wheels, true statements.", "Töölö Bicycle Workshop"),
    "freya_d": ("Three minutes, ninety degrees.", "Slow Kettle Society"),
    "venlak": ("Keeps a shop open that never closes.", "Lumo Market"),
    "saaral": ("Librarian with a terminal.", "Esplanadi Reading Room"),
    "millak": ("Runs with a map in hand.", "North Star Orienteering"),
    "elina_m": ("Fonts, templates and the space between.", "Harbour Code"),
    "dkim": ("Headphones on, commits small.", "Sonora"),
    "hannah_mue": ("Grammar is a build step.", "Institute for Plain Text"),
    "jweiss": ("Loud where it should be.", "Decibel"),
}
_JOINED = date(2024, 2, 1)


class Seed:
    """The tables being filled; keys by what they are known as in the content."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.accounts = {person.handle: key for key, person in enumerate(PEOPLE, 1)}
        self.namespaces: dict[str, int] = {}
        self.projects: dict[str, int] = {}
        self.heads: dict[tuple[int, str], int] = {}
        self.trees: dict[int, dict[str, str]] = {}

    def insert(self, table: str, **values: Any) -> int:
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        cursor = self.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
        assert cursor.lastrowid is not None
        return cursor.lastrowid


def build(connection: sqlite3.Connection) -> None:
    """Make all tables in an empty database and fill them."""
    connection.executescript((Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"))
    seed = Seed(connection)
    _people(seed)
    _groups(seed)
    # A fork comes after what it was forked from.
    for project in sorted(projects(), key=lambda each: "fork" in each.head):
        _project(seed, project)
    _snippets(seed)


def _people(seed: Seed) -> None:
    chance = random.Random("20260316/gitlab/people")
    for person in PEOPLE:
        emoji, text, busy = _STATUS.get(person.handle, ("", "", 0))
        bio, organisation = _BIOS.get(person.handle, ("", ""))
        created = _JOINED + timedelta(days=chance.randrange(420))
        seen = date(2026, 3, 1) + timedelta(days=chance.randrange(15))
        seed.insert(
            "account",
            username=person.handle,
            full_name=person.full_name,
            email=person.email,
            password=PASSWORD,
            bio=bio,
            location=person.city,
            organisation=organisation,
            status_emoji=emoji,
            status_text=text,
            is_busy=busy,
            created_at=f"{created} 09:00:00",
            last_login_at=f"{seen} {chance.randrange(7, 20):02}:{chance.randrange(60):02}:00",
        )
        seed.namespaces[person.handle] = seed.insert(
            "namespace",
            path=person.handle,
            name=person.full_name,
            kind="user",
            account_id=seed.accounts[person.handle],
            created_at=f"{created} 09:00:00",
        )


def _groups(seed: Seed) -> None:
    handles = {person.full_name: person.handle for person in PEOPLE}
    for number, (path, (name, description)) in enumerate(GROUPS.items()):
        group = seed.namespaces[path] = seed.insert(
            "namespace",
            path=path,
            name=name,
            kind="group",
            description=description,
            created_at=f"2024-{number + 3:02}-11 10:00:00",
        )
        members = [(handles[ORGANISATIONS[name].founder], "Owner"), *_roles(_MEMBERS[path])]
        for at, (handle, role) in enumerate(members):
            seed.insert(
                "group_member",
                namespace_id=group,
                account_id=seed.accounts[handle],
                role=role,
                joined_on=f"2025-{at + 1:02}-{10 + number:02}",
            )


def _roles(text: str) -> Iterable[tuple[str, str]]:
    for part in text.split(", ") if text else ():
        handle, role = part.split(" ")
        yield handle, role


def _project(seed: Seed, project: Project) -> None:
    head = project.head
    owner, path = project.path.split("/")
    key = seed.projects[project.path] = seed.insert(
        "project",
        namespace_id=seed.namespaces[owner],
        path=path,
        full_path=project.path,
        name=head["name"],
        description=head["description"],
        topics=head.get("topics", ""),
        visibility=head.get("visibility", "public"),
        is_archived=int(head.get("archived", "no") == "yes"),
        needs_approvals=int(head.get("approvals", "0")),
        links=head.get("links", ""),
        forked_from_id=seed.projects[head["fork"]] if "fork" in head else None,
        created_at=moment(head["created"]),
    )
    year = int(head["created"][:4])
    if owner not in GROUPS:
        seed.insert(
            "project_member", project_id=key, account_id=seed.accounts[owner], role="Owner", joined_on=head["created"]
        )
    for at, (handle, role) in enumerate(_roles(head.get("members", ""))):
        joined = date(year, 11, 3) + timedelta(days=9 * at + key)
        seed.insert(
            "project_member", project_id=key, account_id=seed.accounts[handle], role=role, joined_on=str(joined)
        )
    chance = random.Random(f"20260316/gitlab/stars/{project.path}")
    fans = set(head.get("fans", "").split(", ")) - {""}
    # Emma's stars are given by hand, for her list of starred projects is short.
    fans |= set(chance.sample([person.handle for person in PEOPLE[1:]], int(head.get("stars", "0"))))
    for handle in sorted(fans, key=lambda each: seed.accounts[each]):
        seed.insert("star", project_id=key, account_id=seed.accounts[handle])
    labels = {
        name: seed.insert("label", project_id=key, name=name, color=color, description=description)
        for name, color, description in project.labels
    }
    for position, name in enumerate(filter(None, head.get("board", "").split(", "))):
        seed.insert("board_list", project_id=key, label_id=labels[name], position=position)
    milestones = {
        title: seed.insert(
            "milestone", project_id=key, title=title, description=text, starts_on=starts, due_on=due, state=state
        )
        for title, starts, due, state, text in project.milestones
    }
    _history(seed, key, project, labels, milestones)
    for iid, issue in enumerate(project.issues, 1):
        _issue(seed, key, iid, issue, labels, milestones)
    protected = head.get("protected", "main").split(", ")
    for (owner_key, name), revision in seed.heads.items():
        if owner_key == key:
            seed.insert("branch", project_id=key, name=name, revision_id=revision, is_protected=int(name in protected))


def _commit(
    seed: Seed, key: int, commit: Commit, path: str, parent: int | None, merged: int | None = None, body: str = ""
) -> int:
    words = f"{path}\n{parent}\n{commit.title}\n{commit.when}\n{commit.author}"
    revision = seed.insert(
        "revision",
        project_id=key,
        sha=hashlib.sha1(words.encode(), usedforsecurity=False).hexdigest(),
        parent_id=parent,
        merged_id=merged,
        author_id=seed.accounts[commit.author],
        title=commit.title,
        body=body,
        created_at=commit.when,
    )
    tree = dict(seed.trees.get(parent or 0, {}))
    for name, text in commit.files.items():
        blob = None if text is None else digest(text)
        seed.insert("file_change", revision_id=revision, path=name, blob=blob)
        if blob is None:
            tree.pop(name, None)
        else:
            tree[name] = blob
    seed.trees[revision] = tree
    return revision


def _history(seed: Seed, key: int, project: Project, labels: dict[str, int], milestones: dict[str, int]) -> None:
    tags: dict[str, int] = {}
    iid = 0
    if "fork" in project.head:
        # A fork begins with its source's revisions, under the same hashes.
        seed.heads[key, "main"] = _copied(seed, key, seed.projects[project.head["fork"]])
    for event in project.history:
        if isinstance(event, Commit):
            parent = seed.heads.get((key, event.branch), seed.heads.get((key, "main")))
            seed.heads[key, event.branch] = _commit(seed, key, event, project.path, parent)
        elif isinstance(event, Planned):
            iid += 1
            _merge_request(seed, key, iid, event, project.path, labels, milestones)
        elif event.kind == "tag":
            tags[event.name] = seed.insert(
                "tag",
                project_id=key,
                name=event.name,
                revision_id=seed.heads[key, "main"],
                message=event.title,
                created_at=event.when,
            )
        else:
            assert isinstance(event, Event)
            seed.insert(
                "release",
                project_id=key,
                tag_id=tags[event.name],
                author_id=seed.accounts[event.author],
                title=event.title,
                body=event.body,
                created_at=event.when,
            )


def _copied(seed: Seed, key: int, source: int) -> int:
    """The main branch of another project, taken over; its last revision."""
    line = []
    at: int | None = seed.heads[source, "main"]
    while at is not None:
        row = seed.connection.execute(
            "SELECT sha, parent_id, author_id, title, body, created_at FROM revision WHERE id = ?", (at,)
        ).fetchall()[0]
        line.append((at, row))
        at = row[1]
    parent: int | None = None
    for old, (sha, _, author, title, body, created) in reversed(line):
        revision = seed.insert(
            "revision",
            project_id=key,
            sha=sha,
            parent_id=parent,
            author_id=author,
            title=title,
            # A fork has none of the merge requests that its source's messages refer to.
            body=body.partition("\n\nSee !")[0],
            created_at=created,
        )
        seed.connection.execute(
            "INSERT INTO file_change (revision_id, path, blob)"
            " SELECT ?, path, blob FROM file_change WHERE revision_id = ? ORDER BY id",
            (revision, old),
        )
        seed.trees[revision] = seed.trees[old]
        parent = revision
    assert parent is not None
    return parent


def _merge_request(
    seed: Seed,
    key: int,
    iid: int,
    planned: Planned,
    path: str,
    labels: dict[str, int],
    milestones: dict[str, int],
) -> None:
    settings = planned.settings
    source, target = settings["from"], settings.get("to", "main")
    head = seed.heads[key, source]
    base: int | None = head
    own: dict[str, str | None] = {}
    trunk = _ancestors(seed, seed.heads[key, target])
    while base is not None and base not in trunk:
        rows = seed.connection.execute("SELECT path, blob FROM file_change WHERE revision_id = ?", (base,)).fetchall()
        own = {**dict(rows), **own}
        base = seed.connection.execute("SELECT parent_id FROM revision WHERE id = ?", (base,)).fetchall()[0][0]
    assert base is not None, (path, planned.title)
    by = settings.get("by", planned.author)
    closed = moment(settings["done"]) if "done" in settings else None
    request = seed.insert(
        "merge_request",
        project_id=key,
        iid=iid,
        title=planned.title,
        body=planned.body,
        author_id=seed.accounts[planned.author],
        state=planned.state,
        is_draft=int("draft" in settings),
        source_branch=source,
        target_branch=target,
        base_id=base,
        head_id=head,
        milestone_id=milestones[settings["milestone"]] if "milestone" in settings else None,
        assignee_id=seed.accounts[settings["assignee"]] if "assignee" in settings else None,
        created_at=planned.when,
        closed_at=closed,
        merged_by_id=seed.accounts[by] if planned.state == "merged" else None,
    )
    for name in _names(settings, "labels"):
        seed.insert("merge_label", merge_request_id=request, label_id=labels[name])
    for word in _names(settings, "reviewers"):
        handle, _, state = word.partition(":")
        seed.insert("review", merge_request_id=request, account_id=seed.accounts[handle], state=state or "asked")
        if handle == "emma_l" and not state and planned.state == "open":
            _todo(seed, planned.author, "review", planned.when, merge_request_id=request)
    _comments(seed, planned, merge_request_id=request)
    if planned.state == "merged":
        assert closed is not None
        before = seed.trees[seed.heads[key, target]]
        merge = Commit(by, closed, f"Merge branch '{source}' into '{target}'", target)
        parent = seed.heads[key, target]
        seed.heads[key, target] = _commit(seed, key, merge, path, parent, head, f"{planned.title}\n\nSee !{iid}")
        merged = dict(before)
        for name, blob in own.items():
            seed.insert("file_change", revision_id=seed.heads[key, target], path=name, blob=blob)
            if blob is None:
                merged.pop(name, None)
            else:
                merged[name] = blob
        seed.trees[seed.heads[key, target]] = merged
        if "keep" not in settings:
            del seed.heads[key, source]


def _ancestors(seed: Seed, revision: int) -> set[int]:
    found = seed.connection.execute(
        "WITH RECURSIVE line(id) AS (SELECT ? UNION SELECT r.parent_id FROM revision r JOIN line ON r.id = line.id"
        " WHERE r.parent_id IS NOT NULL) SELECT id FROM line",
        (revision,),
    ).fetchall()
    return {row[0] for row in found}


def _names(settings: dict[str, str], name: str) -> list[str]:
    return [part for part in settings.get(name, "").split(",") if part]


def _issue(
    seed: Seed, key: int, iid: int, planned: Planned, labels: dict[str, int], milestones: dict[str, int]
) -> None:
    settings = planned.settings
    issue = seed.insert(
        "issue",
        project_id=key,
        iid=iid,
        title=planned.title,
        body=planned.body,
        author_id=seed.accounts[planned.author],
        state=planned.state,
        milestone_id=milestones[settings["milestone"]] if "milestone" in settings else None,
        due_on=settings.get("due", ""),
        weight=int(settings["weight"]) if "weight" in settings else None,
        is_confidential=int("confidential" in settings),
        created_at=planned.when,
        closed_at=moment(settings["done"]) if "done" in settings else None,
    )
    for name in _names(settings, "labels"):
        seed.insert("issue_label", issue_id=issue, label_id=labels[name])
    for handle in _names(settings, "to"):
        seed.insert("issue_assignee", issue_id=issue, account_id=seed.accounts[handle])
        if handle == "emma_l" and planned.author != "emma_l":
            _todo(seed, planned.author, "assigned", planned.when, issue_id=issue)
    _comments(seed, planned, issue_id=issue)


def _comments(seed: Seed, planned: Planned, **target: int) -> None:
    for author, when, text in planned.comments:
        seed.insert("note", author_id=seed.accounts[author], body=text, created_at=when, **target)
        if re.search(r"@emma_l\b", text) and author != "emma_l":
            _todo(seed, author, "mentioned", when, **target)
    if planned.state == "closed":
        closed = moment(planned.settings["done"])
        by = planned.settings.get("by", planned.author)
        seed.insert("system_note", author_id=seed.accounts[by], text="closed this", created_at=closed, **target)


def _todo(seed: Seed, author: str, reason: str, when: str, **target: int) -> None:
    seed.insert(
        "todo",
        account_id=seed.accounts["emma_l"],
        author_id=seed.accounts[author],
        reason=reason,
        state="pending" if when >= "2026-01-10" else "done",
        created_at=when,
        **target,
    )


def _snippets(seed: Seed) -> None:
    head, *blocks = re.split(r"^%%snippet ", (Path(__file__).parent / "snippets.txt").read_text("utf-8"), flags=re.M)
    assert not head.strip()
    for block in blocks:
        line, _, content = block.partition("\n")
        given, title, description = line.split(" | ")
        author, when, visibility, name = given.split()
        seed.insert(
            "snippet",
            author_id=seed.accounts[author],
            title=title,
            description=description,
            file_name=name,
            content=content.rstrip("\n") + "\n",
            visibility=visibility,
            created_at=moment(when),
        )
