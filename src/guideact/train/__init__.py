"""Training: what turns demonstrations and rewards into weights."""
