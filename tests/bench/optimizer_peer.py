# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench optimizers: torch.optim over the parameters of a torchvision model.

Each line on standard input makes --updates updates and answers with the seconds of the fastest; the first line also warms up.
"""
import argparse
import sys
import time

import torch
import torchvision


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--updates", type=int, default=5)
    p.add_argument("--fused", action="store_true")
    p.add_argument("--optimizer", choices=["sgd", "momentum", "adam"], default="adam")
    return p.parse_args()


def make_optimizer(args, parameters):
    fused = True if args.fused else None
    if args.optimizer == "adam":
        return torch.optim.Adam(parameters, lr=0.001, fused=fused)
    return torch.optim.SGD(parameters, lr=0.001, momentum=0.9 if args.optimizer == "momentum" else 0, fused=fused)


def seconds_of(step):
    begin = time.perf_counter()
    step()
    return time.perf_counter() - begin


def main():
    args = parse()
    torch.set_num_threads(args.threads)
    model = getattr(torchvision.models, args.arch)(weights=None).to(memory_format=torch.channels_last)
    for parameter in model.parameters():
        parameter.grad = torch.randn_like(parameter)
    optimizer = make_optimizer(args, model.parameters())
    warm = False
    for _ in sys.stdin:
        if not warm:
            for _ in range(2):
                optimizer.step()
            warm = True
        print(min(seconds_of(optimizer.step) for _ in range(args.updates)), flush=True)


if __name__ == "__main__":
    main()
