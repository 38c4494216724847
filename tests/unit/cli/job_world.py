# SPDX-License-Identifier: GPL-3.0-only
"""A pipeline job on an ideal clock, in the names of StragglerAnalysis: each pass begins when its rank is free and its input has arrived."""
import json


def order_of(schedule, stage, stages, micro_batches):
    """The passes of a stage as (letter, micro-batch): gpipe or 1f1b."""
    warm_up = micro_batches if schedule == "gpipe" else min(micro_batches, stages - stage)
    forwards, backwards = [("F", m) for m in range(micro_batches)], [("B", m) for m in range(micro_batches)]
    passes = forwards[:warm_up]
    for backward, forward in zip(backwards, forwards[warm_up:] + [None] * warm_up):
        passes += [backward] if forward is None else [backward, forward]
    return passes


class Job:
    """Lengths are functions, in microseconds: of a pass by (letter, stage, micro-batch, step), of a transfer by the lower of its two stages."""

    def __init__(self, length, link, schedule="1f1b", stages=3, micro_batches=4, steps=6, optimizer=500.0):
        self.length, self.link, self.schedule = length, link, schedule
        self.stages, self.micro_batches, self.steps, self.optimizer = stages, micro_batches, steps, optimizer
        self.events = [{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "DP rank [0]"}}]
        for stage in range(stages):
            for kind, name in enumerate(("compute", "pp-comm", "tp-comm", "dp-comm", "misc")):
                self.events.append({"ph": "M", "name": "thread_name", "pid": 0, "tid": 5 * stage + kind, "args": {"name": f"PP rank {stage}, TP rank 0, {name}"}})
        self.step_lengths = []
        at = 1000.0
        for step in range(steps):
            self.step_lengths.append(self._run(step, at))
            at += self.step_lengths[-1] + 300

    @property
    def mean_step(self):
        """Seconds."""
        return 1e-6 * sum(self.step_lengths) / len(self.step_lengths)

    def write(self, path):
        path.write_text(json.dumps({"traceEvents": self.events}))
        return path

    def _add(self, stage, kind, name, step, micro_batch, start, end):
        chunk = 0 if name.endswith("compute") else -1
        self.events.append({"ph": "X", "name": name, "cat": name, "pid": 0, "tid": 5 * stage + kind, "ts": start, "dur": end - start,
                            "args": {"step": step, "model_chunk": chunk, "mb_id": micro_batch if chunk == 0 else -1, "seq_id": micro_batch}})

    def _run(self, step, zero):
        rows = [order_of(self.schedule, stage, self.stages, self.micro_batches) for stage in range(self.stages)]
        next_of, free, ends, received = [0] * self.stages, [zero] * self.stages, {}, {}
        while any(next_of[s] < len(rows[s]) for s in range(self.stages)):
            for stage in range(self.stages):
                while next_of[stage] < len(rows[stage]) and self._do(step, stage, rows[stage], next_of[stage], zero, free, ends, received):
                    next_of[stage] += 1
        end = max(free) + self.optimizer
        for stage in range(self.stages):
            self._add(stage, 0, "optimizer", step, -1, free[stage], free[stage] + self.optimizer)
        last = max(free[stage] + self.optimizer for stage in range(self.stages))
        return max(end, last) - zero

    def _do(self, step, stage, row, place, zero, free, ends, received):
        """False while the input is not there."""
        letter, m = row[place]
        peer, word = (stage - 1, "forward") if letter == "F" else (stage + 1, "backward")
        start = free[stage]
        if 0 <= peer < self.stages:
            if (letter, peer, m) not in ends:
                return False
            sent = ends[letter, peer, m]
            called = max(ends.get((letter, stage, m - 1), zero), received.get((letter, stage), zero))
            if letter == "B" and m == 0 and place >= 2:
                called = max(called, ends[(row[place - 2][0], stage, row[place - 2][1])])
            arrived = max(sent, called) + self.link(min(stage, peer))
            received[letter, stage] = arrived
            self._add(peer, 1, f"{word}-send", step, m, sent, arrived)
            self._add(stage, 1, f"{word}-recv", step, m, called, arrived)
            start = max(start, arrived)
        free[stage] = ends[letter, stage, m] = start + self.length(letter, stage, m, step)
        self._add(stage, 0, f"{word}-compute", step, m, start, free[stage])
        return True
