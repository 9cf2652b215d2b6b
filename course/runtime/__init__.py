"""Where a notebook runs: how much it may do, who looks at it, what is kept of it."""
