#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes requirements.lock from requirements.in: every package with its exact version and the hashes of its x86-64 wheels.

The Python versions of Debian 12 and of later Debian and Ubuntu releases share one lock, so a package built for each of them has one
hash a version. Usage, from the repository: .venv/bin/python cmake/lock_requirements.py
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PYTHON_VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
ROOT = pathlib.Path(__file__).resolve().parent.parent


def resolve(python_version):
    """What pip would install for one Python version: [(name, version, sha256)]."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:",
                        "--python-version", python_version, "--target", folder, "--report", report,
                        "-r", ROOT / "requirements.in"], check=True)
        found = json.loads(report.read_text())["install"]
    return [(item["metadata"]["name"].lower().replace("_", "-"), item["metadata"]["version"],
             item["download_info"]["archive_info"]["hashes"]["sha256"]) for item in found]


def main():
    hashes, versions = {}, {}
    for python_version in PYTHON_VERSIONS:
        for name, version, sha256 in resolve(python_version):
            if versions.setdefault(name, version) != version:
                sys.exit(f"{name}: Python {python_version} wants {version}, an earlier one {versions[name]}; pin it in requirements.in")
            hashes.setdefault(name, {})[sha256] = python_version
    lines = ["# Written by cmake/lock_requirements.py from requirements.in; change that file, not this one.",
             "# Wheels for Linux on x86-64 and Python " + ", ".join(PYTHON_VERSIONS) + "."]
    for name in sorted(versions):
        lines.append(f"{name}=={versions[name]} \\")
        lines.append(" \\\n".join(f"    --hash=sha256:{digest}" for digest in sorted(hashes[name])))
    (ROOT / "requirements.lock").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
