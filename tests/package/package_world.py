# SPDX-License-Identifier: GPL-3.0-only
"""What the tests of an installed LaneLab share. Each is run as: FILE INSTALLED SITE_PACKAGES SOURCE BUILD

INSTALLED is the prefix that install_test.py fills, SITE_PACKAGES holds the PyTorch of the build.
"""
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
TIME_LIMIT_S = 120

BUILD = pathlib.Path(sys.argv.pop()).resolve()
SOURCE = pathlib.Path(sys.argv.pop()).resolve()
SITE_PACKAGES = pathlib.Path(sys.argv.pop()).resolve()
INSTALLED = pathlib.Path(sys.argv.pop())

ID = "io.github.lanelab.LaneLab"

EXPERIMENT = """{
  "name": "installed", "model": {"arch": "toy", "classes": 5}, "data": {"source": "random", "shape": [10], "batch": 8, "steps": 2},
  "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
  "variants": [{"name": "Single", "strategy": "single", "lanes": [0]},
               {"name": "Pipeline", "strategy": "pipeline", "split_size": 4, "cuts": ["net2"]}],
  "repeats": 2
}
"""


def need(*tools):
    """Skips the whole test, by name, if a tool is not there."""
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed (./test.sh installs it)")
            sys.exit(SKIPPED)


def environment(folder, **variables):
    """No display, and all files of the user in `folder`."""
    unset = ("DISPLAY", "WAYLAND_DISPLAY", "LD_LIBRARY_PATH", "LANELAB_TORCH_ROOT", "LANELAB_PYTHON", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    kept = {key: value for key, value in os.environ.items() if key not in unset}
    return {**kept, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_RUNTIME_DIR": str(folder), **{key: str(value) for key, value in variables.items()}}


def call(*words, folder, **variables):
    return subprocess.run(list(map(str, words)), cwd=folder, env=environment(folder, **variables), capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=TIME_LIMIT_S)


def elf_files(prefix):
    return [file for file in sorted(prefix.rglob("*")) if file.is_file() and file.read_bytes().startswith(b"\x7fELF")]
