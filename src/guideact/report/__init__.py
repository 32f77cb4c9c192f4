"""The report of a run: one HTML file that needs no network, no server and no second file."""

from guideact.report.build import build

__all__ = ["build"]
