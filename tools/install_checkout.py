"""Install the framework and all plugins, editable, into the environment that runs this (tox's; see tox.ini)."""

from __future__ import annotations

import sys
from pathlib import Path

from provisioning.commands import Unavailable
from provisioning.editable import install_checkout

if __name__ == "__main__":
    if sys.prefix == sys.base_prefix:
        sys.exit("install_checkout: run this with the Python of a virtual environment")
    try:
        install_checkout(sys.executable, Path(sys.prefix))
    except Unavailable as error:
        sys.exit(f"install_checkout: {error}")
