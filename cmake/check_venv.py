#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Tells whether .venv holds what requirements.lock names, whole and in the same versions.

Usage: .venv/bin/python cmake/check_venv.py requirements.lock [package left out]...
Exit 0: complete. 1: something is missing or another version, which pip can add. 2: files of an installed package are missing or cut
short, as after a killed install: make .venv anew. It looks at names and sizes only, which takes about a second.
"""
import importlib.metadata
import re
import sys


def damage(package):
    """The first file of an installed package that is not as its record says, or None."""
    if package.files is None:
        return "its record"
    for file in package.files:
        path = package.locate_file(file)
        if file.suffix != ".pyc" and (not path.is_file() or (file.size is not None and path.stat().st_size != file.size)):
            return str(file)
    return None


def main():
    wanted = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", open(sys.argv[1]).read(), re.M))
    worst = 0
    for name, version in wanted.items():
        if name in sys.argv[2:]:
            continue
        try:
            package = importlib.metadata.distribution(name)
            broken = damage(package)
            if broken:
                print(f"{name} {package.version}: {broken} is missing or incomplete")
                return 2
            if package.version != version:
                print(f"{name}: {package.version} instead of {version}")
                worst = 1
        except importlib.metadata.PackageNotFoundError:
            print(f"{name} {version}: not installed")
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
