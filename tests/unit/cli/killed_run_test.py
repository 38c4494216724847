#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""run: one that is killed keeps its timeline, and goes on where it stopped."""
import json
import unittest

from cli_world import EXPERIMENT, EXPORTED, TIME_LIMIT_S, CliTest, call, started, wait_until


class KilledRuns(CliTest):
    def goes_on_to_the_same_numbers(self, file):
        self.done("run", file, "--out", "whole", "--save-weights")
        process = started("run", file, "--out", "out", "--checkpoint", 50, folder=self.folder)
        try:
            wait_until((self.folder / "out" / "checkpoint-pipeline.safetensors").exists, process)
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

    def test_a_killed_run_goes_on_to_the_same_numbers(self):
        steps = {**EXPERIMENT["data"], "steps": 1500}
        file = self.experiment(data=steps, training={**EXPERIMENT["training"], "momentum": 0.9}, variants=EXPERIMENT["variants"][2:], repeats=1, warmup=0, record="off")
        self.goes_on_to_the_same_numbers(file)
        self.assertIn("another experiment", self.refused("run", self.experiment(), "--out", "out", "--resume"))

    def test_so_does_one_of_an_exported_network_with_a_parameter_in_two_stages(self):
        cut = {"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": ["inner.transformer.h.1"]}
        self.goes_on_to_the_same_numbers(self.experiment(
            model={"file": str(EXPORTED / "gpt2.pt2")}, data={"source": "random", "batch": 4, "steps": 300},
            training={"loss": "cross_entropy", "optimizer": "adam"}, variants=[cut], repeats=1, warmup=0, record="off"))

    def has_actions(self, trace):
        if not trace.exists():
            return False
        result = call("gaps", trace, "--json", folder=self.folder)
        return result.returncode == 0 and [lane["busy_us"] > 0 for lane in json.loads(result.stdout)["lanes"]] == [True, True]

    def test_a_killed_run_keeps_its_timeline(self):
        file = self.experiment(data={**EXPERIMENT["data"], "steps": 200000}, variants=EXPERIMENT["variants"][2:], repeats=1, warmup=0)
        process = started("run", file, "--out", "out", folder=self.folder)
        kept = self.folder / "out" / "trace-pipeline.perfetto-trace"
        try:
            wait_until(lambda: self.has_actions(kept), process)  # the first of them come after all else that was written with them
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


if __name__ == "__main__":
    unittest.main()
