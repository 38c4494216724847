#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""run: what a run prints, and what it leaves in its folder."""
import contextlib
import json
import os
import pathlib
import re
import struct
import subprocess
import time
import unittest
import zlib

from cli_world import DATA, END_LIMIT_S, TIME_LIMIT_S, CliTest, call, started


def picture_with(kind, text):
    """A PNG of one grey pixel with one text chunk."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(kind, text) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def network_sockets_of(process):
    """Of its open files, those that are in the system's tables of internet sockets; empty once it has ended."""
    open_files, known = set(), set()
    with contextlib.suppress(OSError):
        for file in pathlib.Path(f"/proc/{process}/fd").iterdir():
            open_files.add(os.readlink(file))
        for table in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
            known |= {f"socket:[{row.split()[9]}]" for row in pathlib.Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]}
    return open_files & known


class Running(CliTest):
    def test_a_run_on_lanes_of_one_process_opens_no_socket_of_the_network(self):
        process = started("run", self.experiment(repeats=40), "--out", "run", folder=self.folder)
        seen, looks, deadline = set(), 0, time.monotonic() + TIME_LIMIT_S
        while process.poll() is None and time.monotonic() < deadline:
            seen |= network_sockets_of(process.pid)
            looks += 1
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        self.assertEqual(process.wait(END_LIMIT_S), 0)
        self.assertGreater(looks, 5)
        self.assertEqual(seen, set())

    def test_the_same_run_again_has_the_same_losses_to_the_bit(self):
        experiment = self.experiment(repeats=2, warmup=0)
        losses = []
        for folder in ("first", "again"):
            self.done("run", experiment, "--out", folder)
            record = json.loads((self.folder / folder / "run.json").read_text())
            losses.append([[repeat["losses"] for repeat in variant["repeats"]] for variant in record["variants"]])
        self.assertEqual(losses[0], losses[1])
        for repeats in losses[0]:
            self.assertEqual(len(repeats), 2)
            self.assertEqual(repeats[0], repeats[1])

    def test_an_experiment_is_read_from_standard_input_and_from_a_picture(self):
        text = self.experiment(repeats=1, warmup=0).read_text()
        told = call("run", "-", "--dry-run", "--json", folder=self.folder, stdin=text)
        self.assertEqual(told.returncode, 0, told.stderr)
        for name, chunk in {"plain.png": (b"tEXt", b"lanelab\0" + text.encode()),
                            "packed.png": (b"zTXt", b"lanelab\0\0" + zlib.compress(text.encode())),
                            "unicode.png": (b"iTXt", b"lanelab\0\1\0\0\0" + zlib.compress(text.encode()))}.items():
            (self.folder / name).write_bytes(picture_with(*chunk))
            forecast = json.loads(self.done("run", name, "--dry-run", "--json").stdout)
            self.assertEqual(forecast["variants"], json.loads(told.stdout)["variants"], name)

    def test_the_experiment_of_the_guide_is_sound(self):
        guide = (DATA.parents[1] / "docs" / "guide.md").read_text(encoding="utf-8")
        (self.folder / "my.json").write_text(re.search(r"```json\n(.*?)```", guide, re.DOTALL).group(1))
        forecast = json.loads(self.done("run", "my.json", "--dry-run", "--json").stdout)
        self.assertEqual([variant["name"] for variant in forecast["variants"]], ["Single", "Pipeline"])

    def test_what_is_not_an_experiment_is_refused_with_what_to_choose(self):
        (self.folder / "plain.png").write_bytes(picture_with(b"tEXt", b"Title\0A chart"))
        (self.folder / "cut.png").write_bytes(picture_with(b"tEXt", b"lanelab\0{}")[:60])
        (self.folder / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF")
        self.assertIn("is a PNG without an experiment. Choose", self.refused("run", "plain.png"))
        self.assertIn("cut.png: the PNG is damaged", self.refused("run", "cut.png"))
        self.assertIn("is not an experiment, run or trace", self.refused("run", "photo.jpg"))

    def test_without_out_the_run_goes_to_the_users_data_folder(self):
        told = self.done("run", self.experiment(repeats=1, warmup=0))
        runs = list((self.folder / "data" / "lanelab" / "runs").glob("small-*/run.json"))
        self.assertEqual(len(runs), 1)
        self.assertIn(str(runs[0].parent), told.stderr)
        self.assertFalse((self.folder / "runs").exists())

    def test_the_option_runs_chooses_another_folder(self):
        self.done("run", self.experiment(repeats=1, warmup=0), "--runs", "elsewhere")
        self.assertEqual(len(list((self.folder / "elsewhere").glob("small-*/run.json"))), 1)
        self.assertFalse((self.folder / "data" / "lanelab").exists())

    def test_a_run_counts_loss_and_memory_and_says_what_recording_costs(self):
        told = self.done("run", self.experiment(), "--out", "out").stdout
        self.assertRegex(told, r"Recording cost \(blocks\): Single .* of a step \(95 % CI .*; Model parallel .*; Pipeline .* pairs, measured\), .* of its processor time.*\.")
        self.done("export", "out", "--what", "trace", "--format", "chrome", "--variant", "Pipeline", "--out", "trace.json")
        counters = [event for event in json.loads((self.folder / "trace.json").read_text())["traceEvents"] if event["ph"] == "C"]
        run = json.loads((self.folder / "out" / "run.json").read_text())
        losses = next(variant for variant in run["variants"] if variant["name"] == "Pipeline")["repeats"][-1]["losses"]
        self.assertEqual([event["args"]["loss"] for event in counters if event["name"] == "loss"], losses)
        memory = [event for event in counters if event["name"] == "memory"]
        self.assertEqual({event["pid"] for event in memory}, {0, 1})
        self.assertTrue(all(event["args"]["bytes"] > 0 for event in memory))
        for cost, sentences in [("false", 0), ("true", 1)]:
            name = "cost-" + cost
            self.done("run", self.experiment(), "--set", "record_cost=" + cost, "--out", name)
            report = self.done("export", name, "--what", "report", "--format", "html", "--out", name + ".html")
            self.assertEqual((self.folder / (name + ".html")).read_text().count("Recording cost (blocks): "), sentences, report)

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

    def test_a_dry_run_forecasts_memory_and_writes_nothing(self):
        before = sorted(path.name for path in self.folder.iterdir())
        experiment = self.experiment()
        forecast = json.loads(self.done("run", experiment, "--dry-run", "--json").stdout)
        self.assertEqual([variant["name"] for variant in forecast["variants"]], ["Single", "Model parallel", "Pipeline"])
        single = forecast["variants"][0]["lanes"]
        self.assertEqual(single[0]["forecast"]["parameters"], 4 * (10 * 10 + 10 + 10 * 5 + 5))
        self.assertEqual(single[0]["forecast_bytes"], sum(single[0]["forecast"].values()))
        self.assertEqual(single[1]["forecast_bytes"], 0)
        self.assertIn("Model parallel, cpu:1", self.done("run", experiment, "--dry-run").stdout)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path != experiment), [name for name in before if name != experiment.name])
        self.refused("run", experiment, "--dry-run", "--set", "variants.Pipeline.split_size=99")

    def test_what_cannot_fit_in_memory_is_refused_before_anything_is_made(self):
        experiment = self.experiment(
            model={"arch": "resnet50", "classes": 1000}, data={"source": "random", "shape": [3, 512, 512], "batch": 4000, "steps": 2},
            training={"loss": "cross_entropy"}, variants=[{"name": "Single", "strategy": "single", "lanes": [0]}])
        for command in ("run", "check"):
            said = self.refused(command, experiment)
            self.assertRegex(said, r"Single needs [\d.]+ [GT]iB of system memory at its peak \(predicted: lane 0 \(cpu:0\) .*\), and .* are free\. Use a smaller batch.* --force")
        said = self.refused("profile", experiment, "--samples", "4000")
        self.assertIn("Measuring the blocks needs", said)
        self.assertIn("--force", said)

    def test_a_trace_goes_through_the_chrome_format_unchanged(self):
        self.done("run", self.experiment(repeats=1, warmup=0), "--out", "out")
        self.assertEqual(list((self.folder / "out").glob("*.perfetto-trace")), [], "the whole trace is there")
        self.done("export", "out", "--what", "trace", "--format", "chrome", "--variant", "Pipeline", "--out", "t.json.gz")
        through = json.loads(self.done("gaps", "t.json.gz", "--json").stdout)
        self.assertEqual(through["lanes"], json.loads(self.done("gaps", "out", "--variant", "Pipeline", "--json").stdout)["lanes"])

    def test_an_older_run_is_never_written_over(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "mine.txt").write_text("precious")
        self.refused("run", self.experiment(), "--out", "out")


if __name__ == "__main__":
    unittest.main()
