#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Random Chrome traces of several ranks, GPUs and streams, whose windows, busy, idle and outside times are computed here as well.

Usage: random_traces.py CLI [--trials N] [--seed S] [--keep FOLDER]. All arithmetic is in integer nanoseconds. Ranks have the same correlation ids
and step numbers at different times, as merged files have them; which call launched what is known here from the making of the file. Each trial
compares every lane of `gaps --json`, with steps and with `--windows trace`, and after an export to Perfetto. Prints a line a difference, keeps the
file of it in FOLDER, and exits 1 when there is any.
"""
import argparse
import bisect
import json
import pathlib
import random
import subprocess
import sys
import tempfile

FIELDS = ("window", "busy", "idle", "communication", "exposed_communication", "exposed_memory", "inactive", "outside", "outside_communication", "host")


def union(ranges):
    """Sorted and disjoint."""
    joined = []
    for start, end in sorted(ranges):
        if start == end:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return joined


def length(ranges):
    return sum(end - start for start, end in ranges)


def common(a, b):
    """What two disjoint lists have in common."""
    return union((max(s, t), min(e, f)) for s, e in a for t, f in b if max(s, t) < min(e, f))


def without(a, b):
    """What is left of `a` without `b`."""
    left = []
    for start, end in a:
        for cut_start, cut_end in b:
            if cut_end <= start or cut_start >= end:
                continue
            if cut_start > start:
                left.append([start, cut_start])
            start = max(start, cut_end)
        if start < end:
            left.append([start, end])
    return left


class Rank:
    """A process of the host with its GPUs, on a clock of its own."""

    def __init__(self, rng, number, style):
        self.number = number
        self.style = style
        self.rng = rng
        self.clock = 1_718_000_000_000_000_000 + number * rng.choice((0, 1_000, 3_000_000, 40_000_000_000)) + rng.randrange(1000)
        self.work = {}  # by GPU: (kind, start, end, call or None)
        self.calls = []  # (start, end, correlation, name)
        self.steps = []  # (number, start, end), which do not overlap
        self.free = {}  # by GPU and stream: when it is done
        self.starts = set()
        self.correlation = 0
        self.gpus = [number * 2 + k for k in range(rng.choice((1, 1, 2)))]

    def pid(self, of):
        return f"[TP{self.number:02}] {of}" if self.style == "prefix" else self.number * 10_000 + of

    def unique(self, time):
        """Two kernels that begin together would be the one or the other that a gap is before."""
        while time in self.starts:
            time += 1
        self.starts.add(time)
        return time

    def launch(self, now):
        """A call with its work; gives when the host goes on."""
        rng = self.rng
        end = now + rng.randrange(1_000, 30_000)
        self.correlation += 1
        graph = rng.random() < 0.1
        self.calls.append((now, end, self.correlation, "cudaGraphLaunch" if graph else "cudaLaunchKernel"))
        gpu = rng.choice(self.gpus)
        kind = rng.choice(("kernel",) * 6 + ("communication", "communication", "gpu_memcpy", "gpu_memset"))
        stream = 20 if kind == "communication" else rng.choice((7, 7, 13))
        for _ in range(rng.randrange(2, 5) if graph else 1):
            begin = max(now + rng.randrange(0, 40_000), self.free.get((gpu, stream), 0) + rng.choice((0, 1, 2_000)))
            begin = self.unique(begin)
            stop = begin + rng.choice((1, 500, rng.randrange(1_000, 90_000)))
            self.free[gpu, stream] = stop
            self.work.setdefault(gpu, []).append((kind, stream, begin, stop, self.correlation))
        return end + rng.choice((0, 1_000, rng.randrange(60_000)))

    def make(self):
        rng = self.rng
        now = self.clock
        for _ in range(rng.randrange(0, 3)):
            now = self.launch(now)
        for session in range(rng.choice((1, 1, 2))):
            for step in range(rng.randrange(0, 4)):
                begin = now = now + rng.choice((1, 1, 50_000))
                for _ in range(rng.randrange(0, 6)):
                    now = self.launch(now)
                self.steps.append((step + 3, begin, now + 1))
                now += 1
            now += session * 30_000_000
        for _ in range(rng.randrange(0, 3)):
            now = self.launch(now + 1)
        if rng.random() < 0.3 and self.work:  # work whose call is not in the file
            for gpu in self.work:
                begin = self.unique(max(self.free[gpu, s] for g, s in self.free if g == gpu) + 5_000)
                self.work[gpu].append(("kernel", 7, begin, begin + 4_000, None))

    def events(self):
        rng = self.rng
        host = self.pid(900)
        name = f"rank {self.number} python" if self.style == "name" else "python"
        yield {"ph": "M", "name": "process_name", "pid": host, "tid": 0, "args": {"name": name}}
        for number, start, end in self.steps:
            yield self.span("user_annotation", f"ProfilerStep#{number}", host, 1, start, end, {})
        for start, end, correlation, call in self.calls:
            yield self.span("cuda_runtime", call, host, rng.choice((1, 2)), start, end, {"correlation": correlation})
        for gpu, all_work in self.work.items():
            yield {"ph": "M", "name": "process_labels", "pid": self.pid(gpu), "tid": 0, "args": {"labels": f"GPU {gpu}"}}
            if self.style == "name":
                yield {"ph": "M", "name": "process_name", "pid": self.pid(gpu), "tid": 0, "args": {"name": f"rank {self.number} device"}}
            for kind, stream, start, end, correlation in all_work:
                title = "ncclDevKernel_AllReduce" if kind == "communication" else "gemm" if kind == "kernel" else "copy"
                args = {"device": gpu, "stream": stream}
                if correlation:
                    args["correlation"] = correlation
                yield self.span("kernel" if kind == "communication" else kind, title, self.pid(gpu), stream, start, end, args)

    @staticmethod
    def span(category, name, pid, tid, start, end, args):
        return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": end - start, "args": args}

    def windows(self, gpu):
        """Of each step: from the host's begin, or the end of what was launched before, to the host's end or that of its last work."""
        if not self.steps:
            return None
        launched = [(self.mark(correlation), start, end) for _, _, start, end, correlation in self.work[gpu] if correlation]
        begins = [start for _, start, _ in self.steps]
        own = [[] for _ in self.steps]
        before = [[] for _ in self.steps]
        for mark, start, end in launched:
            step = bisect.bisect_left(begins, mark) - 1
            if step >= 0 and mark <= self.steps[step][2]:
                own[step].append((start, end))
            elif step + 1 < len(self.steps):
                before[step + 1].append(end)
        windows, done = [], 0
        for (_, start, end), work, earlier in zip(self.steps, own, before):
            start = max(start, done)
            if work and earlier:
                start = max(start, min(max(earlier), min(s for s, _ in work)))
            done = max([start, end] + [e for _, e in work])
            windows.append((start, done))
        return windows

    def mark(self, correlation):
        """When the call had handed its work over."""
        first = min(w[2] for all_work in self.work.values() for w in all_work if w[4] == correlation)
        start, end, _, _ = self.calls[correlation - 1]
        return min(end, max(first, start))

    def expected(self, gpu, whole):
        work = self.work[gpu]
        compute = union(w[2:4] for w in work if w[0] == "kernel")
        communication = union(w[2:4] for w in work if w[0] == "communication")
        memory = union(w[2:4] for w in work if w[0] in ("gpu_memcpy", "gpu_memset"))
        if not compute and not communication:
            return None
        kernels = union(compute + communication)
        windows = None if whole else self.windows(gpu)
        windows = [w for w in windows or [(kernels[0][0], kernels[-1][1])] if w[0] < w[1]]
        busy = length(common(compute, windows))
        active = common(union(kernels + memory), windows)
        told = {
            "window": length(windows),
            "busy": busy,
            "idle": length(windows) - busy,
            "communication": length(common(communication, windows)),
            "exposed_communication": length(common(without(communication, compute), windows)),
            "exposed_memory": length(active) - length(common(kernels, windows)),
            "inactive": length(windows) - length(active),
            "outside": length(compute) - busy,
            "outside_communication": length(communication) - length(common(communication, windows)),
            "host": 0,
        }
        starts = {w[2]: w[4] for w in work if w[0] == "kernel"}
        for window in windows:
            for gap in without([list(window)], compute):
                correlation = starts.get(gap[1]) if gap[1] < window[1] else None
                if correlation:
                    late = [[gap[0], min(gap[1], self.mark(correlation))]]
                    told["host"] += length(without([r for r in late if r[0] < r[1]], communication))
        return told


def write(ranks, rng, path):
    """The file, its times in microseconds with three places, sometimes counted from a base."""
    base = rng.choice((0, 1_718_000_000_000_000_000))
    events = [event for rank in ranks for event in rank.events()]
    rng.shuffle(events)
    texts = []
    for event in events:
        numbers = {}
        for key in ("ts", "dur"):
            if key in event:
                time = event.pop(key) - (base if key == "ts" else 0)
                numbers[key] = f"{time // 1000}.{time % 1000:03}"
        text = json.dumps(event)[:-1] + "".join(f', "{key}": {number}' for key, number in numbers.items()) + "}"
        texts.append(text)
    path.write_text('{"schemaVersion": 1, "baseTimeNanoseconds": ' + str(base) + ', "traceEvents": [\n' + ",\n".join(texts) + "\n]}\n")


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def found(cli, path, *options):
    """By GPU: what `gaps --json` says of it."""
    run = subprocess.run([cli, "gaps", str(path), "--json", *options], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return {"error": run.stderr}
    lanes = {}
    for lane in json.loads(run.stdout)["lanes"]:
        told = {field: nanoseconds(lane[field + "_us"]) for field in FIELDS if field != "host"}
        told["host"] = nanoseconds(lane["causes"]["host"])
        lanes[lane["name"].rsplit(" ", 1)[-1]] = told
    return lanes


def trial(cli, seed, folder):
    """The differences of one random file."""
    rng = random.Random(seed)
    count = rng.choice((1, 1, 2, 3))
    style = rng.choice(("prefix", "name")) if count > 1 else "plain"
    ranks = [Rank(rng, number, style) for number in range(count)]
    for rank in ranks:
        rank.make()
    if not any(rank.work for rank in ranks):
        return []
    path = folder / f"trace-{seed}.json"
    write(ranks, rng, path)
    files = [("file", path)]
    if seed % 4 == 0:
        imported, exported = folder / f"import-{seed}", folder / f"trace-{seed}.pftrace"
        subprocess.run([cli, "import", str(path), "--out", str(imported)], capture_output=True, check=True)
        subprocess.run([cli, "export", str(imported), "--what", "trace", "--format", "perfetto", "--out", str(exported)], capture_output=True, check=True)
        files += [("import", imported), ("Perfetto", exported)]
    faults = []
    for what, file in files:
        for whole in (False, True):
            lanes = found(cli, file, *(("--windows", "trace") if whole else ()))
            expected = {str(gpu): told for rank in ranks for gpu in rank.work if (told := rank.expected(gpu, whole)) is not None}
            if lanes.keys() != expected.keys():
                faults.append(f"seed {seed}, {what}: lanes {sorted(lanes)} in place of {sorted(expected)} {lanes.get('error', '')}")
                continue
            for gpu, told in expected.items():
                different = {field: (lanes[gpu][field], told[field]) for field in FIELDS if lanes[gpu][field] != told[field]}
                if different:
                    faults.append(f"seed {seed}, {what}, GPU {gpu}, {'trace' if whole else 'steps'}: {different} (found, expected)")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(options.seed, options.seed + options.trials):
            faults += trial(options.cli, seed, folder)
    print("\n".join(faults) or f"{options.trials} random traces: all windows, times and causes as computed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
