# SPDX-License-Identifier: GPL-3.0-only
"""The figures of run folders: a line per variant, and all of them as one line of JSON.

Usage: figures.py [--predicted FILE] RUN_FOLDER... FILE is what lanelab-cli simulate --json printed; steps are compared with it. Peaks are those of the lane's device.
Ends with 1 if a recording of the GPU lost records.
"""
import argparse
import json
import pathlib
import statistics
import sys

LOSSES = ("dropped", "without_time", "unattributed_kernels", "kernels_before_launch")


def predicted_steps(file):
    """Seconds of a step by variant."""
    if not file:
        return {}
    variants = json.loads(file.read_text())["variants"]
    return {variant["name"]: variant["period_ms" if variant.get("window") == "period" else "step_ms"] * 1e-3 for variant in variants}


def over(part, whole):
    return part / whole - 1 if part and whole else None


def row_of(run, variant, predicted):
    steps = [seconds for repeat in variant["repeats"] for seconds in repeat["step_seconds"]]
    step = statistics.median(steps) if steps else None
    return {"run": run["id"], "variant": variant["name"], "n": len(steps), "median_step_s": step, "images_per_second": variant["summary"]["images_per_second"],
            "predicted_step_s": predicted, "step_error": over(predicted, step), "recording": variant.get("recording"), "gpu_activity": variant.get("gpu_activity"),
            "bound": variant.get("bound"), "lanes": [lane | {"peak_error": over(lane.get("forecast_bytes"), lane.get("peak_bytes"))} for lane in variant["lanes"]]}


def percent(share):
    return f"{100 * share:+.1f} %"


def text_of(row):
    parts = [f"{row['run']}, {row['variant']}:"]
    if row["median_step_s"]:
        parts.append(f"step {row['median_step_s'] * 1e3:.4g} ms (median of {row['n']}),")
    if row["step_error"] is not None:
        parts.append(f"predicted {row['predicted_step_s'] * 1e3:.4g} ms ({percent(row['step_error'])}),")
    for lane in row["lanes"]:
        if lane["peak_error"] is not None:
            parts.append(f"{lane['name']} peak {lane['peak_bytes'] / 2**20:.1f} MiB, forecast {percent(lane['peak_error'])},")
    if row["recording"] and row["recording"].get("cost_ratio"):
        parts.append(f"recording {row['recording']['mode']} costs {percent(row['recording']['cost_ratio'])} (95 % CI {row['recording']['ci95']}),")
    if row["gpu_activity"]:
        parts.append(", ".join(f"{row['gpu_activity'][key]} {key}" for key in ("kernels", *LOSSES)))
    return " ".join(parts).rstrip(",")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--predicted", type=pathlib.Path)
    p.add_argument("folders", nargs="+", type=pathlib.Path)
    args = p.parse_args()
    predicted = predicted_steps(args.predicted)
    rows = []
    for folder in args.folders:
        run = json.loads((folder / "run.json").read_text())
        rows += [row_of(run, variant, predicted.get(variant["name"])) for variant in run["variants"]]
    print("\n".join(map(text_of, rows)))
    print(json.dumps({"runs": rows}))
    lost = sum(row["gpu_activity"]["dropped"] for row in rows if row["gpu_activity"])
    if lost:
        print(f"{lost} records of the GPU were lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
