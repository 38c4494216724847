"""Compares one step of the plan with the same network on a single device, micro-batch by micro-batch."""
import torch
import torch.distributed as dist

import network
import plan
import weights

LARGEST = 1e-3 if plan.TF32 else 1e-4  # a relative difference above it is more than rounding


def seed_of(stage, k):
    return (plan.SEED * 1000003 + stage * 10007 + k) % (1 << 31)


def tensors_of(value):
    return [tensor.detach().clone() for tensor in (value if isinstance(value, (tuple, list)) else (value,))]


class Watch:
    """What the stages of this rank make in one step: outputs, losses, and the gradients that each micro-batch adds."""

    def __init__(self, training):
        self.outputs, self.losses, self.added, self.forwards = {}, {}, {}, {}
        self.seen = {}
        self.training, self.hooks = training, []
        training.on_loss = lambda k, loss: self.losses.__setitem__(k, loss.detach().clone())
        for stage in training.stages:
            stage.on_forward, stage.on_backward = self.forward, self.backward
            self.hooks.append(stage.module.register_forward_pre_hook(lambda *_, stage=stage: self.seed(stage)))

    def leave(self):
        self.training.on_loss = None
        for stage in self.training.stages:
            stage.on_forward = stage.on_backward = None
        for hook in self.hooks:
            hook.remove()

    @staticmethod
    def seed(stage):
        torch.manual_seed(seed_of(stage.index, stage.now))

    def forward(self, stage, k, made):
        self.outputs[stage, k] = tensors_of(made)
        self.forwards.setdefault(stage, []).append(k)

    def backward(self, stage, k):
        for name, p in stage.module.named_parameters():
            if p.grad is None:
                continue
            before = self.seen.get((stage.index, name))
            now = p.grad.detach().clone()
            self.added[stage.index, k, name] = now if before is None else now - before
            self.seen[stage.index, name] = now


class Reference:
    """One replica on one device: stage after stage for each micro-batch, in order."""

    def __init__(self, training, replica, inputs, targets, loss_of):
        self.outputs, self.losses, self.added, self.total = {}, {}, {}, {}
        sizes = plan.MICRO_BATCHES[replica]
        self.modules = [stage().to(training.device) for stage in network.STAGES]
        for module in self.modules:
            weights.load_into(module, plan.SEED)
        x = inputs[replica::plan.REPLICAS].to(training.device).split(sizes)
        y = targets[replica::plan.REPLICAS].to(training.device).split(sizes)
        for k, rows in enumerate(sizes):
            self.micro_batch(k, x[k], y[k], rows / sum(sizes), loss_of)
        for name, stages in plan.TIED.items():
            total = sum(self.total[stage, name] for stage in stages)
            for stage in stages:
                self.total[stage, name] = total
        self.buffers = {(i, name): buffer for i, module in enumerate(self.modules) for name, buffer in module.named_buffers()}

    def micro_batch(self, k, x, y, share, loss_of):
        values = (x,)
        for i, module in enumerate(self.modules):
            torch.manual_seed(seed_of(i, k))
            made = module(*values)
            self.outputs[i, k] = tensors_of(made)
            values = made if isinstance(made, (tuple, list)) else (made,)
        loss = loss_of(values[0], y)
        self.losses[k] = loss.detach()
        (loss * share).backward()
        for i, module in enumerate(self.modules):
            for name, p in module.named_parameters():
                gradient = p.grad if p.grad is not None else torch.zeros_like(p)
                self.added[i, k, name] = gradient
                self.total[i, name] = self.total[i, name] + gradient if (i, name) in self.total else gradient
                p.grad = None


def difference(actual, expected, floor=0.0):
    """The largest difference, relative to the largest value."""
    if actual.shape != expected.shape:
        return float("inf")
    if expected.numel() == 0:
        return 0.0
    actual, expected = actual.double(), expected.double()
    if not torch.isfinite(expected).all():  # where both overflow alike there is nothing to compare
        return 0.0 if torch.equal(torch.nan_to_num(actual), torch.nan_to_num(expected)) else float("inf")
    apart = (actual - expected).abs().max().item()
    scale = max(expected.abs().max().item(), floor)
    if apart != apart:
        return float("inf")
    return apart / scale if scale > 0 else (0.0 if apart == 0 else float("inf"))


def compare(training, load_batch, loss_of):
    """On all ranks; prints the answer on the first. Whether the step is that of a single device, to rounding."""
    inputs, targets = load_batch(0)
    references = [Reference(training, replica, inputs, targets, loss_of) for replica in range(plan.REPLICAS)]
    own = references[training.replica]
    totals = {key: sum(reference.total[key] for reference in references) / plan.REPLICAS for key in own.total}
    floor = 1e-4 * max((gradient.abs().max().item() for gradient in totals.values() if gradient.numel()), default=0.0)
    watch = Watch(training)
    training.gradients(inputs, targets)
    watch.leave()

    found = []  # (order, what, micro-batch, relative difference)
    for (stage, k), made in watch.outputs.items():
        for actual, expected in zip(made, own.outputs[stage, k]):
            found.append(((0, k, stage), f"the output of stage {stage}", k, difference(actual, expected)))
    for k, loss in watch.losses.items():
        found.append(((1, k, 0), "the loss", k, difference(loss, own.losses[k])))
    for stage in training.stages:
        for place, (name, p) in enumerate(stage.module.named_parameters()):
            if not p.requires_grad:
                continue
            total = p.grad if p.grad is not None else torch.zeros_like(p)
            apart = difference(total, totals[stage.index, name], floor)
            first = first_micro_batch(watch, own, stage.index, name, floor) if apart > LARGEST else None
            order = len(training.sizes) if first is None else first
            found.append(((2, order, -stage.index, place), f"the gradient of {name}", first, apart))
        in_order = watch.forwards.get(stage.index, []) == sorted(watch.forwards.get(stage.index, []))
        for name, buffer in stage.module.named_buffers():  # of running statistics the order of the forwards matters
            if in_order and training.replica == 0:
                found.append(((3, 0, stage.index), f"the buffer {name}", None, difference(buffer, own.buffers[stage.index, name])))
    return report(found)


def first_micro_batch(watch, reference, stage, name, floor):
    for k in range(len(plan.MICRO_BATCHES[0])):
        added = watch.added.get((stage, k, name))
        expected = reference.added[stage, k, name]
        if difference(torch.zeros_like(expected) if added is None else added, expected, floor / len(plan.MICRO_BATCHES[0])) > LARGEST:
            return k
    return None


def report(found):
    here = [(order, what, k, apart, dist.get_rank()) for order, what, k, apart in found]
    everywhere = [None] * dist.get_world_size()
    dist.all_gather_object(everywhere, here)
    found = sorted((entry for rank in everywhere for entry in rank), key=lambda entry: entry[0])
    wrong = [entry for entry in found if entry[3] > LARGEST]
    if dist.get_rank() == 0:
        print(answer(found, wrong), flush=True)
    return not wrong


def answer(found, wrong):
    if wrong:
        _, what, k, apart, rank = wrong[0]
        where = f", micro-batch {k}" if k is not None else ", after all micro-batches"
        return f"difference in {what}{where} (relative difference {apart:.2g}, on rank {rank})"
    _, what, k, apart, _ = max(found, key=lambda entry: entry[3])
    if apart == 0:
        return f"rounding (largest relative difference 0: all {len(found)} losses, outputs, gradients and buffers are equal)"
    return f"rounding (largest relative difference {apart:.2g}, in {what}; {len(found)} losses, outputs, gradients and buffers compared)"
