# SPDX-License-Identifier: GPL-3.0-only
"""Two processes of one thread, each on a core of its own, joined by gloo: what the peers of lanelab-bench that train in two ranks share.

Each line on the second rank's standard input asks for steps; the answer is their seconds. End of input ends both processes.
"""
import os
import socket
import sys
import time
from datetime import timedelta


def run_pair(work):
    """Calls work(rank) in two processes, ready for init(rank), and leaves when both are done."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    child = os.fork()
    rank = 0 if child == 0 else 1
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[rank % len(cores)]})
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo", OMP_NUM_THREADS="1")
    work(rank)
    if child:
        os.waitpid(child, 0)
    os._exit(0)  # gloo's threads may hang at a normal exit


def init(rank):
    """torch.distributed with a group of both; the same seed in each."""
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2, timeout=timedelta(seconds=600))
    torch.manual_seed(0)


def seconds_of(step):
    """The seconds of step(), from when both ranks are ready to when both are done."""
    import torch.distributed as dist

    dist.barrier()
    begin = time.perf_counter()
    step()
    dist.barrier()
    return time.perf_counter() - begin


def answer(rank, measure):
    """Prints what measure() returns for each line of input; both ranks call it together."""
    import torch
    import torch.distributed as dist

    go = torch.ones(1)
    while True:
        if rank == 1:
            go.fill_(float(bool(sys.stdin.readline())))
        dist.broadcast(go, src=1)
        if not go.item():
            break
        seconds = measure()
        if rank == 1:
            print(seconds, flush=True)
