"""The peer of lanelab-bench: torch.distributed.pipelining over gloo, two processes of one thread, one core each.

Static shapes (input_args and output_args), so that no run on zeros moves the running statistics. Each line on standard input runs
--steps steps and answers with the seconds of the fastest; end of input ends both processes.
"""
import argparse
import os
import sys
import time
from datetime import timedelta


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--image", type=int, default=64)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--micro-batches", type=int, default=8)
    p.add_argument("--cut", default="layer3.0")
    p.add_argument("--schedule", choices=["gpipe", "1f1b"], default="1f1b")
    p.add_argument("--steps", type=int, default=2)
    p.add_argument("--lr", type=float, default=0.001)
    return p.parse_args()


def parts_of(torch, model, cut):
    """The two halves of a torchvision ResNet; the second begins with block `cut`."""
    named = [("stem", torch.nn.Sequential(model.conv1, model.bn1, model.relu, model.maxpool))]
    for number in range(1, 5):
        named += [(f"layer{number}.{i}", block) for i, block in enumerate(getattr(model, f"layer{number}"))]
    named.append(("head", torch.nn.Sequential(model.avgpool, torch.nn.Flatten(1), model.fc)))
    at = [name for name, _ in named].index(cut)
    return [torch.nn.Sequential(*(block for _, block in part)) for part in (named[:at], named[at:])]


def run(rank, port, args):
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[rank % len(cores)]})
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo", OMP_NUM_THREADS="1")
    import torch
    import torch.distributed as dist
    import torchvision
    from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe

    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2, timeout=timedelta(seconds=600))
    torch.manual_seed(0)
    parts = parts_of(torch, getattr(torchvision.models, args.arch)(weights=None), args.cut)
    micro = args.batch // args.micro_batches
    with torch.device("meta"):
        images = torch.empty(micro, 3, args.image, args.image)
        middle = parts_of(torch, getattr(torchvision.models, args.arch)(weights=None), args.cut)[0](images).detach()
    logits = torch.empty(micro, 1000, device="meta")
    stage = PipelineStage(parts[rank], rank, 2, torch.device("cpu"), input_args=((images, middle)[rank],),
                          output_args=((middle, logits)[rank],))
    schedule = {"gpipe": ScheduleGPipe, "1f1b": Schedule1F1B}[args.schedule]
    schedule = schedule(stage, n_microbatches=args.micro_batches, loss_fn=torch.nn.MSELoss())
    optimizer = torch.optim.SGD(parts[rank].parameters(), lr=args.lr)
    x = torch.randn(args.batch, 3, args.image, args.image)
    y = torch.nn.functional.one_hot(torch.randint(1000, (args.batch,)), 1000).float()

    def step():
        dist.barrier()
        begin = time.perf_counter()
        optimizer.zero_grad()
        if rank == 0:
            schedule.step(x)
        else:
            schedule.step(target=y, losses=[])
        optimizer.step()
        dist.barrier()
        return time.perf_counter() - begin

    go = torch.ones(1)
    while True:
        if rank == 1:
            go.fill_(float(bool(sys.stdin.readline())))
        dist.broadcast(go, src=1)
        if not go.item():
            break
        fastest = min(step() for _ in range(args.steps))
        if rank == 1:
            print(fastest, flush=True)
    dist.destroy_process_group()


def main():
    args = parse()
    import socket
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    child = os.fork()
    run(0 if child == 0 else 1, port, args)
    if child:
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
