#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""schedule: orders printed, read back and run."""
import json
import unittest

from cli_world import EXPERIMENT, CliTest


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
        variant = json.loads(self.done("schema").stdout)["properties"]["variants"]["items"]["properties"]
        known = [name for name in variant["schedule"]["enum"] if name != "custom"]
        self.assertGreater(len(known), 10)
        for name in known:
            with self.subTest(name=name):
                text = self.csv(name, "--stages", 8, "--lanes", 4, "--micro-batches", 6)
                (self.folder / "order.csv").write_text(text)
                self.assertEqual(self.csv("--file", "order.csv"), text)

    def test_an_order_for_steps_without_a_barrier_is_deeper(self):
        def warm_up(name, *more):
            return self.csv(name, "--stages", 2, "--micro-batches", 8, *more).splitlines()[0].index("0I0") // 4
        for name in ("zb-h1", "list"):
            self.assertEqual(warm_up(name), 2)
            self.assertEqual(warm_up(name, "--window", "period"), 3)
            self.assertEqual(warm_up(name, "--window", "period", "--warm-up", 2), 2)
        self.assertIn("from 0 to 1", self.refused("schedule", "list", "--stages", 2, "--micro-batches", 4, "--held-share", 2))

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
        self.assertIn("ideal for this order", out)
        bound = json.loads((self.folder / "out" / "run.json").read_text())["variants"][0]["bound"]
        self.assertGreater(bound["order_seconds"], 0)
        self.assertLessEqual(bound["work_seconds"], bound["order_seconds"] * 1.0001)
        self.assertEqual(len(bound["stages"]), 2)
        broken = {**pipeline, "actions": ["0B0,0F0,0F1,0B1", "1F0,1F1,1B1,1B0"]}
        self.assertIn("Deadlock", self.refused("run", self.experiment(variants=[broken]), "--out", "again"))


if __name__ == "__main__":
    unittest.main()
