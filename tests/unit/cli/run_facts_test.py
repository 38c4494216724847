#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""run.json of a real run has all that is needed to repeat and to judge it, none of it empty."""
import json
import re
import unittest
from unittest import mock

from cli_world import CliTest

# What a reader needs, and where it is. A path ends at a value, a list that is not empty, or each entry of a list by "[]".
FACTS = {
    "version of the format": "schema",
    "configuration": "experiment",
    "seed of weights, data and order": "experiment.training.seed",
    "full command": "environment.command",
    "git commit of the program": "environment.git",
    "uncommitted changes of the program": "environment.uncommitted changes",
    "start": "started",
    "end": "finished",
    "how it ended": "status",
    "host": "environment.host",
    "system": "environment.system",
    "CPU": "environment.cpu",
    "CPU cores": "environment.cores",
    "CPU governor": "environment.cpu governor",
    "memory": "environment.memory",
    "instructions that torch uses": "environment.cpu capability",
    "NVIDIA driver": "environment.gpu driver",
    "CUDA": "environment.CUDA",
    "cuDNN": "environment.cuDNN",
    "cuDNN flags": "environment.cuDNN flags",
    "torch": "environment.torch",
    "MKL": "environment.mkl",
    "oneDNN": "environment.onednn",
    "compiler": "environment.compiler",
    "kind of build": "environment.build",
    "LaneLab": "environment.lanelab",
    "libraries": "environment.packages",
    "devices of the lanes": "environment.cpu:0",
    "GPUs that were visible": "environment.CUDA_VISIBLE_DEVICES",
    "threads of OpenMP": "environment.OMP_NUM_THREADS",
    "threads of MKL": "environment.MKL_NUM_THREADS",
    "override of TF32": "environment.NVIDIA_TF32_OVERRIDE",
    "TF32 or not": "variants[].precision",
    "measured": "variants[].origin",
    "time of each repeat": "variants[].repeats[].seconds",
    "time of each step": "variants[].repeats[].step_seconds",
    "loss of each step": "variants[].repeats[].losses",
    "warnings": "warnings",
}
# Those that each build of the command line runs with.
PACKAGES = ["CLI11", "glibc", "hwloc", "LibTorch", "nlohmann-json", "OpenMP", "simdjson", "SQLite", "zlib"]


def values_at(value, path):
    """All values that the path leads to; KeyError names a key that is not there."""
    for key in path.split("."):
        name = key.removesuffix("[]")
        value = [each[name] for each in value] if isinstance(value, list) else [value[name]]
        if key.endswith("[]"):
            value = [entry for entries in value for entry in entries]
    return value


class RunFacts(CliTest):
    def setUp(self):
        super().setUp()
        # Several lanes with a thread for each core and more: a run with a warning.
        lanes = [{"device": "cpu:0", "threads": 64}, {"device": "cpu:1"}]
        self.done("run", self.experiment(repeats=2, warmup=0, lanes=lanes), "--out", "out")
        self.record = json.loads((self.folder / "out" / "run.json").read_text(encoding="utf-8"))

    def test_each_fact_is_there_and_not_empty(self):
        for fact, path in FACTS.items():
            with self.subTest(fact=fact, path=path):
                values = values_at(self.record, path)
                self.assertTrue(values)
                for value in values:
                    self.assertNotIn(value, ("", None, [], {}))

    def test_packages_have_versions(self):
        packages = dict(entry.split(" ") for entry in self.record["environment"]["packages"].split(", "))
        for name in PACKAGES:
            self.assertRegex(packages.get(name, "missing"), r"^\d+(\.\d+)*", name)
        self.assertEqual(packages["LibTorch"].split("+")[0], self.record["environment"]["torch"].split("+")[0])

    def test_predictions_are_named_so(self):
        self.done("sweep", self.experiment(repeats=1, warmup=0), "--split-sizes", "2,4", "--out", "sweep")
        run = json.loads((self.folder / "sweep" / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(values_at(run, "predictions[].origin"), ["predicted"] * 2)
        self.assertTrue(run["environment"]["packages"])

    def test_a_variable_that_matters_is_recorded_if_it_is_set(self):
        self.assertNotIn("ATEN_CPU_CAPABILITY", self.record["environment"])
        with mock.patch.dict("os.environ", ATEN_CPU_CAPABILITY="default"):
            self.done("run", self.experiment(repeats=1, warmup=0), "--out", "slow")
        run = json.loads((self.folder / "slow" / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(run["environment"]["ATEN_CPU_CAPABILITY"], "default")
        self.assertTrue(re.search("DEFAULT|NO AVX", run["environment"]["cpu capability"]))


if __name__ == "__main__":
    unittest.main()
