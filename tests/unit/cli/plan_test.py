#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""plan: the best cuts, against every other cut, PipeDream and rules of thumb."""
import itertools
import json
import random
import unittest

from cli_world import EXPERIMENT, PIPEDREAM, CliTest, call


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

    def test_step_and_period_of_the_best_cut_are_predicted(self):
        file = self.costs({"blocks": [{"name": f"b{i}", "forward_ms": 1, "backward_ms": 2, "backward_weight_ms": 1} for i in range(2)]})
        for schedule, step, period in [("1f1b", 15, 15), ("zb-h1", 13, 12), ("list", 13, 12)]:
            arguments = ["--costs", file, "--stages", 2, "--micro-batches", 4, "--schedule", schedule]
            answer = self.plan(*arguments)
            self.assertEqual((answer["step_ms"], answer["period_ms"]), (step, period), schedule)
            self.assertIn(f"step {step}.0 ms, period without a step barrier {period}.0 ms", self.done("plan", *arguments).stdout)
        self.assertNotIn("period_ms", self.plan("--costs", file, "--stages", 2))

    def test_the_cut_with_the_shortest_step_is_found_where_lanes_hold_several_stages(self):
        source = random.Random(7)
        names = [f"b{i}" for i in range(8)]
        file = self.costs({"blocks": [{"name": name, "forward_ms": source.randint(1, 9), "backward_ms": source.randint(2, 18)} for name in names]})
        arguments = ["--costs", file, "--stages", 4, "--lanes", 2, "--micro-batches", 6, "--schedule", "interleaved-1f1b"]
        answer = self.plan(*arguments)
        fastest = answer["fastest"]
        self.assertLess(fastest["step_ms"], answer["step_ms"])
        self.assertNotEqual(fastest["cuts"], answer["cuts"])
        self.assertEqual((fastest["cuts_tried"], fastest["all_cuts_tried"]), (35, True))
        text = self.done("plan", *arguments).stdout
        for words in ["None of the other 34 cuts has a shorter predicted step.", "Proven for the cut by measured time", "Predicted step (ms)",
                      '"cuts": ["' + '", "'.join(fastest["cuts"]) + '"]']:
            self.assertIn(words, text)
        self.assertNotIn("fastest", self.plan("--costs", file, "--stages", 4))

    def random_costs(self, seed, blocks):
        source = random.Random(seed)
        time = lambda: source.randint(1, 90) / 10
        rows = [{"name": f"b{i}", "forward_ms": time(), "backward_weight_ms": time()} for i in range(blocks)]
        for row in rows:
            row["backward_ms"] = round(row["forward_ms"] + row["backward_weight_ms"], 3)
        return self.costs({"blocks": rows, "transfers_ms": [time() / 10 for _ in range(blocks - 1)]})

    def test_any_schedule_is_the_shortest_of_all_that_can_be_named(self):
        known = ["gpipe", "1f1b", "interleaved-1f1b", "looped-bfs", "zb-h1", "interleaved-zb", "zb-v", "v-half", "v-min", "dualpipe-v", "hanayo", "list"]
        for seed, stages, lanes, micro_batches in [(1, 4, 2, 6), (2, 3, 3, 5), (3, 2, 2, 4)]:
            arguments = ["--costs", self.random_costs(seed, 7), "--stages", stages, "--lanes", lanes, "--micro-batches", micro_batches]
            steps = {}
            for name in known:
                done = call("plan", *arguments, "--schedule", name, "--json", folder=self.folder)
                if done.returncode == 0:
                    fastest = json.loads(done.stdout)["fastest"]
                    steps[name] = (fastest["cuts"], fastest["step_ms"], fastest["bound_ms"])
            answer = self.plan(*arguments, "--schedule", "any")
            self.assertEqual({row["schedule"]: (row["cuts"], row["step_ms"], row["bound_ms"]) for row in answer["schedules"]}, steps)
            self.assertEqual(answer["fastest"]["step_ms"], min(step for _, step, _ in steps.values()))
            self.assertEqual(answer["fastest"]["step_ms"], steps[answer["schedule"]][1])
            self.assertGreater(len(steps), 3)
            text = self.done("plan", *arguments, "--schedule", "any").stdout
            self.assertIn(f'For an experiment: "schedule": "{answer["schedule"]}", ', text)
        self.assertNotIn("schedules", self.plan(*arguments))

    def test_what_is_pasted_into_an_experiment_takes_the_predicted_step(self):
        names = ["stem", *(f"layer{i}.{j}" for i in range(1, 5) for j in range(2)), "head"]
        costs = json.loads(self.random_costs(5, len(names)).read_text())
        for block, name in zip(costs["blocks"], names):
            block["name"] = name
        costs = self.costs(costs)
        pipeline = {"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": ["layer3.0"], "recompute": True}
        shape = {"model": {"arch": "resnet18"}, "data": {"shape": [3, 32, 32], "batch": 10}, "lanes": [{"device": f"cuda:{40 + lane}"} for lane in range(2)]}
        for stages, schedule in [(2, "any"), (4, "any"), (4, "1f1b"), (4, "zb-h1"), (4, "list"), (4, "interleaved-1f1b"), (4, "zb-v")]:
            file = self.experiment(**shape, variants=[pipeline])
            arguments = [file, "--costs", costs, "--stages", stages, "--lanes", 2, "--micro-batches", 5, "--schedule", schedule]
            answer, text = self.plan(*arguments), self.done("plan", *arguments).stdout
            pasted = json.loads("{" + text.split("For an experiment: ")[1] + "}")
            variant = {key: value for key, value in pipeline.items() if key != "cuts"} | {"schedule": answer["schedule"]} | pasted
            file = self.experiment(**shape, variants=[variant])
            simulated = json.loads(self.done("simulate", file, "--costs", costs, "--json").stdout)["variants"][0]
            self.assertEqual(simulated["step_ms"], answer["fastest"]["step_ms"], (stages, schedule))
            self.assertEqual(simulated["period_ms"], answer["fastest"]["period_ms"], (stages, schedule))

    def test_the_bound_can_be_checked_by_hand_and_the_step_is_not_below(self):
        blocks = [{"name": f"b{i}", "forward_ms": 2 + i, "backward_ms": 5, "backward_weight_ms": 3} for i in range(3)]
        file = self.costs({"blocks": blocks, "transfers_ms": [1, 1]})
        arguments = ["--costs", file, "--stages", 3, "--micro-batches", 4]
        bound = self.plan(*arguments)["fastest"]["bound"]
        self.assertEqual(bound, {"lane": 2, "before_ms": 2 + 1 + 3 + 1, "work_ms": 4 * (4 + 5), "after_ms": 1 + 5 + 1 + 5})
        self.assertIn("no order has a shorter step than 55.0 ms (7.00 ms before its first action, 36.0 ms of work on lane 2 and 12.0 ms after its last backward)",
                      self.done("plan", *arguments).stdout)
        split = self.plan(*arguments, "--schedule", "zb-h1")["fastest"]["bound"]
        self.assertEqual(split, {"lane": 2, "before_ms": 7, "work_ms": 36, "after_ms": 0}, "its weight parts are more than 1 + 2 + 1 + 2 after it")
        for schedule in ["gpipe", "zb-h1", "list"]:
            fastest = self.plan(*arguments, "--schedule", schedule)["fastest"]
            self.assertGreaterEqual(fastest["step_ms"], fastest["bound_ms"])

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
        long = self.costs({"blocks": [{"name": f"b{i}", "forward_ms": 1, "backward_ms": 2} for i in range(100)]})
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
            (["--costs", PIPEDREAM, "--stages", 2, "--schedule", "an"], "any"),
            (["--costs", PIPEDREAM, "--stages", 2, "--schedule", "any"], "--micro-batches"),
            (["--costs", PIPEDREAM, "--stages", 4, "--lanes", 5, "--micro-batches", 4, "--schedule", "any"], "--lanes"),
            (["--costs", long, "--stages", 100, "--micro-batches", 10001], "--schedule 1f1b: 100 stages of 10001 micro-batches"),
            (["--costs", PIPEDREAM, "--stages", 3, "--micro-batches", 4, "--schedule", "zb-v"], "two stages per lane"),
            (["--costs", "absent.json", "--stages", 2], "absent.json"),
            ([self.experiment(), "--stages", 2], "lanelab-cli profile"),
            ([self.experiment(), "--costs", PIPEDREAM, "--stages", 2], "18 blocks"),
        ]:
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refused("plan", *arguments))


if __name__ == "__main__":
    unittest.main()
