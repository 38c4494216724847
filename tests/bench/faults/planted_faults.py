#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Who is late in real jobs of several ranks: faults planted in exported training scripts under torchrun are named by `gaps`, with their place, and sound runs name nobody.

    planted_faults.py CLI [--trials N] [--seed N] [--kinds K ...] [--layouts L ...] [--out DIR]

Each trial is a fault of random place and size in a pipeline or in replicas over Gloo, recorded by `--profile` and imported. It is right if "late" of `gaps --json` has
this fault and nothing else. Trials of a layout run one after another in the same processes. Needs the Python whose PyTorch LaneLab is built with.
Exit code 1 if fewer than 19 of 20 trials of a kind are right, or a sound run named somebody.
"""
import argparse
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECONDS_PER_TRIAL, SECONDS_TO_START = 20, 180
RECORDED = range(1, 9)  # steps
BLOCKS, FEATURES, MICRO_BATCHES = 4, 32, 8
PASSES_S = 0.019  # of a stage for a micro-batch, with what is around them
LEAST_RIGHT = 0.95

# Ranks of a replica, replicas, schedule.
LAYOUTS = {"pp2-1f1b": (2, 1, "1f1b"), "pp2-gpipe": (2, 1, "gpipe"), "pp4-1f1b": (4, 1, "1f1b"), "pp4-gpipe": (4, 1, "gpipe"), "dp2-pp2": (2, 2, "1f1b"), "ddp2": (1, 2, None)}
PIPELINES = ["pp2-1f1b", "pp2-gpipe", "pp4-1f1b", "pp4-gpipe"]
KINDS = {"stage": PIPELINES + ["dp2-pp2"], "link": PIPELINES, "start": PIPELINES, "data": PIPELINES, "replica": ["dp2-pp2", "ddp2"], "none": list(LAYOUTS)}


def draw(kind, layout, rng):
    """A fault for faulty_job.py."""
    ranks, replicas, schedule = LAYOUTS[layout]
    rank = rng.randrange(ranks * replicas)
    # So much later a rank gets its first input than the first one, and so much earlier it is done with the step before.
    slack = rank % ranks * PASSES_S
    if kind == "stage":
        return {"kind": kind, "rank": rank, "factor": rng.uniform(1.3, 1.8)}
    if kind == "link":
        ends = rng.sample((place := rng.randrange(ranks - 1), place + 1), 2)
        mode = rng.choice(["send", "wire", "receive"])
        # GPipe hides a slow wire but for its first message.
        low, high = (0.02, 0.05) if mode == "wire" and schedule == "gpipe" else (0.005, 0.012)
        return {"kind": kind, "from": ends[0], "to": ends[1], "mode": mode, "seconds": rng.uniform(low, high)}
    if kind == "start":
        if rng.random() < 0.3:
            return {"kind": kind, "rank": rank, "where": "inside", "steps": "first", "seconds": slack + rng.uniform(0.6, 1.5)}
        return {"kind": kind, "rank": rank, "where": rng.choice(["inside", "before"]), "steps": "each", "seconds": slack + rng.uniform(0.03, 0.12)}
    if kind == "data":
        steps = rng.choice([list(RECORDED), rng.sample(RECORDED, 4)])
        return {"kind": kind, "rank": rank, "steps": steps, "seconds": slack + rng.uniform(0.04, 0.15)}
    if kind == "replica":
        longer = rng.uniform(1.25, 1.6)
        return {"kind": kind, "replica": rng.randrange(replicas), "factors": rng.choice([[longer], [longer * rng.uniform(0.8, 1.2) for _ in range(4)]])}
    return {"kind": "none"}


def expected(fault, layout):
    """Of the objects in "late", the members that name the fault."""
    ranks, replicas, _ = LAYOUTS[layout]
    kind = fault["kind"]
    if kind == "none":
        return []
    if kind == "stage":
        return [{"kind": "rank", "ranks": [fault["rank"]]} if replicas > 1 else {"kind": "stage", "stage": fault["rank"]}]
    if kind == "replica":
        return [{"kind": "replica", "replica": fault["replica"]} if ranks > 1 else {"kind": "rank", "ranks": [fault["replica"]]}]
    if kind == "link":
        return [{"kind": "link", "from_rank": fault["from"], "to_rank": fault["to"]}]
    return [{"kind": kind, "rank": fault["rank"], **({"step": 1} if fault["steps"] == "first" else {})}]


def telling(party):
    return {key: value for key, value in party.items() if key in ("kind", "stage", "rank", "from_rank", "to_rank", "step") or
            (key, party["kind"]) in (("replica", "replica"), ("ranks", "rank"))}


def store_network(path):
    """Equal blocks, so that no stage is late by itself."""
    import torch
    block = lambda: torch.nn.Sequential(torch.nn.Linear(FEATURES, FEATURES), torch.nn.Tanh())
    network = torch.nn.Sequential(*(block() for _ in range(BLOCKS)))
    torch.export.save(torch.export.export(network, (torch.zeros(4, FEATURES),), dynamic_shapes=({0: torch.export.Dim("batch")},)), path)


def experiment(layout):
    ranks, replicas, schedule = LAYOUTS[layout]
    variant = {"name": "job", "strategy": "ddp" if replicas > 1 else "pipeline"}
    if schedule:
        variant |= {"schedule": schedule, "split_size": 2, "cuts": [str(BLOCKS // ranks * place) for place in range(1, ranks)]}
    return {"name": "faults", "model": {"file": "network.pt2", "blocks": 1}, "data": {"source": "random", "shape": [FEATURES], "batch": 2 * MICRO_BATCHES * replicas, "steps": 9},
            "training": {"loss": "mse", "lr": 0.01, "seed": 1}, "lanes": [{"device": f"cpu:{lane}"} for lane in range(ranks * replicas)], "variants": [variant]}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Bench:
    def __init__(self, cli, folder):
        self.cli, self.folder = os.path.abspath(cli), folder
        store_network(folder / "network.pt2")

    def call(self, *arguments):
        result = subprocess.run([self.cli, *map(str, arguments)], capture_output=True, text=True, timeout=120)
        if result.returncode != 0:
            sys.exit(f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def record(self, layout, faults):
        """Trains all trials of a layout. Folders of traces, one for each."""
        ranks, replicas, _ = LAYOUTS[layout]
        source, script, out = self.folder / f"{layout}.json", self.folder / layout, self.folder / f"{layout}-traces"
        source.write_text(json.dumps(experiment(layout)))
        self.call("export", source, "--what", "pytorch", "--out", script)
        trials = self.folder / f"{layout}-trials.json"
        trials.write_text(json.dumps(faults))
        command = [sys.executable, "-B", "-m", "torch.distributed.run", "--nproc-per-node", str(ranks * replicas), "--master-port", str(free_port()), str(HERE / "faulty_job.py"), str(script), str(trials), str(out)]
        log = self.folder / f"{layout}.log"
        with open(log, "w") as file:
            job = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env={**os.environ, "OMP_NUM_THREADS": "1"})
            try:
                code = job.wait(timeout=SECONDS_TO_START + SECONDS_PER_TRIAL * len(faults))
            finally:
                if job.poll() is None:  # torchrun ends its ranks
                    job.terminate()
                    job.wait(60)
        if code != 0:
            sys.exit(f"The job ended with {code}:\n{log.read_text()[-4000:]}")
        return [out / str(number) for number in range(len(faults))]

    def slowdown(self, traces):
        run = traces.with_name(f"{traces.name}-run")
        self.call("import", traces, "--out", run)
        return json.loads(self.call("gaps", run, "--json"))["slowdown"]


def drawn_trials(kinds, layouts, trials, rng):
    """By layout, its faults."""
    faults = {}
    for kind in kinds:
        of_kind = [layout for layout in KINDS[kind] if layout in layouts]
        if not of_kind:
            sys.exit(f"None of the layouts has faults of the kind {kind}: choose one of {', '.join(KINDS[kind])}.")
        for number in range(trials):
            layout = of_kind[number % len(of_kind)]
            faults.setdefault(layout, []).append(draw(kind, layout, rng))
    return faults


def print_table(counts):
    print("| fault | trials | right | nobody named | others named |\n|---|---|---|---|---|")
    for kind, (right, silent, wrong) in counts.items():
        print(f"| {kind} | {right + silent + wrong} | {right} | {silent} | {wrong} |")


def run(options, folder):
    rng = random.Random(options.seed)
    bench = Bench(options.cli, folder)
    counts = {kind: [0, 0, 0] for kind in options.kinds}
    for layout, faults in drawn_trials(options.kinds, options.layouts, options.trials, rng).items():
        for fault, traces in zip(faults, bench.record(layout, faults)):
            slowdown = bench.slowdown(traces)
            found, wanted = [telling(party) for party in slowdown["late"]], expected(fault, layout)
            right = found == wanted
            counts[fault["kind"]][0 if right else 1 if not found else 2] += 1
            if options.verbose or not right:
                print(f"{'right' if right else 'WRONG'} {layout} {traces.name}: {fault} -> {found}", *slowdown["sentences"], sep="\n    ", flush=True)
    print_table(counts)
    print(f"Seed {options.seed}, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the end.")
    return all(right >= LEAST_RIGHT * (right + silent + wrong) and (kind != "none" or wrong == 0) for kind, (right, silent, wrong) in counts.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--trials", type=int, default=20, help="of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--layouts", nargs="+", choices=list(LAYOUTS), default=list(LAYOUTS))
    parser.add_argument("--out", type=pathlib.Path, help="retain scripts, traces and imports there")
    parser.add_argument("--verbose", action="store_true", help="print all trials, not only those that are wrong")
    options = parser.parse_args()
    if options.out:
        options.out.mkdir(parents=True)
        sys.exit(not run(options, options.out.resolve()))
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(not run(options, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
