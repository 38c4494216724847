#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Long commands: they show how far they are on a terminal, and end at once on Ctrl+C without leaving a part behind."""
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from cli_world import CLI, END_LIMIT_S, TIME_LIMIT_S, CliTest

EVENT = '{"ph":"X","name":"kernel","cat":"kernel","pid":0,"tid":7,"dur":3,"ts":%d},\n'
NETWORK = {"model": {"arch": "resnet18", "classes": 10}, "data": {"source": "random", "shape": [3, 64, 64], "batch": 16, "steps": 200},
           "variants": [{"name": "Single", "strategy": "single", "lanes": [0]},
                        {"name": "Pipeline", "strategy": "pipeline", "schedule": "gpipe", "split_size": 4, "cuts": ["layer3.0"]}]}


class OnATerminal:
    """A command whose stderr is a terminal."""

    def __init__(self, *arguments, folder):
        self.terminal, other = pty.openpty()
        environment = {**os.environ, "LANELAB_PROFILES": str(folder / "profiles")}
        self.process = subprocess.Popen([CLI, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=other, env=environment)
        os.close(other)
        self.shown = ""

    def read(self):
        """False at the end."""
        if not select.select([self.terminal], [], [], TIME_LIMIT_S)[0]:
            raise TimeoutError(self.shown)
        try:
            more = os.read(self.terminal, 65536)
        except OSError:  # the other side was closed
            return False
        self.shown += more.decode()
        return bool(more)

    def read_until(self, pattern):
        while not re.search(pattern, self.shown):
            if not self.read():
                raise AssertionError(f"no {pattern} in {self.shown!r}")

    def end(self):
        while self.read():
            pass
        os.close(self.terminal)
        return self.process.wait(TIME_LIMIT_S)


class Progress(CliTest):
    def large_trace(self):
        path = self.folder / "large.json"
        path.write_text("[" + "".join(EVENT % (4 * i) for i in range(1_200_000)).rstrip(",\n") + "]")
        return path

    def cancelled(self, *arguments):
        """Ctrl+C once progress is shown: exit 130 at once, and the folder as it was."""
        before = {path for path in self.folder.rglob("*") if "profiles" not in path.parts}
        command = OnATerminal(*arguments, folder=self.folder)
        command.read_until(r"\d %")
        begin = time.monotonic()
        command.process.send_signal(signal.SIGINT)
        code = command.process.wait(TIME_LIMIT_S)
        took = time.monotonic() - begin
        command.end()
        self.assertEqual(code, 130, command.shown)
        self.assertRegex(command.shown, r"\r\x1b\[Klanelab-cli \w+: .*cancelled.*\r\n$")
        self.assertLess(took, END_LIMIT_S, arguments)
        self.assertEqual({path for path in self.folder.rglob("*") if "profiles" not in path.parts}, before)

    def test_of_a_large_import_and_export_is_one_line_and_can_be_cancelled(self):
        trace = self.large_trace()
        command = OnATerminal("import", trace, "--out", "whole", folder=self.folder)
        self.assertEqual(command.end(), 0)
        percents = [int(percent) for percent in re.findall(r"(\d+) %", command.shown)]
        self.assertGreater(len(percents), 2, command.shown)
        self.assertEqual(percents, sorted(percents))
        self.assertRegex(command.shown, r"Reading large.json: \d+ %")
        self.assertRegex(command.shown, r" left\r")
        self.assertNotIn("\n", command.shown)
        self.cancelled("import", trace, "--out", "cancelled")
        self.cancelled("gaps", trace)
        self.cancelled("export", "whole", "--what", "trace", "--format", "chrome", "--out", "t.json.gz")

    def test_of_measurements_can_be_cancelled(self):
        file = self.experiment(**NETWORK)
        self.cancelled("profile", file)
        self.cancelled("sweep", file, "--out", "swept")
        self.cancelled("check", file, "--steps", "200")

    def test_without_a_terminal_is_a_line_now_and_then(self):
        result = self.done("profile", self.experiment(**{**NETWORK, "data": {**NETWORK["data"], "shape": [3, 32, 32], "batch": 4}}))
        lines = [line for line in result.stderr.splitlines() if line.startswith("Measuring blocks")]
        self.assertRegex(lines[0], r"^Measuring blocks, micro-batch size \d+, pass 1 of 2: 0 %$")
        self.assertLess(len(lines), 6, result.stderr)
        self.assertNotIn("\r", result.stderr)

    def test_of_a_short_import_is_not_shown(self):
        (self.folder / "t.json").write_text("[" + EVENT % 1 + EVENT.rstrip(",\n") % 2 + "]")
        self.assertEqual(self.done("import", "t.json", "--out", "out").stderr, "")


if __name__ == "__main__":
    unittest.main()
