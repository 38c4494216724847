#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes the bundled texts beside this file: documentation.txt.gz and counting.txt.gz.

Usage: make_texts.py
"""
import gzip
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
NUMBERS, LENGTH = 48, 24  # as in resources/models/tiny-llama/train.py


def documentation():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "LICENSE"]
    return b"\n".join(page.read_bytes() for page in pages)


def counting():
    """Each start and step once, in an order of chance; a number is the byte of its value."""
    rows = [(start, step) for start in range(NUMBERS) for step in range(1, 6)]
    random.Random(0).shuffle(rows)
    return bytes((start + step * i) % NUMBERS for start, step in rows for i in range(LENGTH)) + b"\0"


if __name__ == "__main__":
    for name, text in [("documentation", documentation()), ("counting", counting())]:
        path = FOLDER / f"{name}.txt.gz"
        path.write_bytes(gzip.compress(text, 9, mtime=0))
        print(path.name, len(text), "bytes, packed", path.stat().st_size)
