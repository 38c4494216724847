#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""A rank of a job that can be asked for a profile: it reduces a tensor again and again until its folder has a file `end`, and survives the end of a peer. After LIFE_S it
ends by itself.

    torchrun --nproc-per-node N attached_job.py FOLDER PORT

Writes FOLDER/rank<R>, with its process id, once its server listens, and FOLDER/recording<R> when it begins to record.
"""
import os
import pathlib
import sys
import time

import torch
import torch.distributed as dist
import torch.distributed.debug
import torch.profiler

folder, port = pathlib.Path(sys.argv[1]), int(sys.argv[2])
LIFE_S = 400
deadline = time.monotonic() + LIFE_S
torch.set_num_threads(1)
dist.init_process_group("gloo")
torch.distributed.debug.start_debug_server(port=port)


def enter(recorder, begin=torch.profiler.profile.__enter__):
    begin(recorder)
    (folder / f"recording{dist.get_rank()}").touch()
    return recorder


torch.profiler.profile.__enter__ = enter
value = torch.ones(64, 64)
dist.all_reduce(value)
(folder / f"rank{dist.get_rank()}").write_text(str(os.getpid()))
peers = True
while not (folder / "end").exists() and time.monotonic() < deadline:
    time.sleep(0.01)
    try:
        if peers:
            dist.all_reduce(value @ value)
    except RuntimeError as error:  # a peer has ended
        peers = False
        print(error, flush=True)
os._exit(0)  # without a farewell to peers that may have ended
