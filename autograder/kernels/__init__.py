"""Kernels forked from a process that has imported already what lessons need."""
