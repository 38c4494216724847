#!/usr/bin/env python3
"""lanelab-cli from outside: every command that --help lists does its work, bad input exits 2 and leaves nothing behind.

Usage: cli_test.py PATH_OF_LANELAB_CLI
"""
import csv
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

CLI = ""
TIME_LIMIT_S = 120
DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
PIPEDREAM = DATA / "costs" / "pipedream_resnet50.json"
GAPS = DATA / "gaps"

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

    def toy_costs(self):
        file = self.folder / "toy_costs.json"
        file.write_text(json.dumps({"blocks": [{"name": name, "forward_ms": 1, "backward_ms": 2} for name in ("net1", "relu", "net2")]}))
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
            "plan": [["plan", str(self.experiment()), "--stages", "2"],
                     ["plan", "--costs", str(PIPEDREAM), "--stages", "4", "--micro-batches", "8"]],
            "simulate": [["simulate", str(self.experiment())],
                         ["simulate", str(self.experiment()), "--costs", self.toy_costs()]],
            "sweep": [["sweep", str(self.experiment()), "--split-sizes", "2,4", "--out", "swept"]],
            "compare": [["compare", "out"]],
            "import": [["import", str(GAPS / "kernels.json"), "--out", "imported"]],
            "gaps": [["gaps", "out", "--variant", "Pipeline"],
                     ["gaps", "imported", "--json"]],
            "export": [["export", "out", "--what", "comparison", "--format", "csv", "--out", "comparison.csv"],
                       ["export", "swept", "--what", "sweep", "--format", "csv", "--out", "sweep.csv"],
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


def nanoseconds(microseconds):
    return round(microseconds * 1000)


class Gaps(CliTest):
    def test_of_a_cut_file_warn_of_what_was_lost(self):
        events = [{"ph": "X", "cat": "lanelab", "name": f"0F{i}", "pid": 0, "tid": 0, "ts": 10 * i, "dur": 5,
                   "args": {"lane": 0, "stage": 0, "micro_batch": i, "phase": "F", "step": 0}} for i in range(3)]
        text = json.dumps({"traceEvents": events})
        for name, content, warned in [("whole.json", text, False), ("cut.json", text[:-30], True)]:
            (self.folder / name).write_text(content)
            result = self.done("gaps", name)
            self.assertEqual("Warning" in result.stderr, warned, name + ": " + result.stderr)

    def explained(self, *arguments):
        result = json.loads(self.done("gaps", *arguments, "--json").stdout)
        for lane in result["lanes"]:
            idle = nanoseconds(lane["idle_us"])
            self.assertEqual(nanoseconds(lane["busy_us"]) + idle, nanoseconds(lane["window_us"]))
            self.assertEqual(sum(nanoseconds(time) for time in lane["causes"].values()), idle)
            self.assertEqual(sum(nanoseconds(gap["duration_us"]) for gap in lane["gaps"]), idle)
        return result

    def test_of_a_run_add_up_to_what_the_run_says_itself(self):
        self.done("run", self.experiment(), "--out", "out")
        run = json.loads((self.folder / "out" / "run.json").read_text())
        self.assertIn("--variant", self.refused("gaps", "out"))
        for variant in run["variants"]:
            result = self.explained("out", "--variant", variant["name"])
            lanes = result["lanes"]
            self.assertEqual(result["recording"], variant["recording"])
            self.assertIn("Recording cost (blocks): ", self.done("gaps", "out", "--variant", variant["name"]).stdout)
            self.assertEqual(len(lanes), len(variant["lanes"]))
            self.assertGreater(sum(lane["busy_us"] for lane in lanes), 0)

    def test_of_an_ideal_pipeline_are_the_bubble_of_the_literature(self):
        bubble = self.explained(GAPS / "gpipe.json")["bubble"]
        self.assertAlmostEqual(bubble["of_total"], 2 / 6, delta=1e-6)
        self.assertAlmostEqual(bubble["of_ideal"], 2 / 4, delta=1e-6)

    def test_of_a_gpu_trace_of_another_program(self):
        lane, = self.explained(GAPS / "kernels.json")["lanes"]
        gaps = {gap["before"]: gap["causes"] for gap in lane["gaps"]}
        self.assertEqual(gaps["void gemm<12>()"], {"host": 18.0, "unresolved": 2.0})

    def test_are_a_table_and_csv_for_people(self):
        text = self.done("gaps", GAPS / "two_lanes.json", "--longest", "1", "--csv", "gaps.csv").stdout
        self.assertIn("what costs most is fill and drain", text)
        self.assertEqual(text.count("0B0"), 1)
        self.assertNotIn("0B1", text)
        self.assertEqual(len((self.folder / "gaps.csv").read_text().splitlines()), 1 + 16)
        self.assertNotIn("1F0", self.done("gaps", GAPS / "two_lanes.json", "--lane", "left").stdout)

    def test_of_a_trace_played_again_with_a_faster_stage(self):
        text = self.done("gaps", GAPS / "gpipe.json", "--what-if", "stage:0=0.5", "--what-if", "stage:1=0.5", "--what-if", "stage:2=0.5").stdout
        self.assertIn("a step takes 9.00 us instead of 18.0 us, 50.0 % less", text)
        self.assertIn("stage 3", self.refused("gaps", GAPS / "gpipe.json", "--what-if", "stage:3=2"))
        self.assertIn("stage:0", self.refused("gaps", GAPS / "gpipe.json", "--what-if", "stage:0"))

    def test_of_a_badly_cut_run_end_in_a_mend_that_a_run_can_verify(self):
        # Nearly all of the network on one lane: whatever the machine does meanwhile, some of it belongs to the other.
        network = {"model": {"arch": "resnet18", "classes": 10}, "data": {"source": "random", "shape": [3, 64, 64], "batch": 8, "steps": 3}}
        variants = [{"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": ["layer1.0"]}]
        file = self.experiment(**network, variants=variants, repeats=1, warmup=1, record="blocks")
        self.done("run", file, "--out", "bad")
        mends = self.explained("bad")["mends"]
        self.assertEqual(mends[0]["change"]["cuts"][0][:5], "layer")
        self.assertGreater(mends[0]["predicted_ratio"], 1.02)
        self.assertRegex(mends[0]["text"], r"^Move layer1\.0.* to lane 0: predicted [0-9.]+ % faster\.$")
        text = self.done("gaps", "bad", "--apply-mend", "mended.json").stdout
        self.assertLess(text.index("what costs most"), text.index(mends[0]["text"]))
        self.assertIn("--apply-mend", self.refused("gaps", GAPS / "two_lanes.json", "--apply-mend", "other.json"))
        self.assertEqual([variant["name"] for variant in json.loads((self.folder / "mended.json").read_text())["variants"]], ["Pipeline", "Pipeline mended"])
        table = self.done("run", "mended.json", "--out", "mended").stdout
        self.assertRegex(table, r"Pipeline mended \(Move layer1\.0.* to lane 0\): predicted .* % faster than Pipeline, measured .* \(n = 1/1, an interval needs 5\)")

    def test_of_no_trace_or_no_such_lane_are_refused(self):
        self.assertIn("nothing.json", self.refused("gaps", "nothing.json"))
        self.assertIn("left or right", self.refused("gaps", GAPS / "two_lanes.json", "--lane", "middle"))


class Running(CliTest):
    def test_a_run_counts_loss_and_memory_and_says_what_recording_costs(self):
        told = self.done("run", self.experiment(), "--out", "out").stdout
        self.assertRegex(told, r"Recording cost \(blocks\): Single .* of a step \(95 % CI .*; Model parallel .*; Pipeline .* pairs, measured\)\.")
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

    def test_a_killed_run_goes_on_to_the_same_numbers(self):
        steps = {**EXPERIMENT["data"], "steps": 6000}
        file = self.experiment(data=steps, training={**EXPERIMENT["training"], "momentum": 0.9}, variants=EXPERIMENT["variants"][2:], repeats=1, warmup=0, record="off")
        self.done("run", file, "--out", "whole", "--save-weights")
        process = subprocess.Popen([CLI, "run", str(file), "--out", "out", "--checkpoint", "200"], cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + TIME_LIMIT_S
            while not (self.folder / "out" / "checkpoint-pipeline.safetensors").exists():
                self.assertLess(time.monotonic(), deadline)
                self.assertIsNone(process.poll(), "it ended before its first checkpoint")
        finally:
            process.kill()
            process.wait(TIME_LIMIT_S)
        self.done("run", file, "--out", "out", "--save-weights", "--resume")
        whole, resumed = (json.loads((self.folder / name / "run.json").read_text()) for name in ("whole", "out"))
        self.assertEqual(resumed["status"], "done")
        self.assertEqual(resumed["variants"][0]["repeats"][0]["losses"], whole["variants"][0]["repeats"][0]["losses"])
        weights = [(self.folder / name / "weights-pipeline.safetensors").read_bytes() for name in ("whole", "out")]
        self.assertEqual(weights[0], weights[1])
        self.assertFalse((self.folder / "out" / "checkpoint-pipeline.safetensors").exists())
        self.assertIn("another experiment", self.refused("run", self.experiment(), "--out", "out", "--resume"))

    def test_a_killed_run_keeps_its_timeline(self):
        file = self.experiment(data={**EXPERIMENT["data"], "steps": 200000}, variants=EXPERIMENT["variants"][2:], repeats=1, warmup=0)
        process = subprocess.Popen([CLI, "run", str(file), "--out", "out"], cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        kept = self.folder / "out" / "trace-pipeline.lltrace"
        try:
            deadline = time.monotonic() + TIME_LIMIT_S
            while not kept.exists() or kept.stat().st_size < 20000:
                self.assertLess(time.monotonic(), deadline)
                self.assertIsNone(process.poll(), "it ended before it was killed")
                time.sleep(0.01)
        finally:
            process.kill()
            process.wait(TIME_LIMIT_S)
        lanes = json.loads(self.done("gaps", "out", "--json").stdout)["lanes"]
        self.assertEqual(len(lanes), 2)
        self.assertTrue(all(lane["busy_us"] > 0 for lane in lanes))
        self.done("export", "out", "--what", "trace", "--format", "chrome", "--out", "t.json.gz")
        counts = json.loads(self.done("import", "t.json.gz", "--out", "again", "--json").stdout)
        self.assertGreater(counts["categories"]["lanelab"], 100)
        self.assertEqual(counts["problems"], {})
        own = json.loads(self.done("import", str(kept), "--out", "own", "--json").stdout)
        self.assertEqual(own["spans"], counts["spans"])
        self.assertEqual(own["problems"], {"unfinished_file": 1})

    def test_a_trace_goes_through_our_own_format_unchanged(self):
        self.done("run", self.experiment(repeats=1, warmup=0), "--out", "out")
        self.assertEqual(list((self.folder / "out").glob("*.lltrace")), [], "the whole trace is there")
        self.done("export", "out", "--what", "trace", "--format", "lltrace", "--variant", "Pipeline", "--out", "t.lltrace")
        through = json.loads(self.done("gaps", "t.lltrace", "--json").stdout)
        self.assertEqual(through["lanes"], json.loads(self.done("gaps", "out", "--variant", "Pipeline", "--json").stdout)["lanes"])

    def test_an_older_run_is_never_written_over(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "mine.txt").write_text("precious")
        self.refused("run", self.experiment(), "--out", "out")


    def test_two_timelines_are_compared_action_by_action(self):
        self.done("run", self.experiment(), "--out", "out")
        told = self.done("compare", "out", "--timeline", "Pipeline", "Pipeline", "--csv", "cells.csv").stdout
        rows = list(csv.DictReader((self.folder / "cells.csv").read_text().splitlines()))
        self.assertIn(f"{len(rows)} actions in both, B's together +0.0 %; only in A 0, only in B 0.", told)
        self.assertEqual({row["phase"] for row in rows}, {"F", "B", "U"})
        for row in rows:
            self.assertGreater(float(row["a_us"]), 0)
            self.assertEqual((row["b_us"], row["difference_us"], row["b_later_by_us"]), (row["a_us"], "0.000", "0.000"))
        told = self.done("compare", "out", "--timeline", "Pipeline", "Single").stdout
        self.assertRegex(told, r"\d+ actions in both, B's together [+-]\d+\.\d %; only in A [1-9]\d*, only in B \d+\.")
        self.assertIn("Choose Single, Model parallel or Pipeline", self.refused("compare", "out", "--timeline", "Pipeline", "nowhere"))
        self.refused("compare", "out", "out", "out", "--timeline", "Pipeline", "Single")


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


def least_bottleneck(costs, stages):
    """By trying every partition."""
    blocks, transfers = costs["blocks"], costs["transfers_ms"]
    times = [block["forward_ms"] + block["backward_ms"] for block in blocks]
    return min(
        max([sum(times[first:end]) for first, end in zip((0, *cuts), (*cuts, len(blocks)))] + [transfers[cut - 1] for cut in cuts])
        for cuts in itertools.combinations(range(1, len(blocks)), stages - 1))


class Planning(CliTest):
    def plan(self, *arguments):
        return json.loads(self.done("plan", *arguments, "--json").stdout)

    def costs(self, costs):
        file = self.folder / "costs.json"
        file.write_text(json.dumps(costs))
        return file

    def test_pipedreams_profile_gives_pipedreams_cuts(self):
        blocks = json.loads(PIPEDREAM.read_text())["blocks"]
        whole = sum(block["forward_ms"] + block["backward_ms"] for block in blocks)
        for cuts, speedup in [([], 1), (["layer2.3"], 1.971), (["layer1.2", "layer2.3", "layer3.4"], 3.635)]:
            answer = self.plan("--costs", PIPEDREAM, "--stages", len(cuts) + 1)
            self.assertEqual(answer["cuts"], cuts)
            self.assertAlmostEqual(whole / answer["bottleneck_ms"], speedup, delta=0.0005)
            self.assertTrue(answer["proven"])

    def test_every_partition_of_a_small_chain_was_thought_of(self):
        source = random.Random(4)
        for n in range(1, 8):
            costs = {"blocks": [{"name": f"b{i}", "forward_ms": source.randint(0, 9), "backward_ms": source.randint(0, 9)} for i in range(n)],
                     "transfers_ms": [source.randint(0, 20) for _ in range(n - 1)]}
            file = self.costs(costs)
            for stages in range(1, n + 1):
                answer = self.plan("--costs", file, "--stages", stages)
                self.assertEqual(len(answer["cuts"]), stages - 1)
                self.assertEqual(answer["bottleneck_ms"], least_bottleneck(costs, stages), costs)

    def test_lanes_may_be_unequal_and_hold_several_stages(self):
        file = self.costs({"blocks": [{"name": f"b{i}", "forward_ms": 1, "backward_ms": 2} for i in range(6)]})
        self.assertEqual(self.plan("--costs", file, "--stages", 2, "--slowness", "1,2")["cuts"], ["b4"])
        answer = self.plan("--costs", file, "--stages", 4, "--lanes", 2)
        self.assertEqual(answer["bottleneck_ms"], 9)
        self.assertEqual([stage["lane"] for stage in answer["stages"]], [0, 1, 0, 1])
        self.assertEqual(self.plan("--costs", file, "--stages", 4, "--schedule", "zb-v")["bottleneck_ms"], 9)

    def test_a_file_is_compared_with_rules_of_thumb(self):
        pipeline = {**EXPERIMENT["variants"][2], "cuts": ["layer3.0"], "split_size": 2}
        file = self.experiment(model={"arch": "resnet50"}, data={"shape": [3, 64, 64], "batch": 8}, variants=[pipeline])
        answer = self.plan(file, "--costs", PIPEDREAM, "--stages", 2)
        self.assertEqual(answer["cuts"], ["layer2.3"])
        rows = {row["name"]: row for row in answer["comparison"]}
        self.assertEqual(set(rows), {"measured time", "MACs", "parameters", "memory", "tutorial"})
        self.assertEqual(rows["tutorial"]["cuts"], ["layer3.0"])
        for row in rows.values():
            self.assertGreaterEqual(row["bottleneck_ms"], answer["bottleneck_ms"])
        text = self.done("plan", file, "--costs", PIPEDREAM, "--stages", 2).stdout
        for words in ["Proven", "tutorial", '"cuts": ["layer2.3"]']:
            self.assertIn(words, text)

    def test_a_lane_without_room_is_refused_and_a_limit_moves_the_cut(self):
        pipeline = {**EXPERIMENT["variants"][2], "cuts": ["layer3.0"], "split_size": 2}
        file = self.experiment(model={"arch": "resnet18"}, data={"shape": [3, 64, 64], "batch": 8}, variants=[pipeline])
        names = ["stem", *(f"layer{i}.{j}" for i in range(1, 5) for j in range(2)), "head"]
        costs = self.costs({"blocks": [{"name": name, "forward_ms": 1, "backward_ms": 1} for name in names]})
        free = self.plan(file, "--costs", costs, "--stages", 2)
        self.assertEqual(free["cuts"], ["layer3.0"])
        tight = self.plan(file, "--costs", costs, "--stages", 2, "--lane-bytes", "200MiB,60MiB")
        self.assertGreater(tight["bottleneck_ms"], free["bottleneck_ms"])
        self.assertIn("memory", self.refused("plan", file, "--costs", costs, "--stages", 2, "--lane-bytes", "1MiB"))

    def test_bad_input_names_the_option(self):
        for arguments, words in [
            (["--stages", 2], "--costs"),
            (["--costs", PIPEDREAM], "--stages"),
            (["--costs", PIPEDREAM, "--stages", 0], "--stages is 0"),
            (["--costs", PIPEDREAM, "--stages", 19], "from 1 to 18"),
            (["--costs", PIPEDREAM, "--stages", 4, "--lanes", 5], "--lanes"),
            (["--costs", PIPEDREAM, "--stages", 4, "--slowness", "1,2"], "--slowness"),
            (["--costs", PIPEDREAM, "--stages", 2, "--slowness", "0"], "slowness"),
            (["--costs", PIPEDREAM, "--stages", 2, "--lane-bytes", "4GiB"], "FILE"),
            (["--costs", PIPEDREAM, "--stages", 2, "--micro-batches", 0], "--micro-batches"),
            (["--costs", PIPEDREAM, "--stages", 2, "--schedule", "zb-w"], "zb-"),
            (["--costs", "absent.json", "--stages", 2], "absent.json"),
            ([self.experiment(), "--stages", 2], "lanelab-cli profile"),
            ([self.experiment(), "--costs", PIPEDREAM, "--stages", 2], "18 blocks"),
        ]:
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refused("plan", *arguments))


class Simulating(CliTest):
    NAMES = ["stem", *(f"layer{i}.{j}" for i in range(1, 5) for j in range(2)), "head"]

    def costs(self, forward, backward, weight, first_blocks, **more):
        """Stages that all cost the same, in their first block."""
        blocks = [{"name": name, "forward_ms": 0, "backward_ms": 0} for name in self.NAMES]
        for block in blocks:
            if block["name"] in first_blocks:
                block.update(forward_ms=forward, backward_ms=backward, backward_weight_ms=weight)
        file = self.folder / "costs.json"
        file.write_text(json.dumps({"blocks": blocks, **more}))
        return file

    def simulate(self, schedule, lanes, micro_batches, costs, cuts):
        variant = {"name": "Pipeline", "strategy": "pipeline", "schedule": schedule, "split_size": 1, "cuts": cuts}
        file = self.experiment(model={"arch": "resnet18"}, data={"shape": [3, 32, 32], "batch": micro_batches},
                               lanes=[{"device": f"cuda:{40 + lane}"} for lane in range(lanes)], variants=[variant])
        return json.loads(self.done("simulate", file, "--costs", costs, "--json").stdout)["variants"][0]

    def test_idle_time_is_the_closed_forms(self):
        forward, backward, weight = 1.1, 2.3, 0.7
        cuts = ["layer1.0", "layer2.0", "layer3.0"]
        costs = self.costs(forward, backward, weight, ["stem", *cuts])
        for schedule, bubble in [("gpipe", forward + backward), ("1f1b", forward + backward), ("zb-h1", forward + backward - 2 * weight)]:
            for micro_batches in (4, 5, 16):
                answer = self.simulate(schedule, 4, micro_batches, costs, cuts)
                for lane in answer["lanes"]:
                    self.assertAlmostEqual(lane["idle_ms"], 3 * bubble, delta=1e-9)
                    self.assertAlmostEqual(lane["busy_ms"], micro_batches * (forward + backward), delta=1e-9)
                    self.assertAlmostEqual(lane["busy_ms"] + lane["idle_ms"], answer["step_ms"], delta=1e-9)

    def test_transfers_delay_a_step_and_whole_numbers_stay_whole(self):
        costs = self.costs(1, 2, 0, ["stem", "layer3.0"], transfers_ms=[0, 0, 0, 0, 0.5, 0, 0, 0, 0])
        answer = self.simulate("gpipe", 2, 1, costs, ["layer3.0"])
        self.assertEqual(answer["step_ms"], 7)
        self.assertEqual([lane["idle_ms"] for lane in answer["lanes"]], [4, 4])

    def test_every_variant_of_a_file_and_one_as_a_trace(self):
        file, costs = self.experiment(), self.toy_costs()
        answer = json.loads(self.done("simulate", file, "--costs", costs, "--json").stdout)
        self.assertEqual([(variant["name"], variant["step_ms"]) for variant in answer["variants"]],
                         [("Single", 9), ("Model parallel", 9), ("Pipeline", 3 * 6 + 3)])
        self.assertEqual(answer["variants"][0]["lanes"][1], {"name": "cpu:1", "device": "cpu:1", "busy_ms": 0, "idle_ms": 9})
        self.assertIn("Predicted", self.done("simulate", file, "--costs", costs).stdout)
        self.done("simulate", file, "--costs", costs, "--variant", "Pipeline", "--trace", "predicted.json")
        self.assertIn("1F2", (self.folder / "predicted.json").read_text())
        self.assertIn("--variant", self.refused("simulate", file, "--costs", costs, "--trace", "all.json"))
        self.assertIn("Pipeline", self.refused("simulate", file, "--costs", costs, "--variant", "Pipelin"))

    def test_a_list_schedule_is_made_of_the_costs(self):
        even = self.simulate("list", 2, 6, self.costs(1, 2, 1, ["stem", "layer3.0"]), ["layer3.0"])
        uneven = self.simulate("list", 2, 6, self.costs(5, 9, 4, ["stem"]), ["layer3.0"])
        self.assertEqual(even["lanes"][0]["busy_ms"], 18)
        self.assertEqual(uneven["step_ms"], 6 * 14)

    def test_split_backwards_without_weight_times_are_warned_of(self):
        file = self.experiment(variants=[{**EXPERIMENT["variants"][2], "schedule": "zb-h1"}])
        self.assertIn("backward_weight_ms", self.done("simulate", file, "--costs", self.toy_costs()).stderr)

    def test_kept_times_predict_every_variant(self):
        file = self.experiment()
        self.assertIn("lanelab-cli profile", self.refused("simulate", file))
        self.done("profile", file, "--samples", "2,3,8")
        answer = json.loads(self.done("simulate", file, "--json").stdout)
        for variant in answer["variants"]:
            self.assertGreater(variant["step_ms"], 0)
            for lane in variant["lanes"]:
                self.assertAlmostEqual(lane["busy_ms"] + lane["idle_ms"], variant["step_ms"], delta=1e-9)
        self.assertIn("measured on", self.done("simulate", file).stdout)

    def test_costs_must_be_those_of_the_model(self):
        self.assertIn("18 blocks", self.refused("simulate", self.experiment(), "--costs", PIPEDREAM))


class Schedules(CliTest):
    def csv(self, *arguments):
        return self.done("schedule", *arguments, "--format", "csv").stdout

    def test_where_a_schedule_is_not_defined_a_sentence_says_how_to_mend_it(self):
        for arguments, words in [
            (["zb-v", "--stages", 3, "--micro-batches", 4], "twice as many stages as lanes"),
            (["interleaved-1f1b", "--stages", 3, "--lanes", 2, "--micro-batches", 4], "a multiple of the lanes"),
            (["gpipe", "--stages", 2, "--micro-batches", 4, "--warm-up", 2], "leave it out"),
            (["1f1b", "--stages", 2, "--micro-batches", 4, "--warm-up", 0], "from 1"),
            (["list", "--stages", 2, "--micro-batches", 4, "--times", "10:10"], "F:I:W"),
            (["list", "--stages", 2, "--micro-batches", 4, "--stage-bytes", "9,1", "--lane-bytes", 4], "smaller split size or a larger limit"),
            (["zb-h2", "--stages", 2, "--micro-batches", 4], "zb-h1"),
        ]:
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refused("schedule", *arguments))

    def test_csv_out_is_csv_in(self):
        for name, stages in [("gpipe", 4), ("1f1b", 4), ("interleaved-1f1b", 8), ("looped-bfs", 8), ("zb-h1", 4), ("zb-v", 8), ("list", 4)]:
            with self.subTest(name=name):
                text = self.csv(name, "--stages", stages, "--lanes", 4, "--micro-batches", 6)
                (self.folder / "order.csv").write_text(text)
                self.assertEqual(self.csv("--file", "order.csv"), text)

    def test_a_limit_keeps_a_lane_from_holding_more(self):
        def held(*limit):
            row = self.csv("list", "--stages", 2, "--micro-batches", 6, "--stage-bytes", "1000,1000", *limit).splitlines()[0]
            now, most = 0, 0
            for action in row.split(","):
                now += {"F": 1, "I": 0}.get(action[1], -1)
                most = max(most, now)
            return most
        self.assertEqual(held("--lane-bytes", 1000), 1)
        self.assertEqual(held("--lane-bytes", 3000), 3)

    def test_a_given_order_runs_and_a_run_says_how_near_it_came(self):
        pipeline = {**EXPERIMENT["variants"][2], "split_size": 4, "actions": ["0F0,0F1,0I1,0B0,0W1", "1F0,1F1,1B1,1B0"]}
        out = self.done("run", self.experiment(variants=[pipeline]), "--out", "out").stdout
        self.assertIn("own order", out)
        bound = json.loads((self.folder / "out" / "run.json").read_text())["variants"][0]["bound"]
        self.assertGreater(bound["order_seconds"], 0)
        self.assertLessEqual(bound["work_seconds"], bound["order_seconds"] * 1.0001)
        self.assertEqual(len(bound["stages"]), 2)
        broken = {**pipeline, "actions": ["0B0,0F0,0F1,0B1", "1F0,1F1,1B1,1B0"]}
        self.assertIn("Deadlock", self.refused("run", self.experiment(variants=[broken]), "--out", "again"))


class Sweeping(CliTest):
    def points(self, *arguments):
        return json.loads(self.done("sweep", self.experiment(), "--json", *arguments).stdout)["points"]

    def test_every_split_size_is_predicted_and_measured(self):
        points = self.points("--split-sizes", "1,3,8", "--out", "out")
        self.assertEqual([(point["split_size"], point["micro_batches"]) for point in points], [(1, 8), (3, 3), (8, 1)])
        for point in points:
            self.assertGreater(point["predicted_step_seconds"], 0)
            self.assertGreater(point["measured_step_seconds"], 0)
            self.assertEqual(point["n"], 5)
        run = json.loads((self.folder / "out" / "run.json").read_text())
        self.assertEqual([variant["name"] for variant in run["variants"]], ["Split 1", "Split 3", "Split 8"])
        self.assertEqual([one["step_seconds"] for one in run["predictions"]], [point["predicted_step_seconds"] for point in points])

    def test_a_prediction_measures_blocks_once_and_trains_nothing(self):
        first = self.done("sweep", self.experiment(), "--split-sizes", "2,4", "--predict-only", "--json")
        again = self.done("sweep", self.experiment(), "--split-sizes", "2,4", "--predict-only", "--json")
        self.assertEqual(first.stdout, again.stdout)
        self.assertIn("Measuring blocks", first.stderr)
        self.assertNotIn("Measuring blocks", again.stderr)
        for point in json.loads(first.stdout)["points"]:
            self.assertGreater(point["predicted_step_seconds"], 0)
            self.assertIsNone(point["measured_step_seconds"])
        self.assertFalse((self.folder / "runs").exists())

    def test_without_split_sizes_the_best_three_of_the_usual_are_measured(self):
        points = self.points("--out", "out", "--set", "data.batch=40")
        self.assertEqual([point["split_size"] for point in points], [1, 3, 5, 8, 10, 12, 20])
        measured = {point["split_size"] for point in points if point["measured_step_seconds"] is not None}
        best = sorted(points, key=lambda point: point["predicted_step_seconds"])[:3]
        self.assertEqual(measured, {point["split_size"] for point in best})

    def test_what_cannot_be_swept_is_refused(self):
        self.assertIn("9", self.refused("sweep", self.experiment(), "--split-sizes", "1,9"))
        self.assertIn("twice", self.refused("sweep", self.experiment(), "--split-sizes", "2,2"))
        self.refused("sweep", self.experiment(), "--split-sizes", "many")
        self.assertIn("pipeline", self.refused("sweep", self.experiment(variants=EXPERIMENT["variants"][:2])))


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
