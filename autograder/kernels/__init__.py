"""Kernels forked from a process that has already imported what lessons need."""
