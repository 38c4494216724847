# SPDX-License-Identifier: GPL-3.0-only
"""lanelab-cli from outside, for its tests: how it is called, a small experiment, and what a done or refused command looks like.

Each *_test.py beside this file is run as: FILE PATH_OF_LANELAB_CLI
"""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
TIME_LIMIT_S = 120
END_LIMIT_S = 10  # after a signal; the aim is 0.3, and a busy machine may hold a process up for seconds
DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
PIPEDREAM = DATA / "costs" / "pipedream_resnet50.json"
GAPS = DATA / "gaps"
EXPORTED = DATA / "exported"
VERSIONS = DATA / "versions"

EXPERIMENT = {
    "name": "small",
    "model": {"arch": "toy", "classes": 5},
    "data": {"source": "random", "shape": [10], "batch": 8, "steps": 2},
    "training": {"loss": "mse", "optimizer": "sgd", "lr": 0.01, "seed": 0},
    "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
    "variants": [
        {"name": "Single", "strategy": "single", "lanes": [0]},
        {"name": "Model parallel", "strategy": "model-parallel", "cuts": ["net2"]},
        {"name": "Pipeline", "strategy": "pipeline", "schedule": "gpipe", "split_size": 3, "cuts": ["net2"]},
    ],
    "repeats": 5,
    "warmup": 1,
}


def environment_of(folder):
    """No terminal and no display: as a script would call it. All files of the user are in the folder."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if folder:
        environment["LANELAB_PROFILES"] = str(folder / "profiles")
        environment["XDG_DATA_HOME"] = str(folder / "data")
        environment["XDG_CONFIG_HOME"] = str(folder / "config")
    return environment


def call(*arguments, folder=None, stdin=None):
    return subprocess.run([CLI, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT_S,
                          input=stdin or "", env=environment_of(folder))


def started(*arguments, folder):
    """Still running, to be killed or waited for."""
    return subprocess.Popen([CLI, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            env=environment_of(folder))


def wait_until(condition, process):
    """Looks fifty times a second while the process runs, which has the core meanwhile. It must not end before."""
    deadline = time.monotonic() + TIME_LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that in time"
        with contextlib.suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"it ended by itself with {process.wait(0.02)}")


def experiment_of(file):
    """An experiment with lines of comments, as resources/experiments has them."""
    return json.loads("".join(line for line in file.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("//")))


def listed_commands():
    text = call("--help").stdout
    return re.findall(r"^  ([a-z-]+)  ", text[text.index("\nCommands:"):], re.M)


class CliTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def done(self, *arguments):
        return self.exits(0, *arguments)

    def exits(self, code, *arguments):
        result = call(*arguments, folder=self.folder)
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result

    def refused(self, *arguments):
        """Exit 2, nothing on stdout, one sentence on stderr and no file written."""
        before = sorted(self.folder.rglob("*"))
        result = call(*arguments, folder=self.folder)
        self.assertEqual(result.returncode, 2, f"{arguments}\n{result.stdout}\n{result.stderr}")
        self.assertEqual(result.stdout, "")
        self.assertTrue(result.stderr.startswith("lanelab-cli"), result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return result.stderr

    def experiment(self, **changes):
        file = self.folder / "experiment.json"
        file.write_text(json.dumps({**EXPERIMENT, **changes}))
        return file

    def toy_costs(self):
        file = self.folder / "toy_costs.json"
        file.write_text(json.dumps({"blocks": [{"name": name, "forward_ms": 1, "backward_ms": 2} for name in ("net1", "relu", "net2")]}))
        return file
