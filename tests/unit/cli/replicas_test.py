# SPDX-License-Identifier: GPL-3.0-only
"""Replicas from outside: data-parallel, ddp, and runs of several processes on loopback, one of them killed."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from cli_world import CLI, EXPORTED, TIME_LIMIT_S, CliTest, call, experiment_of, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from free_port import free_port

EXPERIMENTS = ROOT / "resources" / "experiments"


class Processes:
    """Ranks on loopback, as a launcher without an agent starts them: rank 0 keeps the store. `more` are further arguments by rank."""

    def __init__(self, count, arguments, folder, more=None):
        port = str(free_port())
        self.ranks = []
        for rank in range(count):
            environment = {**os.environ, "WORLD_SIZE": str(count), "RANK": str(rank), "LOCAL_RANK": str(rank), "MASTER_ADDR": "127.0.0.1",
                           "MASTER_PORT": port, "LANELAB_PROFILES": str(folder / "profiles"), "LANELAB_DIST_TIMEOUT": "60"}
            self.ranks.append(subprocess.Popen([CLI, *map(str, arguments), *(more or {}).get(rank, [])], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE, text=True, env=environment))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.ranks:
            process.kill()
            process.wait(timeout=TIME_LIMIT_S)
            for pipe in (process.stdout, process.stderr):
                pipe.close()

    def outcome(self, rank):
        out, errors = self.ranks[rank].communicate(timeout=TIME_LIMIT_S)
        return self.ranks[rank].returncode, out, errors


def losses_of(folder):
    run = json.loads((folder / "run.json").read_text())
    assert run["status"] == "done", run["error"]
    return [[repeat["losses"] for repeat in variant["repeats"]] for variant in run["variants"]]


class Replicas(CliTest):
    def run_here(self, file, *more):
        out = self.folder / "here"
        done = call("run", file, "--out", out, *more, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out, done.stdout

    def run_there(self, count, file, *more):
        out = self.folder / "there"
        with Processes(count, ["run", file, "--out", out, *more], self.folder) as processes:
            for rank in range(count):
                code, printed, errors = processes.outcome(rank)
                self.assertEqual(code, 0, f"rank {rank}: {errors}")
                self.assertEqual(printed == "", rank > 0, "rank 0 alone prints the table")
        return out

    def expect_a_timeline_of_each_lane(self, folder, ranks):
        run = json.loads((folder / "run.json").read_text())
        variant, = run["variants"]
        self.assertEqual([clock["rank"] for clock in variant["rank_clocks"]], list(range(1, ranks)))
        for clock in variant["rank_clocks"]:
            self.assertEqual(clock["offset_ns"], 0, "one machine has one clock")
            self.assertGreater(clock["clock_residual_ns"], 0)
        told = call("gaps", folder, "--json", folder=self.folder)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertEqual(told.stderr, "")
        used = [lane for lane in variant["lanes"] if lane["busy_seconds"]]
        all_lanes = list(zip(json.loads(told.stdout)["lanes"], used, strict=True))
        lanes = [lane for lane, _ in all_lanes if lane["busy_us"] > 0]
        self.assertEqual(len(lanes), ranks, "each process has a lane that works")
        for lane, measured in all_lanes:
            self.assertEqual(lane["window_us"], lanes[0]["window_us"])
            self.assertAlmostEqual(lane["busy_us"] + sum(lane["causes"].values()), lane["window_us"], delta=0.001 * lane["window_us"])
            self.assertLess(lane["causes"].get("unresolved", 0), 0.03 * lane["window_us"], lane)
            self.assertAlmostEqual(measured["busy_seconds"], lane["busy_us"] * 1e-6, delta=1e-6)
        return lanes

    def write(self, name, changes):
        file = self.folder / name
        file.write_text(json.dumps(changes))
        return file

    def test_data_parallel_shares_out_the_tutorials_batches(self):
        out, printed = self.run_here(EXPERIMENTS / "data-parallel.json")
        run = json.loads((out / "run.json").read_text())
        single, parallel = run["variants"]
        self.assertEqual(parallel["replica_sizes"], [[15, 15], [15, 15], [15, 15], [5, 5]])
        self.assertEqual([lane["replica"] for lane in parallel["lanes"]], [0, 1])
        self.assertNotIn("replica_sizes", single)
        self.assertIn("DataParallel: the replicas got 15 and 15 samples in 3 steps; 5 and 5 samples in 1 step.", printed)
        for ours, alone in zip(parallel["repeats"][0]["losses"], single["repeats"][0]["losses"], strict=True):
            self.assertAlmostEqual(ours, alone, delta=1e-6)

    def test_ddp_is_the_same_on_lanes_and_in_processes(self):
        file = EXPERIMENTS / "ddp.json"
        there = self.run_there(2, file)
        self.assertEqual(losses_of(there), losses_of(self.run_here(file)[0]))
        lanes = self.expect_a_timeline_of_each_lane(there, 2)
        self.assertGreater(sum(lane["causes"].get("sync", 0) for lane in lanes), 0, "replicas wait for each other")

    def test_ddp_over_a_model_parallel_model_is_the_same_in_processes(self):
        file = EXPERIMENTS / "ddp-model-parallel.json"
        self.assertEqual(losses_of(self.run_there(2, file)), losses_of(self.run_here(file)[0]))

    def test_a_pipeline_over_four_processes_gives_the_losses_of_one(self):
        file = EXPERIMENTS / "pipeline-ranks.json"
        options = ["--save-weights", "--set", "repeats=1"]
        there = self.run_there(4, file, *options)
        here, _ = self.run_here(file, *options)
        self.assertEqual(losses_of(there), losses_of(here))
        self.assertEqual((there / "weights-pipeline.safetensors").read_bytes(), (here / "weights-pipeline.safetensors").read_bytes())
        lanes = self.expect_a_timeline_of_each_lane(there, 4)
        for lane in lanes:
            self.assertGreater(lane["causes"].get("transfer", 0), 0, lane["name"] + " waits for what crosses")

    def test_pipeline_times_data_parallel_runs(self):
        out, _ = self.run_here(EXPERIMENTS / "pipeline-ddp.json", "--set", "repeats=1", "--set", "data.shape=[3,32,32]")
        replicated = json.loads((out / "run.json").read_text())["variants"][1]
        self.assertEqual((replicated["stages"], replicated["replicas"], replicated["micro_batches"]), (2, 2, 4))
        self.assertEqual([lane["replica"] for lane in replicated["lanes"]], [0, 0, 1, 1])

    def test_ranks_with_different_experiments_are_refused_before_they_train(self):
        out = self.folder / "differ"
        differences = {"record is \"blocks\" on rank 0 and \"off\" on rank 1": ["--set", "record=off"],
                       "--save-weights is \"off\" on rank 0 and \"on\" on rank 1": ["--save-weights"]}
        for sentence, options in differences.items():
            with self.subTest(sentence), Processes(2, ["run", EXPERIMENTS / "ddp.json", "--out", out], self.folder, {1: options}) as processes:
                for rank in range(2):
                    code, _, errors = processes.outcome(rank)
                    self.assertEqual(code, 2, errors)
                    self.assertIn(sentence, errors)
                    self.assertIn("Start all ranks with the same file and options.", errors)
                self.assertFalse(out.exists(), "nothing was begun")

    def test_a_removed_run_folder_ends_all_ranks(self):
        out = self.folder / "removed"
        arguments = ["run", EXPERIMENTS / "ddp.json", "--out", out, "--set", "repeats=10000", "--set", "record=off"]
        with Processes(2, arguments, self.folder) as processes:
            wait_until((out / "run.json").exists, processes.ranks[0])
            out.rename(self.folder / "elsewhere")
            for rank in range(2):
                code, _, errors = processes.outcome(rank)
                self.assertEqual(code, 1, errors)
                self.assertIn("it was removed or moved", errors)

    def test_a_killed_rank_ends_the_others_and_is_named(self):
        out = self.folder / "killed"
        arguments = ["run", EXPERIMENTS / "ddp.json", "--out", out, "--set", "repeats=100000", "--set", "record=off"]
        with Processes(3, arguments, self.folder) as processes:
            deadline = time.monotonic() + TIME_LIMIT_S
            errors = processes.ranks[0].stderr
            while "Preparing" not in errors.readline():
                self.assertLess(time.monotonic(), deadline)
            processes.ranks[1].send_signal(signal.SIGKILL)
            for rank in (0, 2):
                code, _, said = processes.outcome(rank)
                self.assertEqual(code, 1, said)
                self.assertIn("rank 1", said)
        run = json.loads((out / "run.json").read_text())
        self.assertEqual(run["status"], "failed")
        self.assertIn("rank 1", run["error"])

    def test_a_checkpoint_of_rank_0_takes_all_ranks_to_the_same_bits(self):
        experiment = experiment_of(EXPERIMENTS / "ddp-checkpoint.json")
        narrow = {"model": {"file": str(EXPORTED / "resnet18.pt2")}, "data": {**experiment["data"], "shape": [3, 32, 32], "batch": 360, "epochs": 6}, "record": "off"}
        file = self.write("checkpoint.json", {**experiment, **narrow})
        whole = losses_of(self.run_there(2, file))
        out = self.folder / "resumed"
        with Processes(2, ["run", file, "--out", out], self.folder) as processes:
            wait_until((out / "checkpoint-ddp.safetensors").exists, processes.ranks[0])
            for process in processes.ranks:
                process.kill()
        with Processes(2, ["run", file, "--out", out, "--resume"], self.folder) as processes:
            for rank in range(2):
                code, _, errors = processes.outcome(rank)
                self.assertEqual(code, 0, errors)
        self.assertEqual(losses_of(out), whole)
        self.assertFalse((out / "checkpoint-ddp.safetensors").exists())

    def test_ranks_that_do_not_fit_are_refused(self):
        experiment = {"model": {"arch": "toy", "classes": 5}, "data": {"source": "random", "shape": [10], "batch": 8, "steps": 1},
                      "lanes": [{"device": "cpu:0"}, {"device": "cpu:1", "rank": 3}], "repeats": 1, "warmup": 0}
        pipeline = {"name": "Pipeline", "strategy": "pipeline", "split_size": 4, "cuts": ["net2"]}
        parallel = {"name": "DataParallel", "strategy": "data-parallel"}
        cases = [({**experiment, "variants": [pipeline]}, "There is no rank 3"),
                 ({**experiment, "lanes": [{"device": "cpu:0"}, {"device": "cpu:1", "rank": 1}], "variants": [parallel]}, "lives in one process")]
        for number, (refused, sentence) in enumerate(cases):
            with self.subTest(sentence), Processes(2, ["run", self.write(f"{number}.json", refused)], self.folder) as processes:
                for rank in range(2):
                    code, _, errors = processes.outcome(rank)
                    self.assertEqual(code, 2, errors)
                    self.assertIn(sentence, errors)


if __name__ == "__main__":
    unittest.main()
