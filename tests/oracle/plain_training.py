# SPDX-License-Identifier: GPL-3.0-only
"""What a variant has to train, as a plain loop of eager PyTorch on one thread: the same micro-batches in order, replicas one after the other."""
import copy
import dataclasses
import operator

import torch
from torch.nn import functional

from random_networks import Drop

WORD = 2**64 - 1


def mixed_seed(seed, number):
    """SplitMix64 of two numbers, from which LaneLab seeds the generator of a random call."""
    z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


@dataclasses.dataclass
class Task:
    """How to go through a batch; `dropouts` are the numbers of the dropout calls among those of the graph."""
    training: dict
    steps: int
    split: int
    replicas: int = 1
    gathered: bool = False
    dropouts: tuple = ()


def micro_batch_sizes(rows, most, split):
    """Samples of each micro-batch: by the split size, the last one smaller. A replica with fewer rows than `most` has as many, as even as can be."""
    if rows == most:
        return [min(split, rows - begin) for begin in range(0, rows, split)]
    count = -(-most // split)
    return [rows * (k + 1) // count - rows * k // count for k in range(count)]


def dropout_calls(program):
    """Their numbers in the file, which stores the results of a call with several as one node."""
    calls = [node for node in program.graph.nodes if node.op == "call_function" and node.target is not operator.getitem]
    return tuple(number for number, node in enumerate(calls) if "dropout" in str(node.target))


def layout_of(training):
    return torch.channels_last if training["layout"] == "channels_last" else torch.contiguous_format


def laid_out(value, training):
    return value.to(memory_format=layout_of(training)) if value.dim() == 4 else value


PADDING = -100


def loss_of(output, targets, share, valid):
    """The mean over a micro-batch, which is that share of its rows; with padding in the batch, the sum over targets of which the replica has `valid`."""
    logits = output.transpose(1, 2) if output.dim() == 3 else output
    if valid is None:
        return functional.cross_entropy(logits, targets) * share
    return functional.cross_entropy(logits, targets, reduction="sum") / valid


def optimizer_of(network, training):
    kind = torch.optim.Adam if training["optimizer"] == "adam" else torch.optim.SGD
    settings = {key: training[key] for key in ("lr", "momentum", "nesterov", "weight_decay") if key in training}
    return kind([each for each in network.parameters() if each.requires_grad], **settings)


class PlainTraining:
    def __init__(self, network, task):
        self.task = task
        self.copies = [copy.deepcopy(network).to(memory_format=layout_of(task.training)) for _ in range(task.replicas)]
        self.optimizer = optimizer_of(self.copies[0], task.training)

    def output(self, replica, inputs, step, micro_batch):
        seed = mixed_seed(mixed_seed(mixed_seed(self.task.training["seed"], step), replica), micro_batch)
        generators = (torch.Generator().manual_seed(mixed_seed(seed, mixed_seed(0, number))) for number in self.task.dropouts)
        Drop.draw = lambda: next(generators)
        return self.copies[replica](laid_out(inputs, self.task.training))

    def accumulated(self, replica, inputs, targets, step):
        total = 0.0
        sizes = micro_batch_sizes(len(inputs), self.most, self.task.split)
        for k, (x, y) in enumerate(zip(inputs.split(sizes), targets.split(sizes))):
            loss = loss_of(self.output(replica, x, step, k), y, len(x) / len(inputs), self.valid)
            loss.backward()
            total += loss.item()
        return total

    def gathered(self, inputs, targets, step):
        """One loss of all replicas' outputs."""
        parts = inputs.chunk(self.task.replicas)
        loss = loss_of(torch.cat([self.output(replica, x, step, 0) for replica, x in enumerate(parts)]), targets, 1, None)
        loss.backward()
        return loss.item()

    def share(self, scale):
        """The gradients of all copies, in the first one."""
        for each in zip(*(network.parameters() for network in self.copies)):
            given = [parameter.grad * scale for parameter in each if parameter.grad is not None]
            each[0].grad = sum(given[1:], given[0]) if given else None

    def step(self, inputs, targets, step):
        count = self.task.replicas
        self.most = -(-len(inputs) // count)
        valid = (targets != PADDING).sum().item()
        self.valid = valid / count if valid < targets.numel() else None
        for network in self.copies:
            network.zero_grad()
            if network is not self.copies[0]:
                network.load_state_dict(self.copies[0].state_dict())
        if self.task.gathered:
            loss = self.gathered(inputs, targets, step)
            self.share(1)
        else:
            loss = sum(self.accumulated(r, inputs[r::count], targets[r::count], step) for r in range(count)) / count
            if count > 1:
                self.share(1 / count)
        self.optimizer.step()
        return loss


def trained(network, inputs, targets, task):
    """The weights after the task's steps, each on all rows; `network` stays as it is."""
    training = PlainTraining(network, task)
    try:
        for step in range(task.steps):
            training.step(inputs, targets, step)
    finally:
        Drop.draw = None
    return {name: value.detach().contiguous() for name, value in training.copies[0].state_dict().items()}


def nudged(network, seed):
    """A copy whose parameters differ in their last bit."""
    moved, generator = copy.deepcopy(network), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in moved.parameters():
            parameter.mul_(1 + 2.0**-23 * (2 * torch.empty_like(parameter).bernoulli_(0.5, generator=generator) - 1))
    return moved


def differing(found, network, inputs, targets, task, tolerance=1e-4, margin=16):
    """Names of tensors that are farther from the plain loop's than rounding takes them, with their relative difference."""
    wanted = trained(network, inputs, targets, task)
    again = [trained(nudged(network, seed), inputs, targets, task) for seed in (1, 2, 3)]
    names = {}
    for name, value in wanted.items():
        off = (found[name].double() - value.double()).norm().item()
        moved = max((each[name].double() - value.double()).norm().item() for each in again)
        size = value.double().norm().item()
        if not off <= max(tolerance * size, margin * moved):
            names[name] = off / size if size else off
    return names
