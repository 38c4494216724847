#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""run.json of runs of every kind is what resources/schema/run.schema.json says, which readers of these files rely on.

Skipped by name without the Python package jsonschema (Debian: python3-jsonschema), and a failure then with CI=true.
"""
import json
import os
import signal
import unittest

from cli_world import DATA, EXPERIMENT, TIME_LIMIT_S, CliTest, started, wait_until
from replicas_test import Processes

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMAS = DATA.parents[1] / "resources" / "schema"
NO_REPEAT = {"repeats": 1, "warmup": 0}
SINGLE, MODEL_PARALLEL, PIPELINE = EXPERIMENT["variants"]


IMAGES = {"model": {"arch": "resnet18"}, "data": {"source": "random", "shape": [3, 32, 32], "batch": 4, "steps": 1}}


def variant(**keys):
    return {"name": "V", **keys}


# What a run can be, each by the experiment that it takes.
KINDS = {
    "all strategies of one machine": {"variants": [SINGLE, MODEL_PARALLEL, PIPELINE, variant(strategy="data-parallel"), {**variant(strategy="ddp"), "name": "D"}]},
    "schedules with split backwards": {"variants": [{**PIPELINE, "schedule": "zb-h1"}, {**PIPELINE, "name": "L", "schedule": "list"}], **NO_REPEAT},
    "epochs": {"data": {"source": "digits", "batch": 500, "epochs": 2}, "model": {"arch": "linear", "classes": 10},
               "training": {**EXPERIMENT["training"], "loss": "cross_entropy"}, "variants": [SINGLE], **NO_REPEAT},
    "a recording trial": {"record": "blocks", "record_cost": True, **NO_REPEAT},
    "no recording": {"record": "off", **NO_REPEAT},
    "losses that overflow": {"training": {**EXPERIMENT["training"], "lr": 1e30}, **NO_REPEAT},
    "training modes": {**IMAGES,
                       "training": {**EXPERIMENT["training"], "loss": "cross_entropy", "precision": "bf16", "batch_norm": "deferred", "recompute": True},
                       "variants": [{**PIPELINE, "split_size": 2, "cuts": ["layer3.0"]}], **NO_REPEAT},
}


def load(name):
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def checker():
    """A validator of run.json; the experiment's schema is its neighbour."""
    schema = load("run.schema.json")
    schema["$defs"]["experiment"] = load("experiment.schema.json")
    schema["properties"]["experiment"] = {"$ref": "#/$defs/experiment"}
    return jsonschema.Draft202012Validator(schema)


@unittest.skipUnless(jsonschema or os.environ.get("CI"), "no jsonschema")
class RunSchema(CliTest):
    def expect_valid(self, folder="out", status="done"):
        run = json.loads((self.folder / folder / "run.json").read_text(encoding="utf-8"))
        faults = [f"{error.json_path}: {error.message}" for error in checker().iter_errors(run)]
        self.assertEqual(faults, [])
        self.assertEqual(run["status"], status)
        return run

    def lasting(self, **changes):
        return self.experiment(model=IMAGES["model"], data={**IMAGES["data"], "steps": 2000}, training={"loss": "cross_entropy"}, **NO_REPEAT, **changes)

    def test_the_schema_is_a_schema(self):
        for name in ("run.schema.json", "experiment.schema.json"):
            jsonschema.Draft202012Validator.check_schema(load(name))

    def test_runs_of_every_kind_are_valid(self):
        for number, (kind, changes) in enumerate(KINDS.items()):
            with self.subTest(kind=kind):
                self.done("run", self.experiment(**changes), "--out", f"out{number}")
                self.expect_valid(f"out{number}")

    def test_a_sweep_with_its_predictions_is_valid(self):
        self.done("sweep", self.experiment(**NO_REPEAT), "--split-sizes", "2,4", "--out", "out")
        self.assertEqual(len(self.expect_valid()["predictions"]), 2)

    def test_a_cancelled_run_is_valid(self):
        self.end(signal.SIGINT)
        self.assertIn("unfinished", self.expect_valid(status="cancelled")["variants"][0])

    def test_a_killed_run_is_valid(self):
        self.end(signal.SIGKILL)
        self.expect_valid(status="running")

    def end(self, number):
        process = started("run", self.lasting(variants=[{**PIPELINE, "split_size": 2, "cuts": ["layer3.0"]}]), "--out", "out", folder=self.folder)
        try:
            self.wait_for_steps(process)
            process.send_signal(number)
            process.wait(TIME_LIMIT_S)
        finally:
            process.kill()
            process.wait(TIME_LIMIT_S)

    def wait_for_steps(self, process, trace="trace-pipeline.perfetto-trace"):
        """Until the trace of the first repeat holds some steps."""
        file = self.folder / "out" / trace
        wait_until(lambda: file.exists() and file.stat().st_size >= 10_000, process)

    def test_a_run_of_several_processes_is_valid(self):
        file = self.experiment(variants=[variant(strategy="ddp")], **NO_REPEAT)
        with Processes(2, ["run", file, "--out", self.folder / "out"], self.folder) as processes:
            for rank in range(2):
                self.assertEqual(processes.outcome(rank)[0], 0)
        self.assertEqual(len(self.expect_valid()["variants"][0]["rank_clocks"]), 1)

    def test_a_failed_run_is_valid(self):
        file = self.lasting(variants=[variant(strategy="ddp")])
        with Processes(2, ["run", file, "--out", self.folder / "out"], self.folder) as processes:
            self.wait_for_steps(processes.ranks[0], "trace-v.perfetto-trace")
            processes.ranks[1].kill()
            self.assertEqual(processes.outcome(0)[0], 1)
        self.assertIn("error", self.expect_valid(status="failed"))

    def test_a_fault_is_found(self):
        self.done("run", self.experiment(variants=[SINGLE], **NO_REPEAT), "--out", "out")
        run = self.expect_valid()
        for change in ({"status": "asleep"}, {"colour": 1}, {"experiment": {}}, {"variants": [{}]}, {"started": "yesterday"}):
            with self.subTest(change=change):
                self.assertFalse(checker().is_valid({**run, **change}))


if __name__ == "__main__":
    unittest.main()
