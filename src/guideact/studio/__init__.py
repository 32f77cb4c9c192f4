"""The studio: a local web application in which people review guide sentences, look at runs, and audit verdicts."""
