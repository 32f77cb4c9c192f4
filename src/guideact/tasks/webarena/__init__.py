"""WebArena's tasks on WebArena's sites, wherever a user runs them."""
