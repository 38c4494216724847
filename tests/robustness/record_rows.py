# SPDX-License-Identifier: GPL-3.0-only
"""What run.json, the CSV files beside it and the JSON of commands say of a run. A table is a generator of Statement."""
import csv
import json
import statistics

from recomputed import Statement
from seen_run import microseconds

BACKWARD = ("B", "I")


def record_rows(run):
    """The summary and the comparison in run.json."""
    compared = {row["name"]: row for row in run.record["comparison"]["variants"]}
    for variant in run.variants:
        where, name, said, times = f"{run.name}, run.json, {variant['name']}", variant["name"], variant["summary"], run.times[variant["name"]]
        yield Statement("count of repeats", where, said["n"], len(times.seconds))
        yield Statement("mean of the repeats", where, said["mean"], times.mean)
        yield Statement("deviation of the repeats", where, said["std"], times.std if said["n"] > 1 else None)
        yield Statement("median of the repeats", where, said["median"], times.median)
        yield Statement("outliers among the repeats", where, said["outliers"], times.outliers)
        yield from interval_rows("interval of the mean", where, said["ci95"], times.interval)
        yield Statement("images per second", where, said["images_per_second"], run.record["images_per_repeat"] / times.mean)
        if name in run.others():
            speed_up = run.speed_up(name)
            yield Statement("ratio to the baseline", where, compared[name]["ratio"], speed_up.ratio)
            yield from interval_rows("interval of the ratio", where, compared[name]["ci95"], speed_up.interval)
            if speed_up.interval:
                yield Statement("smallest difference that would show", where, compared[name]["smallest_difference"], speed_up.smallest)
            yield Statement("word of the comparison", where, compared[name]["verdict"].split(" (")[0], speed_up.word)
        yield from lane_rows(run, variant, where)
        yield from bound_rows(run, variant, where)


def interval_rows(name, where, said, value):
    if said is None or value is None:
        yield Statement(name, where, said, value)
        return
    yield Statement(name + ", low end", where, said[0], value[0])
    yield Statement(name + ", high end", where, said[1], value[1])


def lane_rows(run, variant, where):
    """Times of the lanes, from the trace of the last repeat."""
    trace = run.traces[variant["name"]]
    for index, lane in enumerate(variant["lanes"]):
        if index not in trace.lanes:
            continue
        at = f"{where}, {lane['name']}"
        yield Statement("window of a lane", at, lane["window_seconds"], trace.window)
        yield Statement("busy time of a lane", at, lane["busy_seconds"], trace.busy(index))
        yield Statement("idle time of a lane", at, lane["idle_seconds"], trace.window - trace.busy(index))
        yield Statement("core time of a lane", at, lane["cpu_seconds"], trace.on_core(index))
        yield Statement("forecast is the sum of its parts", at, lane["forecast_bytes"], sum(lane["forecast"].values()))


def bound_rows(run, variant, where):
    """Schedule efficiency: means over repeats, so of the trace only if there is one repeat."""
    bound, trace = variant["bound"], run.traces[variant["name"]]
    if len(variant["repeats"]) > 1:
        return
    yield Statement("mean step of the schedule's table", where, microseconds(1e6 * bound["step_seconds"]), trace.window / len(trace.steps))
    # Replicas do the same stages: the means are of all of them, and each replica has the work of all stages.
    work = [0.0] * len(trace.lanes)
    for stage, said in enumerate(bound["stages"]):
        for key, phases in (("forward", "F"), ("backward", BACKWARD), ("weight", "W"), ("update", "U")):
            yield Statement("stage time", f"{where}, stage {stage}, {key}", said[key], trace.mean_length(stage, phases))
    for place, lane in enumerate(trace.lanes):
        work[place] = sum(trace.mean_length(a.args["stage"], a.args["phase"]) for a in trace.actions if a.lane == lane) / len(trace.steps)
    yield Statement("work of the busiest lane", where, bound["work_seconds"], max(work))
    yield Statement("idle share of the step", where, bound["step_idle"], max(0.0, 1 - statistics.fmean(work) / bound["step_seconds"]))
    yield Statement("idle share of the order", where, bound["order_idle"], max(0.0, 1 - statistics.fmean(work) / bound["order_seconds"]))


def csv_rows(file):
    return list(csv.DictReader(file.read_text().splitlines()))


def json_rows(run):
    """The CSV files of the folder and the JSON and CSV of commands say what run.json says, to the last bit."""
    samples, steps, lanes = (csv_rows(run.folder / name) for name in ("samples.csv", "steps.csv", "lanes.csv"))
    flat = [(variant["name"], i, repeat) for variant in run.variants for i, repeat in enumerate(variant["repeats"])]
    images = run.record["images_per_repeat"]
    said = [(row["variant"], int(row["repeat"]), float(row["seconds"]), float(row["images_per_second"]), float(row["last_loss"])) for row in samples]
    yield Statement("samples.csv", run.name, said, [(name, i, repeat["seconds"], images / repeat["seconds"], repeat["losses"][-1]) for name, i, repeat in flat])
    said = [(row["variant"], int(row["repeat"]), int(row["step"]), float(row["seconds"]), float(row["loss"])) for row in steps]
    yield Statement("steps.csv", run.name, said, [(name, i, step, seconds, loss) for name, i, repeat in flat
                                                 for step, (seconds, loss) in enumerate(zip(repeat["step_seconds"], repeat["losses"]))])
    said = {(row["variant"], row["lane"]): (float(row["busy_s"]), float(row["window_s"]), float(row["busy_share"]), float(row["idle_share"]))
            for row in lanes if row["busy_s"]}
    for variant in run.variants:
        for lane in variant["lanes"]:
            busy, window = lane["busy_seconds"], lane["window_seconds"]
            if not busy:
                continue
            for title, a, b in zip(("busy time", "window", "busy share", "idle share"), said.get((variant["name"], lane["name"]), [None] * 4),
                                   (busy, window, busy / window, lane["idle_seconds"] / window)):
                yield Statement(f"{title} in lanes.csv", f"{run.name}, {variant['name']}, {lane['name']}", a, b)
    yield from comparison_file_rows(run)


def comparison_file_rows(run):
    table = run.folder.parent / f"{run.folder.name}.csv"
    run.ask("export", run.folder, "--what", "comparison", "--format", "csv", "--out", table)
    rows = {row["variant"]: row for row in csv_rows(table)}
    answer = {row["name"]: row for row in json.loads(run.ask("compare", run.folder, "--json"))["variants"]}
    compared = {row["name"]: row for row in run.record["comparison"]["variants"]}
    for variant in run.variants:
        name, summary, row, line = variant["name"], variant["summary"], compared[variant["name"]], rows.get(variant["name"], {})
        where = f"{run.name}, {name}"
        ends, ratio_ends = summary["ci95"] or [None, None], row["ci95"] or [None, None]
        values = [summary["n"], summary["mean"], summary["std"] if summary["n"] > 1 else None, summary["median"], *ends, summary["images_per_second"],
                  row["ratio"], *ratio_ends]
        titles = ("n", "mean_s", "std_s", "median_s", "ci95_low_s", "ci95_high_s", "images_per_second", "ratio", "ratio_ci95_low", "ratio_ci95_high")
        yield Statement("export --what comparison is run.json", where, [float(line[title]) if line.get(title) else None for title in titles], values)
        yield Statement("verdict of the exported table", where, line.get("verdict"), row["verdict"])
        told = answer.get(name, {})
        yield Statement("compare --json is run.json", where, [told.get(key) for key in ("n", "mean", "median", "mean_ci95", "ratio", "ci95", "verdict")],
                        [summary["n"], summary["mean"], summary["median"], summary["ci95"], row["ratio"], row["ci95"], row["verdict"]])
