"""The exercises, a file each."""
