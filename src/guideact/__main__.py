"""`python -m guideact` is `guideact`."""

from guideact.cli import main

main()
