#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Traces of GPUs: compute, exposed communication and idle time as HolisticTraceAnalysis has them, within 1 %, and as whole
nanoseconds add up, exactly.

    traces_test.py CLI [TRACE|FOLDER...]

Compares generated traces, and every PyTorch trace that is named or lies in a named folder. With files it prints a line
for each. Without HolisticTraceAnalysis (pip install HolisticTraceAnalysis) nothing is compared with it, and it says so.

Both programs read a copy of the trace that has one step, from the first work of the GPU to its last, so that the window
is the same. Waits (cuda_sync, MTIA's event_*) are left out of it, since HolisticTraceAnalysis takes them for work.
"""
import gzip
import json
import logging
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from decimal import ROUND_HALF_UP, Decimal

os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"  # else times become whole microseconds

try:
    import hta.analyzers.breakdown_analysis as breakdown
    from hta.trace_analysis import TraceAnalysis
except ImportError:
    TraceAnalysis = None

TOLERANCE = 0.01
WORK = {"kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset", "mtia_ccp_events"}
# Communication that HolisticTraceAnalysis 0.6 takes for compute, and MTIA's nameless compute that it leaves out.
UNKNOWN_COMMUNICATION = re.compile(r"internode::|intranode::|nvshmem|multimem_all_reduce|cross_device_reduce|rccl_main|msccl")


def is_work(event):
    return (event.get("ph") == "X" and event.get("cat") in WORK and not event["name"].startswith("event_")
            and event.get("args", {}).get("stream", -1) != -1)


def is_call(event):
    return event.get("ph") == "X" and str(event.get("cat", "")).endswith(("_runtime", "_driver", "Runtime"))


def whole_step(trace, device):
    """The work of one device and its launches, in one step; None without any work."""
    work = [event for event in trace["traceEvents"] if is_work(event) and event["pid"] == device]
    if not work:
        return None
    start = min(float(event["ts"]) for event in work)
    end = max(float(event["ts"]) + float(event["dur"]) for event in work)
    step = {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 999999, "tid": 1, "ts": start, "dur": end - start}
    others = [event for event in trace["traceEvents"] if is_call(event) or event.get("ph") == "M"]
    # HolisticTraceAnalysis joins by correlation in the narrowest integers that hold the ids, where rows may not fit.
    others.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaEventQuery", "pid": 999999, "tid": 1, "ts": start, "dur": 0,
                   "args": {"correlation": 1 << 30}})
    kept = {key: trace[key] for key in ("schemaVersion", "baseTimeNanoseconds") if key in trace}
    return {**kept, "deviceProperties": [], "distributedInfo": {"rank": 0}, "traceEvents": [step, *others, *work]}


def kernel_type(name, theirs):
    if UNKNOWN_COMMUNICATION.search(name):
        return "COMMUNICATION"
    return "COMPUTATION" if name.startswith("pe_exe") else theirs(name)


def length(frame):
    merged = breakdown.merge_kernel_intervals(frame.copy())
    return float(merged.end.sum() - merged.ts.sum())


def theirs(path, correct=True):
    """Compute, exposed communication and idle time in us, as HolisticTraceAnalysis has them."""
    original = breakdown.get_kernel_type
    if correct:
        breakdown.get_kernel_type = lambda name: kernel_type(name, original)
    try:
        analysis = TraceAnalysis(trace_files={0: path.name}, trace_dir=str(path.parent))
        times = analysis.get_temporal_breakdown(visualize=False).iloc[0]
        names = analysis.t.symbol_table.get_sym_table()
        rows = analysis.t.get_trace(0)
        rows = rows[rows["stream"].ne(-1)].copy()
        kinds = rows["name"].map(lambda name: breakdown.get_kernel_type(names[name]))
    finally:
        breakdown.get_kernel_type = original
    computing = length(rows[kinds == "COMPUTATION"]) if (kinds == "COMPUTATION").any() else 0.0
    kernels = rows[kinds.isin(["COMPUTATION", "COMMUNICATION"])]
    exposed = length(kernels) - computing if len(kernels) else 0.0
    return {"window": float(times["kernel_time(us)"]), "compute": float(times["compute_time(us)"]),
            "exposed": exposed, "idle": float(times["idle_time(us)"])}


def ours(cli, path):
    result = subprocess.run([cli, "gaps", str(path), "--json"], check=True, capture_output=True, text=True)
    if result.stderr:
        raise AssertionError(f"a sound trace is not warned of: {result.stderr}")
    lanes = json.loads(result.stdout)["lanes"]
    assert len(lanes) == 1, [lane["name"] for lane in lanes]
    lane = lanes[0]
    parts = lane["exposed_communication_us"] + lane["exposed_memory_us"] + lane["inactive_us"]
    assert abs(parts - lane["idle_us"]) < 0.01, lane
    assert abs(lane["busy_us"] + lane["idle_us"] - lane["window_us"]) < 0.01, lane
    return {"window": lane["window_us"], "compute": lane["busy_us"], "exposed": lane["exposed_communication_us"],
            "idle": lane["inactive_us"]}


def close(a, b, window):
    """Within 1 %, or a thousandth of the window where there is next to nothing."""
    return abs(a - b) <= max(TOLERANCE * max(a, b), 0.001 * window)


def load(path, **numbers):
    text = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    trace = json.loads(text, **numbers)
    return trace if isinstance(trace, dict) and "traceEvents" in trace else {"traceEvents": []}


def generated(seed):
    """Streams that compute, communicate and copy, each at random times."""
    dice = random.Random(seed)
    events = []
    for stream, names in ((7, ["gemm", "void relu<float>(float*)"]), (13, ["ncclDevKernel_AllReduce_Sum_f32_RING_LL()"]),
                          (20, ["ncclKernel_SendRecv_RING_SIMPLE()", "gelu"]), (21, ["Memcpy HtoD (Pinned -> Device)"])):
        time = 1_000_000.0 + dice.randrange(100)
        for _ in range(400):
            time += dice.choice([0, 3, 40, 200])
            name, duration = dice.choice(names), dice.choice([1, 20, 150])
            events.append({"ph": "X", "cat": "gpu_memcpy" if name.startswith("Memcpy") else "kernel", "name": name, "pid": 0,
                           "tid": stream, "ts": time, "dur": duration,
                           "args": {"device": 0, "stream": stream, "correlation": len(events) + 1}})
            time += duration
    for event in list(events):
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": event["ts"] - 10,
                       "dur": 2, "args": {"correlation": event["args"]["correlation"]}})
    return {"schemaVersion": 1, "traceEvents": events}


def compared(cli, trace, folder):
    """A pair of theirs and ours for each device of the trace."""
    devices = sorted({event["pid"] for event in trace["traceEvents"] if is_work(event)}, key=str)
    for device in devices:
        path = pathlib.Path(folder) / f"device-{device}.json"
        path.write_text(json.dumps(whole_step(trace, device)))
        yield device, theirs(path), ours(cli, path), theirs(path, correct=False)


COMMUNICATION = re.compile(r"nccl|rccl|msccl|nvshmem|internode::|intranode::|multimem_all_reduce|cross_device_reduce", re.IGNORECASE)
TIMES = ("window", "busy", "idle", "communication", "exposed_communication")


def nanoseconds(microseconds):
    return int((Decimal(str(microseconds)) * 1000).to_integral_value(ROUND_HALF_UP))


def covered(ranges):
    """How long at least one of the ranges lasts."""
    total, reached = 0, None
    for start, end in sorted(ranges):
        begin = start if reached is None else max(start, reached)
        total += max(0, end - begin)
        reached = end if reached is None else max(end, reached)
    return total


def counted(trace):
    """TIMES of each GPU in nanoseconds, from its first to its last kernel; sorted."""
    gpus = {}
    for event in trace["traceEvents"]:
        if not isinstance(event, dict) or event.get("ph") != "X" or event.get("cat") not in ("kernel", "Kernel"):
            continue
        arguments = event.get("args", {})
        start = nanoseconds(event["ts"])
        communicates = "Collective name" in arguments or COMMUNICATION.search(event["name"])
        compute, communication = gpus.setdefault(arguments.get("device", event["pid"]), ([], []))
        (communication if communicates else compute).append((start, start + nanoseconds(event["dur"])))
    times = []
    for compute, communication in gpus.values():
        both = compute + communication
        window = max(end for _, end in both) - min(start for start, _ in both)
        busy = covered(compute)
        times.append((window, busy, window - busy, covered(communication), covered(both) - busy))
    return sorted(times)


class Sums(unittest.TestCase):
    """Against arithmetic in whole nanoseconds."""

    def compare(self, name, path, trace):
        result = subprocess.run([Traces.cli, "gaps", str(path), "--windows", "trace", "--json"], check=True, capture_output=True, text=True)
        lanes = json.loads(result.stdout, parse_float=Decimal)["lanes"]
        self.assertEqual(sorted(tuple(int(lane[time + "_us"] * 1000) for time in TIMES) for lane in lanes), counted(trace), name)

    def test_of_generated_traces_are_equal(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(3, 8):
                trace = generated(seed)
                dice = random.Random(seed)
                for event in trace["traceEvents"]:  # odd nanoseconds, and two GPUs
                    event["ts"] = round(event["ts"] + dice.randrange(1000) / 1000, 3)
                    if "device" in event["args"]:
                        event["args"]["device"] = event["pid"] = event["tid"] % 2
                path = pathlib.Path(folder) / f"{seed}.json"
                path.write_text(json.dumps(trace))
                self.assertEqual(len(counted(trace)), 2)
                self.compare(f"generated {seed}", path, trace)

    def test_of_files_are_equal(self):
        if not Traces.files:
            self.skipTest("no trace is named")
        for path in Traces.files:
            trace = load(path, parse_float=Decimal)
            if counted(trace):
                with self.subTest(trace=path.name):
                    self.compare(path.name, path, trace)
                    print(f"{path.name}: times of {len(counted(trace))} GPU(s) equal to the nanosecond", flush=True)


@unittest.skipIf(TraceAnalysis is None, "HolisticTraceAnalysis is not installed, so traces are not compared with it")
class Traces(unittest.TestCase):
    cli = ""
    files = []

    def setUp(self):
        logging.disable(logging.CRITICAL)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def compare(self, name, trace):
        for device, expected, measured, raw in compared(self.cli, trace, self.folder.name):
            line = [f"{name} device {device}"]
            for what in ("window", "compute", "exposed", "idle"):
                line.append(f"{what} {measured[what]:.1f} {expected[what]:.1f} ({raw[what]:.1f})")
            if self.files:
                print("; ".join(line), flush=True)
            for what in ("window", "compute", "exposed", "idle"):
                with self.subTest(trace=name, device=device, what=what):
                    self.assertTrue(close(measured[what], expected[what], expected["window"]), "; ".join(line))

    def test_of_a_gpu_are_split_as_holistic_trace_analysis_does(self):
        for seed in range(3):
            self.compare(f"generated {seed}", generated(seed))

    def test_of_files_are_split_as_holistic_trace_analysis_does(self):
        if not self.files:
            self.skipTest("no trace is named")
        for path in self.files:
            self.compare(path.name, load(path))


def files_of(places):
    for place in map(pathlib.Path, places):
        yield from sorted(file for file in place.rglob("*.json*") if file.is_file()) if place.is_dir() else [place]


if __name__ == "__main__":
    Traces.cli = sys.argv[1]
    Traces.files = list(files_of(sys.argv[2:]))
    unittest.main(argv=sys.argv[:1], warnings="ignore")
