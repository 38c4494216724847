#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Takes the figures of README and docs again, from real runs of the programs. Run it on an idle machine, after changes of the window.

Usage: docs/figures/update.py BIN_DIR [SERIES]. BIN_DIR holds lanelab (build/release/bin). SERIES is a folder with an earlier series
of `lanelab --screenshots`, which takes several minutes. Needs Pillow, which .venv has.
"""
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 200_000  # bytes, as tests/arch/check_docs.py
# Each figure and the screenshot of the series that it is.
FIGURES = {
    "compare": "05-compare",
    "timeline": "06-timeline",
    "cuts": "16-cuts",
    "accuracy": "18-accuracy",
    "device-map": "23-device-map-llama",
}


def save(source, target):
    """With a palette of 256 colours, which a screenshot does not exceed visibly."""
    Image.open(source).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
    if target.stat().st_size > LIMIT:
        sys.exit(f"{target} has {target.stat().st_size} bytes, and a figure has at most {LIMIT}.")
    print(f"Wrote {target}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        series = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else folder)
        if len(sys.argv) == 2:
            subprocess.run([pathlib.Path(sys.argv[1]).resolve() / "lanelab", "--screenshots", folder], check=True)
        for figure, screenshot in FIGURES.items():
            save(series / f"{screenshot}.png", HERE / f"{figure}.png")


if __name__ == "__main__":
    main()
