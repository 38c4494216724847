#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""simulate: predicted steps, against closed forms and from given or kept times."""
import json
import unittest

from cli_world import EXPERIMENT, PIPEDREAM, CliTest


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

    def test_the_period_without_a_step_barrier_is_beside_the_step(self):
        costs = self.costs(1, 2, 1, ["stem", "layer3.0"])
        for schedule, step_barrier, step, period, window in [
                ("1f1b", True, 15, 15, "step"), ("1f1b", False, 15, 15, "period"),
                ("zb-h1", True, 13, 12, "step"), ("zb-h1", False, 13, 12, "period"), ("list", False, 13, 12, "period")]:
            variant = {"name": "Pipeline", "strategy": "pipeline", "schedule": schedule, "split_size": 1, "cuts": ["layer3.0"]}
            file = self.experiment(model={"arch": "resnet18"}, data={"shape": [3, 32, 32], "batch": 4}, variants=[variant],
                                   lanes=[{"device": f"cuda:{40 + lane}"} for lane in range(2)])
            setting = ["--set", f"training.step_barrier={str(step_barrier).lower()}"]
            answer = json.loads(self.done("simulate", file, "--costs", costs, "--json", *setting).stdout)["variants"][0]
            self.assertEqual((answer["step_ms"], answer["period_ms"], answer["window"]), (step, period, window), schedule)
            self.assertEqual(answer["step_barrier"], "asked" if step_barrier else "none")
            for lane in answer["lanes"]:
                self.assertAlmostEqual(lane["busy_ms"] + lane["idle_ms"], answer[f"{window}_ms"], delta=1e-9)
        self.done("simulate", file, "--costs", costs, *setting, "--variant", "Pipeline", "--trace", "steps.json")
        trace = json.loads((self.folder / "steps.json").read_text())
        names = [event["name"] for event in trace["traceEvents"] if event.get("ph") == "X" and event["name"].startswith("step ")]
        self.assertEqual(sorted(names), ["step 0", "step 1", "step 2"])

    def test_a_step_barrier_that_the_file_does_not_ask_for_is_explained(self):
        replicas = {"name": "Replicas", "strategy": "data-parallel"}
        file, costs = self.experiment(variants=[replicas]), self.toy_costs()
        said = self.done("simulate", file, "--costs", costs, "--set", "training.step_barrier=false").stdout
        self.assertIn("Replicas has a step barrier (replicas) in spite of step_barrier false. Its replicas exchange", said)
        self.assertNotIn("in spite", self.done("simulate", file, "--costs", costs).stdout)

    def test_transfers_delay_a_step_and_whole_numbers_stay_whole(self):
        costs = self.costs(1, 2, 0, ["stem", "layer3.0"], transfers_ms=[0, 0, 0, 0, 0.5, 0, 0, 0, 0])
        answer = self.simulate("gpipe", 2, 1, costs, ["layer3.0"])
        self.assertEqual(answer["step_ms"], 7)
        self.assertEqual([lane["idle_ms"] for lane in answer["lanes"]], [4, 4])

    def test_a_curve_has_time_and_peak_of_each_schedule(self):
        costs = self.costs(1, 2, 1, ["stem", "layer1.0", "layer2.0", "layer3.0"])
        variant = {"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 1, "cuts": ["layer2.0"]}
        file = self.experiment(model={"arch": "resnet18"}, data={"shape": [3, 32, 32], "batch": 8}, lanes=[{"device": f"cuda:{40 + lane}"} for lane in range(2)], variants=[variant])
        answer = json.loads(self.done("curve", file, "--costs", costs, "--json").stdout)
        self.assertEqual((answer["variant"], answer["window"]), ("Pipeline", "step"))
        points = answer["points"]
        by_way = {(point["schedule"], point["recompute"]): point for point in points}
        self.assertLess(by_way["v-min", False]["peak_bytes"], by_way["gpipe", False]["peak_bytes"])
        ways = [by_way["gpipe", recompute] for recompute in (False, "activations", True)]
        for less, more in zip(ways, ways[1:]):
            self.assertLess(less["step_ms"], more["step_ms"])
            self.assertGreater(less["peak_bytes"], more["peak_bytes"])
        self.assertEqual([point["peak_bytes"] for point in points], sorted(point["peak_bytes"] for point in points))
        self.assertEqual([way for way, point in by_way.items() if point["present"]], [("1f1b", False)])
        for point in points:
            faster = [other for other in points if other["peak_bytes"] <= point["peak_bytes"] and other["step_ms"] < point["step_ms"]]
            self.assertFalse(point["front"] and faster, point)
            if not any(other["step_ms"] <= point["step_ms"] for other in points if other["peak_bytes"] < point["peak_bytes"]) and not faster:
                self.assertTrue(point["front"], point)
            self.assertTrue(point["fits"], point)
        file = self.experiment(model={"arch": "resnet18"}, data={"shape": [3, 32, 32], "batch": 8}, variants=[variant],
                               lanes=[{"device": f"cuda:{40 + lane}", "memory_limit_mib": points[0]["peak_bytes"] / 2**20} for lane in range(2)])
        limited = json.loads(self.done("curve", file, "--costs", costs, "--json").stdout)["points"]
        self.assertEqual([point["fits"] for point in limited], [point["peak_bytes"] <= points[0]["peak_bytes"] for point in limited])
        self.assertEqual({point["range90_ms"] for point in limited}, {None}, "a costs file has no spread")
        text = self.done("curve", file, "--costs", costs).stdout
        self.assertIn("V-Min", text)
        self.assertIn(" no ", text)
        self.assertIn("no such variant", self.refused("curve", file, "--costs", costs, "--variant", "Pipelin"))

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


if __name__ == "__main__":
    unittest.main()
