"""The example of `docs/sites.md` runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from guideact.sites.registry import SITES
from guideact.sites.state import Database

PAGE = (Path(__file__).parents[2] / "docs" / "sites.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith("product 1 {'stock': ")
    assert done.stdout.endswith("{'stock': 0}\n")
    assert done.stderr == ""


def test_every_site_and_every_login_is_there(shop: Database) -> None:
    for site in SITES.values():
        assert f"`{site.name}`" in PAGE
        assert f"http://{site.host}.localhost:8080" in PAGE
    for name, user, secret in re.findall(r"^\| `(\w+)`.*\| `([^` ]+)` / `([^` ]+)` \|$", PAGE, re.MULTILINE):
        database = Database(SITES[name].database)
        found = database.connection.execute(
            f"SELECT password FROM {SITES[name].user_table} WHERE {SITES[name].user_key} = ?", (user,)
        ).fetchall()
        database.close()
        assert [row[0] for row in found] == [secret], name
    for username, role in shop.connection.execute("SELECT username, role FROM staff WHERE id > 1").fetchall():
        assert f"`{username}`" in PAGE
        assert role in PAGE
