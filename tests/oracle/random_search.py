#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Random small networks in random experiments: the verdict of `check`, and the weights of `run --save-weights`, against a plain loop of eager PyTorch.

Usage: random_search.py LANELAB_CLI [--trials N] [--seed S] [--without FEATURE ...] [--keep FOLDER]
Trial i is drawn from seed S + i, whatever the count. Prints each disagreement; exits 1 if there is one.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import warnings

import torch
from safetensors.torch import load_file, save_file

import plain_training
from random_networks import FEATURES, Drawn, exported

LIMIT_S = 120
SCHEDULES = ("gpipe", "1f1b", "interleaved-1f1b", "looped-bfs", "zb-h1", "interleaved-zb", "zb-v", "v-half", "v-min", "dualpipe-v", "hanayo", "list")
SEVERAL_STAGES = {"interleaved-1f1b": (2, 3), "looped-bfs": (2, 3), "interleaved-zb": (2, 3), "zb-v": (2,), "v-half": (2,), "v-min": (2,), "dualpipe-v": (2,), "hanayo": (2, 4)}
REFUSED = 2


class Command:
    def __init__(self, cli, folder):
        self.cli, self.folder = os.path.abspath(cli), folder

    def __call__(self, *arguments):
        environment = os.environ | {"LANELAB_PROFILES": str(self.folder / "profiles")}
        return subprocess.run([self.cli, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S, env=environment)


def training_of(dice):
    training = {"seed": dice.randint(0, 2**40), "lr": dice.choice([0.1, 0.01]), "loss": "cross_entropy", "optimizer": dice.choice(["sgd", "sgd", "adam"]),
                "layout": dice.choice(["contiguous", "channels_last"]), "step_barrier": dice.random() < 0.5}
    if training["optimizer"] == "sgd" and dice.random() < 0.5:
        training["momentum"] = 0.9
        training["nesterov"] = dice.random() < 0.4
    if dice.random() < 0.3:
        training["weight_decay"] = 0.01
    return training


def cuts_of(dice, blocks, count):
    return [blocks[i] for i in sorted(dice.sample(range(1, len(blocks)), count))]


def pipeline_of(dice, blocks, lanes, batch):
    """A schedule on some of the lanes, with as many stages as it needs and the network allows."""
    schedule, count = dice.choice(SCHEDULES), dice.randint(1, lanes)
    each = dice.choice(SEVERAL_STAGES.get(schedule, (1,)))
    while count > 1 and count * each > len(blocks):
        count -= 1
    if count * each > len(blocks):
        schedule, each = "1f1b", 1
    return {"schedule": schedule, "cuts": cuts_of(dice, blocks, count * each - 1), "lanes": dice.sample(range(lanes), count), "split_size": dice.randint(1, batch)}


def variant_of(dice, name, blocks, lanes, batch):
    strategy = dice.choice(["single", "model-parallel", "pipeline", "pipeline", "pipeline", "pipeline", "data-parallel", "ddp"])
    variant = {"name": name, "strategy": strategy}
    if strategy == "single":
        variant |= {"lanes": [dice.randrange(lanes)], "split_size": dice.randint(1, batch)}
    elif strategy == "model-parallel":
        count = dice.randint(1, min(lanes, len(blocks)))
        variant |= {"lanes": dice.sample(range(lanes), count), "cuts": cuts_of(dice, blocks, count - 1)}
    elif strategy == "pipeline":
        variant |= pipeline_of(dice, blocks, lanes, batch)
    elif strategy == "data-parallel":
        variant["lanes"] = dice.sample(range(lanes), dice.randint(1, lanes))
    else:
        replicas = dice.randint(1, min(lanes, batch))
        one = pipeline_of(dice, blocks, lanes // replicas, max(1, batch // replicas))
        variant |= one | {"replicas": replicas, "lanes": dice.sample(range(lanes), len(one["lanes"]) * replicas)}
    stages = len(variant.get("cuts", ())) + 1
    if dice.random() < 0.3:
        variant["recompute"] = dice.choice([True, sorted(dice.sample(range(stages), dice.randint(1, stages)))])
    if dice.random() < 0.1 and strategy in ("single", "pipeline"):
        variant["batch_norm"] = "synchronised"
    return variant


def task_of(experiment, variant, dropouts):
    batch = experiment["data"]["batch"]
    whole = variant.get("batch_norm") == "synchronised" or variant["strategy"] in ("model-parallel", "data-parallel")
    lanes = len(variant.get("lanes", experiment["lanes"]))
    gathered = variant["strategy"] == "data-parallel" and lanes > 1
    return plain_training.Task(experiment["training"], experiment["data"]["steps"], batch if whole else variant.get("split_size", batch),
                               lanes if gathered else variant.get("replicas", 1), gathered, dropouts)


class Trial:
    """A network, its data and an experiment, in a folder of its own."""

    def __init__(self, seed, features, command):
        self.seed, self.command, self.dice = seed, command, random.Random(seed)
        self.drawn = Drawn(self.dice, features)
        torch.manual_seed(seed)
        self.network = self.drawn.network()
        self.batch = self.dice.choice([2, 3, 4, 5, 7])
        self.inputs, self.targets = self.drawn.data(self.batch, seed)
        self.program = exported(self.network, self.inputs)
        torch.export.save(self.program, str(command.folder / "net.pt2"))
        save_file({"inputs": self.inputs, "targets": self.targets}, command.folder / "data.safetensors")
        self.draw_experiment()

    def draw_experiment(self):
        summary = self.command("summary", "net.pt2", "--json")
        if summary.returncode != 0:
            raise AssertionError(f"summary exits {summary.returncode}: {summary.stderr.strip()[-400:]}")
        blocks = json.loads(summary.stdout)["blocks"]
        lanes = self.dice.choice([1, 2, 2, 3, 4])
        threads = self.dice.choice([1, 1, 1, 1, 2])
        variants = [variant_of(self.dice, f"v{i}", blocks, lanes, self.batch) for i in range(self.dice.randint(2, 4))]
        self.experiment = {"name": "random", "model": {"file": "net.pt2"},
                           "data": {"source": "file", "path": "data.safetensors", "batch": self.batch, "steps": self.dice.randint(1, 3)},
                           "training": training_of(self.dice), "lanes": [{"device": f"cpu:{i}", "threads": threads} for i in range(lanes)],
                           "variants": variants, "repeats": 1, "warmup": 0}
        self.experiment["variants"] = [variant for variant in variants if self.allowed(variant)]
        self.store()

    def allowed(self, variant):
        """Whether each of its micro-batches has the samples that the network needs."""
        task = task_of(self.experiment, variant, ())
        rows = [len(range(r, self.batch, task.replicas)) for r in range(task.replicas)]
        sizes = [size for count in rows for size in plain_training.micro_batch_sizes(count, rows[0], task.split)]
        if task.gathered:
            sizes = [len(part) for part in self.inputs.chunk(task.replicas)]
        return min(sizes, default=0) >= self.drawn.least

    def store(self):
        (self.command.folder / "experiment.json").write_text(json.dumps(self.experiment))

    def drop_refused(self):
        """Removes variants that the experiment's checks refuse, such as a schedule that is not defined for its stages."""
        for index in reversed(range(len(self.experiment["variants"]))):
            alone = self.experiment | {"variants": [self.experiment["variants"][index]]}
            (self.command.folder / "alone.json").write_text(json.dumps(alone))
            if self.command("run", "alone.json", "--dry-run").returncode == REFUSED:
                del self.experiment["variants"][index]
        self.store()
        return bool(self.experiment["variants"])

    def verdicts(self):
        check = self.command("check", "experiment.json", "--json")
        if not check.stdout.startswith("{"):
            raise AssertionError(f"check exits {check.returncode}: {check.stderr.strip()[-400:]}")
        return {each["name"]: each for each in json.loads(check.stdout)["variants"]}

    def weights(self):
        run = self.command("run", "experiment.json", "--out", "out", "--save-weights")
        if run.returncode != 0:
            raise AssertionError(f"run exits {run.returncode}: {run.stderr.strip()[-400:]}")
        names = [variant["name"] for variant in self.experiment["variants"]]
        return {name: load_file(self.command.folder / "out" / f"weights-{name}.safetensors") for name in names}

    def disagreements(self):
        if not self.drop_refused():
            return []
        try:
            verdicts, weights = self.verdicts(), self.weights()
        except AssertionError as error:
            return [str(error)]
        dropouts = plain_training.dropout_calls(self.program)
        found = []
        for variant in self.experiment["variants"]:
            task = task_of(self.experiment, variant, dropouts)
            differing = plain_training.differing(weights[variant["name"]], self.network, self.inputs, self.targets, task)
            found += self.held(variant, verdicts[variant["name"]], differing)
        return found

    @staticmethod
    def held(variant, verdict, differing):
        worst = max(differing, key=differing.get, default=None)
        apart = f"{len(differing)} tensors, {worst} by {differing[worst]:.2g}" if differing else ""
        of_check = "; ".join(f"{group['what']} {group['bitwise']} of {group['tensors']} bitwise, {group['worst']} by {group['relative_difference']}"
                             for group in verdict["groups"] if group["bitwise"] < group["tensors"])
        if verdict["equal"] and differing:
            return [f"check says {verdict['verdict']} where eager PyTorch differs ({apart}): {variant}"]
        if not verdict["equal"] and not differing:
            return [f"check says {verdict['verdict']} ({of_check}) where eager PyTorch agrees: {variant}"]
        return [f"check and eager PyTorch both differ ({of_check}; {apart}): {variant}"] if differing else []


def tried(seed, features, cli, kept):
    """What one trial found, and what its network had."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        if kept:
            path = kept / str(seed)
            path.mkdir(parents=True, exist_ok=True)
        command = Command(cli, path)
        trial = Trial(seed, features, command)
        return trial.disagreements(), trial


def main():
    parser = argparse.ArgumentParser(description="Holds check and run against eager PyTorch on random networks.")
    parser.add_argument("cli")
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", nargs="+", choices=FEATURES, default=[], metavar="FEATURE", help="one of " + ", ".join(FEATURES))
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="store network, data and experiment of each trial there")
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    failed, variants, begin = 0, 0, time.monotonic()
    for seed in range(options.seed, options.seed + options.trials):
        try:
            found, trial = tried(seed, [each for each in FEATURES if each not in options.without], options.cli, options.keep)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"seed {seed}: {error}", flush=True)
            continue
        failed += bool(found)
        variants += len(trial.experiment["variants"])
        for each in found:
            print(f"seed {seed} ({trial.drawn.kind}; {', '.join(sorted(trial.drawn.used))}): {each}", flush=True)
    print(f"{options.trials} trials, {variants} variants, {failed} with a disagreement, {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
