# SPDX-License-Identifier: GPL-3.0-only
"""Small networks drawn at random: chains of parts that cut, share, freeze, drop, write in place and leave gradients that are 0 in exact numbers."""
import torch
from torch import nn
from torch.nn import functional

FEATURES = ("residual", "concatenation", "shared", "tied", "frozen", "unused", "views", "norm", "dropout", "recurrent", "attention", "padding")
CLASSES, TOKENS, WIDTH, SIDE, LENGTH = 3, 11, 6, 6, 5


class Drop(nn.Dropout):
    """nn.Dropout, until a plain loop gives it the generator of each call."""
    draw = None

    def forward(self, x):
        if self.draw is None:
            return super().forward(x)
        return x * torch.empty_like(x).bernoulli_(1 - self.p, generator=type(self).draw()).div_(1 - self.p)


class Sum(nn.Module):
    """x + a(x), and a third branch."""

    def __init__(self, *branches):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x):
        y = x
        for branch in self.branches:
            y = y + branch(x)
        return y


class Joined(nn.Module):
    """A concatenation of x and a(x), and what brings it back to the width of x."""

    def __init__(self, branch, back):
        super().__init__()
        self.branch, self.back = branch, back

    def forward(self, x):
        return self.back(torch.cat([self.branch(x), x], -1 if x.dim() < 4 else 1))


class Twice(nn.Module):
    """One layer, used twice or three times."""

    def __init__(self, layer, times):
        super().__init__()
        self.layer, self.times = layer, times

    def forward(self, x):
        for _ in range(self.times):
            x = torch.tanh(self.layer(x))
        return x


class Written(nn.Module):
    """Writes through a view of what a layer gives."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        y = self.layer(x)
        y[:, 0] = y[:, 0] * 0.5 + 1
        return y


class Idle(nn.Module):
    """A part with a head whose output nobody uses, and a layer that is never called."""

    def __init__(self, layer, head, idle):
        super().__init__()
        self.layer, self.head, self.idle = layer, head, idle

    def forward(self, x):
        y = torch.tanh(self.layer(x))
        self.head(y)
        return y


class Recurrent(nn.Module):
    def __init__(self, kind, width):
        super().__init__()
        self.layer = kind(width, width, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


class Attention(nn.Module):
    """Two heads; softmax does not see the bias of the keys."""

    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x):
        def heads(y):
            return y.unflatten(-1, (2, -1)).transpose(1, 2)
        y = functional.scaled_dot_product_attention(heads(self.query(x)), heads(self.key(x)), heads(self.value(x)))
        return x + self.out(y.transpose(1, 2).flatten(2))


class Net(nn.Module):
    def __init__(self, stem, parts, head, skips):
        super().__init__()
        self.stem, self.parts, self.head, self.skips = stem, nn.ModuleList(parts), head, skips

    def forward(self, x):
        x = begin = self.stem(x)
        for part in self.parts:
            x = part(x)
        if self.skips:
            x = x + begin
        if x.dim() == 4:
            x = x.mean((2, 3))
        return self.head(x)


class Drawn:
    """A network with its kind of inputs, drawn from `dice` with some of FEATURES."""

    def __init__(self, dice, features):
        self.dice, self.features = dice, set(features)
        self.kind = dice.choice(["image", "image", "vector", "tokens"])
        self.used = set()
        self.least = 1  # samples of a micro-batch

    def has(self, feature, share=0.5):
        """Whether the network, or the next part, has it."""
        if feature not in self.features or self.dice.random() >= share:
            return False
        self.used.add(feature)
        return True

    def layer(self, wide_in=WIDTH, wide_out=WIDTH):
        dice = self.dice
        if self.kind != "image":
            return nn.Linear(wide_in, wide_out, bias=dice.random() < 0.8)
        if dice.random() < 0.15:
            return nn.Sequential(nn.Conv2d(wide_in, 1, 1), nn.Conv2d(1, wide_out, 3, padding=1))
        groups = dice.choice([1, 1, 1, 2, 3]) if wide_in % 6 == 0 and wide_out % 6 == 0 else 1
        size = dice.choice([1, 3])
        return nn.Conv2d(wide_in, wide_out, size, padding=size // 2, groups=groups, bias=dice.random() < 0.8)

    def activated(self):
        return nn.Sequential(self.layer(), self.dice.choice([nn.ReLU, nn.GELU, nn.Tanh])())

    def normed(self):
        """A layer before a norm: the gradient of its bias is 0 in exact numbers."""
        affine = self.dice.random() < 0.7
        norms = {"image": [nn.BatchNorm2d, lambda width, affine: nn.GroupNorm(2, width, affine=affine)], "vector": [nn.BatchNorm1d, lambda width, affine: nn.LayerNorm(width, elementwise_affine=affine)],
                 "tokens": [lambda width, affine: nn.LayerNorm(width, elementwise_affine=affine)]}
        norm = self.dice.choice(norms[self.kind])(WIDTH, affine=affine)
        self.least = max(self.least, 2 if isinstance(norm, nn.BatchNorm1d) else 1)
        return nn.Sequential(self.layer(), norm, nn.ReLU())

    def part(self):
        dice, makers = self.dice, [self.activated]
        if "residual" in self.features:
            makers += [lambda: Sum(self.activated()), lambda: Sum(self.layer()), lambda: Sum(self.activated(), self.layer())]
        if "concatenation" in self.features:
            makers.append(lambda: Joined(self.activated(), self.layer(2 * WIDTH)))
        if "norm" in self.features:
            makers += [self.normed, lambda: Sum(self.normed())]
        if "dropout" in self.features:
            makers.append(lambda: nn.Sequential(self.activated(), Drop(0.2)))
        if self.kind == "tokens" and "recurrent" in self.features:
            makers.append(lambda: Recurrent(dice.choice([nn.LSTM, nn.GRU]), WIDTH))
        if self.kind == "tokens" and "attention" in self.features:
            makers += [lambda: Attention(WIDTH)] * 2
        part = dice.choice(makers)()
        if self.has("shared", 0.15):
            part = Twice(self.layer(), dice.choice([2, 3]))
        if self.has("views", 0.1):
            part = Written(self.layer())
        if self.has("unused", 0.1):
            part = Idle(self.layer(), self.layer(), self.layer())
        if self.has("frozen", 0.15):
            part.requires_grad_(False)
        return part

    def network(self):
        dice = self.dice
        parts = [self.part() for _ in range(dice.randint(2, 6))]
        if self.has("shared", 0.2):
            parts.append(parts[dice.randrange(len(parts))])  # a part that is used again, perhaps in another stage
        stem = {"image": lambda: nn.Conv2d(3, WIDTH, 3, padding=1), "vector": lambda: nn.Linear(4, WIDTH), "tokens": lambda: nn.Embedding(TOKENS, WIDTH)}[self.kind]()
        head = nn.Linear(WIDTH, TOKENS if self.kind == "tokens" else CLASSES)
        if self.kind == "tokens" and self.has("tied"):
            head.weight = stem.weight
        return Net(stem, parts, head, self.has("residual", 0.3)).train()

    def data(self, rows, seed):
        generator = torch.Generator().manual_seed(seed)
        if self.kind == "tokens":
            targets = torch.randint(TOKENS, (rows, LENGTH), generator=generator)
            if self.has("padding"):
                targets[torch.rand(rows, LENGTH, generator=generator) < 0.3] = -100
            return torch.randint(TOKENS, (rows, LENGTH), generator=generator), targets
        shape = (3, SIDE, SIDE) if self.kind == "image" else (4,)
        return torch.randn(rows, *shape, generator=generator), torch.randint(CLASSES, (rows,), generator=generator)


def exported(network, inputs):
    batch = torch.export.Dim("batch", min=1, max=4096)
    return torch.export.export(network, (torch.cat([inputs, inputs])[:2],), dynamic_shapes=({0: batch},))
