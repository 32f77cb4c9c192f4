"""Driving Chromium: launching it, isolating an episode, seeing a page, and acting on it.

`async with launch() as browser, browser.session() as session:` then `goto`, `observe`, `execute`.
"""

from guideact.browser.launch import Browser, LaunchOptions, launch
from guideact.browser.session import Session

__all__ = ["Browser", "LaunchOptions", "Session", "launch"]
