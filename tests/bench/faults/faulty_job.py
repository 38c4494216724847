#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""A rank of an exported training script that trains several times in one process, each time with the fault of a trial planted in it.

    torchrun --nproc-per-node N faulty_job.py SCRIPT TRIALS OUT

SCRIPT is the folder of the script, TRIALS a JSON list of faults (planted_faults.py), OUT gets a folder of traces for each trial, as `train.py --profile` writes them.
Passes sleep instead of computing, since a pass that sleeps holds its peers up as one that computes does, and several ranks share a core here.
"""
import json
import os
import pathlib
import queue
import sys
import threading
import time

SCRIPT, TRIALS, OUT = (pathlib.Path(argument) for argument in sys.argv[1:4])
sys.path.insert(0, str(SCRIPT))

import torch
import torch.distributed as dist
import train
from torch.distributed.pipelining import schedules
from torch.profiler import record_function

STEPS = 9  # of which the first is not recorded
FORWARD_S, BACKWARD_S = 0.006, 0.012
RANK = int(os.environ["RANK"])


class Sent:
    """What a send over a slow wire leaves to wait for: nothing, since the network has the message."""

    def wait(self):
        return True


class SlowReceive:
    """Waited for behind the receive itself."""

    def __init__(self, seconds):
        self.seconds = seconds

    def wait(self):
        time.sleep(self.seconds)
        return True


class Wire:
    """Sends messages in their order, each after its delay."""

    def __init__(self):
        self.messages = queue.Queue()
        threading.Thread(target=self.run, daemon=True).start()

    def post(self, op, seconds):
        with record_function("gloo:send"):
            self.messages.put((time.monotonic() + seconds, op))

    def run(self):
        while True:
            due, op = self.messages.get()
            time.sleep(max(0.0, due - time.monotonic()))
            op.op(op.tensor, group=op.group, tag=op.tag, group_dst=op.group_peer).wait()


class Faults:
    """Hooks of one rank: they do nothing but for the fault of the trial."""

    def __init__(self, training):
        self.fault, self.step, self.training, self.wire = {"kind": "none"}, 0, training, Wire()
        for stage in training.stages:
            self.pace(stage)
        self.load_batch, self.batch_p2p, self.mean_loss, self.train_step = train.load_batch, schedules._batch_p2p, train.mean_loss, training.step
        train.load_batch, schedules._batch_p2p, train.mean_loss, training.step = self.load, self.exchange, self.end_step, self.begin_step

    def is_here(self, kind):
        return self.fault["kind"] == kind and self.fault.get("rank") == RANK

    def factor(self, stage):
        if self.is_here("stage"):
            return self.fault["factor"]
        if self.fault["kind"] == "replica" and self.training.replica == self.fault["replica"]:
            return self.fault["factors"][stage.now % len(self.fault["factors"])]
        return 1.0

    def pace(self, stage):
        for name, seconds in (("forward_maybe_with_nosync", FORWARD_S), ("backward_maybe_with_nosync", BACKWARD_S)):
            def paced(*arguments, work=getattr(stage, name), seconds=seconds, **named):
                time.sleep(seconds * self.factor(stage))
                return work(*arguments, **named)
            setattr(stage, name, paced)

    def begin_step(self, number, steps):
        self.step = number
        late = self.is_here("start") and self.fault["where"] == "inside"
        if late and (self.fault["steps"] == "each" or number == 1):
            time.sleep(self.fault["seconds"])
        return self.train_step(number, steps)

    def load(self, number):
        if self.is_here("data") and number in self.fault["steps"]:
            time.sleep(self.fault["seconds"])
        return self.load_batch(number)

    def end_step(self, training, loss):
        loss = self.mean_loss(training, loss)
        if self.is_here("start") and self.fault["where"] == "before":
            time.sleep(self.fault["seconds"])
        return loss

    def exchange(self, ops, desc=None):
        fault = self.fault
        if fault["kind"] != "link":
            return self.batch_p2p(ops, desc)
        sends = [op for op in ops if op.op is dist.isend and (RANK, op.peer) == (fault["from"], fault["to"])]
        receives = [op for op in ops if op.op is dist.irecv and (op.peer, RANK) == (fault["from"], fault["to"])]
        works = []
        if sends and fault["mode"] == "send":
            time.sleep(fault["seconds"])
        if sends and fault["mode"] == "wire":
            for op in sends:
                self.wire.post(op, fault["seconds"])
            ops = [op for op in ops if op not in sends]
            works.append(Sent())
        works += self.batch_p2p(ops, desc)
        if receives and fault["mode"] == "receive":
            works.append(SlowReceive(fault["seconds"]))
        return works


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    training = train.Training(torch.device("cpu"))
    faults = Faults(training)
    train.train(training, 2, None)  # connects the ranks
    for number, fault in enumerate(json.loads(TRIALS.read_text())):
        dist.barrier()
        faults.fault = fault
        train.train(training, STEPS, OUT / str(number))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
