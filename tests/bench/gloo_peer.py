# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench: torch.distributed.pipelining over gloo, two processes of one thread, one core each.

Static shapes (input_args and output_args), so that no run on zeros moves the running statistics. Each line on standard input runs
--steps steps and answers with the seconds of the fastest; end of input ends both processes.
"""
import argparse

import gloo_pair

# Which stages a rank has: one each, by turns, or in a V.
STAGES_OF_RANK = {
    "gpipe": [[0], [1]],
    "1f1b": [[0], [1]],
    "interleaved-1f1b": [[0, 2], [1, 3]],
    "zb-v": [[0, 3], [1, 2]],
}


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--image", type=int, default=64)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--micro-batches", type=int, default=8)
    p.add_argument("--cut", default="layer3.0", help="first block of each next stage, joined by commas")
    p.add_argument("--schedule", choices=sorted(STAGES_OF_RANK), default="1f1b")
    p.add_argument("--steps", type=int, default=2)
    p.add_argument("--lr", type=float, default=0.001)
    return p.parse_args()


def parts_of(torch, model, cuts):
    """The stages of a torchvision ResNet; each but the first begins with one of the blocks `cuts`."""
    named = [("stem", torch.nn.Sequential(model.conv1, model.bn1, model.relu, model.maxpool))]
    for number in range(1, 5):
        named += [(f"layer{number}.{i}", block) for i, block in enumerate(getattr(model, f"layer{number}"))]
    named.append(("head", torch.nn.Sequential(model.avgpool, torch.nn.Flatten(1), model.fc)))
    names = [name for name, _ in named]
    edges = [0] + [names.index(cut) for cut in cuts] + [len(named)]
    return [torch.nn.Sequential(*(block for _, block in named[a:b])) for a, b in zip(edges, edges[1:])]


def shapes_of(torch, args, cuts):
    """What goes into each stage, and the logits, for one micro-batch: on the meta device, which computes nothing."""
    with torch.device("meta"):
        import torchvision
        values = [torch.empty(args.batch // args.micro_batches, 3, args.image, args.image)]
        for part in parts_of(torch, getattr(torchvision.models, args.arch)(weights=None), cuts):
            values.append(part(values[-1]).detach())
    return values


def run(rank, args):
    import torch
    import torchvision
    from torch.distributed.pipelining import (PipelineStage, Schedule1F1B, ScheduleGPipe, ScheduleInterleaved1F1B,
                                              ScheduleZBVZeroBubble)

    # A first exchange with both neighbours, which only NCCL needs: at the fold of a V the neighbour is the rank itself, and gloo fails there.
    PipelineStage._get_init_p2p_neighbors_ops = lambda self: []
    gloo_pair.init(rank)
    cuts = args.cut.split(",")
    own = STAGES_OF_RANK[args.schedule][rank]
    last = len(cuts)
    parts = parts_of(torch, getattr(torchvision.models, args.arch)(weights=None), cuts)
    shapes = shapes_of(torch, args, cuts)
    stages = [PipelineStage(parts[i], i, len(parts), torch.device("cpu"), input_args=(shapes[i],), output_args=(shapes[i + 1],)) for i in own]
    kind = {"gpipe": ScheduleGPipe, "1f1b": Schedule1F1B, "interleaved-1f1b": ScheduleInterleaved1F1B, "zb-v": ScheduleZBVZeroBubble}
    schedule = kind[args.schedule](stages if len(own) > 1 else stages[0], n_microbatches=args.micro_batches, loss_fn=torch.nn.MSELoss())
    parameters = [p for i in own for p in parts[i].parameters()]
    optimizer = torch.optim.SGD(parameters, lr=args.lr)
    x = torch.randn(args.batch, 3, args.image, args.image)
    y = torch.nn.functional.one_hot(torch.randint(1000, (args.batch,)), 1000).float()

    def step():
        optimizer.zero_grad()
        schedule.step(*([x] if 0 in own else []), **({"target": y, "losses": []} if last in own else {}))
        optimizer.step()

    gloo_pair.answer(rank, lambda: min(gloo_pair.seconds_of(step) for _ in range(args.steps)))


if __name__ == "__main__":
    arguments = parse()
    gloo_pair.run_pair(lambda rank: run(rank, arguments))
