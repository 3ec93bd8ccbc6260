"""The pytest plugin is loaded in every run of pytest, also of people who test something else."""

from __future__ import annotations

import subprocess
import sys


def test_the_pytest_plugin_loads_nothing_of_the_framework_before_it_is_used() -> None:
    code = (
        "import attention_framework.testing.plugin, sys;"
        "print([name for name in sys.modules if name.startswith('attention_')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip()
        == "['attention_framework', 'attention_framework.testing', 'attention_framework.testing.plugin']"
    )
