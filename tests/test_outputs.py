"""A place that cannot be written to is refused before any work is done, in words that name it."""

import os
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.outputs import refuse_taken, refuse_unwritable, refuse_unwritable_file


def test_a_new_or_empty_folder_will_do(tmp_path: Path) -> None:
    refuse_taken(tmp_path / "deep" / "new")
    refuse_taken(tmp_path)
    assert not (tmp_path / "deep").exists(), "asking makes nothing"


def test_a_folder_that_holds_something_and_a_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for taken in (tmp_path, file):
        with pytest.raises(InputError, match=f"{taken} is not empty"):
            refuse_taken(taken)
    with pytest.raises(InputError, match=f"{file} is no folder"):
        refuse_unwritable(file / "below")


def test_a_place_that_may_not_be_written_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write anywhere, whatever the mode says: what the system answers is put in its place there.
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    else:
        tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="may not be written to"):
        refuse_taken(tmp_path / "demos")


def test_a_file_may_be_written_again_but_not_over_what_is_read(tmp_path: Path) -> None:
    there, read, link = tmp_path / "rows.jsonl", tmp_path / "predictions.jsonl", tmp_path / "link.jsonl"
    for path in (there, read):
        path.write_text("mine")
    link.symlink_to(read)
    refuse_unwritable_file(there, "--rows", [read, tmp_path / "gone"])
    refuse_unwritable_file(tmp_path / "new", "--rows", [read])
    for path in (read, link):
        with pytest.raises(InputError, match=f"{path} cannot be written: it is read from. Give another --rows"):
            refuse_unwritable_file(path, "--rows", [read])
    with pytest.raises(InputError, match="it is a folder"):
        refuse_unwritable_file(tmp_path, "--rows")
    with pytest.raises(InputError, match=f"{tmp_path / 'no'} is no folder"):
        refuse_unwritable_file(tmp_path / "no" / "x", "--rows")
