"""A guide as PDF: its page, printed by the same Chromium that everything else is done with."""

from __future__ import annotations

import html as escaping

from playwright.async_api import Error as PlaywrightError

from guideact.browser import launch
from guideact.errors import BrowserError
from guideact.guides.guide import Guide

_FOOT = (
    '<div style="width:100%;font:8px sans-serif;color:#5b6675;padding:0 15mm;'
    'display:flex;justify-content:space-between">'
    '<span style="max-width:80%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">{title}</span>'
    '<span><span class="pageNumber"></span> / <span class="totalPages"></span></span></div>'
)


async def pdf(guide: Guide, page: str) -> bytes:
    """The PDF of a guide's HTML page (see `html`), A4, with page numbers, tagged and with an outline.

    Raises BrowserError where the browser does not print.
    """
    async with launch() as browser, browser.session(allow=()) as session:
        try:
            await session.active_page.set_content(page, wait_until="load")
            return await session.active_page.pdf(
                prefer_css_page_size=True,
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=_FOOT.format(title=escaping.escape(guide.title)),
                tagged=True,
                outline=True,
            )
        except PlaywrightError as error:
            raise BrowserError(f"the guide cannot be printed: {error.message.splitlines()[0]}") from error
