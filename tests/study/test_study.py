"""A study without a browser: what is built, shown, refused, recorded and exported."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from importlib.resources import files
from pathlib import Path

import httpx
import pytest

from guideact.errors import InputError
from guideact.guides.trials import guide_set
from guideact.study import app as pages
from guideact.study.app import make_app
from guideact.study.desk import Desk
from guideact.study.export import export, scores
from guideact.study.folder import read_study
from guideact.study.store import FILE
from guideact.study.words import CHINESE
from guideact.tasks.catalogue import all_tasks
from tests.cli.calling import call, one_line
from tests.study.conftest import TASKS, Clock, built, code_of, served


class Visitor:
    """A browser of a kind: keeps cookies, and sends forms with the token of the page they stand on."""

    def __init__(self, desk: Desk) -> None:
        self.origin = f"http://127.0.0.1:{desk.server.port}"
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(make_app(desk)), follow_redirects=True)
        self.token, self.trial = "", "-1"

    async def get(self, path: str = "/") -> httpx.Response:
        return self._keep(await self.client.get(self.origin + path))

    async def post(self, path: str, **fields: object) -> httpx.Response:
        data = {"csrf": self.token, "trial": self.trial, **{name: str(value) for name, value in fields.items()}}
        return self._keep(await self.client.post(self.origin + path, data=data))

    def _keep(self, response: httpx.Response) -> httpx.Response:
        for name in ("csrf", "trial"):
            found = re.search(rf'name="{name}" value="([^"]+)"', response.text)
            if found:
                setattr(self, "token" if name == "csrf" else name, found[1])
        return response

    async def enter(self, desk: Desk, number: int, *, consent: bool = True) -> httpx.Response:
        await self.get()
        response = await self.post("/code", code=code_of(desk.study, number))
        return await self.post("/consent", agree="yes", language="en") if consent else response


@pytest.fixture
def folder(tmp_path: Path, pristine_study: Path) -> Path:
    return Path(shutil.copytree(pristine_study, tmp_path / "study"))


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    with served(folder) as desk:
        yield desk


def kept(folder: Path) -> bytes:
    """Everything that SQLite has written."""
    return b"".join(path.read_bytes() for path in folder.glob(f"{FILE}*"))


def events(desk: Desk, number: int) -> list[str]:
    return [event.kind for event in desk.store.events(number)]


async def test_nothing_is_shown_or_recorded_without_consent(desk: Desk) -> None:
    visitor = Visitor(desk)
    assert "ABCDE-FGHJK" in (await visitor.get()).text
    assert (await visitor.post("/code", code="AAAAA-AAAAA")).status_code == 401
    consent = await visitor.enter(desk, 1, consent=False)
    assert "Ada Example, ada@example.org" in consent.text
    for path in ("/begin", "/done", "/give-up", "/answers"):
        assert "Before you begin" in (await visitor.post(path, trial=0)).text
    assert "Before you begin" in (await visitor.get("/website")).text
    assert "Before you begin" in (await visitor.post("/consent", language="en")).text, "without the tick"
    assert events(desk, 1) == []
    await visitor.post("/consent", agree="yes", language="zh")
    assert events(desk, 1) == ["consent"]
    assert desk.person(1).language == "zh"


async def test_an_export_before_anyone_took_part_has_its_columns(desk: Desk, tmp_path: Path) -> None:
    counted = export(desk.study, desk.store, tmp_path / "none")
    assert counted == {"trials": 0, "participants": 0, "withdrawn": 0}
    assert (tmp_path / "none" / "trials.csv").read_text("utf-8").startswith("participant,position,task,")
    assert (tmp_path / "none" / "participants.csv").read_text("utf-8").startswith("participant,state,")
    assert {each.seconds for each in scores(desk.study, desk.store)} == {None}


async def test_forms_of_elsewhere_are_refused(desk: Desk) -> None:
    visitor = Visitor(desk)
    await visitor.enter(desk, 1)
    assert (await visitor.post("/begin", csrf="forged")).status_code == 403
    assert events(desk, 1) == ["consent"]
    foreign = await visitor.client.get(visitor.origin, headers={"host": "evil.example"})
    assert foreign.status_code == 421
    answered = await visitor.get()
    assert "script-src 'self'" in answered.headers["content-security-policy"]


async def test_the_websites_are_open_to_their_participant_alone(desk: Desk) -> None:
    visitor, other = Visitor(desk), Visitor(desk)
    await visitor.enter(desk, 1)
    await visitor.post("/begin")
    instance = desk.person(1).trials[0].instance
    shop = desk.server.url("shopping", instance)
    strange = await other.client.get(shop)
    assert strange.status_code == 403
    assert "Open the website from the study" in strange.text, "the task is not over: it goes on elsewhere"
    assert (await other.client.get(f"{shop}/.study/enter?pass=guessed")).status_code == 403
    assert (await other.client.get(desk.server.url("shopping", 99))).status_code == 410
    inside = await visitor.get("/website")
    assert inside.status_code == 200
    assert "/.study/page.js" in inside.text
    assert "Emma" in inside.text, "signed in as the task says"
    told = json.dumps({"path": "/elsewhere#part"})
    assert (await visitor.client.post(f"{shop}/.study/page", content=told)).status_code == 204
    assert (await visitor.client.post(f"{shop}/.study/page", content=b"[]")).status_code == 400
    await visitor.get()
    await visitor.post("/give-up")
    assert (await visitor.client.get(shop)).status_code == 410
    seen = desk.person(1).trials[0].pages
    assert [(page.url, page.loaded) for page in seen] == [
        ("http://shopping.localhost/", True),
        ("http://shopping.localhost/elsewhere#part", False),
    ]


async def test_conditions_and_verdicts_are_not_shown(desk: Desk) -> None:
    visitor = Visitor(desk)
    text = (await visitor.enter(desk, 1)).text
    for number in range(2):
        text += (await visitor.post("/begin")).text
        text += (await visitor.post("/done")).text
        text += (await visitor.post("/answers", confidence=1, difficulty=7, stuck_at=1, stuck_how="<b>x</b>")).text
        assert desk.person(1).trials[number].passed is False
    assert desk.person(1).place == "end"
    text += (await visitor.post("/answers", experience=3, english=3, comment="")).text
    assert desk.person(1).place == "thanks"
    for word in ("rename", "passed", "success", *TASKS):
        assert word not in text


async def test_answers_are_asked_for_until_they_are_there(desk: Desk) -> None:
    visitor = Visitor(desk)
    await visitor.enter(desk, 1)
    await visitor.post("/begin")
    await visitor.post("/give-up")
    for wrong in (
        {},
        {"confidence": 8, "difficulty": 1, "stuck_at": 0},
        {"confidence": 1, "difficulty": 1, "stuck_at": 99},
    ):
        again = await visitor.post("/answers", stuck_how="<i>it</i>", **wrong)
        assert again.status_code == 422
        assert "&lt;i&gt;it&lt;/i&gt;" in again.text
    assert desk.person(1).place == "questions"


async def test_the_time_is_up(folder: Path) -> None:
    clock = Clock()
    with served(folder, clock=clock) as desk:
        visitor = Visitor(desk)
        await visitor.enter(desk, 1)
        shown = await visitor.post("/begin")
        assert 'http-equiv="refresh" content="301"' in shown.text
        await visitor.get("/website")
        clock.ahead = timedelta(minutes=6)
        shop = desk.server.url("shopping", desk.person(1).trials[0].instance)
        assert (await visitor.client.get(shop)).status_code == 410
        assert "The time for this task is up." in (await visitor.get()).text
        tried = desk.person(1).trials[0]
        assert (tried.how, tried.seconds) == ("time_up", 300)


async def test_an_old_tab_ends_no_other_trial(desk: Desk) -> None:
    visitor = Visitor(desk)
    await visitor.enter(desk, 1)
    await visitor.post("/begin")
    await asyncio.gather(visitor.post("/done"), visitor.post("/done"), visitor.post("/give-up"))
    assert events(desk, 1).count("end") == 1
    await visitor.post("/answers", trial=0, confidence=1, difficulty=1, stuck_at=0, stuck_how="")
    await visitor.post("/begin", trial=1)
    await visitor.post("/done", trial=0)
    assert desk.person(1).place == "trial"


async def test_a_withdrawal_leaves_nothing(folder: Path) -> None:
    with served(folder) as desk:
        visitor = Visitor(desk)
        await visitor.enter(desk, 2)
        await visitor.post("/begin")
        await visitor.get("/website")
        instance = desk.person(2).trials[0].instance
        await visitor.get()
        await visitor.post("/give-up")
        await visitor.post("/answers", confidence=1, difficulty=1, stuck_at=0, stuck_how="a word of mine")
        assert "You have withdrawn" in (await visitor.post("/withdraw")).text
        assert events(desk, 2) == ["withdrawn"]
        assert desk.store.sites(instance) == {}
        assert "You have withdrawn" in (await visitor.enter(desk, 2)).text
    assert b"a word of mine" not in kept(folder)


async def test_a_request_that_is_under_way_leaves_nothing_after_a_withdrawal(desk: Desk) -> None:
    visitor = Visitor(desk)
    await visitor.enter(desk, 1)
    await visitor.post("/begin")
    await visitor.get("/website")
    instance = desk.person(1).trials[0].instance

    async def body() -> AsyncIterator[bytes]:
        yield b"csrf=x"
        desk.withdraw(1)
        yield b"&name=y"

    form = {"content-type": "application/x-www-form-urlencoded"}
    sent = await visitor.client.post(f"{desk.server.url('shopping', instance)}/contact", content=body(), headers=form)
    assert sent.status_code == 410
    assert events(desk, 1) == ["withdrawn"]
    assert desk.store.sites(instance) == {}


async def test_export_and_scores(desk: Desk, tmp_path: Path) -> None:
    visitor, gone = Visitor(desk), Visitor(desk)
    await gone.enter(desk, 2)
    await gone.post("/withdraw")
    await visitor.enter(desk, 1)
    await visitor.post("/begin")
    await visitor.get("/website")
    await visitor.get()
    await visitor.post("/give-up")
    await visitor.post("/answers", confidence=2, difficulty=6, stuck_at=3, stuck_how="=HYPERLINK(1)")
    await visitor.post("/begin")
    counts = export(desk.study, desk.store, tmp_path / "out")
    assert counts == {"trials": 2, "participants": 2, "withdrawn": 1}
    rows = list(csv.DictReader((tmp_path / "out" / "trials.csv").read_text("utf-8").splitlines()))
    assert [(row["how"], row["success"], row["pages"]) for row in rows] == [("gave_up", "0", "1"), ("", "", "0")]
    assert rows[0]["q_stuck_how"] == "'=HYPERLINK(1)", "no formula"
    first = json.loads((tmp_path / "out" / "trials.jsonl").read_text("utf-8").splitlines()[0])
    assert first["answers"]["stuck_how"] == "=HYPERLINK(1)"
    assert first["check"][0]["passed"] is False
    people = list(csv.DictReader((tmp_path / "out" / "participants.csv").read_text("utf-8").splitlines()))
    assert [row["state"] for row in people] == ["under way", "withdrawn"]
    found = {score.treatment: score for score in scores(desk.study, desk.store)}
    ended = found[rows[0]["condition"]]
    assert (ended.success.value, ended.success.n, ended.broke) == (0.0, 1, {"gave up": 1})
    assert sum(score.success.n for score in found.values()) == 1, "what has not ended counts nowhere"


def test_what_cannot_be_built_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        return one_line(call(capsys, "study", "build", str(tmp_path / "s"), "--contact", "x", *words))

    assert "Add --goals" in said("--conditions", "as_is", "none")
    assert "there is no condition 'nothing'" in said("--conditions", "nothing")
    assert "multiple of 2" in said("--tasks", TASKS[0], "--participants", "3")
    assert "used: 1 asking for an answer." in said(
        "--tasks", next(task.id for task in all_tasks() if task.check.answer)
    )
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "x").touch()
    assert "is not empty" in said()
    assert "was never served" in one_line(call(capsys, "study", "progress", str(built(tmp_path / "t"))))


def test_the_other_guide_is_met_nowhere_else(tmp_path: Path) -> None:
    study = read_study(built(tmp_path / "s", conditions=("as_is", "other", "none"), goals=True))
    own = [study.shown[task, "as_is"].steps for task in TASKS]
    for task in TASKS:
        other = study.shown[task, "other"].steps
        assert other
        assert other not in own
        assert study.shown[task, "none"].steps == ()
        gold = guide_set("gold", "as_is", [task]).guide(task)
        assert gold is not None
        assert [step.sentence for step in study.shown[task, "as_is"].steps] == [line.sentence for line in gold.lines]
    protocol = (tmp_path / "s" / "protocol.md").read_text("utf-8")
    assert "H2: success under `none` differs from success under `as_is`" in protocol
    assert "{{" not in protocol
    assert (tmp_path / "s" / "codes.csv").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("questions.json", '{"after_task": [{"id": "A"}], "at_end": []}', "questions.json: after_task.0.id"),
        ("questions.json", "{", "questions.json is no JSON"),
        ("codes.csv", "participant,code\n9,ABCDE-ABCDE\n", "codes.csv: '9' is no participant"),
        ("guides.jsonl", "\n", "guides.jsonl: no guide of"),
    ],
)
def test_spoilt_files_are_named(folder: Path, name: str, text: str, says: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(says)):
        read_study(folder)


def test_a_study_of_another_version_is_refused(folder: Path) -> None:
    study = json.loads((folder / "study.json").read_text("utf-8"))
    (folder / "study.json").write_text(json.dumps({**study, "version": "0.0.1"}), encoding="utf-8")

    with pytest.raises(InputError, match=r"built by guideact 0\.0\.1"), served(folder):
        pass


def test_every_word_is_there_in_chinese_and_none_is_left_over() -> None:
    templates = "".join(path.read_text("utf-8") for path in files("guideact.study").joinpath("templates").iterdir())
    said = set(re.findall(r'\bt\("((?:[^"\\]|\\.)*)"', templates))
    said |= set(pages._PROBLEMS.values()) | {"Something went wrong."}
    said |= set(re.findall(r'problem = "([^"]+)"', Path(pages.__file__).read_text("utf-8")))
    assert said == set(CHINESE)
    for english, chinese in CHINESE.items():
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", chinese))
