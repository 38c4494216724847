# SPDX-License-Identifier: GPL-3.0-only
"""What `plan`, `simulate`, `summary` and `sweep` predict."""
import json
import math
import re
import statistics

from recomputed import Statement, figures
from seen_run import cell, found, table_of


def planning_rows(ask, run, experiment, costs_file):
    """`plan`, `simulate` and `summary`, whose numbers follow from the block times in a file alone."""
    blocks = json.loads(costs_file.read_text())["blocks"]
    total = sum(block["forward_ms"] + block["backward_ms"] for block in blocks)
    micro_batches = 4
    plan = ask("plan", experiment, "--costs", costs_file, "--stages", 2, "--micro-batches", micro_batches)

    def stage_times(cut):
        return [sum(block["forward_ms"] + block["backward_ms"] for block in part) for part in (blocks[:cut], blocks[cut:])]

    bound = {blocks[cut]["name"]: total + (micro_batches - 1) * max(stage_times(cut)) for cut in range(1, len(blocks))}
    table, names = table_of(plan, "Balanced by"), [block["name"] for block in blocks]
    best = min(bound, key=bound.get)
    proven = cell(table, "measured time", "Cuts before")
    yield Statement("the proven cut has the smallest bound", "plan", proven, best)
    yield Statement("the bound of the proven cut", "plan", found(r"micro-batches \((\S+ ms)\)", plan), bound[best] * 1e-3)
    chosen = found(r'"cuts": \["(\S+?)"\]', plan)
    times = stage_times(names.index(chosen))
    yield Statement("bottleneck of the plan", "plan", found(r"^Bottleneck (\S+ ms)", plan), max(times) * 1e-3)
    yield Statement("latency of the plan", "plan", found(r"latency (\S+ ms)", plan), total * 1e-3)
    yield Statement("largest speed-up of the plan", "plan", found(r"at most (\S+x)", plan), figures(total / max(times)) + "x")
    yield Statement("count of the other cuts", "plan", found(r"None of the other (\d+) cuts", plan), str(len(blocks) - 2))
    for row in table:
        own, smallest = max(stage_times(names.index(cell(table, row, "Cuts before")))), max(stage_times(names.index(best)))
        yield Statement("bottleneck of a balanced cut", f"plan, {row}", cell(table, row, "Bottleneck"), figures(own))
        yield Statement("how far a cut is over the best", f"plan, {row}", cell(table, row, "Over the best"), 100 * (own / smallest - 1))
        yield Statement("largest speed-up of a balanced cut", f"plan, {row}", cell(table, row, "Max. speed-up"), figures(total / own))
    yield from simulation_rows(ask, run, experiment, costs_file, blocks)
    yield from summary_rows(ask)


def one_f_one_b(forward, backward, micro_batches):
    """The step of two stages on two lanes, action by action; s."""
    orders = [[("F", 0)], []]
    for i in range(micro_batches):
        orders[0] += ([("F", i + 1)] if i + 1 < micro_batches else []) + [("B", i)]
        orders[1] += [("F", i), ("B", i)]
    ends, free, places = {}, [0.0, 0.0], [0, 0]
    while any(places[lane] < len(orders[lane]) for lane in (0, 1)):
        for lane in (0, 1):
            if places[lane] == len(orders[lane]):
                continue
            kind, i = orders[lane][places[lane]]
            needed = None if (lane, kind) == (0, "F") else (0, "F", i) if (lane, kind) == (1, "F") else (1, "F", i) if lane else (1, "B", i)
            if needed in ends or needed is None:
                free[lane] = max(free[lane], ends.get(needed, 0.0)) + (forward, backward)[kind == "B"][lane]
                ends[(lane, kind, i)] = free[lane]
                places[lane] += 1
    return max(free)


def sweep_rows(ask, experiment, folder, printed):
    """A sweep that measures: its table and sentences against its run folder."""
    record = json.loads((folder / "run.json").read_text())
    table, errors = table_of(printed, "split size"), {}
    predicted = {prediction["split_size"]: prediction for prediction in record["predictions"]}
    for variant in record["variants"]:
        size = variant["split_size"]
        where, steps = f"sweep, {size}", [statistics.median(repeat["step_seconds"]) for repeat in variant["repeats"]]
        measured = statistics.median(steps)
        step, row = predicted[size]["step_seconds"], str(size)
        errors[row] = step / measured - 1
        yield Statement("micro-batches of a size", where, cell(table, row, "micro-batches"), str(math.ceil(record["experiment"]["data"]["batch"] / size)))
        yield Statement("predicted step of a size", where, cell(table, row, "predicted step"), figures(1e3 * step))
        yield Statement("measured step of a size", where, cell(table, row, "measured"), figures(1e3 * measured))
        yield Statement("deviation of the steps of a size", where, cell(table, row, "std"), figures(1e3 * statistics.stdev(steps)))
        yield Statement("error of a prediction", where, cell(table, row, "error"), errors[row])
        fastest = found(rf"^Micro-batch size {size} is the fastest measured: (\S+ ms) per step", printed)
        if fastest:
            yield Statement("fastest size", where, fastest, measured)
    sizes = [abs(error) for error in errors.values()]
    yield Statement("median error of the predictions", "sweep", found(r"^Predictions are off by (\S+ %) \(median\)", printed), statistics.median(sizes))
    yield Statement("largest error of the predictions", "sweep", found(r"(\S+ %) at most", printed), max(sizes))
    only = ("sweep", experiment, "--split-sizes", "2,4", "--predict-only")
    points, printed = {point["split_size"]: point for point in json.loads(ask(*only, "--json"))["points"]}, ask(*only)
    table = table_of(printed, "split size")
    for size, point in points.items():
        yield Statement("step that is only predicted", f"sweep, {size}", cell(table, str(size), "predicted step"), figures(1e3 * point["predicted_step_seconds"]))
        ends = [figures(1e3 * end) for end in point["range90_seconds"]]
        yield Statement("range of a prediction", f"sweep, {size}", cell(table, str(size), "90 % range"), " to ".join(ends))
    chosen = found(r"^Micro-batch size (\d+) should be the fastest", printed)
    if chosen:
        yield Statement("size that should be the fastest", "sweep", int(chosen), min(points, key=lambda size: points[size]["predicted_step_seconds"]))


def simulation_rows(ask, run, experiment, costs_file, blocks):
    answer = {one["name"]: one for one in json.loads(ask("simulate", experiment, "--costs", costs_file, "--json"))["variants"]}
    printed = ask("simulate", experiment, "--costs", costs_file)
    cut = next(i for i, block in enumerate(blocks) if block["name"] == "layer3.0")
    forward, backward = ([sum(block[key] for block in part) for part in (blocks[:cut], blocks[cut:])] for key in ("forward_ms", "backward_ms"))
    micro_batches = answer["Pipeline"]["micro_batches"]
    step = one_f_one_b(forward, backward, micro_batches)
    yield Statement("predicted step of 1F1B", "simulate --json", answer["Pipeline"]["step_ms"], step)
    for lane in (0, 1):
        at, said, busy = f"simulate --json, lane {lane}", answer["Pipeline"]["lanes"][lane], micro_batches * (forward[lane] + backward[lane])
        yield Statement("predicted busy time", at, said["busy_ms"], busy)
        yield Statement("predicted idle time", at, said["idle_ms"], step - busy)
    for variant in run.variants:
        yield Statement("micro-batches of a simulated variant", f"simulate --json, {variant['name']}", answer[variant["name"]]["micro_batches"], variant["micro_batches"])
    row = next(re.split(r"\s{2,}", line) for line in printed.splitlines() if line.startswith("Pipeline "))
    yield Statement("printed step of 1F1B", "simulate", row[3], figures(step))
    yield Statement("printed idle share of 1F1B", "simulate", row[-1], 100 * (1 - micro_batches * (forward[0] + backward[0]) / step))


def summary_rows(ask):
    printed = ask("summary", "resnet18")
    rows = [re.split(r"\s{2,}", line) for line in printed.splitlines()]
    layers = [row for row in rows if len(row) == 6 and re.fullmatch(r"[\d,]+", row[3])]
    for title, column in (("parameters", 3), ("MACs", 4)):
        yield Statement(f"{title} are the sum of the layers", "summary", found(rf"^  {title} +([\d,]+)", printed), f"{sum(int(row[column].replace(',', '')) for row in layers):,}")
    for row in layers:
        elements = math.prod(int(size) for size in row[2].split("x"))
        yield Statement("memory of a layer", f"summary, {row[0]}", row[5], 4 * (int(row[3].replace(",", "")) + elements))
