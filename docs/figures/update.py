#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Takes the figures of README and docs again, from real runs of the programs. Run it on an idle machine, after changes of the window.

Usage: docs/figures/update.py BIN_DIR [SERIES]. BIN_DIR holds lanelab and lanelab-cli (build/release/bin). SERIES is a folder with an earlier
series of `lanelab --screenshots`, which takes several minutes. Needs Pillow, which .venv has.
"""
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 200_000  # bytes, as tests/arch/check_docs.py
PAGE_WIDTH = 1440  # pixels, as the screenshots
# Each figure and the screenshots of the series that it consists of, from top to bottom.
FIGURES = {
    "compare": ["05-compare"],
    "timeline": ["06-timeline"],
    "cuts": ["16-cuts"],
    "accuracy": ["18-accuracy"],
    "device-map": ["23-device-map-llama"],
    "schedules": ["26-order-1", "26-order-0", "26-order-2", "26-order-3", "26-order-4"],  # GPipe before 1F1B
    "language-model": ["28-language-model"],
    "strategies": ["27-step-0", "27-step-1", "27-step-2", "27-step-3", "27-step-4"],
}
# What resources/desktop shows software centres, which want 16:9.
WIDE = {"compare": "05-compare", "timeline": "06-timeline"}


def save(images, target):
    """One below the other, with a palette of 256 colours, which a screenshot does not exceed visibly."""
    images = [image.convert("RGB") for image in images]
    page = Image.new("RGB", (max(image.width for image in images), sum(image.height for image in images)), "white")
    top = 0
    for image in images:
        page.paste(image, (0, top))
        top += image.height
    page.quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
    if target.stat().st_size > LIMIT:
        sys.exit(f"{target} has {target.stat().st_size} bytes, and a figure has at most {LIMIT}.")
    print(f"Wrote {target}")


def save_wide(screenshot, target):
    """With the window's own background at both sides, at 16:9."""
    image = Image.open(screenshot).convert("RGB")
    page = Image.new("RGB", (image.height * 16 // 9, image.height), image.getpixel((0, 0)))
    page.paste(image, ((page.width - image.width) // 2, 0))
    save([page], target)


def export_timeline(cli, folder, target, *options):
    """As lanelab-cli draws it, at the width of a screenshot in place of 300 dpi."""
    large = folder / "timeline.png"
    subprocess.run([cli, "export", folder, "--what", "timeline", "--format", "png", "--out", large, *options], check=True)
    image = Image.open(large)
    save([image.resize((PAGE_WIDTH, round(image.height * PAGE_WIDTH / image.width)), Image.Resampling.LANCZOS)], target)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    programs = pathlib.Path(sys.argv[1]).resolve()
    cli = programs / "lanelab-cli"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([cli, "run", ROOT / "resources/experiments/pipeline-ddp.json", "--out", folder / "replicas"], check=True)
        export_timeline(cli, folder / "replicas", HERE / "replicas.png", "--variant", "Pipeline x DDP")
        subprocess.run([cli, "import", ROOT / "tests/data/gaps/two_gpus.json", "--out", folder / "imported"], check=True)
        export_timeline(cli, folder / "imported", HERE / "imported.png")
        series = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else folder / "series"
        if len(sys.argv) == 2:
            subprocess.run([programs / "lanelab", "--screenshots", series], check=True)
        for name, screenshot in WIDE.items():
            save_wide(series / f"{screenshot}.png", ROOT / "resources/desktop/screenshots" / f"{name}.png")
        for figure, screenshots in FIGURES.items():
            save([Image.open(series / f"{screenshot}.png") for screenshot in screenshots], HERE / f"{figure}.png")


if __name__ == "__main__":
    main()
