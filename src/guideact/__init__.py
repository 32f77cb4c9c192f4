"""guideact: web agents that do a task and teach it."""

__version__ = "0.1.0"
