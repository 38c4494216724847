# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench peer --single: one process of PyTorch that trains a torchvision model, eager or compiled.

Data, loss and optimizer are those of the benchmark's experiment: random images, mean squared error against one-hot classes, plain SGD. Each line on standard input
runs --steps steps and answers with the seconds of the fastest; the first such line also warms up and compiles. The line "version" is answered with PyTorch's version.
"""
import argparse
import sys
import time

import torch
import torchvision


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--image", type=int, default=64)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--steps", type=int, default=2)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--layout", choices=["contiguous", "channels_last"], default="contiguous")
    p.add_argument("--compile", action="store_true")
    p.add_argument("--lr", type=float, default=0.001)
    return p.parse_args()


def stepper(args):
    layout = torch.channels_last if args.layout == "channels_last" else torch.contiguous_format
    model = getattr(torchvision.models, args.arch)(weights=None).to(memory_format=layout)
    run = torch.compile(model) if args.compile else model
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    x = torch.randn(args.batch, 3, args.image, args.image).contiguous(memory_format=layout)
    y = torch.nn.functional.one_hot(torch.randint(1000, (args.batch,)), 1000).float()

    def step():
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(run(x), y).backward()
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
