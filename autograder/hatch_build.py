"""Lets the wheel's file for Jupyter keep its place outside the package."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KeepSharedData(BuildHookInterface):
    """The hook that ``pyproject.toml`` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Keep ``sources``, which moves every file into the package, from moving ``etc``.

        Args:
            version: of the build.
            build_data: what is built.
        """
        self.build_config.sources = {"etc/": "etc/", **self.build_config.sources}
