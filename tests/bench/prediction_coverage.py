#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""How many measured steps lie within the 90 % ranges that `simulate` gives them.

Usage: prediction_coverage.py LANELAB_CLI [FOLDER] [--networks NAME,...]

For each network the blocks are measured (profile), all variants are predicted (simulate), then trained (run), five repeats each. A step is the median of the
repeats' median steps. Printed are prediction, range and measurement of each variant, and the share within the range. Say with the figures what else the machine
did: ranges that hold on an idle machine say nothing of a busy one, and the other way round.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

LIMIT_S = 900
NETWORKS = {
    "resnet18": {"shape": [3, 64, 64], "batch": 16, "cuts": ["layer2.0", "layer3.0", "layer4.0"], "sizes": [2, 4, 8]},
    "resnet34": {"shape": [3, 32, 32], "batch": 32, "cuts": ["layer2.0", "layer3.0", "layer4.0"], "sizes": [4, 8, 16]},
    "resnet50": {"shape": [3, 64, 64], "batch": 16, "cuts": ["layer2.0", "layer3.0", "layer4.0"], "sizes": [4, 8]},
    "resnet101": {"shape": [3, 32, 32], "batch": 16, "cuts": ["layer2.3", "layer3.8"], "sizes": [4, 8]},
    "resnet152": {"shape": [3, 32, 32], "batch": 8, "cuts": ["layer2.7", "layer3.18"], "sizes": [2, 4]},
    "vit": {"file": "shipped:vit-s16.pt2", "shape": [3, 64, 64], "batch": 16, "cuts": ["encoder.layers.encoder_layer_4", "encoder.layers.encoder_layer_6"], "sizes": [4, 8]},
    "mixer": {"file": "shipped:mixer-s16.pt2", "shape": [3, 64, 64], "batch": 16, "cuts": ["blocks.4", "blocks.6"], "sizes": [4, 8]},
    "unet": {"file": "shipped:unet.pt2", "loss": "mse", "shape": [3, 64, 64], "batch": 8, "cuts": ["down.2", "bottom"], "sizes": [2, 4]},
}


def experiment(arch, network):
    variants = [{"name": "Single", "strategy": "single", "lanes": [0]}]
    for cut in network["cuts"]:
        for size in network["sizes"]:
            for schedule in ("gpipe", "zb-h1") if size == network["sizes"][-1] else ("1f1b",):
                variants.append({"name": f"{schedule}, {cut}, {size}", "strategy": "pipeline", "schedule": schedule, "split_size": size, "cuts": [cut]})
    model = {"file": network["file"]} if "file" in network else {"arch": arch, "classes": 100}
    return {"name": arch, "model": model,
            "data": {"source": "random", "shape": network["shape"], "batch": network["batch"], "steps": 3},
            "training": {"loss": network.get("loss", "cross_entropy"), "optimizer": "sgd", "lr": 0.001, "seed": 0},
            "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}], "variants": variants, "repeats": 5, "warmup": 1}


def rows_of(cli, folder, arch):
    """(variant, predicted, low, high, measured), in ms."""
    file, run = folder / f"{arch}.json", folder / f"run-{arch}"
    file.write_text(json.dumps(experiment(arch, NETWORKS[arch])), encoding="utf-8")
    environment = {**os.environ, "LANELAB_PROFILES": str(folder / "profiles"), "XDG_DATA_HOME": str(folder / "data")}

    def done(*arguments):
        return subprocess.run([cli, *map(str, arguments)], env=environment, check=True, capture_output=True, text=True, timeout=LIMIT_S).stdout

    done("profile", file)
    predicted = {variant["name"]: variant for variant in json.loads(done("simulate", file, "--json"))["variants"]}
    done("run", file, "--out", run)
    for variant in json.loads((run / "run.json").read_text(encoding="utf-8"))["variants"]:
        steps = [statistics.median(repeat["step_seconds"]) for repeat in variant["repeats"]]
        own = predicted[variant["name"]]
        yield variant["name"], own["step_ms"], *own["range90_ms"], 1e3 * statistics.median(steps)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli", type=os.path.abspath)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--networks", default=",".join(NETWORKS), type=lambda text: text.split(","))
    options = parser.parse_args()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    held, errors = [], []
    for arch in options.networks:
        for name, predicted, low, high, measured in rows_of(options.cli, folder, arch):
            held.append(low <= measured <= high)
            errors.append(abs(predicted / measured - 1))
            print(f"{arch:10} {name:22} predicted {predicted:6.0f} ({low:.0f} to {high:.0f})  measured {measured:6.0f} ms  {'within' if held[-1] else 'OUTSIDE'}", flush=True)
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{sum(held)} of {len(held)} within ({100 * sum(held) / len(held):.0f} %); median error {100 * statistics.median(errors):.0f} %; load average {load}, {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
