#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""what-if: what the job that ran with the change says, and runs of our own."""
import json
import unittest
import zipfile

from cli_world import DATA, CliTest
from job_world import Job

JOBS = DATA / "jobs"


def usual(letter, stage, micro_batch, step):
    return (2000.0 if letter == "B" else 1000.0) + 100 * stage + 20 * micro_batch + 7 * step


def link(stage):
    return 50.0 + 10 * stage


class WhatIf(CliTest):
    def answer(self, place, *options):
        return json.loads(self.done("what-if", place, *options, "--json").stdout)

    def assert_predicts(self, recorded, changed, *options):
        file = recorded.write(self.folder / "job.json")
        answer = self.answer(file, *options)
        self.assertAlmostEqual(answer["step_before_s"] / recorded.mean_step, 1, delta=1e-6)
        self.assertAlmostEqual(answer["step_after_s"] / changed.mean_step, 1, delta=1e-6, msg=options)
        self.assertNotAlmostEqual(recorded.mean_step / changed.mean_step, 1, delta=1e-3, msg="a change that changes nothing tells nothing")
        self.assertEqual(answer["origin"], "replayed")
        return answer

    def test_is_the_job_with_another_length(self):
        job = Job(usual, link)
        self.assert_predicts(job, Job(lambda f, s, m, k: usual(f, s, m, k) * (0.6 if s == 2 else 1), link), "--stage", "2=0.6x", "--schedule", "1f1b")
        self.assert_predicts(job, Job(lambda f, s, m, k: usual(f, s, m, k) * (1.4 if s == 1 else 1), link), "--stage", "1=1.4")
        self.assert_predicts(job, Job(usual, lambda s: link(s) * (20 if s == 1 else 1)), "--link", "1-2=20")
        self.assert_predicts(job, Job(usual, lambda s: link(s) * (20 if s == 1 else 1)), "--link", "1=20")

    def test_is_the_job_in_another_order(self):
        for recorded, other in (("gpipe", "1f1b"), ("1f1b", "gpipe")):
            with self.subTest(recorded):
                slow_links = lambda stage: 700.0
                self.assert_predicts(Job(usual, slow_links, recorded, micro_batches=6), Job(usual, slow_links, other, micro_batches=6), "--schedule", other)

    def test_a_rank_takes_its_passes_and_its_update_along(self):
        changed = Job(lambda f, s, m, k: usual(f, s, m, k) * (1.5 if s == 0 else 1), link)
        answer = self.answer(Job(usual, link).write(self.folder / "job.json"), "--rank", "0=1.5")
        self.assertAlmostEqual(answer["step_after_s"], changed.mean_step + 250e-6, delta=1e-6 * changed.mean_step)

    def test_says_where_the_time_went(self):
        file = Job(usual, link).write(self.folder / "job.json")
        said = self.done("what-if", file, "--stage", "2=0.5").stdout
        self.assertRegex(said, r"^Replayed, not measured: the mean step takes \S+ ms instead of \S+ ms, \S+ % less\.")
        self.assertIn("Time between operations that none explains is left out", said)
        answer = self.answer(file, "--stage", "2=0.5")
        for lane in answer["lanes"]:
            for side in ("before", "after"):
                self.assertAlmostEqual(lane[side]["busy_us"] + lane[side]["idle_us"], lane[side]["window_us"], delta=0.01)
        self.assertLess(answer["lanes"][2]["after"]["busy_us"], 0.6 * answer["lanes"][2]["before"]["busy_us"])
        self.assertEqual(answer["lanes"][0]["after"]["busy_us"], answer["lanes"][0]["before"]["busy_us"])

    def test_splits_backwards_in_halves(self):
        answer = self.answer(Job(usual, link, micro_batches=8).write(self.folder / "job.json"), "--schedule", "zb-h1")
        self.assertLess(answer["step_after_s"], answer["step_before_s"])
        self.assertIn("take half of each", " ".join(answer["assumptions"]))

    def test_of_a_job_of_several_replicas(self):
        answer = self.answer(JOBS / "interleaved.json.gz", "--rank", "3=0.9", "--schedule", "interleaved-zb")
        self.assertEqual(len(answer["lanes"]), 4)
        self.assertLess(answer["step_after_s"], answer["step_before_s"])
        slowdown = json.loads(self.done("gaps", JOBS / "interleaved.json.gz", "--json").stdout)["slowdown"]
        self.assertAlmostEqual(answer["step_before_s"], slowdown["step_s"], delta=1e-9)

    def test_refusals_name_what_is_wrong(self):
        job = Job(usual, link).write(self.folder / "job.json")
        for options, words in ((["--stage", "7=0.5"], "The job has no stage 7."), (["--link", "0-2=0.5"], "--link 0-2=0.5 is not a factor"),
                               (["--stage", "one=0.5"], "--stage one=0.5 is not a factor"), (["--schedule", "zb-v"], "cannot be the schedule of this job"),
                               (["--schedule", "1f1c"], "1f1b"), (["--block", "layer3.0=1"], "--block is for runs"), (["--split-size", "3"], "--split-size is for runs"),
                               ([], "Name a change"), (["--rank", "9=2"], "rank 9")):
            with self.subTest(options):
                self.assertIn(words, self.refused("what-if", job, *options))
        (self.folder / "other.json").write_text(json.dumps([{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]))
        self.assertIn("does not name forward and backward passes", self.refused("what-if", "other.json", "--stage", "0=1"))

    def test_serves_runs_of_our_own(self):
        self.done("run", self.experiment(record="blocks"), "--out", "out")
        answer = self.answer("out", "--variant", "Pipeline", "--stage", "1=0.5", "--rank", "0=2", "--link", "0-1=1")
        self.assertEqual(answer["origin"], "replayed")
        before, after = ([lane[side]["busy_us"] for lane in answer["lanes"]] for side in ("before", "after"))
        self.assertAlmostEqual(after[0] / before[0], 2, delta=1e-2)
        self.assertAlmostEqual(after[1] / before[1], 0.5, delta=1e-2)
        self.assertIn("The run has 3 variants.", self.refused("what-if", "out", "--stage", "1=0.5"))
        self.done("what-if", "out", "--variant", "Pipeline", "--rank", "1=0.5", "--trace", "after.json.gz")
        self.done("gaps", "after.json.gz")

    def test_predicts_another_schedule_of_a_run(self):
        """Of a recorded one, since the block times of a run on a busy machine need not explain its steps."""
        zipfile.ZipFile(DATA.parents[1] / "resources" / "runs" / "demo.zip").extractall(self.folder)
        answer = self.answer("demo", "--variant", "Pipeline", "--schedule", "1f1b")
        self.assertEqual(answer["origin"], "predicted")


if __name__ == "__main__":
    unittest.main()
