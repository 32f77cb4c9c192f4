"""What is known of a site before it is loaded is what the site says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from guideact.sites.registry import SITES, database_of, home_of


@pytest.mark.parametrize("name", SITES)
def test_a_site_is_what_the_registry_says(name: str) -> None:
    site = SITES[name]
    assert site.name == name
    assert site.database == database_of(name)
    assert database_of(home_of(name)) == database_of(name)


def test_sites_that_share_their_data_share_a_home() -> None:
    assert home_of("shopping_admin") == home_of("shopping") == "shopping"
    assert home_of("nowhere") == "nowhere"


def test_an_unknown_site_is_an_error() -> None:
    assert "nowhere" not in SITES
    with pytest.raises(KeyError, match="nowhere"):
        SITES["nowhere"]


def test_no_site_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys, guideact.sites.server; from guideact.sites.registry import SITES; "
        "print([name for name in SITES if f'guideact.sites.{name}' in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_serving_pages_takes_no_model_of_data() -> None:
    """Pydantic doubles the time that a server takes to start."""
    code = "import sys, guideact.sites.server; print('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
