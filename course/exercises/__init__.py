"""The exercises: one file each, in the folder of its topic."""
