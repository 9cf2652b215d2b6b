"""Layers whose features are split into heads."""

from __future__ import annotations

from selfcheck.exercise import Case, Exercise
from selfcheck.texts import say


class LayerWithHeads(Exercise):
    """Explanations can speak of the depth of a head."""

    def sizes(self, case: Case) -> dict[str, int]:
        """The sizes in a case, and the depth of a head."""
        named = super().sizes(case)
        width = named["hidden_size"] if "hidden_size" in named else named["embedding_dim"]
        return {**named, say("the depth of a head"): width // named["num_heads"]}
