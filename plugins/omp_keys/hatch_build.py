"""Bring the OMP extension into the distribution as `attention_omp_keys/extension/`.

A plain `force-include` of `../../omp_extension/src` fails when the wheel is built from an sdist, where that folder is
outside. So the sdist carries a copy inside the package, and the wheel takes that copy when it is there. An editable
install has no copy: there `Path(attention_omp_keys.__file__).parent / "extension"` is missing, and the installer falls
back to the checkout's `omp_extension/src`, `Path(attention_omp_keys.__file__).parents[3]` being the checkout.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "attention_omp_keys/extension"


class ExtensionHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or (Path(self.root) / TARGET).is_dir():
            return
        source = Path(self.root).parents[1] / "omp_extension" / "src"
        if not source.is_dir():
            raise FileNotFoundError(
                f"the OMP extension is not at {source}: build from a checkout or from the sdist"
            )
        build_data["force_include"][str(source)] = TARGET
