"""For all tests."""

from __future__ import annotations

from playwright.async_api import expect

# A busy machine may take far longer than Playwright's five seconds over a page that is as it should be.
expect.set_options(timeout=30_000)
