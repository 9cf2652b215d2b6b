"""nbgrader's check of a notebook's metadata, made once for a class."""

from __future__ import annotations

import json
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import CheckCellMetadata


class CheckMetadata(CheckCellMetadata):
    """Checks metadata as nbgrader does, but the same metadata only once.

    nbgrader checks its own schema again for every cell, which takes longer than the judge. A
    repaired notebook has the metadata of every other one.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Check the metadata.

        Raises:
            ValidationError: when nbgrader can't read them.
        """
        marks = [(cell.cell_type, cell.metadata.get("nbgrader")) for cell in nb.cells]
        text = json.dumps([each for each in marks if each[1] is not None], sort_keys=True)
        if text not in _valid:
            nb, resources = super().preprocess(nb, resources)
            _valid.add(text)
        return nb, resources


_valid: set[str] = set()
"""What was checked. Only cells of lessons have such metadata, so these are few."""
