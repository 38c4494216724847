#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""export of a plan: folders for PyTorch and other frameworks, and why there is none. tests/oracle runs the scripts."""
import ast
import json
import unittest

from cli_world import EXPERIMENT, CliTest

GPT2 = {"file": "shipped:gpt2-small.pt2", "classes": 1024}


def pipeline(**more):
    return {"name": "P", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4, "cuts": ["net2"], **more}


class ExportPlan(CliTest):
    def exported(self, what, variant, code=0, **changes):
        """(folder, stderr)."""
        source = self.folder / "plan.json"
        source.write_text(json.dumps({**EXPERIMENT, "variants": [variant], **changes}))
        out = self.folder / what
        return out, self.exits(code, "export", source, "--what", what, "--out", out).stderr

    def plan_of(self, folder):
        names = {}
        exec((folder / "plan.py").read_text(), names)
        return names

    def test_a_script_has_stages_schedule_and_settings(self):
        folder, _ = self.exported("pytorch", pipeline(split_size=3), training={"loss": "mse", "optimizer": "adam", "lr": 0.25, "seed": 7})
        plan = self.plan_of(folder)
        self.assertEqual((plan["STAGE_RANKS"], plan["MICRO_BATCHES"], plan["SCHEDULE"]), ([0, 1], [[3, 3, 2]], "1F1B"))
        self.assertEqual((plan["OPTIMIZER"], plan["LR"], plan["SEED"], plan["LOSS"]), ("adam", 0.25, 7, "mse"))
        network = (folder / "network.py").read_text()
        self.assertIn('self.add("net1", nn.Linear(10, 10))', network)
        for script in folder.glob("*.py"):
            ast.parse(script.read_text())
        self.assertIn("torchrun --nproc-per-node 2 train.py", (folder / "README.md").read_text())

    def test_schedules_are_named_where_pytorch_has_the_order(self):
        for schedule, more, named in [("gpipe", {}, "GPipe"), ("1f1b", {}, "1F1B"), ("1f1b", {"warm_up": 2}, "schedule.csv"),
                                      ("1f1b", {"split_size": 8}, "schedule.csv"), ("zb-h1", {}, "schedule.csv")]:
            folder, _ = self.exported("pytorch", pipeline(schedule=schedule, **more))
            self.assertEqual(self.plan_of(folder)["SCHEDULE"], named, (schedule, more))
            for file in folder.iterdir():
                file.unlink()

    def test_a_name_cannot_leave_its_string(self):
        folder, _ = self.exported("pytorch", pipeline(name='P""" \\" import os\u2028#'))
        self.assertEqual(self.plan_of(folder)["STAGE_RANKS"], [0, 1])

    def test_plans_that_cannot_be_expressed(self):
        for what, variant, changes, sentence in [
                ("pytorch", {"name": "D", "strategy": "data-parallel"}, {}, "one process has the weights of all lanes"),
                ("pytorch", pipeline(precision="bf16"), {}, "trains in bf16"),
                ("torchtitan", pipeline(split_size=3), {}, "micro-batches of one size"),
                ("torchtitan", pipeline(placement={"net1": 0, "relu": 1, "net2": 0}, cuts=None), {}, "in rounds"),
                ("deepspeed", pipeline(placement={"net1": 0, "relu": 1, "net2": 0}, cuts=None), {}, "one stage per rank"),
                ("megatron", pipeline(), {}, "toy is not such a network"),
                ("accelerate", {"name": "D", "strategy": "ddp"}, {}, "one copy of the network")]:
            variant = {key: value for key, value in variant.items() if value is not None}
            _, error = self.exported(what, variant, code=2, **changes)
            self.assertIn(sentence, error, (what, variant))

    def test_torchtitan(self):
        folder, _ = self.exported("torchtitan", pipeline(schedule="zb-h1"))
        text = (folder / "parallelism.py").read_text()
        self.assertIn('module_fqns_per_model_part=[["net1", "relu"], ["net2"]]', text)
        self.assertIn('pipeline_parallel_schedule_csv="schedule.csv"', text)
        self.assertIn("pipeline_parallel_degree=2", text)
        self.assertEqual((folder / "schedule.csv").read_text().count("\n"), 2)

    def test_deepspeed(self):
        folder, error = self.exported("deepspeed", pipeline(schedule="gpipe"))
        text = (folder / "planned_pipeline.py").read_text()
        self.assertIn("PARTS = [0, 2, 3]", text)
        self.assertEqual(json.loads((folder / "ds_config.json").read_text()),
                         {"train_batch_size": 8, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2})
        self.assertIn("DeepSpeed does not take an order of its own", error)

    def test_megatron(self):
        variant = pipeline(cuts=["transformer.h.5"])
        folder, error = self.exported("megatron", variant, model=GPT2, data={"source": "random", "shape": [64], "batch": 8, "steps": 1}, training={"loss": "cross_entropy"})
        text = (folder / "arguments.txt").read_text()
        self.assertIn('--pipeline-model-parallel-layout "Et*5|t*7L"', text)
        self.assertIn("--num-layers 12\n", text)
        self.assertEqual(error, "")

    def test_accelerate(self):
        folder, _ = self.exported("accelerate", pipeline())
        self.assertEqual(json.loads((folder / "device_map.json").read_text()), {"net1": 0, "relu": 0, "net2": 1})

    def test_a_block_of_a_built_in_network_is_its_modules(self):
        data = {"source": "random", "shape": [3, 64, 64], "batch": 8, "steps": 1}
        folder, _ = self.exported("accelerate", pipeline(cuts=["layer4.1"]), model={"arch": "resnet18", "classes": 4}, data=data)
        places = json.loads((folder / "device_map.json").read_text())
        self.assertEqual([name for name, rank in places.items() if rank == 1], ["layer4.1", "avgpool", "fc"])
        self.assertEqual(list(places)[:5], ["conv1", "bn1", "relu", "maxpool", "layer1.0"])

    def test_a_folder_that_is_not_empty_stays(self):
        (self.folder / "pytorch").mkdir()
        (self.folder / "pytorch" / "mine").write_text("")
        _, error = self.exported("pytorch", pipeline(), code=2)
        self.assertIn("is not an empty folder", error)


if __name__ == "__main__":
    unittest.main()
