# SPDX-License-Identifier: GPL-3.0-only
"""Small networks of kinds that training must treat as eager PyTorch does, or refuse: frozen parameters, results that the loss does not use, writes through
views, norms that are called several times, and buffers or parameters that forward() changes."""
import torch
from torch import nn
from torch.nn import functional


def frozen(network, *names):
    """With the parameters below these modules (or of these names) frozen."""
    for name, parameter in network.named_parameters():
        parameter.requires_grad = not name.startswith(names)
    return network


class Images(nn.Module):
    """Two convolutions with a batch norm each; `between` changes what the first one makes."""

    def __init__(self, between=None):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.conv2, self.bn2 = nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.head = nn.Linear(4, 3)
        self.between = between

    def forward(self, x):
        x = self.bn1(self.conv1(x))
        if self.between:
            x = self.between(x)
        x = torch.relu(self.bn2(self.conv2(x)))
        return self.head(x.mean((2, 3)))


def flat_relu(x):
    x.flatten(2).relu_()
    return x


def halved_channels(x):
    x.reshape(x.shape[0], 2, -1)[:, 1].mul_(0.5)
    return x


def scaled_rows(x):
    x.contiguous().view(x.shape[0], x.shape[1], -1).mul_(2).add_(0.1)
    return x + x.square()


def changed_base(x):
    seen = x.view(x.shape[0], -1)
    x.clamp_(min=0)
    return (x.flatten(1) + seen).view_as(x)


def strided(x):
    n, c, h, w = x.shape
    return x + x.as_strided((n, c, h, w), (c * h * w, h * w, 1, w))


class Adapter(nn.Module):
    """A frozen linear layer with a trained addition of low rank (LoRA)."""

    def __init__(self, width):
        super().__init__()
        self.base, self.down, self.up = nn.Linear(width, width), nn.Linear(width, 2, bias=False), nn.Linear(2, width, bias=False)
        self.base.requires_grad_(False)

    def forward(self, x):
        return torch.tanh(self.base(x) + self.up(self.down(x)))


def perceptron():
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))


def only_biases():
    network = Images()
    for name, parameter in network.named_parameters():
        parameter.requires_grad = name.endswith("bias")
    return network


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.norm = nn.Embedding(11, 6), nn.LayerNorm(6)
        self.body, self.head = nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, ids):
        return self.head(torch.tanh(self.body(self.norm(self.embed(ids)))).mean(1))


class TiedTagger(nn.Module):
    """The table of tokens is the output layer, too, and frozen."""

    def __init__(self):
        super().__init__()
        self.embed, self.body, self.head = nn.Embedding(11, 6), nn.Linear(6, 6), nn.Linear(6, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(torch.tanh(self.body(self.embed(ids))).mean(1))


class TwoHeads(nn.Module):
    """A head in the middle whose result only a caller that trains it would use, as GoogLeNet and DeepLab have one."""

    def __init__(self, aux):
        super().__init__()
        self.stem, self.aux, self.body, self.head = nn.Linear(6, 6), aux, nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        aux = self.aux(x)
        return self.head(torch.relu(self.body(x))), aux


class FirstOf(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)[0]


class WithSpare(nn.Module):
    """Has a layer that is never called, and one that is called in vain."""

    def __init__(self):
        super().__init__()
        self.first, self.spare, self.vain, self.last = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 2), nn.Linear(6, 3)

    def forward(self, x):
        x = torch.relu(self.first(x))
        self.vain(x)
        return self.last(x)


class Siamese(nn.Module):
    """One batch norm for `parts` parts of a sample."""

    def __init__(self, parts):
        super().__init__()
        self.parts = parts
        self.linear, self.norm, self.head = nn.Linear(6, 6), nn.BatchNorm1d(6, momentum=0.3), nn.Linear(6, 3)

    def forward(self, x):
        seen = [torch.relu(self.norm(self.linear(part))) for part in x.chunk(self.parts, 1)]
        return self.head(sum((i + 1) * part for i, part in enumerate(seen)))


class OneBlockTwoNames(nn.Module):
    """A block with a norm that is registered twice, so that its parameters and statistics have two names each."""

    def __init__(self):
        super().__init__()
        self.stem, self.block = nn.Linear(6, 6), nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6), nn.ReLU())
        self.again, self.head = nn.ModuleList([nn.Identity(), self.block]), nn.Linear(6, 3)

    def forward(self, x):
        x = self.block(self.stem(x))
        for module in self.again:
            x = x + module(x)
        return self.head(x)


class Changing(nn.Module):
    """Changes something that is not a batch norm's in forward()."""

    def __init__(self, change):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 3)
        self.register_buffer("seen", torch.zeros(6))
        self.change = change

    def forward(self, x):
        x = self.a(x)
        self.change(self, x)
        return self.b(torch.relu(x - self.seen))


def moving_mean(net, x):
    with torch.no_grad():
        net.seen.lerp_(x.mean(0), 0.1)


def through_view(net, x):
    net.seen.view(2, 3)[0].add_(x.detach().mean())


def clamped_weight(net, _):
    with torch.no_grad():
        net.b.weight.clamp_(-0.1, 0.1)


def with_spectral_norm():
    return nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(6, 8)), nn.ReLU(), nn.Linear(8, 3))


def with_frozen_teacher():
    """A norm in train mode below no_grad, whose statistics a recomputed forward would move twice."""

    class Teacher(nn.Module):
        def __init__(self):
            super().__init__()
            self.teacher, self.norm, self.head = nn.Linear(6, 6), nn.BatchNorm1d(6), nn.Linear(6, 3)

        def forward(self, x):
            with torch.no_grad():
                seen = self.norm(self.teacher(x))
            return self.head(seen + x)

    return Teacher()


def with_tracked_instance_norm():
    return nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.InstanceNorm2d(4, affine=True, track_running_stats=True), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))


def with_limited_embedding():
    return nn.Sequential(nn.Embedding(11, 6, max_norm=1.0), nn.Flatten(), nn.Linear(42, 3))


def nothing_trained():
    return frozen(perceptron(), "")


IMAGE, ROW, TWO_ROWS, THREE_ROWS, TOKENS = (3, 6, 6), (6,), (12,), (18,), (7,)

# Name: factory, shape of a sample, classes.
TRAINED = {
    "frozen backbone": (lambda: frozen(perceptron(), "0", "2"), ROW, 3),
    "frozen middle": (lambda: frozen(perceptron(), "2", "4"), ROW, 3),
    "frozen last layer": (lambda: frozen(perceptron(), "6"), ROW, 3),
    "adapters": (lambda: nn.Sequential(Adapter(6), Adapter(6), Adapter(6), nn.Linear(6, 3)), ROW, 3),
    "only biases": (only_biases, IMAGE, 3),
    "frozen convolution": (lambda: frozen(Images(), "conv1.weight", "bn1"), IMAGE, 3),
    "frozen table": (lambda: frozen(Tagger(), "embed", "norm"), TOKENS, 3),
    "frozen tied table": (lambda: frozen(TiedTagger(), "embed"), TOKENS, 11),
    "unused head with a norm": (lambda: FirstOf(TwoHeads(nn.Sequential(nn.Linear(6, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)))), ROW, 3),
    "unused head": (lambda: FirstOf(TwoHeads(nn.Sequential(nn.Linear(6, 4), nn.Linear(4, 2)))), ROW, 3),
    "spare layers": (WithSpare, ROW, 3),
    "relu of a flat view": (lambda: Images(flat_relu), IMAGE, 3),
    "part of a reshaped view": (lambda: Images(halved_channels), IMAGE, 3),
    "contiguous view": (lambda: Images(scaled_rows), IMAGE, 3),
    "view of what changes later": (lambda: Images(changed_base), IMAGE, 3),
    "as_strided": (lambda: Images(strided), IMAGE, 3),
    "norm called twice": (lambda: Siamese(2), TWO_ROWS, 3),
    "norm of two names": (OneBlockTwoNames, ROW, 3),
    "norm called three times": (lambda: Siamese(3), THREE_ROWS, 3),
}

# Name: factory, shape of a sample, what the refusal names.
REFUSED = {
    "moving mean without gradients": (lambda: Changing(moving_mean), ROW, r"network_kinds.py:\d+\).*buffer seen"),
    "buffer through a view": (lambda: Changing(through_view), ROW, r"network_kinds.py:\d+\).*buffer seen"),
    "clamped weight": (lambda: Changing(clamped_weight), ROW, r"network_kinds.py:\d+\).*parameter b.weight"),
    "spectral norm": (with_spectral_norm, ROW, r"module 0\.parametrizations\.weight.*buffer 0\.parametrizations"),
    "norm below no_grad": (with_frozen_teacher, ROW, r"network_kinds.py:\d+\).*buffer norm\."),
    "tracked instance norm": (with_tracked_instance_norm, IMAGE, r"module 1.*buffer 1\.running_mean"),
    "embedding with max_norm": (with_limited_embedding, TOKENS, r"module 0.*parameter 0\.weight"),
    "nothing to train": (nothing_trained, ROW, r"all of its parameters are frozen"),
}


def samples(shape, classes, rows, seed=7):
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.randint(11, (rows, *shape), generator=generator) if shape == TOKENS else torch.randn(rows, *shape, generator=generator)
    return inputs, torch.randint(classes, (rows,), generator=generator)


def export(network, inputs, path):
    batch = torch.export.Dim("batch", min=1, max=4096)
    torch.export.save(torch.export.export(network.train(), (inputs,), dynamic_shapes=({0: batch},)), str(path))


class EagerTraining:
    """SGD steps of eager PyTorch on one thread."""

    def __init__(self, network, rate):
        self.network, self.rate = network.train(), rate
        self.optimizer = torch.optim.SGD([p for p in network.parameters() if p.requires_grad], lr=rate)

    def accumulated(self, inputs, classes, split):
        """Micro-batches one after the other."""
        self.optimizer.zero_grad()
        for x, y in zip(inputs.split(split), classes.split(split)):
            (functional.cross_entropy(self.network(x), y) * (len(x) / len(inputs))).backward()
        self.optimizer.step()

    def copied(self, x):
        """A replica's forward: the same parameters, and buffers that nobody sees afterwards. (torch.func.functional_call leaves its own in a module that has
        two names.)"""
        before = [(buffer, buffer.clone()) for buffer in self.network.buffers()]
        output = self.network(x)
        for buffer, value in before:
            buffer.data = value
        return output

    def gathered(self, inputs, classes, replicas):
        """DataParallel: outputs of all replicas, one loss."""
        self.optimizer.zero_grad()
        first, *others = inputs.chunk(replicas)
        outputs = [self.copied(x) for x in others]
        functional.cross_entropy(torch.cat([self.network(first), *outputs]), classes).backward()
        self.optimizer.step()

    def averaged(self, inputs, classes, replicas):
        """DistributedDataParallel with find_unused_parameters: rows r, r + replicas, ...; gradients are averaged."""
        self.optimizer.zero_grad()
        for r in range(1, replicas):
            (functional.cross_entropy(self.copied(inputs[r::replicas]), classes[r::replicas]) / replicas).backward()
        (functional.cross_entropy(self.network(inputs[::replicas]), classes[::replicas]) / replicas).backward()
        self.optimizer.step()
