#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Training modes against PyTorch: batch norm by micro-batch, deferred and synchronised; recomputed activations; bf16 with fp32 masters.

Usage: oracle_modes_test.py PATH_OF_LANELAB_CLI [unittest's options].
"""
import os
import sys
import unittest

import safetensors.torch
import torch

import oracle_test
from oracle_test import Training, network, relative, tame

STEPS = 3
PIPELINE = {"strategy": "pipeline", "schedule": "1f1b", "split_size": 3, "cuts": ["layer3.0"]}
SGD = {"optimizer": "sgd", "lr": 0.05, "loss": "mse", "seed": 1}


class WholeBatchStatistics:
    """The running statistics that a batch norm would have that saw each step's micro-batches as one batch, in double precision."""

    def __init__(self, model):
        self.norms = {name: module for name, module in model.named_modules() if isinstance(module, torch.nn.BatchNorm2d)}
        self.running = {name: (module.running_mean.double(), module.running_var.double()) for name, module in self.norms.items()}
        self.seen = {name: [] for name in self.norms}
        for name, module in self.norms.items():
            module.register_forward_pre_hook(lambda _, inputs, name=name: self.seen[name].append(inputs[0].detach().double()))

    def step(self):
        for name, parts in self.seen.items():
            values = torch.cat(parts).transpose(0, 1).flatten(1)
            mean, var = self.running[name]
            self.running[name] = 0.9 * mean + 0.1 * values.mean(1), 0.9 * var + 0.1 * values.var(1, unbiased=True)
            parts.clear()


class Modes(Training):
    def start(self, arch):
        model = tame(network(arch, 1))
        safetensors.torch.save_file(model.state_dict(), self.folder / "start.safetensors")
        return model

    def ours(self, arch, **modes):
        return self.train_ours(arch, STEPS, SGD, {**PIPELINE, **modes}, self.folder / "start.safetensors")

    def theirs(self, model, split_size, each_step=lambda: None):
        """train_theirs, with a look at the model after each step."""
        optimizer = torch.optim.SGD(model.parameters(), lr=SGD["lr"])
        update = optimizer.step

        def step():
            update()
            each_step()

        optimizer.step = step
        return self.train_theirs(model, STEPS, "mse", optimizer, split_size)

    def assert_weights(self, ours, model, limit=1e-4, but=()):
        for name, tensor in model.state_dict().items():
            if not name.endswith(tuple(but)):
                self.assertLessEqual(relative(ours[name], tensor), limit, name)

    def test_deferred_statistics_are_those_of_the_whole_batch(self):
        model = self.start("resnet18")
        whole = WholeBatchStatistics(model)
        their_losses = self.theirs(model, 3, whole.step)
        our_losses, ours = self.ours("resnet18", batch_norm="deferred")
        self.assert_close(our_losses, their_losses, 1e-5)
        self.assert_weights(ours, model, but=("running_mean", "running_var", "num_batches_tracked"))
        for name, (mean, var) in whole.running.items():
            self.assertLessEqual(relative(ours[name + ".running_mean"].double(), mean), 1e-5, name)
            self.assertLessEqual(relative(ours[name + ".running_var"].double(), var), 1e-5, name)
            self.assertEqual(ours[name + ".num_batches_tracked"].item(), STEPS)
            self.assertGreater(relative(ours[name + ".running_var"], whole.norms[name].running_var), 1e-4, "PyTorch's moved with each micro-batch")

    def test_synchronised_stages_train_as_pytorch_does_on_the_whole_batch(self):
        for arch in ["resnet18", "resnet50"]:
            with self.subTest(arch=arch):
                model = self.start(arch)
                their_losses = self.theirs(model, self.BATCH)
                our_losses, ours = self.ours(arch, batch_norm="synchronised")
                self.assert_close(our_losses, their_losses, 1e-5)
                self.assert_weights(ours, model)

    def test_recomputed_activations_move_nothing_twice(self):
        model = self.start("resnet18")
        their_losses = self.theirs(model, 3)
        for recompute in ([0, 1], "activations"):
            with self.subTest(recompute=recompute):
                our_losses, ours = self.ours("resnet18", recompute=recompute)
                self.assert_close(our_losses, their_losses, 1e-5)
                self.assert_weights(ours, model)

    def test_bf16_with_masters(self):
        model = self.start("resnet18")
        masters = []
        for module in model.modules():
            if isinstance(module, (torch.nn.Conv2d, torch.nn.Linear)):
                for parameter in module.parameters():
                    masters.append((parameter, parameter.detach().clone().requires_grad_()))
                module.to(torch.bfloat16)
        rounded = {id(parameter) for parameter, _ in masters}
        optimizer = torch.optim.SGD([master for _, master in masters] + [p for p in model.parameters() if id(p) not in rounded], lr=SGD["lr"])
        inputs, targets = self.data(STEPS)
        losses = []
        model.to(memory_format=torch.channels_last).train()
        for batch, classes in zip(inputs, targets):
            optimizer.zero_grad()
            total = 0.0
            for part, wanted in zip(batch.split(3), classes.split(3)):
                output = model(part.to(torch.bfloat16, memory_format=torch.channels_last)).float()
                loss = torch.nn.functional.mse_loss(output, torch.nn.functional.one_hot(wanted, 1000).float()) * (len(part) / self.BATCH)
                loss.backward()
                total += loss.item()
                for parameter, master in masters:
                    master.grad = parameter.grad.float() if master.grad is None else master.grad + parameter.grad
                    parameter.grad = None
            optimizer.step()
            with torch.no_grad():
                for parameter, master in masters:
                    parameter.copy_(master)
            losses.append(total)
        our_losses, ours = self.ours("resnet18", precision="bf16")
        self.assert_close(our_losses, losses, 1e-3)
        names = {id(parameter): name for name, parameter in model.named_parameters()}
        for parameter, master in masters:
            self.assertEqual(ours[names[id(parameter)]].dtype, torch.float32)
            self.assertLessEqual(relative(ours[names[id(parameter)]], master.detach()), 2e-3, names[id(parameter)])


# The tests of Training run by themselves.
for inherited in [name for name in dir(Training) if name.startswith("test_")]:
    setattr(Modes, inherited, None)

if __name__ == "__main__":
    oracle_test.CLI = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
