"""How to execute a notebook, and the results: all data that is exchanged with other machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.kernels.sandbox import Limits, View

TOTAL = 3600
"""Default wall-clock limit of a notebook in seconds, needed because thousands of cells could each
use their own limit. Solved lessons take less than a minute, somewhat longer with training."""


class OutOfMemory(OSError):
    """The system ran out of memory and killed a kernel, perhaps not the one that used it up."""


@dataclass(frozen=True)
class Plan:
    """How to execute a notebook.

    Args:
        options: traits of ``nbclient.NotebookClient``; ``timeout`` counts a cell's own CPU seconds.
        variables: environment variables of the kernel, in addition to this process's.
        modules: modules that the forking process imports.
        import_variables: environment variables for these imports.
        skipped: positions of cells that aren't executed, unless another one needs them.
        limits: the kernel's limits.
        sandboxed: whether it runs in a sandbox.
        view: what it sees there.
        total: wall-clock limit for all cells together, in seconds.
        inputs: a file for the kernel, in base64: ``Course.packed_inputs``. "" for none.
        seed: the seed of the inputs. No kernel and no other machine gets it.
        afresh: a line that runs before every judged cell, because a student may have redefined the
            names in it. "" if there are no such cells.
    """

    options: Mapping[str, Any]
    variables: dict[str, str]
    modules: tuple[str, ...] = ()
    import_variables: Mapping[str, str] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()
    limits: Limits = field(default_factory=Limits)
    sandboxed: bool = True
    view: View = field(default_factory=View)
    total: float = TOTAL
    inputs: str = ""
    seed: int = 0
    afresh: str = ""

    def with_variables(self, variables: Mapping[str, str]) -> Plan:
        """A copy with more variables."""
        return replace(self, variables={**self.variables, **variables})

    def to_json(self) -> dict[str, Any]:
        """To send."""
        data = asdict(self) | {"skipped": sorted(self.skipped)}
        del data["seed"]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """Read what ``to_json`` wrote."""
        skipped, limits = frozenset(data["skipped"]), Limits(**data["limits"])
        view = View(**{name: tuple(names) for name, names in data["view"].items()})
        return cls(**{**data, "skipped": skipped, "limits": limits, "view": view})


@dataclass(frozen=True)
class Outcome:
    """The results of an execution: the outputs and the execution count of each cell.

    Args:
        cells: by position, ``[execution count, outputs]``.
        ended: why a kernel didn't reach the last cell, or "".
        seconds: the time for ``start`` and ``cells``, and the kernel's ``cpu`` time.
    """

    cells: Mapping[int, tuple[int | None, list[dict[str, Any]]]]
    ended: str
    seconds: Mapping[str, float]

    def put_into(self, notebook: NotebookNode) -> None:
        """Give the cells their outputs."""
        for position, (count, outputs) in self.cells.items():
            cell = notebook.cells[position]
            cell.execution_count, cell.outputs = count, nbformat.from_dict(outputs)

    def to_json(self) -> dict[str, Any]:
        """For a file, or to send."""
        return vars(self) | {"cells": [[n, *cell] for n, cell in self.cells.items()]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Outcome:
        """Read what ``to_json`` wrote."""
        cells = {n: (count, outputs) for n, count, outputs in data["cells"]}
        return cls(cells, data["ended"], data["seconds"])
