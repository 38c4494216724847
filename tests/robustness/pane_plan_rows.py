# SPDX-License-Identifier: GPL-3.0-only
"""What the window forecasts for a run's experiment: the strip and the lanes of the board, Stages, Time and Memory, Micro-Batch Sizes."""
import datetime
import re
import statistics

from pane_texts import of_pane
from recomputed import Statement
from seen_run import cell, found


def forecast_rows(run, variant, panes):
    yield from of_pane("Board", board_rows(run, variant, panes))
    yield from of_pane("Stages", stage_rows(run, variant, panes))
    yield from of_pane("Time and Memory", memory_rows(run, variant, panes))


def day_of(run):
    """Of the block times of its traces, as the board names it."""
    started = datetime.datetime.fromisoformat(run.record["started"].replace("Z", "+00:00"))
    return {started.date().isoformat(), started.astimezone().date().isoformat()}


def board_rows(run, variant, panes):
    said, where = panes.tip("placementStrip"), panes.where
    peaks = {lane["name"]: lane["forecast_bytes"] for lane in variant["lanes"] if lane["forecast_bytes"]}
    largest = max(peaks, key=peaks.get)
    yield Statement("predicted peak", where, found(r"peak (\S+ \S+) on", said), peaks[largest])
    yield Statement("lane of the peak", where, found(r"peak \S+ \S+ on (\S+)", said), largest)
    day = found(r"from block times of the run of (\S+?)( on a busy machine)?\)", said)
    if run.record["experiment"]["record"] == "blocks":
        yield Statement("day of the block times", where, day in day_of(run), True)
        shares = [share for share in core_shares_of(run, variant) if share < 0.8]
        worst = found(r"a lane had a core for only (\S+ %) of its compute time", said)
        yield Statement("lowest share of a core", where, worst, min(shares) if shares else None)
        yield Statement("busy machine beside the day", where, "on a busy machine" in said, bool(shares))
    # A bubble is the idle time of the predicted order; `gaps` and the suggestions start from the same step.
    printed = run.ask("gaps", run.folder, "--variant", variant["name"])
    alone = found(r"The block times alone predict a step of (\S+ \S+) where", printed)
    step = found(r"Predicted: step (\S+ \S+?)[ ,]", said)
    if alone:
        yield Statement("predicted step", where, step, alone)
    ends = re.search(r"step (\S+) (\S+) \(90 % range (\S+) to (\S+) (\S+)\)", said)
    if ends:
        low, high = (float(end) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[ends[5]] for end in ends.groups()[2:4])
        middle = float(ends[1]) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[ends[2]]
        yield Statement("the predicted step is in its range", where, low <= middle <= high, True)
    shares = re.findall(r"bubble (\S+) %|Lanes are idle (\S+) %", said)
    yield Statement("shares have one decimal", where, [share for pair in shares for share in pair if share and not re.fullmatch(r"\d+\.\d", share)], [])
    memory = dict(re.findall(r"lane (\d+): \d+ %, (\S+ \S+) of memory", panes.spoken("laneShares")))
    for index, lane in enumerate(variant["lanes"]):
        yield Statement("memory of a lane", f"{where}, {lane['name']}", memory.get(str(index)), lane["forecast_bytes"])


def core_shares_of(run, variant):
    trace = run.traces[variant["name"]]
    return [trace.on_core(lane) / (sum(a.length for a in trace.actions if a.lane == lane) * 1e-9) for lane in trace.lanes]


def stage_rows(run, variant, panes):
    table, where = panes.rows("stageTable"), panes.where
    title = panes.text("stageSummaryTitle")
    yield Statement("count of the stages", where, found(r"(\d+) stages?,", title), str(variant["stages"]))
    yield Statement("samples of a micro-batch", where, found(r", (\d+) samples? per micro-batch", title), str(variant["split_size"]))
    yield Statement("a row for each stage", where, [row["Stage"] for row in table], [str(stage) for stage in range(variant["stages"])])
    shares = [float(row["MACs (%)"]) for row in table]
    yield Statement("shares of the MACs add up", where, abs(sum(shares) - 100) <= 0.05 * len(shares) + 1e-9, True)
    of_lanes = {index: round(sum(share for row, share in zip(table, shares) if f"cpu:{index}" in row["Lane"])) for index in (0, 1)}
    said = {int(lane): int(share) for lane, share in re.findall(r"lane (\d+): (\d+) %$", panes.tip("laneShares"), re.MULTILINE)}
    yield Statement("shares of the board are those of the stages", where, said.keys() <= of_lanes.keys() and all(abs(said[lane] - of_lanes[lane]) <= 1 for lane in said), True)


def memory_rows(run, variant, panes):
    """The curve of a pipeline: which combinations are on the front, and the point that is the variant itself."""
    rows, tips, where = panes.rows("memoryTable"), panes.tips("memoryTable"), panes.where
    if not rows:
        return
    headline = panes.text("memoryHeadline")
    yield Statement("points on the front", where, found(r"^(\d+) of", headline), str(sum(row["Front"] == "*" for row in rows)))
    yield Statement("points of the curve", where, found(r"of (\d+) combinations", headline), str(len(rows)))
    present = [(row, tip) for row, tip in zip(rows, tips) if "The variant as it is" in tip]
    yield Statement("a point is the variant", where, bool(present), True)
    # Another schedule may give the same order; what was measured is said of the first.
    for row, tip in present[1:]:
        yield Statement("points that do the same are the same", where, [row["Step time"], row["Peak"]], [present[0][0]["Step time"], present[0][0]["Peak"]])
    for row, tip in present[:1]:
        yield Statement("peak of the variant", where, row["Peak"], max(lane["forecast_bytes"] for lane in variant["lanes"]))
        yield Statement("peak in the tip", where, found(r"^Predicted peak: (\S+ \S+) on", tip), row["Peak"])
        yield Statement("predicted time in the tip", where, found(r"^Predicted: (\S+ \S+) \(", tip), cell({0: row}, 0, "Step time"))
        yield Statement("predicted time is that of the board", where, cell({0: row}, 0, "Step time"), found(r"Predicted: step (\S+ \S+?)[ ,]", panes.tip("placementStrip")))
        own = re.search(rf"^Measured: (\S+ \S+) \(median step, n = (\d+)\), peak (\S+ \S+) on (.*), run {run.record['experiment']['name']}$", tip, re.MULTILINE)
        steps = [seconds for repeat in variant["repeats"] for seconds in repeat["step_seconds"]]
        yield Statement("measured time of the variant", where, own and own[1], statistics.median(steps_of_repeats(variant)) if steps else None)
        yield Statement("repeats of the measured time", where, own and own[2], str(len(variant["repeats"])))
        yield Statement("measured peak of the variant", where, own and own[3], max(lane["peak_bytes"] for lane in variant["lanes"]))
    yield Statement("day of the block times", where, found(r"of the shown run \((\S+?)\)", panes.text("memoryCaption")) in day_of(run), True)


def steps_of_repeats(variant):
    """The median step of each repeat."""
    return [statistics.median(repeat["step_seconds"]) for repeat in variant["repeats"]]


def sweep_pane_rows(record, panes):
    """Micro-Batch Sizes of a sweep that measured."""
    return of_pane("Micro-Batch Sizes", sweep_text_rows(record, panes.text("sweepAdvice"), panes.text("sweepCaption"), panes.where))


def sweep_text_rows(record, advice, caption, where):
    predicted = {one["split_size"]: one["step_seconds"] for one in record["predictions"]}
    measured = {variant["split_size"]: statistics.median(steps_of_repeats(variant)) for variant in record["variants"]}
    errors = {size: abs(predicted[size] / step - 1) for size, step in measured.items() if size in predicted}
    yield Statement("median error of the predictions", where, found(r"Predictions are off by (\S+ %) \(median\)", caption), statistics.median(errors.values()))
    yield Statement("largest error of the predictions", where, found(r"(\S+ %) at most", caption), max(errors.values()))
    yield Statement("size with the largest error", where, found(r"at most \(micro-batch size (\d+)\)", caption), str(max(errors, key=errors.get)))
    yield Statement("count of measured sizes", where, found(r"over (\d+) measured", caption), str(len(errors)))
    yield Statement("repeats of the points", where, found(r"median step of (\d+) repeats?", caption), str(max(len(v["repeats"]) for v in record["variants"])))
    fastest = min(measured, key=measured.get)
    clear = re.search(r"^Micro-batch size (\d+) is the fastest measured: (\S+ \S+) per step", advice)
    unclear = re.search(r"^No clear difference between micro-batch sizes ([\d, and]+): (\S+)(?: (\S+))? to (\S+) (\S+) per step", advice)
    yield Statement("advice names the fastest", where, clear[1] if clear else str(fastest) in re.findall(r"\d+", unclear[1]) if unclear else None, str(fastest) if clear else True)
    if clear:
        yield Statement("step of the fastest size", where, clear[2], measured[fastest])
    if unclear:
        sizes = [int(size) for size in re.findall(r"\d+", unclear[1])]
        yield Statement("sizes without a clear difference were measured", where, set(sizes) <= measured.keys(), True)
        sizes = [size for size in sizes if size in measured] or [fastest]
        yield Statement("shortest step of the sizes", where, f"{unclear[2]} {unclear[3] or unclear[5]}", min(measured[size] for size in sizes))
        yield Statement("longest step of the sizes", where, f"{unclear[4]} {unclear[5]}", max(measured[size] for size in sizes))
