# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench peer --single: one process of PyTorch that trains a torchvision model, or an exported network, eager or compiled.

Data, loss and optimizer are those of the benchmark's experiment: random images, mean squared error against one-hot classes (against random numbers for an exported network, cross entropy for one of tokens), plain SGD. Each line on standard input
runs --steps steps and answers with the seconds of the fastest; the first such line also warms up and compiles. The line "version" is answered with PyTorch's version.
"""
import argparse
import sys
import time

import torch


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--file", help="an exported network in place of --arch")
    p.add_argument("--shape", type=int, nargs="+", help="of a sample, with --file")
    p.add_argument("--vocabulary", type=int, default=0, help="of the ids that an exported network reads; 0: it reads numbers")
    p.add_argument("--image", type=int, default=64)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--steps", type=int, default=2)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--layout", choices=["contiguous", "channels_last"], default="contiguous")
    p.add_argument("--compile", action="store_true")
    p.add_argument("--lr", type=float, default=0.001)
    return p.parse_args()


def network_of(args):
    """The network, its inputs and its loss."""
    if args.file:
        model = torch.export.load(args.file).module()
        sizes = (args.batch, *args.shape)
        x = torch.randint(args.vocabulary, sizes) if args.vocabulary else torch.randn(sizes)
        with torch.no_grad():
            made = model(x)
        if args.vocabulary and made.dim() == 3:
            wanted = torch.randint(made.shape[-1], made.shape[:2]).flatten()
            return model, x, lambda y: torch.nn.functional.cross_entropy(y.flatten(0, 1), wanted)
        wanted = torch.randn(made.shape)
        return model, x, lambda y: torch.nn.functional.mse_loss(y, wanted)
    import torchvision
    y = torch.nn.functional.one_hot(torch.randint(1000, (args.batch,)), 1000).float()
    x = torch.randn(args.batch, 3, args.image, args.image)
    return getattr(torchvision.models, args.arch)(weights=None), x, lambda made: torch.nn.functional.mse_loss(made, y)


def stepper(args):
    layout = torch.channels_last if args.layout == "channels_last" else torch.contiguous_format
    model, x, loss = network_of(args)
    model = model.to(memory_format=layout)
    if x.dim() == 4:
        x = x.contiguous(memory_format=layout)
    run = torch.compile(model) if args.compile else model
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)

    def step():
        optimizer.zero_grad()
        loss(run(x)).backward()
        optimizer.step()

    return step


def seconds_of(step):
    begin = time.perf_counter()
    step()
    return time.perf_counter() - begin


def main():
    args = parse()
    torch.set_num_threads(args.threads)
    step = stepper(args)
    warm = False
    for line in sys.stdin:
        if line.strip() == "version":
            print(torch.__version__, flush=True)
            continue
        if not warm:
            for _ in range(2):
                step()
            warm = True
        print(min(seconds_of(step) for _ in range(args.steps)), flush=True)


if __name__ == "__main__":
    main()
