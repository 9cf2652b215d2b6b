"""Notebooks executed in kernels, here or on a cluster: neither gradebook nor keys are needed."""
