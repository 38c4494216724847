# SPDX-License-Identifier: GPL-3.0-only
"""What the GPU can do at most: copies within its memory, and products of matrices in fp32, tf32 and bf16. One line each.

Usage: ceilings.py [--small]. Medians of 20 times by the device's own events, after three that are not counted; of random numbers, since zeros are multiplied faster.
Without a GPU the CPU is measured, to try the script; --small does it with small sizes.
"""
import argparse
import json
import statistics
import time

import torch

ROUNDS, WARM_UP = 20, 3
PRECISIONS = {"fp32": (torch.float32, "ieee"), "tf32": (torch.float32, "tf32"), "bf16": (torch.bfloat16, "ieee")}


def seconds(work, on_gpu):
    """Of each of ROUNDS calls."""
    times = []
    for round in range(WARM_UP + ROUNDS):
        if on_gpu:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            work()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3)
        else:
            begin = time.perf_counter()
            work()
            times.append(time.perf_counter() - begin)
    return times[WARM_UP:]


def row(name, amount, unit, times):
    rates = sorted(amount / t for t in times)
    print(f"{name}: median {statistics.median(rates):.4g} {unit}, {rates[0]:.4g} to {rates[-1]:.4g} of {len(rates)}", flush=True)
    return {"name": name, "unit": unit, "median": statistics.median(rates), "low": rates[0], "high": rates[-1], "n": len(rates)}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--small", action="store_true")
    args = p.parse_args()
    on_gpu = torch.cuda.is_available()
    device = torch.device("cuda" if on_gpu else "cpu")
    count, side = (1 << 20, 256) if args.small else (1 << 30, 8192)
    if on_gpu:
        facts = torch.cuda.get_device_properties(0)
        print(f"{facts.name}, {facts.total_memory / 2**30:.1f} GiB, {facts.multi_processor_count} multiprocessors, PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
    source = torch.randn(count, device=device)
    target = torch.empty_like(source)
    rows = [row("copy in memory, bytes read and written", 2 * 4e-9 * count, "GB/s", seconds(lambda: target.copy_(source), on_gpu))]
    del source, target
    for name, (dtype, products) in PRECISIONS.items():
        if on_gpu:
            torch.backends.cuda.matmul.fp32_precision = products
        a, b = (torch.randn(side, side, device=device, dtype=dtype) for _ in range(2))
        out = torch.empty_like(a)
        rows.append(row(f"product of {side} x {side}, {name}", 2e-12 * side**3, "TFLOP/s", seconds(lambda: torch.mm(a, b, out=out), on_gpu)))
    print(json.dumps({"ceilings": rows}))


if __name__ == "__main__":
    main()
