"""The peer of lanelab-bench ddp: DistributedDataParallel over gloo, two processes of one thread, one core each.

All settings of the wrapper are its defaults: buckets of 1 and 25 MiB, buffers of rank 0 at every step. Each line on standard input runs one step to warm up and
then --steps steps, and answers with the median of their seconds; end of input ends both processes.
"""
import argparse
import os
import socket
import statistics
import sys
import time


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--image", type=int, default=64)
    p.add_argument("--batch", type=int, default=32, help="of both processes together")
    p.add_argument("--steps", type=int, default=3)
    p.add_argument("--layout", choices=["contiguous", "channels_last"], default="contiguous")
    p.add_argument("--lr", type=float, default=0.001)
    return p.parse_args()


def run(rank, port, args):
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[rank % len(cores)]})
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo", OMP_NUM_THREADS="1")
    import torch
    import torch.distributed as dist
    import torchvision

    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2)
    torch.manual_seed(0)
    layout = torch.channels_last if args.layout == "channels_last" else torch.contiguous_format
    model = getattr(torchvision.models, args.arch)(weights=None).to(memory_format=layout)
    replica = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    x = torch.randn(args.batch, 3, args.image, args.image)[rank::2].contiguous(memory_format=layout)
    y = torch.nn.functional.one_hot(torch.randint(1000, (args.batch,))[rank::2], 1000).float()

    def step():
        dist.barrier()
        begin = time.perf_counter()
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(replica(x), y).backward()
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
        step()
        seconds = statistics.median(step() for _ in range(args.steps))
        if rank == 1:
            print(seconds, flush=True)


def main():
    args = parse()
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    child = os.fork()
    run(0 if child == 0 else 1, port, args)
    if child:
        os.waitpid(child, 0)
    os._exit(0)  # gloo's threads may hang at a normal exit


if __name__ == "__main__":
    main()
