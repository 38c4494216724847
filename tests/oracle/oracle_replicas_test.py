#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""DistributedDataParallel as the reference: losses and weights of ddp on lanes of one process, in several processes, and with a pipeline in each replica.

Usage: oracle_replicas_test.py PATH_OF_LANELAB_CLI [unittest's options].
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import safetensors.torch
import torch
import torch.distributed
import torch.multiprocessing
import torchvision

import oracle_test
from oracle_test import OracleTest, network, relative, tame

STEPS, BATCH, SIZE = 5, 8, 40
TRAINING = {"optimizer": "sgd", "lr": 0.02, "momentum": 0.9, "loss": "mse"}
LIMIT = 1e-6


def reference_rank(rank, ranks, folder, split_size):
    """One process of DistributedDataParallel over gloo; rank r has rows r, r + ranks, ... of each batch. Earlier micro-batches are accumulated without reduction."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store{split_size}", rank=rank, world_size=ranks)
    model = torchvision.models.resnet18()
    model.load_state_dict(safetensors.torch.load_file(f"{folder}/start.safetensors"))
    replica = torch.nn.parallel.DistributedDataParallel(model.train())
    optimizer = torch.optim.SGD(model.parameters(), lr=TRAINING["lr"], momentum=TRAINING["momentum"])
    data = safetensors.torch.load_file(f"{folder}/data.safetensors")
    losses = []
    for inputs, classes in zip(data["inputs"].split(BATCH), data["targets"].split(BATCH)):
        inputs, classes = inputs[rank::ranks], classes[rank::ranks]
        optimizer.zero_grad()
        parts = list(zip(inputs.split(split_size), classes.split(split_size)))
        loss = 0.0
        for k, (part, wanted) in enumerate(parts):
            with contextlib.nullcontext() if k + 1 == len(parts) else replica.no_sync():
                target = torch.nn.functional.one_hot(wanted, 1000).float()
                value = torch.nn.functional.mse_loss(replica(part), target) * (len(part) / len(inputs))
                value.backward()
            loss += value.item()
        optimizer.step()
        mean = torch.tensor(loss, dtype=torch.float64)
        torch.distributed.all_reduce(mean)
        losses.append(mean.item() / ranks)
    if rank == 0:
        pathlib.Path(f"{folder}/losses{split_size}.json").write_text(json.dumps(losses))
        safetensors.torch.save_file(model.state_dict(), f"{folder}/trained{split_size}.safetensors")
    torch.distributed.barrier()
    os._exit(0)  # gloo's threads may hang at a normal exit


class Replicas(OracleTest):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)  # before anything is computed: the processes of the reference are forked
        cls.shared = tempfile.TemporaryDirectory()
        folder = cls.shared.name
        safetensors.torch.save_file(tame(network("resnet18", 1)).state_dict(), f"{folder}/start.safetensors")
        generator = torch.Generator().manual_seed(5)
        safetensors.torch.save_file({"inputs": torch.randn(BATCH * STEPS, 3, SIZE, SIZE, generator=generator),
                                     "targets": torch.randint(0, 1000, (BATCH * STEPS,), generator=generator)}, f"{folder}/data.safetensors")
        for split_size in (4, 2):
            torch.multiprocessing.start_processes(reference_rank, (2, folder, split_size), nprocs=2, start_method="fork")

    @classmethod
    def tearDownClass(cls):
        cls.shared.cleanup()

    def experiment(self, lanes, variant):
        shared = pathlib.Path(self.shared.name)
        file = self.folder / "ddp.json"
        file.write_text(json.dumps({
            "name": "ddp", "model": {"arch": "resnet18", "weights": str(shared / "start.safetensors")},
            "data": {"source": "file", "path": str(shared / "data.safetensors"), "shape": [3, SIZE, SIZE], "batch": BATCH, "steps": STEPS},
            "training": TRAINING, "lanes": [{"device": f"cpu:{i}"} for i in range(lanes)],
            "variants": [{"name": "ours", "strategy": "ddp", **variant}], "repeats": 1, "warmup": 0}))
        return file

    def assert_is_the_reference(self, out, split_size):
        run = json.loads((out / "run.json").read_text())
        self.assertEqual(run["status"], "done")
        theirs = json.loads(pathlib.Path(self.shared.name, f"losses{split_size}.json").read_text())
        ours = run["variants"][0]["repeats"][0]["losses"]
        for step, (our, their) in enumerate(zip(ours, theirs, strict=True)):
            self.within("losses of 5 steps against DistributedDataParallel", abs(our - their), LIMIT, f"step {step}: {our} against {their}")
        weights = safetensors.torch.load_file(out / "weights-ours.safetensors")
        for name, tensor in safetensors.torch.load_file(f"{self.shared.name}/trained{split_size}.safetensors").items():
            self.within("weights after 5 steps against DistributedDataParallel", relative(weights[name].double(), tensor.double()), 1e-4, name)

    def run_processes(self, count, file):
        """As torchrun does it: its agent, here this test, keeps the store."""
        store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
        variables = {**os.environ, "WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(store.port), "TORCHELASTIC_USE_AGENT_STORE": "True",
                     "OMP_NUM_THREADS": "1"}
        ranks = [subprocess.Popen([oracle_test.CLI, "run", file, "--out", self.folder / "processes", "--save-weights"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**variables, "RANK": str(rank), "LOCAL_RANK": str(rank)})
                 for rank in range(count)]
        try:
            for rank, process in enumerate(ranks):
                _, errors = process.communicate(timeout=oracle_test.TIME_LIMIT_S)
                self.assertEqual(process.returncode, 0, f"rank {rank}: {errors}")
        finally:
            for process in ranks:
                process.kill()
        return self.folder / "processes"

    def test_two_lanes_of_one_process(self):
        oracle_test.cli("run", self.experiment(2, {}), "--out", self.folder / "run", "--save-weights")
        self.assert_is_the_reference(self.folder / "run", 4)

    def test_two_processes(self):
        self.assert_is_the_reference(self.run_processes(2, self.experiment(1, {})), 4)

    def test_a_pipeline_in_each_replica(self):
        variant = {"cuts": ["layer3.0"], "schedule": "1f1b", "split_size": 2}
        oracle_test.cli("run", self.experiment(4, variant), "--out", self.folder / "run", "--save-weights")
        self.assert_is_the_reference(self.folder / "run", 2)

    def test_a_pipeline_with_split_backward_in_each_replica(self):
        variant = {"cuts": ["layer3.0"], "schedule": "zb-h1", "split_size": 2}
        oracle_test.cli("run", self.experiment(4, variant), "--out", self.folder / "run", "--save-weights")
        self.assert_is_the_reference(self.folder / "run", 2)

    def test_a_pipeline_in_each_of_two_processes(self):
        variant = {"cuts": ["layer3.0"], "schedule": "1f1b", "split_size": 2}
        self.assert_is_the_reference(self.run_processes(2, self.experiment(2, variant)), 2)


if __name__ == "__main__":
    oracle_test.CLI = os.path.abspath(sys.argv.pop(1))
    outcome = unittest.main(verbosity=2, exit=False)
    for what, (difference, limit) in OracleTest.largest.items():
        print(f"{what}: largest difference {difference:.1e} (limit {limit:g})")
    sys.exit(0 if outcome.result.wasSuccessful() else 1)
