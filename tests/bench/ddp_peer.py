# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench ddp: DistributedDataParallel over gloo, two processes of one thread, one core each.

All settings of the wrapper are its defaults: buckets of 1 and 25 MiB, buffers of rank 0 at every step. Each line on standard input runs one step to warm up and
then --steps steps, and answers with the median of their seconds; end of input ends both processes.
"""
import argparse
import statistics

import gloo_pair


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--image", type=int, default=64)
    p.add_argument("--batch", type=int, default=32, help="of both processes together")
    p.add_argument("--steps", type=int, default=3)
    p.add_argument("--layout", choices=["contiguous", "channels_last"], default="contiguous")
    p.add_argument("--lr", type=float, default=0.001)
    return p.parse_args()


def run(rank, args):
    import torch
    import torchvision

    gloo_pair.init(rank)
    layout = torch.channels_last if args.layout == "channels_last" else torch.contiguous_format
    model = getattr(torchvision.models, args.arch)(weights=None).to(memory_format=layout)
    replica = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    x = torch.randn(args.batch, 3, args.image, args.image)[rank::2].contiguous(memory_format=layout)
    y = torch.nn.functional.one_hot(torch.randint(1000, (args.batch,))[rank::2], 1000).float()

    def step():
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(replica(x), y).backward()
        optimizer.step()

    def measure():
        gloo_pair.seconds_of(step)
        return statistics.median(gloo_pair.seconds_of(step) for _ in range(args.steps))

    gloo_pair.answer(rank, measure)


if __name__ == "__main__":
    arguments = parse()
    gloo_pair.run_pair(lambda rank: run(rank, arguments))
