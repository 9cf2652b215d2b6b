"""How a notebook is to be executed, and what that left: all that other machines get and send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.kernels.sandbox import Limits, View

TOTAL = 3600
"""Seconds by the clock that a notebook may take, if its plan says nothing else: thousands of
cells have a limit each. Solved lessons take less than a minute, their trainings some more."""


class OutOfMemory(OSError):
    """The system ran out of memory and ended a kernel, perhaps not the one that used it up."""


@dataclass(frozen=True)
class Plan:
    """How to execute a notebook.

    Args:
        options: traits of ``nbclient.NotebookClient``; ``timeout`` counts a cell's own CPU seconds.
        variables: the kernel's environment on top of this process's.
        modules: what the forking process imports.
        import_variables: environment variables for these imports.
        skipped: positions of cells that are not executed, unless another one needs them.
        limits: of the kernel.
        sandboxed: whether it runs in a sandbox.
        view: what it sees there.
        total: seconds by the clock that all cells together may take.
        inputs: a file for the kernel, in base64: ``Course.packed_inputs``. "" for none.
        seed: of the inputs. No kernel and no other machine learns it.
        afresh: a line that runs before every cell that the judge asks for an answer: a student may
            have called something else by the names in it. "" where no cell does.
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
        """The same with more variables."""
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
    """What an execution left: of each cell the outputs and the execution count, nothing else.

    Args:
        cells: by position, ``[execution count, outputs]``.
        ended: why a kernel did not reach the last cell, or "".
        seconds: what ``start`` and ``cells`` took, and the kernel's ``cpu``.
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
        return asdict(self) | {"cells": [[n, *cell] for n, cell in self.cells.items()]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Outcome:
        """Read what ``to_json`` wrote."""
        cells = {n: (count, outputs) for n, count, outputs in data["cells"]}
        return cls(cells, data["ended"], data["seconds"])
