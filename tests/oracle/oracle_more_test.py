#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""More of the reference: every form of a state dict that torch.save writes, the toy, and the optimizers over many steps.

Usage: oracle_more_test.py PATH_OF_LANELAB_CLI [unittest's options].
"""
import os
import subprocess
import sys
import unittest

import safetensors.torch
import torch

import oracle_test
from oracle_test import OracleTest, cli, network, relative


class Toy(torch.nn.Module):
    """The toy of PyTorch's model-parallel tutorial."""

    def __init__(self):
        super().__init__()
        self.net1 = torch.nn.Linear(10, 10)
        self.relu = torch.nn.ReLU()
        self.net2 = torch.nn.Linear(10, 5)

    def forward(self, x):
        return self.net2(self.relu(self.net1(x)))


def refuse(*arguments):
    """What lanelab-cli says of bad input, after exit code 2."""
    result = subprocess.run([oracle_test.CLI, *map(str, arguments)], capture_output=True, text=True, timeout=oracle_test.TIME_LIMIT_S)
    if result.returncode != 2:
        raise AssertionError(f"lanelab-cli {' '.join(map(str, arguments))} exits {result.returncode} instead of 2\n{result.stderr}")
    return result.stderr


class Files(OracleTest):
    def setUp(self):
        super().setUp()
        self.model = network("resnet18", 5)
        torch.manual_seed(6)
        safetensors.torch.save_file({"inputs": torch.randn(20, 3, 64, 64)}, self.folder / "in.safetensors")
        safetensors.torch.save_file(self.model.state_dict(), self.folder / "w.safetensors")

    def infer(self, weights, command=cli):
        return command("infer", "resnet18", "--weights", weights, "--input", self.folder / "in.safetensors", "--out", self.folder / "out.safetensors")

    def logits(self, weights):
        self.infer(weights)
        return safetensors.torch.load_file(self.folder / "out.safetensors")["logits"]

    def test_every_form_of_a_state_dict(self):
        wanted = self.logits(self.folder / "w.safetensors")
        with torch.no_grad():
            self.assertLessEqual(relative(wanted, self.model.eval()(safetensors.torch.load_file(self.folder / "in.safetensors")["inputs"])), 1e-5)
        state = self.model.state_dict()
        forms = {
            "ordered": state,
            "dict": dict(state),
            "parameters": dict(self.model.named_parameters()) | dict(self.model.named_buffers()),
            "checkpoint": {"epoch": 3, "lr": 0.1, "state_dict": state, "optimizer": {"state": {}, "param_groups": [{"params": [0, 1]}]}},
            "parallel": {"module." + name: tensor for name, tensor in state.items()},
            "channels_last": self.model.to(memory_format=torch.channels_last).state_dict(),
        }
        for name, value in forms.items():
            with self.subTest(form=name):
                torch.save(value, self.folder / "w.pth")
                self.assertTrue(torch.equal(self.logits(self.folder / "w.pth"), wanted))

    def test_what_is_no_state_dict_of_the_model_is_refused(self):
        torch.save(self.model.state_dict(), self.folder / "old.pth", _use_new_zipfile_serialization=False)
        torch.save([1, 2, 3], self.folder / "list.pth")
        whole = (self.folder / "w.safetensors").read_bytes()
        (self.folder / "half.safetensors").write_bytes(whole[: len(whole) // 2])
        safetensors.torch.save_file(network("resnet34").state_dict(), self.folder / "other.safetensors")
        for name, says in {"old.pth": "old.pth", "list.pth": "state dict", "half.safetensors": "cut off", "other.safetensors": "unexpected: layer1.2",
                           "none.safetensors": "cannot be read"}.items():
            with self.subTest(file=name):
                self.assertIn(says, self.infer(self.folder / name, refuse))
                self.assertFalse((self.folder / "out.safetensors").exists())


class Optimizers(OracleTest):
    STEPS, BATCH, SPLIT = 20, 12, 4
    PIPELINE = {"strategy": "pipeline", "schedule": "1f1b", "split_size": SPLIT, "cuts": ["net2"]}

    def check(self, make, schedule=None, variants=(PIPELINE,), before_update=None, **training):
        """The toy, by default in two stages, against plain PyTorch, micro-batch by micro-batch."""
        torch.manual_seed(3)
        model = Toy()
        inputs, targets = torch.randn(self.STEPS * self.BATCH, 10), torch.randn(self.STEPS * self.BATCH, 5)
        safetensors.torch.save_file({"inputs": inputs, "targets": targets}, self.folder / "data.safetensors")
        file = self.folder / "experiment.json"
        file.write_text(oracle_test.json.dumps({
            "name": "oracle", "model": {"arch": "toy", "classes": 5},
            "data": {"source": "file", "path": "data.safetensors", "shape": [10], "batch": self.BATCH, "steps": self.STEPS},
            "training": {"loss": "mse", "seed": 3, **training}, "lanes": [{"device": f"cpu:{lane % 2}"} for lane in range(4)],
            "variants": [{"name": f"v{i}", **variant} for i, variant in enumerate(variants)],
            "repeats": 1, "warmup": 0}))
        cli("run", file, "--out", self.folder / "run", "--save-weights")
        optimizer = make(model.parameters())
        rates = schedule(optimizer) if schedule else None
        for x, y in zip(inputs.view(self.STEPS, -1, self.SPLIT, 10), targets.view(self.STEPS, -1, self.SPLIT, 5)):
            optimizer.zero_grad()
            for part, wanted in zip(x, y):
                (torch.nn.functional.mse_loss(model(part), wanted) * (self.SPLIT / self.BATCH)).backward()
            if before_update:
                before_update(model)
            optimizer.step()
            if rates:
                rates.step()
        for i, variant in enumerate(variants):
            ours = safetensors.torch.load_file(self.folder / "run" / f"weights-v{i}.safetensors")
            for name, tensor in model.state_dict().items():
                self.assertLessEqual(relative(ours[name], tensor), 1e-6, f"{name} of {variant}")

    def test_plain(self):
        self.check(lambda p: torch.optim.SGD(p, lr=0.1), lr=0.1)

    def test_momentum_and_weight_decay(self):
        self.check(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01), lr=0.1, momentum=0.9, weight_decay=0.01)

    def test_nesterov(self):
        self.check(lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True), lr=0.05, momentum=0.9, nesterov=True)

    def test_adam(self):
        self.check(lambda p: torch.optim.Adam(p, lr=0.01, weight_decay=0.1), optimizer="adam", lr=0.01, weight_decay=0.1)

    def test_clipped_gradients_in_every_strategy(self):
        stages = {"split_size": 2, "cuts": ["net2"]}
        variants = [{"strategy": "single", "lanes": [0]}, {"strategy": "model-parallel", "cuts": ["net2"]}, {"strategy": "data-parallel", "lanes": [0, 1, 2]},
                    {"strategy": "ddp", "lanes": [0, 1]}, {"strategy": "ddp", "schedule": "1f1b", **stages},
                    *({"strategy": "pipeline", "schedule": schedule, **stages} for schedule in ("gpipe", "1f1b", "zb-h1")),
                    {"strategy": "pipeline", "schedule": "1f1b", "split_size": 5, "placement": {"net1": 0, "relu": 1, "net2": 0}}]
        norms = []

        def clip(model):
            norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5).item())

        self.check(lambda p: torch.optim.SGD(p, lr=0.3, momentum=0.5), variants=variants, before_update=clip, lr=0.3, momentum=0.5, clip_grad_norm=0.5)
        self.assertGreater(max(norms), 0.5, "some steps are clipped")
        self.assertLess(min(norms), 0.5, "and some are not")

    def check_rates(self, after, warmup=0, **training):
        def schedule(optimizer):
            warm = [torch.optim.lr_scheduler.LinearLR(optimizer, 1 / (warmup + 1), total_iters=warmup)] if warmup else []
            then = after(optimizer)
            return torch.optim.lr_scheduler.SequentialLR(optimizer, warm + [then], [warmup]) if warm else then

        self.check(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), schedule, lr=0.1, momentum=0.9, lr_warmup=warmup, **training)

    def test_rates_in_steps(self):
        self.check_rates(lambda o: torch.optim.lr_scheduler.StepLR(o, 6, 0.3), lr_schedule="step", lr_step_size=6, lr_gamma=0.3)

    def test_rates_in_steps_after_a_warm_up(self):
        self.check_rates(lambda o: torch.optim.lr_scheduler.StepLR(o, 5, 0.5), warmup=4, lr_schedule="step", lr_step_size=5, lr_gamma=0.5)

    def test_rates_along_a_cosine(self):
        self.check_rates(lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, self.STEPS, 0.001), lr_schedule="cosine", lr_min=0.001)

    def test_rates_along_a_cosine_after_a_warm_up(self):
        self.check_rates(lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, self.STEPS - 7), warmup=7, lr_schedule="cosine")

    def test_a_warm_up_alone(self):
        self.check_rates(lambda o: torch.optim.lr_scheduler.ConstantLR(o, 1), warmup=6)

    def test_the_toys_initial_weights(self):
        cli("weights", "toy", "--seed", 9, "--out", self.folder / "toy.safetensors")
        torch.manual_seed(9)
        ours = safetensors.torch.load_file(self.folder / "toy.safetensors")
        for name, tensor in Toy().state_dict().items():
            self.assertTrue(torch.equal(ours[name], tensor), name)


if __name__ == "__main__":
    oracle_test.CLI = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
