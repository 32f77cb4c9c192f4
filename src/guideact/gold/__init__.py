"""Gold guides: recorded from solvers that act as agents do."""
