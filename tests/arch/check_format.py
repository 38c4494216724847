#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Fails on sources that clang-format would write differently.

Usage: check_format.py [FOLDER]. Exit 77 (skipped) if there is no clang-format 14, whose rules differ from those of other versions; with CI=true
that is a failure. To repair: clang-format -i FILE.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import check_house
from llvm_tool import VERSION, llvm_tool

BATCH = 40  # files per process


def complaints(formatter, root, paths):
    run = subprocess.run([formatter, "--dry-run", "-Werror", "--style=file", *paths], cwd=root, capture_output=True, text=True)
    return [line for line in run.stderr.splitlines() if "error:" in line] or ([run.stderr] if run.returncode else [])


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    formatter = llvm_tool("clang-format")
    if formatter is None:
        print(f"clang-format {VERSION} is not installed (Debian package clang-format-{VERSION}); the format was not checked")
        return 1 if os.environ.get("CI") else 77
    paths = [path for path in check_house.files_of(root) if pathlib.PurePath(path).suffix in check_house.SOURCES]
    batches = [paths[start:start + BATCH] for start in range(0, len(paths), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [line for lines in pool.map(lambda batch: complaints(formatter, root, batch), batches) for line in lines]
    files = sorted({line.split(":")[0] for line in faults})
    print("\n".join(faults) or f"{len(paths)} files, all as clang-format {VERSION} writes them")
    if files:
        print("To repair: clang-format -i " + " ".join(files))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
