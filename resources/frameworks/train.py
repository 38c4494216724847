#!/usr/bin/env python3
"""Trains the network of network.py as plan.py says, with torch.distributed.pipelining. It needs PyTorch 2.11 or later, and nothing else.

    torchrun --nproc-per-node {ranks} train.py              train
    torchrun --nproc-per-node {ranks} train.py --check      compare losses and gradients of a step with a single device
    torchrun --nproc-per-node {ranks} train.py --profile DIR    record all ranks with torch.profiler, a file per rank
"""
import argparse
import contextlib
import math
import os
import pathlib
import sys
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed import pipelining
from torch.distributed.pipelining import PipelineStage
from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime
from torch.profiler import ProfilerActivity, profile, record_function

import check
import network
import plan
import weights

HERE = pathlib.Path(__file__).resolve().parent


def load_batch(step):
    """Inputs and targets of one step, for all replicas: random here. Put your own data in its place."""
    draw = torch.Generator().manual_seed(plan.SEED + step)
    shape = (plan.BATCH, *plan.SAMPLE)
    inputs = torch.randint(plan.VOCABULARY, shape, generator=draw) if plan.VOCABULARY else torch.randn(shape, generator=draw)
    output, _, _ = network.CUTS[-1](plan.BATCH)[0]
    if plan.TARGETS == "class":
        targets = torch.randint(output[1], (plan.BATCH,), generator=draw)
    elif plan.TARGETS == "tokens":
        targets = torch.randint(output[-1], (plan.BATCH, output[1]), generator=draw)
    elif plan.TARGETS == "values":
        targets = torch.randn(output, generator=draw)
    else:
        targets = torch.zeros(plan.BATCH, 0)  # the network gives its loss
    return inputs, targets


def loss_of(output, target):
    """Mean over the samples of a micro-batch."""
    if plan.LOSS == "output":
        return output
    output = output.float()
    if plan.LOSS == "mse":
        one_hot = target.dim() == 1 and not target.is_floating_point()
        return F.mse_loss(output, F.one_hot(target, output.size(1)).float() if one_hot else target)
    if plan.TARGETS == "tokens":
        if plan.LOSS_SHIFT:
            output, target = output[:, :-1], target[:, 1:]
        output = output.transpose(1, 2)
    return F.cross_entropy(output, target, label_smoothing=plan.LABEL_SMOOTHING)


def learning_rate(step, steps):
    after = step - plan.LR_WARMUP
    if after < 0:
        return plan.LR * (step + 1) / (plan.LR_WARMUP + 1)
    if plan.LR_SCHEDULE == "step":
        return plan.LR * plan.LR_GAMMA ** (after // plan.LR_STEP_SIZE)
    if plan.LR_SCHEDULE == "cosine":
        return plan.LR_MIN + (plan.LR - plan.LR_MIN) * (1 + math.cos(math.pi * after / max(1, steps - plan.LR_WARMUP))) / 2
    return plan.LR


def make_optimizer(parameters):
    if plan.OPTIMIZER == "adam":
        return torch.optim.Adam(parameters, lr=plan.LR, weight_decay=plan.WEIGHT_DECAY)
    return torch.optim.SGD(parameters, lr=plan.LR, momentum=plan.MOMENTUM, weight_decay=plan.WEIGHT_DECAY, nesterov=plan.NESTEROV)


class NoGradient(torch.autograd.Function):
    """The first value as it is; the others get gradients of zeros, since pipelines send one back for each value that they received."""

    @staticmethod
    def forward(ctx, value, *others):
        ctx.save_for_backward(*others)
        return value.view_as(value)

    @staticmethod
    def backward(ctx, gradient):
        return gradient, *(torch.zeros_like(other) for other in ctx.saved_tensors)


def carried(dtype):
    """The type in which a value crosses a cut: pipelines ask for gradients of all, which integers do not have."""
    return dtype if dtype.is_floating_point else torch.float64


class Stage(PipelineStage):
    """A stage of the plan. Pipelines take micro-batches of one size, and the last of a plan may be smaller: what crosses a cut is filled up with zeros."""

    def __init__(self, index, sizes, device, group, data_group, ranges):
        self.sizes, self.now, self.ranges, self.index = sizes, 0, ranges, index
        self.on_forward, self.on_backward = None, None  # for check.py
        module = network.STAGES[index]().to(device)
        weights.load_into(module, plan.SEED)
        self.module = module
        if plan.DDP:
            module = torch.nn.parallel.DistributedDataParallel(module, process_group=data_group)
        full = [[torch.empty(shape, dtype=carried(dtype), device="meta", requires_grad=index + i > 0) for shape, dtype, _ in network.CUTS[index + i](max(sizes))] for i in (0, 1)]
        if index == 0:  # the first stage takes the batch as it is
            full[0] = [torch.empty(shape, dtype=dtype, device="meta") for shape, dtype, _ in network.CUTS[0](max(sizes))]
        super().__init__(module, index, len(plan.STAGE_RANKS), device, input_args=tuple(full[0]), output_args=tuple(full[1]), group=group)
        module.register_forward_pre_hook(self.take)
        module.register_forward_hook(self.give)

    def take(self, _, received):
        """The rows of this micro-batch, in the types of the network."""
        self.without_gradient = []
        taken = []
        for value, (shape, dtype, gradient) in zip(received, network.CUTS[self.index](self.sizes[self.now])):
            if self.index > 0 and not gradient:
                self.without_gradient.append(value)
            taken.append(value[tuple(slice(0, size) for size in shape)].to(dtype))
        return tuple(taken)

    def give(self, _, received, made):
        if self.on_forward:
            self.on_forward(self.index, self.now, made)
        values = list(made) if isinstance(made, (tuple, list)) else [made]
        for i, (shape, dtype, _) in enumerate(network.CUTS[self.index + 1](max(self.sizes))):
            missing = [size for have, want in zip(reversed(values[i].shape), reversed(shape)) for size in (0, want - have)]
            values[i] = F.pad(values[i].to(carried(dtype)), missing) if any(missing) else values[i].to(carried(dtype)).contiguous()
        if self.without_gradient:
            values[0] = NoGradient.apply(values[0], *self.without_gradient)
        return tuple(values) if len(values) > 1 else values[0]

    def _get_init_p2p_neighbors_ops(self):
        """Up to PyTorch 2.11 a first message goes to the ranks of both neighbours, also to this one, which Gloo refuses."""
        return [op for op in super()._get_init_p2p_neighbors_ops() if op.peer != dist.get_rank()]

    def range(self, letter, k):
        """Named as PyTorch's runtime names its actions; its schedules of one stage per rank have other names."""
        return record_function(f"PP:{self.index}{letter}{k}") if self.ranges else contextlib.nullcontext()

    def forward_one_chunk(self, fwd_chunk_id, *args, **kwargs):
        self.now = fwd_chunk_id
        with self.range("F", fwd_chunk_id):
            return super().forward_one_chunk(fwd_chunk_id, *args, **kwargs)

    def backward_one_chunk(self, bwd_chunk_id, *args, **kwargs):
        with self.range("B", bwd_chunk_id):
            result = super().backward_one_chunk(bwd_chunk_id, *args, **kwargs)
        if self.on_backward and kwargs.get("full_backward", True):
            self.on_backward(self, bwd_chunk_id)
        return result

    def backward_weight_one_chunk(self, bwd_chunk_id, *args, **kwargs):
        result = super().backward_weight_one_chunk(bwd_chunk_id, *args, **kwargs)
        if self.on_backward:
            self.on_backward(self, bwd_chunk_id)
        return result


class Order(_PipelineScheduleRuntime):
    """Any order of actions. PyTorch finds the loss of a micro-batch at its number in the order of the forwards, which may be another one here."""

    def __init__(self, stages, **options):
        super().__init__(stages, **options)
        self.loss_of_micro_batch = {}

    def _maybe_get_loss(self, stage, mb_index):
        return self.loss_of_micro_batch.pop(mb_index) if stage.is_last else None


class Training:
    """What one rank does: its stages, their schedule and optimizer."""

    def __init__(self, device):
        ranks = max(plan.STAGE_RANKS) + 1
        self.replica, self.rank = divmod(dist.get_rank(), ranks)
        groups = [dist.new_group([replica * ranks + rank for rank in range(ranks)]) for replica in range(plan.REPLICAS)]
        across = [dist.new_group([replica * ranks + rank for replica in range(plan.REPLICAS)]) for rank in range(ranks)]
        self.pipeline, self.data = groups[self.replica], across[self.rank]
        self.device, self.sizes = device, plan.MICRO_BATCHES[self.replica]
        self.by_name = plan.SCHEDULE != "schedule.csv"
        single = plan.SCHEDULE in ("GPipe", "1F1B")
        mine = [index for index, rank in enumerate(plan.STAGE_RANKS) if rank == self.rank]
        self.stages = [Stage(index, self.sizes, device, self.pipeline, self.data, ranges=single) for index in mine]
        self.last = next((stage for stage in self.stages if stage.is_last), None)
        self.on_loss = None  # for check.py
        options = dict(n_microbatches=len(self.sizes), loss_fn=self.micro_batch_loss, scale_grads=False)
        if self.by_name:
            schedule = pipelining.schedules.get_schedule_class(plan.SCHEDULE)
            self.schedule = schedule(self.stages[0] if single else self.stages, **options)
        else:
            self.schedule = Order(self.stages, **options)
            self.schedule._load_csv(str(HERE / "schedule.csv"), format="compute_only")
        self.tied = self.tied_groups(ranks)
        self.optimizer = make_optimizer([p for stage in self.stages for p in stage.module.parameters() if p.requires_grad] or [torch.zeros(1)])

    def tied_groups(self, ranks):
        """Of each parameter that several stages have, its copies here and the group of the ranks that have it."""
        tied = []
        for name, stages in plan.TIED.items():
            holders = sorted({plan.STAGE_RANKS[stage] for stage in stages})
            for replica in range(plan.REPLICAS):
                group = dist.new_group([replica * ranks + rank for rank in holders])
                if replica == self.replica and self.rank in holders:
                    tied.append(([stage.module.get_parameter(name) for stage in self.stages if stage.index in stages], group, self.rank == holders[0]))
        return tied

    def micro_batch_loss(self, output, target):
        """Weighted by samples, so that the losses of all micro-batches add up to that of the batch."""
        rows = self.sizes[self.last.now]
        if plan.LOSS != "output":
            output, target = output[:rows], target[:rows]
        loss = loss_of(output, target)
        if self.on_loss:
            self.on_loss(self.last.now, loss)
        weighted = loss * (rows / sum(self.sizes))
        if isinstance(self.schedule, Order):
            self.schedule.loss_of_micro_batch[self.last.now] = weighted
        return weighted

    def spread(self, rows):
        """Equal micro-batches: each is filled up to the size of the largest."""
        full = max(self.sizes)
        return torch.cat([F.pad(part, (0, 0) * (part.dim() - 1) + (0, full - len(part))) for part in rows.split(self.sizes)]).to(self.device)

    def rows(self, batch):
        """Those of this replica."""
        return batch[self.replica::plan.REPLICAS]

    def gradients(self, inputs, targets):
        """Runs the schedule once. Returns the loss of this replica on the ranks with the last stage, else None."""
        self.optimizer.zero_grad(set_to_none=True)
        losses = []
        first = any(stage.is_first for stage in self.stages)
        arguments = (self.spread(self.rows(inputs)),) if first else ()
        if self.last:
            self.schedule.step(*arguments, target=self.spread(self.rows(targets)), losses=losses)
        else:
            self.schedule.step(*arguments)
        self.add_tied()
        if plan.REPLICAS > 1 and not plan.DDP:
            for stage in self.stages:
                for parameter in stage.module.parameters():
                    if parameter.grad is not None:
                        dist.all_reduce(parameter.grad, group=self.data)
                        parameter.grad /= plan.REPLICAS
        return sum(loss.item() for loss in losses) if losses else None

    def add_tied(self):
        """A parameter of several stages has a copy in each; all of them get the sum of the gradients."""
        for copies, group, _ in self.tied:
            total = sum(copy.grad if copy.grad is not None else torch.zeros_like(copy) for copy in copies)
            dist.all_reduce(total, group=group)
            for copy in copies:
                copy.grad = total.clone()

    def clip(self):
        """torch.nn.utils.clip_grad_norm_ over all stages; a parameter of several counts once."""
        if plan.CLIP_GRAD_NORM is None:
            return
        again = {id(copy) for copies, _, first in self.tied for copy in (copies[1:] if first else copies)}
        parameters = [p for stage in self.stages for p in stage.module.parameters() if p.grad is not None]
        squares = sum((p.grad.float().square().sum() for p in parameters if id(p) not in again), torch.zeros((), device=self.device))
        dist.all_reduce(squares, group=self.pipeline)
        factor = min(1.0, plan.CLIP_GRAD_NORM / (squares.sqrt().item() + 1e-6))
        for p in parameters:
            p.grad *= factor

    def step(self, number, steps):
        with record_function("load_batch"):
            inputs, targets = load_batch(number)
        loss = self.gradients(inputs, targets)
        with record_function("optimizer"):
            self.clip()
            for group in self.optimizer.param_groups:
                group["lr"] = learning_rate(number, steps)
            self.optimizer.step()
        return loss


def mean_loss(training, loss):
    """Over the replicas."""
    if plan.REPLICAS > 1 and loss is not None:
        total = torch.tensor(loss, device=training.device)
        dist.all_reduce(total, group=training.data)
        return total.item() / plan.REPLICAS
    return loss


def train(training, steps, folder):
    recorder = None
    if folder:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if training.device.type == "cuda" else [])
        recorder = profile(activities=activities)
    for number in range(steps):
        if recorder and number == min(1, steps - 1):  # the first step also connects the ranks
            recorder.start()
            dist.barrier()  # a rank whose recorder starts late would seem late itself
        begin = time.perf_counter()
        with record_function(f"ProfilerStep#{number}"):
            loss = mean_loss(training, training.step(number, steps))
        if loss is not None and training.replica == 0:
            print(f"step {number + 1}: loss {loss:.6f}, {time.perf_counter() - begin:.3f} s", flush=True)
    if recorder:
        recorder.stop()
        recorder.export_chrome_trace(str(pathlib.Path(folder) / f"rank{dist.get_rank()}.json"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=plan.STEPS, help="optimizer updates (default: %(default)s)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.device_count() >= int(os.environ.get("LOCAL_WORLD_SIZE", 1)) else "cpu")
    parser.add_argument("--check", action="store_true", help="compare a step with a single device: exit code 1 if they differ by more than rounding")
    parser.add_argument("--profile", metavar="DIR", help="record the steps after the first, one file per rank")
    options = parser.parse_args()

    ranks = (max(plan.STAGE_RANKS) + 1) * plan.REPLICAS
    if int(os.environ.get("WORLD_SIZE", 1)) != ranks:
        sys.exit(f"The plan has {ranks} rank(s). Start it with: torchrun --nproc-per-node {ranks} train.py")
    device = torch.device(options.device, int(os.environ["LOCAL_RANK"])) if options.device == "cuda" else torch.device("cpu")
    if options.device == "cuda":
        torch.cuda.set_device(device)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = plan.TF32
    else:
        torch.set_num_threads(plan.THREADS)
    dist.init_process_group("nccl" if options.device == "cuda" else "gloo")
    training = Training(device)
    same = check.compare(training, load_batch, loss_of) if options.check else True
    if options.profile or not options.check:
        train(training, options.steps, options.profile)
    dist.barrier()
    dist.destroy_process_group()
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
