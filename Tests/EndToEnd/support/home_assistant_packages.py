# SPDX-License-Identifier: Apache-2.0
"""Prints the Python packages of Home Assistant's integrations, as their manifests name them.

Runs with Home Assistant's own Python, which needs no other package yet:

    python home_assistant_packages.py esphome template

Those that every start loads are included.
"""

import ast
import json
import sys
from pathlib import Path

import homeassistant

CORE = Path(homeassistant.__path__[0])


def loaded_by_every_start():
    """The integrations that `bootstrap.py` sets up by default, and those that it imports."""
    for statement in ast.parse((CORE / "bootstrap.py").read_text()).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="DEFAULT_INTEGRATIONS")], value=names):
                yield from ast.literal_eval(names)
            case ast.ImportFrom(module="components", level=1, names=imported):
                # The meta-integration is imported, not set up: it would add dozens.
                yield from (alias.name for alias in imported if alias.name != "default_config")


def manifests(wanted):
    """The manifests of the integrations and of all that they depend on."""
    waiting, seen = [*wanted], set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            manifest = json.loads((CORE / "components" / name / "manifest.json").read_text())
            yield manifest
            waiting += manifest.get("dependencies", [])


names = [*loaded_by_every_start(), *sys.argv[1:]]
print(*sorted({package for manifest in manifests(names) for package in manifest.get("requirements", [])}), sep="\n")
