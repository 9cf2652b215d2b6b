"""What goes wrong with data, said so that a reader knows what to do next."""


class DatasetError(ValueError):
    """A data set cannot be loaded: what was received, what was expected, what to do next."""
