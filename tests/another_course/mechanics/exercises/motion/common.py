"""What exercises about falling share."""

import numpy as np

from selfcheck import Case
from selfcheck.sampling import random_state


def falls(seed):
    """Heights in metres (things,) and the gravity in m/s², on two planets."""
    random = random_state(seed)
    heights = random.uniform(1, 50, int(random.randint(3, 8))).astype(np.float32)
    return (
        Case("plain", {"heights": heights, "gravity": 9.81}),
        Case("moon", {"heights": heights, "gravity": 1.62}),
    )
