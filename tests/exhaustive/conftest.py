"""Ten times as many drawn examples as elsewhere."""

from hypothesis import settings

settings.load_profile("thorough")
