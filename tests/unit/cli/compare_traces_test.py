#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""compare of two traces: the step, where its time went, stages, lanes and names, with what the steps show."""
import csv
import json
import random
import unittest

from cli_world import DATA, CliTest
from job_world import Job


def lengths(slow_stage=None, factor=1.0, seed=1):
    """Passes that vary by a few per cent."""
    dice = random.Random(seed)
    return lambda letter, stage, micro_batch, step: (2000.0 if letter == "B" else 1000.0) * dice.uniform(0.98, 1.02) * (factor if stage == slow_stage else 1)


def gpu_trace(kernels, steps=6, pid=1):
    """Steps of 1000 us on one GPU: kernels as (name, start, length), launched at the begin."""
    dice = random.Random(len(kernels))
    events = [{"ph": "M", "name": "process_labels", "pid": 900, "args": {"labels": "CPU"}}, {"ph": "M", "name": "process_labels", "pid": pid, "args": {"labels": "GPU 0"}}]
    correlation = 0
    for step in range(steps):
        at = 1.7e15 + 1000.0 * step
        events.append({"ph": "X", "name": f"ProfilerStep#{step}", "cat": "user_annotation", "pid": 900, "tid": 1, "ts": at, "dur": 950})
        for name, start, length in kernels:
            correlation += 1
            launch = {"correlation": correlation}
            events += [{"ph": "X", "name": "cudaLaunchKernel", "cat": "cuda_runtime", "pid": 900, "tid": 1, "ts": at + 5 + correlation % 50, "dur": 0.5, "args": launch},
                       {"ph": "X", "name": name, "cat": "kernel", "pid": pid, "tid": 7, "ts": at + start, "dur": length + dice.uniform(0, 0.01 * length),
                        "args": {**launch, "device": 0, "stream": 7}}]
    return {"schemaVersion": 1, "traceEvents": events}


class ComparingTraces(CliTest):
    def job(self, name, *arguments, **options):
        return Job(*arguments, **options).write(self.folder / name)

    def compared(self, before, after, *options):
        return json.loads(self.done("compare", before, after, *options, "--json").stdout)

    def rows(self, rows, *keys):
        return {tuple(row[key] for key in keys): row for row in rows}

    def test_a_slower_stage_is_what_differs(self):
        before = self.job("before.json", lengths(), lambda stage: 50.0, steps=12)
        after = self.job("after.json", lengths(1, 1.5, seed=2), lambda stage: 50.0, steps=12)
        told = self.compared(before, after)
        self.assertEqual(told["step"]["verdict"][-6:], "slower")
        self.assertLess(told["step"]["ci95"][1], 1)
        stages = self.rows(told["stages"], "stage", "phase")
        for (stage, phase), row in stages.items():
            self.assertEqual(row["change"], "longer" if stage == 1 and phase != "update" else "no difference shown", (stage, phase))
            self.assertEqual((row["count_before"], row["count_after"]), (1, 1) if phase == "update" else (4, 4))
        self.assertAlmostEqual(stages[1, "backward"]["difference_us"], 4000, delta=200)
        lanes = told["lanes"]
        self.assertEqual([lane["compute"]["change"] for lane in lanes], ["no difference shown", "longer", "no difference shown"])
        self.assertEqual(lanes[0]["without_compute"]["change"], "longer")
        for lane in lanes:
            parts = sum(lane[part]["before_us"] for part in ("compute", "exposed_communication", "memory", "data", "host", "other", "idle"))
            self.assertAlmostEqual(parts, lane["step"]["before_us"], delta=0.01)
        self.assertGreater(told["after"]["slowdown"], told["before"]["slowdown"])
        slowdown = self.rows(told["slowdown"], "name")
        self.assertGreater(slowdown["stage 1",]["after"], 1.1 * slowdown["stage 1",]["before"])
        self.assertEqual(slowdown["all operations",]["after"], told["after"]["slowdown"])

    def test_recordings_of_one_job_show_no_difference(self):
        before = self.job("before.json", lengths(seed=1), lambda stage: 50.0, steps=10)
        after = self.job("after.json", lengths(seed=2), lambda stage: 50.0, steps=12)
        said = self.done("compare", before, after).stdout
        self.assertRegex(said, r"No difference in step time is shown: \S+ ms before and \S+ ms after \(95 % CI of the speed-up \S+ to \S+x; n = 10 and 12 steps\)\.")
        self.assertNotRegex(said, r"\b(longer|shorter)\b")

    def test_too_few_steps_show_nothing(self):
        jobs = [DATA / "jobs" / "long_stage.json.gz"] * 2
        said = self.done("compare", *jobs).stdout
        self.assertIn("n = 2 and 2 steps; an interval needs 5", said)
        self.assertIn("too few steps", said)
        self.assertNotIn("no difference shown", said)

    def test_kernels_are_compared_by_name(self):
        (self.folder / "a.json").write_text(json.dumps(gpu_trace([("gemm", 100, 200), ("gemm", 310, 200), ("softmax", 600, 50)])))
        (self.folder / "b.json").write_text(json.dumps(gpu_trace([("gemm", 100, 150), ("gemm", 310, 150), ("flash", 600, 20), ("gelu", 700, 10)])))
        told = self.compared("a.json", "b.json")
        gemm = self.rows(told["names"], "name")["gemm",]
        self.assertEqual((gemm["count_before"], gemm["count_after"], gemm["change"], gemm["category"]), (2, 2, "shorter", "kernel"))
        self.assertAlmostEqual(gemm["before_us"], 402, delta=2)
        self.assertAlmostEqual(gemm["difference_us"], -100, delta=3)
        self.assertEqual(told["names"][0]["name"], "gemm", "what changed most is first")
        self.assertEqual([row["name"] for row in told["only_before"]], ["softmax"])
        self.assertEqual([row["name"] for row in told["only_after"]], ["flash", "gelu"])
        self.assertNotIn("ProfilerStep", json.dumps(told))
        said = self.done("compare", "a.json", "b.json", "--top", 1).stdout
        self.assertIn("Only after (2):", said)
        self.assertIn("The 1 largest changes of 2 names", said)

    def test_csv_has_the_rows_of_json(self):
        before = self.job("before.json", lengths(), lambda stage: 50.0)
        after = self.job("after.json", lengths(0, 1.2, seed=3), lambda stage: 50.0)
        told = self.compared(before, after, "--csv", "out.csv")
        rows = self.rows(csv.DictReader((self.folder / "out.csv").read_text().splitlines()), "table", "name", "phase")
        for stage in told["stages"]:
            row = rows["stage", str(stage["stage"]), stage["phase"]]
            for key in ("before_us", "after_us", "difference_us", "count_before", "count_after"):
                self.assertAlmostEqual(float(row[key]), stage[key], places=3)
            self.assertEqual(row["change"], stage["change"])
        self.assertAlmostEqual(float(rows["step", "", ""]["before_us"]), 1e6 * told["before"]["step_s"], delta=0.01)

    def test_unlike_jobs_are_refused_unless_allowed(self):
        before = self.job("before.json", lengths(), lambda stage: 50.0)
        after = self.job("after.json", lengths(), lambda stage: 50.0, stages=2, micro_batches=8)
        why = self.refused("compare", before, after)
        self.assertIn("3 and 2 ranks, 3 and 2 stages and 4 and 8 micro-batches per step", why)
        self.assertIn("--unlike", why)
        self.assertIn("The jobs differ", self.done("compare", before, after, "--unlike").stdout)

    def test_recordings_of_unlike_kinds_are_refused(self):
        job = self.job("job.json", lengths(), lambda stage: 50.0)
        (self.folder / "gpu.json").write_text(json.dumps(gpu_trace([("gemm", 100, 200)])))
        (self.folder / "one.json").write_text(json.dumps(gpu_trace([("gemm", 100, 200)], steps=0)))
        self.assertIn("the first names passes of a pipeline, the second kernels of GPUs", self.refused("compare", job, "gpu.json"))
        self.assertIn("has no lanes", self.refused("compare", "gpu.json", "one.json"))
        self.assertIn("3 are given", self.refused("compare", job, job, job))
        self.assertIn("--baseline is for runs", self.refused("compare", job, job, "--baseline", "x"))

    def test_a_run_and_a_trace_are_compared_in_what_both_have(self):
        self.done("run", self.experiment(record="blocks"), "--out", "out")
        self.done("export", "out", "--what", "trace", "--format", "chrome", "--variant", "Pipeline", "--out", "pipeline.json")
        self.assertIn("The run has 3 variants.", self.refused("compare", "out", "pipeline.json"))
        told = self.compared("out", "pipeline.json", "--variant", "Pipeline")
        self.assertEqual({row["difference_us"] for row in told["stages"]}, {0})
        self.assertIn("--variant is for imported traces", self.refused("compare", "out", "--variant", "Pipeline"))


if __name__ == "__main__":
    unittest.main()
