"""The class: its list, and the lists of learning platforms."""
