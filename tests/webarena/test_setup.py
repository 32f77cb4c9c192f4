"""Where the sites are: options, a file, variables; and what is said of anything that cannot work."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.tasks.webarena.setup import ACCOUNTS, SITES, Setup, placeholders, read_setup


def toml(folder: Path, text: str) -> Path:
    path = folder / "sites.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_option_wins_over_the_file_and_the_file_over_a_variable(tmp_path: Path) -> None:
    file = toml(tmp_path, '[sites]\nmap = "https://file.example/map/"\nreddit = "http://file:9999"\n')
    environ = {
        "MAP": "http://variable:3000",
        "WA_GITLAB": "git.example:8023",
        "GITLAB": "http://other:1",
        "SHOPPING": "",
    }
    setup = read_setup(file, ["reddit=http://option:9999/"], environ)
    assert setup.addresses == {
        "reddit": "http://option:9999",
        "gitlab": "http://git.example:8023",
        "map": "https://file.example/map",
    }
    assert setup.allow == ("option:9999", "git.example:8023", "file.example:443")
    assert setup.accounts == ACCOUNTS
    assert setup.reset is None


@pytest.mark.parametrize(
    ("file", "options", "environ", "said"),
    [
        ("", ["shop=http://h"], {}, "--address: there is no site 'shop'. Did you mean shopping?"),
        ("", ["http://h"], {}, "--address 'http://h' names no site"),
        ("", ["map=http://h:99999"], {}, "--address map is 'http://h:99999', which is no address"),
        ("", ["map=http://u:hunter2@[::1"], {}, "--address map is no address"),
        ("", [], {"MAP": "ftp://h"}, "MAP is 'ftp://h', which is no address"),
        ("", [], {"WA_REDDIT": "http://h/?a=b"}, "WA_REDDIT is 'http://h/?a=b', which is no address"),
        ("", [], {"GITLAB": "http://h <b>"}, "GITLAB is 'http://h <b>', which is no address"),
        ("[sites]\nmap = 3\n", [], {}, "sites.map is 3, which is no address"),
        ("[sites]\nmaps = 'http://h'\n", [], {}, "there is no site 'maps'. Did you mean map?"),
        ("[site]\n", [], {}, "there is no key 'site'. Did you mean sites?"),
        ("sites = 3", [], {}, "sites is 3. Write a table: [sites]"),
        ("nonsense", [], {}, "is no TOML"),
        ("hosts = ['tiles.example']", [], {}, "hosts is ['tiles.example']"),
        ("states = 3", [], {}, "states is 3"),
        ("[accounts.map]\nusername = 'a'", [], {}, "there is no site 'map'"),
        ("[accounts.reddit]\nname = 'a'", [], {}, "accounts.reddit cannot be read"),
        ("[accounts.reddit]\nusername = 'a'", [], {}, "there is no password for a on reddit. Set WA_REDDIT_PASSWORD"),
        ("[reset]\nwhen = 'task'", [], {}, "reset needs a command or a url, and not both"),
        ("[reset]\nwhen = 'often'\nurl = 'http://h'", [], {}, "reset.when"),
        ("[reset]\ncommand = '/nope/reset {site}'", [], {}, "begins with '/nope/reset', which is no program"),
        ("[reset]\ncommand = 'sh \"'", [], {}, "reset.command cannot be read"),
        ("[reset]\nurl = 'reset me'", [], {}, "reset.url is 'reset me', which is no address"),
    ],
)
def test_what_cannot_work_is_named_with_its_place(
    tmp_path: Path, file: str, options: list[str], environ: dict[str, str], said: str
) -> None:
    path = toml(tmp_path, file) if file else None
    with pytest.raises(InputError) as caught:
        read_setup(path, options, environ)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"--webarena /nope\.toml cannot be read"):
        read_setup(Path("/nope.toml"), [], {})


def test_passwords_are_neither_shown_nor_taken_from_an_address(tmp_path: Path) -> None:
    secret = "s3cret-word"
    file = toml(tmp_path, f"[accounts.gitlab]\nusername = 'me'\npassword = '{secret}'\n")
    setup = read_setup(file, [], {"WA_REDDIT_PASSWORD": secret})
    assert setup.accounts["gitlab"].password.get_secret_value() == secret
    assert setup.accounts["reddit"].password.get_secret_value() == secret
    assert setup.accounts["reddit"].username == ACCOUNTS["reddit"].username
    assert secret not in repr(setup) + setup.model_dump_json()
    with pytest.raises(InputError) as caught:
        read_setup(None, [f"map=http://me:{secret}@h:3000"], {})
    assert secret not in str(caught.value)


def test_the_reset_server_that_users_have_set_is_used() -> None:
    reset = read_setup(None, [], {"WA_FULL_RESET": "http://h:7565/"}).reset
    assert reset is not None
    assert (reset.url, reset.status, reset.ready) == ("http://h:7565/reset", "http://h:7565/status", "Ready for duty!")
    assert not reset.by_site


def test_placeholders_are_filled_and_put_back() -> None:
    setup = Setup(addresses={"shopping": "http://h:7770", "shopping_admin": "http://h:7770/admin", "map": "http://h"})
    assert setup.fill("see __SHOPPING_ADMIN__/x, __SHOPPING__, __REDDIT__") == (
        "see http://h:7770/admin/x, http://h:7770, __REDDIT__"
    )
    assert setup.canonical("http://h:7770/admin/x?y=1") == "__SHOPPING_ADMIN__/x?y=1"
    assert setup.canonical("http://h:7770") == "__SHOPPING__"
    assert setup.canonical("http://h:77701/") == "http://h:77701/"
    assert setup.canonical("http://elsewhere/") == "http://elsewhere/"
    assert placeholders(["__MAP__/a", "__NONE__ and __GITLAB____MAP__"]) == ("map", "gitlab")


def test_missing_addresses_are_told_in_one_line_with_the_tasks_that_need_them() -> None:
    setup = Setup(addresses={"map": "http://h"})
    setup.refuse_missing({"map": ["t.1"]})
    with pytest.raises(InputError) as caught:
        setup.refuse_missing({"map": ["t.1"], "reddit": ["t.2", "t.3", "t.4"], "gitlab": ["t.5"]})
    said = str(caught.value)
    assert "reddit (needed by t.2, t.3 and 1 more); gitlab (needed by t.5)" in said
    assert "Set REDDIT, GITLAB (or WA_REDDIT and so on)" in said
    assert "\n" not in said


def test_every_site_has_a_place() -> None:
    environ = {site.upper(): f"http://h:{port}" for port, site in enumerate(SITES, 1)}
    assert list(read_setup(None, [], environ).addresses) == list(SITES)
