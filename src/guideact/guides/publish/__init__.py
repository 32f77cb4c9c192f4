"""A guide in the form that people read or machines run, written into a folder.

| format     | file                                | what                                                    |
|------------|-------------------------------------|---------------------------------------------------------|
| `html`     | `<id>.html`                         | one page that loads nothing                             |
| `markdown` | `<id>.md`, `images/step-01.png` ... | text with pictures                                      |
| `pdf`      | `<id>.pdf`                          | the page, printed                                       |
| `tour`     | `<id>.user.js`                      | runs over the live page                                 |
| `recorder` | `<id>.recorder.json`                | a recording for Chrome's Recorder                       |
| `codegen`  | `<id>.py`                           | a script of Playwright's codegen                        |
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from guideact.errors import InputError
from guideact.guides.guide import Guide

Format = Literal["html", "markdown", "pdf", "tour", "recorder", "codegen"]
FORMATS: tuple[Format, ...] = get_args(Format)


async def publish(guide: Guide, folder: Path, formats: Sequence[Format], out: Path) -> tuple[Path, ...]:
    """Write a guide, whose pictures lie in `folder`, into `out`; the paths written, pictures left out.

    Raises InputError where a picture is gone or `out` cannot be written, BrowserError where the PDF is not printed.
    """
    from guideact.guides.exchange.codegen import write_codegen
    from guideact.guides.exchange.recorder import write_recording
    from guideact.guides.publish.html import html
    from guideact.guides.publish.markdown import markdown
    from guideact.guides.publish.pdf import pdf
    from guideact.guides.publish.tour import tour

    page = html(guide, folder) if "html" in formats or "pdf" in formats else ""
    written: list[Path] = []

    def put(name: str, data: bytes) -> None:
        path = out / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(path.name + ".part")
            part.write_bytes(data)
            os.replace(part, path)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}", fix="Give another --out.") from error
        if path.parent == out:
            written.append(path)

    for each in formats:
        match each:
            case "html":
                put(f"{guide.id}.html", page.encode("utf-8", "replace"))
            case "markdown":
                text, pictures = markdown(guide, folder)
                for name, data in pictures.items():
                    put(name, data)
                put(f"{guide.id}.md", text.encode("utf-8", "replace"))
            case "pdf":
                put(f"{guide.id}.pdf", await pdf(guide, page))
            case "tour":
                put(f"{guide.id}.user.js", tour(guide).encode("utf-8", "replace"))
            case "recorder":
                put(f"{guide.id}.recorder.json", write_recording(guide).encode("utf-8", "replace"))
            case "codegen":
                put(f"{guide.id}.py", write_codegen(guide).encode("utf-8", "replace"))
    return tuple(written)
