#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Causes that are planted in pipelines are found under their name, also on the lanes that only wait downstream.

    planted_causes_test.py CLI [--trials N] [--seed N] [--verbose]

A simulator of its own plays each pipeline with the planted cause and without it. The difference of the idle times is what
`lanelab-cli gaps` must find under the name of the cause: where all actions take equally long, to the nanosecond and without
any jitter. Imbalance and jitter are counted gap by gap and relative to usual lengths, so there at least 95 % must be found.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from planted_pipelines import random_case, write

CAUSES = ["data", "transfer", "host", "imbalance", "jitter", "smaller"]
LEAST_SHARE = 0.95
OF_EQUAL_ACTIONS = ("data", "transfer", "host", "smaller")
NANOSECOND = 0.0015  # in us, with the rounding of a double


def causes_of(cli, trace):
    """(idle time, time by cause) of all lanes, in us."""
    out = subprocess.run([cli, "gaps", str(trace), "--json"], capture_output=True, text=True, check=True).stdout
    lanes = json.loads(out)["lanes"]
    causes = {}
    for lane in lanes:
        for cause, time in lane["causes"].items():
            causes[cause] = causes.get(cause, 0) + time
    return sum(lane["idle_us"] for lane in lanes), causes


def planted_time(pipe, without):
    """What the cause adds to the idle time of the lanes. A lane that computes longer because of it may idle less."""
    return sum(max(0, idle - other) for idle, other in zip(pipe.idle_of, without.idle_of))


def faults_of(cause, planted, idle, expected_idle, causes):
    """What is wrong, as sentences, and the share that was found."""
    faults = []
    if abs(idle - expected_idle) > NANOSECOND or abs(sum(causes.values()) - idle) > NANOSECOND * len(causes):
        faults.append(f"idle {idle} us is not {expected_idle} us, or not the sum of its causes")
    if cause in OF_EQUAL_ACTIONS and causes["jitter"] > NANOSECOND:
        faults.append(f"jitter of {causes['jitter']} us among equal actions")
    if cause == "smaller":
        return faults, 1.0
    found = causes[cause] + (causes["transfer_queued"] if cause == "transfer" else 0)
    share = found / planted if planted > 0 else 1.0
    if share < LEAST_SHARE:
        faults.append(f"{found} of {planted} us found")
    elif cause in OF_EQUAL_ACTIONS and abs(found - planted) > NANOSECOND:
        faults.append(f"{found} us found, not {planted} us")
    return faults, share


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--trials", type=int, default=42)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    shares, bad = {cause: [] for cause in CAUSES}, 0
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        for trial in range(options.trials):
            cause = CAUSES[trial % len(CAUSES)]
            pipe, without, words = random_case(cause, options.seed * 1000 + trial)
            write(pipe, trace)
            idle, causes = causes_of(options.cli, trace)
            faults, share = faults_of(cause, planted_time(pipe, without) / 1000, idle, sum(pipe.idle_of) / 1000, causes)
            shares[cause].append(share)
            bad += bool(faults)
            if faults or options.verbose:
                largest = ", ".join(f"{name} {time:.3f}" for name, time in causes.items() if time)
                print(f"{cause}: {words}: {100 * share:.1f} %; {'; '.join(faults) or 'good'} ({largest})")
    for cause, all_of in shares.items():
        if all_of:
            print(f"{cause}: {len(all_of)} traces, {100 * min(all_of):.1f} to {100 * max(all_of):.1f} % found")
    print(f"{bad} of {options.trials} traces are wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
