#!/usr/bin/env python3
"""lanelab-cli from outside: every command that --help lists does its work, bad input exits 2 and leaves nothing behind.

Usage: cli_test.py PATH_OF_LANELAB_CLI
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CLI = ""
TIME_LIMIT_S = 120

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


def call(*arguments, folder=None):
    # No terminal and no display: as a script would call it.
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if folder:
        environment["LANELAB_PROFILES"] = str(folder / "profiles")
    return subprocess.run([CLI, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT_S,
                          stdin=subprocess.DEVNULL, env=environment)


def listed_commands():
    text = call("--help").stdout
    return re.findall(r"^  ([a-z-]+)  ", text[text.index("Subcommands:"):], re.M)


class CliTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def done(self, *arguments):
        result = call(*arguments, folder=self.folder)
        self.assertEqual(result.returncode, 0, f"{arguments}\n{result.stdout}\n{result.stderr}")
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


class EveryCommand(CliTest):
    def test_help_lists_commands_and_each_explains_itself(self):
        commands = listed_commands()
        self.assertGreaterEqual(len(commands), 2)
        for command in commands:
            with self.subTest(command=command):
                self.assertIn("Usage: lanelab-cli " + command, self.done(command, "--help").stdout)

    def test_every_listed_command_does_its_work(self):
        # In an order in which each finds what an earlier one wrote.
        samples = {
            "doctor": [["doctor"]],
            "summary": [["summary", "resnet18", "--input", "3x64x64"]],
            "schedule": [["schedule", "1f1b", "--stages", "2", "--micro-batches", "3"]],
            "weights": [["weights", "resnet18", "--seed", "0", "--out", "w.safetensors"]],
            "run": [["run", str(self.experiment()), "--out", "out"]],
            "check": [["check", str(self.experiment())]],
            "profile": [["profile", str(self.experiment()), "--samples", "2"]],
            "compare": [["compare", "out"]],
            "export": [["export", "out", "--what", "comparison", "--format", "csv", "--out", "comparison.csv"],
                       ["export", "out", "--what", "timeline", "--format", "csv", "--out", "timeline.csv", "--variant", "Pipeline"],
                       ["export", "out", "--what", "trace", "--format", "chrome", "--out", "trace.json", "--variant", "Pipeline"],
                       ["export", "out", "--what", "report", "--format", "html", "--out", "report.html"]],
        }
        commands = listed_commands()
        for command in [name for name in samples if name in commands]:
            for arguments in samples[command]:
                with self.subTest(arguments=arguments):
                    self.done(*arguments)
                    if "--out" in arguments:
                        self.assertTrue((self.folder / arguments[arguments.index("--out") + 1]).exists())
        # infer has a test with PyTorch, since its input is a tensor file.
        self.assertEqual(set(commands) - set(samples) - {"infer"}, set(), "a command has no sample here")

    def test_summary_json_is_one_object_with_torchvisions_numbers(self):
        totals = json.loads(self.done("summary", "resnet50", "--input", "3x128x128", "--json").stdout)["totals"]
        self.assertEqual(totals["parameters"], 25557032)


class Running(CliTest):
    def test_a_run_leaves_a_folder_that_holds_the_truth(self):
        table = self.done("run", self.experiment(), "--out", "out").stdout
        run = json.loads((self.folder / "out" / "run.json").read_text())
        self.assertEqual(run["status"], "done")
        for variant in run["variants"]:
            self.assertIn(variant["name"], table)
            self.assertEqual(len(variant["repeats"]), 5)
            for lane in variant["lanes"]:
                self.assertAlmostEqual(lane["busy_seconds"] + lane["idle_seconds"], lane["window_seconds"], delta=2e-9)
        self.assertEqual([variant["micro_batches"] for variant in run["variants"]], [1, 1, 3])

    def test_an_older_run_is_never_written_over(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "mine.txt").write_text("precious")
        self.refused("run", self.experiment(), "--out", "out")


class Checking(CliTest):
    def test_every_variant_equals_its_reference_bit_for_bit(self):
        report = json.loads(self.done("check", self.experiment(), "--json").stdout)
        self.assertTrue(report["equal"])
        self.assertEqual([variant["name"] for variant in report["variants"]], [variant["name"] for variant in EXPERIMENT["variants"]])
        for variant in report["variants"]:
            self.assertEqual([(group["what"], group["tensors"]) for group in variant["groups"]],
                             [("losses", 2), ("gradients", 4), ("parameters", 4), ("buffers", 0)])
            for group in variant["groups"]:
                self.assertEqual(group["bitwise"], group["tensors"])

    def test_bad_experiments_are_refused(self):
        self.assertIn("net9", self.refused("check", self.experiment(variants=[{**EXPERIMENT["variants"][2], "cuts": ["net9"]}])))
        self.refused("check", self.experiment(), "--steps", 0)


class BadInput(CliTest):
    def test_usage(self):
        self.assertIn("no command", self.refused())
        self.assertIn("schedule", self.refused("shedule"))
        self.refused("summary")
        self.refused("summary", "resnet50", "--input", "3x128x128", "--no-such-option")
        self.refused("summary", "resnet49", "--input", "3x128x128")
        self.refused("summary", "resnet50", "--input", "3xmany")
        self.refused("schedule", "gpipe", "--stages", "0", "--micro-batches", "4")

    def test_experiments_that_cannot_run_name_the_place(self):
        pipeline = EXPERIMENT["variants"][2]
        data, training = EXPERIMENT["data"], EXPERIMENT["training"]
        for changes, words in [
            ({"repeats": "five"}, "repeats"),
            ({"repeets": 5}, "repeats"),
            ({"repeats": -1}, "repeats"),
            ({"variants": [{**pipeline, "split_size": 0}]}, "split_size"),
            ({"variants": [{**pipeline, "split_size": 9}]}, "split_size"),
            ({"variants": [{**pipeline, "cuts": ["net9"]}]}, "net9"),
            ({"lanes": [{"device": "cpu:0"}, {"device": "tpu:1"}]}, "tpu:1"),
            ({"data": {**data, "batch": 0}}, "batch"),
            ({"data": {**data, "batch": 10**12}}, "batch"),
            ({"training": {**training, "lr": -1}}, "lr"),
            ({"training": {**training, "loss": "mean"}}, "loss"),
        ]:
            with self.subTest(changes=changes):
                self.assertIn(words, self.refused("run", self.experiment(**changes), "--out", "out"))

    def test_files_that_are_no_experiments(self):
        file = self.folder / "experiment.json"
        for content in [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"name": NaN}', b"[" * 100000]:
            with self.subTest(content=content[:20]):
                file.write_bytes(content)
                self.refused("run", file, "--out", "out")
        self.assertIn("absent.json", self.refused("run", self.folder / "absent.json", "--out", "out"))
        self.refused("run", self.folder, "--out", "out")


if __name__ == "__main__":
    CLI = os.path.abspath(sys.argv.pop(1))
    unittest.main()
