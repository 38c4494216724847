# SPDX-License-Identifier: GPL-3.0-only
"""What `gaps` says of the trace of a variant."""
import json
import math
import re
import statistics

from comparison_rows import TAKEN_CORE
from recomputed import Statement, percent, read_number
from seen_run import cell, found, microseconds, table_of

LONGEST_GAPS = 20


def gap_rows(run, variant):
    """The text and the JSON of `gaps`, against the trace."""
    name, trace, where = variant["name"], run.traces[variant["name"]], f"{run.name}, gaps, {variant['name']}"
    printed = run.ask("gaps", run.folder, "--variant", name)
    answer = json.loads(run.ask("gaps", run.folder, "--variant", name, "--json"))
    working = [lane for lane in answer["lanes"] if lane["lane"] in trace.lanes]
    yield from lane_time_rows(where, trace, working, printed)
    yield from cause_rows(where, working, printed)
    yield from gap_list_rows(where, answer, printed)
    yield from replay_rows(where, trace, answer, printed)
    yield from sentence_rows(run, variant, where, working, printed)


def lane_time_rows(where, trace, lanes, printed):
    table = table_of(printed, "Lane", "Utilization")
    for lane in lanes:
        at, busy = f"{where}, {lane['name']}", trace.busy(lane["lane"])
        for title, value in (("window", trace.window), ("busy", busy), ("idle", trace.window - busy)):
            yield Statement(f"{title} time of gaps --json", at, lane[f"{title}_us"] * 1e-6, value)
        yield Statement("causes add up to the idle time", at, round(1000 * sum(lane["causes"].values())), round(1000 * lane["idle_us"]))
        yield Statement("gaps add up to the idle time", at, round(1000 * sum(gap["duration_us"] for gap in lane["gaps"])), round(1000 * lane["idle_us"]))
        for title, value in (("Step windows", trace.window), ("Busy", busy), ("Idle", trace.window - busy), ("Utilization", busy / trace.window)):
            yield Statement(f"{title} of a lane in gaps", at, cell(table, lane["name"], title), value)
    if len(lanes) > 1:
        window, busy = trace.window * len(lanes), sum(trace.busy(lane["lane"]) for lane in lanes)
        for title, value in (("Step windows", window), ("Busy", busy), ("Idle", window - busy), ("Utilization", busy / window)):
            yield Statement(f"{title} of all lanes in gaps", where, cell(table, "all lanes", title), value)


def sums_of(lanes):
    """Idle time by cause over the lanes, in s."""
    return {cause: sum(lane["causes"][cause] for lane in lanes) * 1e-6 for cause in lanes[0]["causes"]}


def cause_rows(where, lanes, printed):
    table, sums, idle = table_of(printed, "Cause"), sums_of(lanes), sum(lane["idle_us"] for lane in lanes) * 1e-6
    for cause, seconds in sums.items():
        row = cause.replace("_", " ")
        if not seconds:
            yield Statement("a cause without time is not listed", f"{where}, {row}", row in table, False)
            continue
        yield Statement("share of a cause", f"{where}, {row}", cell(table, row, "Share"), seconds / idle)
        if len(lanes) > 1:
            yield Statement("time of a cause over all lanes", f"{where}, {row}", cell(table, row, "all lanes"), seconds)
            for lane in lanes:
                yield Statement("time of a cause on a lane", f"{where}, {row}, {lane['name']}", cell(table, row, lane["name"]), lane["causes"][cause] * 1e-6)
    order = [sums[row.replace(" ", "_")] for row in table if row != "idle"]
    yield Statement("the largest cause is first", where, order == sorted(order, reverse=True), True)
    for title in next(iter(table.values()), {}):
        if title not in ("Cause", "Share of idle"):
            parts, whole = [cell(table, row, title) for row in table if row != "idle"], cell(table, "idle", title)
            yield Statement("printed causes of a column add up to its idle time", f"{where}, {title}", adds_up(parts, whole), True)


def adds_up(parts, whole):
    """Whether printed numbers add up to a printed number, within their last digits."""
    numbers = [read_number(part) or (math.nan, 0) for part in [*parts, whole]]
    *numbers, (total, half) = numbers
    return abs(sum(number for number, _ in numbers) - total) <= half + sum(own for _, own in numbers) + 1e-12


def gap_list_rows(where, answer, printed):
    gaps = {(lane["name"], f"{gap['since_begin_us']:.3f}"): gap for lane in answer["lanes"] for gap in lane["gaps"]}
    longest = sorted((gap["duration_us"] for gap in gaps.values()), reverse=True)[:LONGEST_GAPS]
    table = [re.split(r"\s{2,}", line) for line in printed.splitlines() if re.search(r"\s\d+\.\d{3} µs\s", line)]
    yield Statement("count of the longest gaps", where, len(table), len(longest))
    for row, duration in zip(table, longest):
        gap, at = gaps.get((row[0], row[-2].removesuffix(" µs"))), f"{where}, {row[0]} at {row[-2]}"
        yield Statement("start of a long gap", at, gap is not None, True)
        if gap:
            yield Statement("the longest gaps are listed, the longest first", at, gap["duration_us"], duration)
            yield Statement("duration of a long gap", at, row[-1], gap["duration_us"] * 1e-6)
            yield Statement("causes of a gap add up to it", at, round(1000 * sum(gap["causes"].values())), round(1000 * gap["duration_us"]))
            yield Statement("step of a long gap", at, row[-3], str(gap["step"] + 1))


def replay_rows(where, trace, answer, printed):
    """What would be without a root, the waterfall and the critical path."""
    step = trace.window / len(trace.steps)
    yield Statement("mean step of gaps --json", where, microseconds(answer["step_us"]), step)
    table = table_of(printed, "Without")
    for root in answer.get("roots", []):
        at = f"{where}, {root['text']}"
        yield Statement("a root saves its part of the step", at, microseconds(root["step_us"] + root["saved_us"]), answer["step_us"] * 1e-6)
        yield Statement("share that a root saves", at, float(root["saved_share"]), root["saved_us"] / answer["step_us"])
        if root["text"] in table:
            saved, share = cell(table, root["text"], "Saved").split(", ")
            yield Statement("printed time that a root saves", at, saved, root["saved_us"] * 1e-6)
            yield Statement("printed share that a root saves", at, share, root["saved_share"])
    shares = [part["idle_of_total"] for part in answer["waterfall"]]
    busy, lanes = sum(trace.busy(lane) for lane in trace.lanes), len(trace.lanes)
    yield Statement("the waterfall ends at what was measured", where, shares[-1], 1 - busy / (lanes * trace.window))
    said = re.findall(r"^(?:with |this order|measured).*?(\d+\.\d) %", printed.split("Idle share of the lane time")[1], re.MULTILINE)
    yield Statement("printed ends of the waterfall", where, [said[0] + " %", said[-1] + " %"], [percent(shares[0]), percent(shares[-1])])
    parts = answer["critical_path"]["parts"]
    whole = sum(end - begin for begin, end in trace.steps) * 1e-3
    for part in parts:
        yield Statement("share of the critical path", f"{where}, {part['phase']}", float(part["share"]), part["time_us"] / whole)
    said = found(r"^Critical paths of the steps: actions (\S+ %)", printed)
    yield Statement("actions on the critical path", where, said, sum(part["share"] for part in parts))


def share_rows(where, trace, lanes, printed):
    """How idle the lanes are, and of which cause."""
    sums = sums_of(lanes)
    idle, window = sum(lane["idle_us"] for lane in lanes) * 1e-6, trace.window * len(lanes)
    yield Statement("idle share of the lanes", where, found(r"\b(?:[Ll]anes are|lane is|is) idle (\S+ %) of the time", printed), idle / window)
    groups = {cause.replace("_", " "): seconds for cause, seconds in sums.items() if cause not in ("fill", "drain", "transfer", "transfer_queued")}
    groups.update({"fill and drain": sums["fill"] + sums["drain"], "transfer": sums["transfer"] + sums["transfer_queued"]})
    largest = max(groups, key=groups.get)
    match = re.search(r"largest cause: (.*?) \((.*?), (\S+ %) of the idle time\)", printed)
    yield Statement("largest cause", where, match and match[1], largest)
    yield Statement("time of the largest cause", where, match and match[2], groups[largest])
    yield Statement("share of the largest cause", where, match and match[3], groups[largest] / idle)


def bubble_rows(where, trace, lanes, of_total, of_busy):
    sums = sums_of(lanes)
    window = trace.window * len(lanes)
    busy = window - sum(lane["idle_us"] for lane in lanes) * 1e-6
    yield Statement("bubble of the lane time", where, of_total, (sums["fill"] + sums["drain"]) / window)
    yield Statement("bubble of the busy time", where, of_busy, (sums["fill"] + sums["drain"]) / busy)


def sentence_rows(run, variant, where, lanes, printed):
    trace = run.traces[variant["name"]]
    yield from share_rows(where, trace, lanes, printed)
    line = found(r"^(Bubble \(fill and drain\).*)$", printed)
    if line:
        yield from bubble_rows(where, trace, lanes, found(r": (\S+ %) of the lane time", line), found(r"(\S+ %) of the busy time", line))
    yield from gap_core_rows(where, trace, printed)
    single = next(name for name in run.times if name == "Single")
    speed_up = run.speed_up(variant["name"], single) if variant["name"] != single else None
    if speed_up and variant["name"] in ("Pipeline", "Split"):
        slower = speed_up.word == "slower"
        yield Statement("slower than one lane", where, found(r"^(.*)\d+ repeats each\), so one lane alone", printed),
                        speed_up.sentence(variant["name"], single).replace(" (95", " of the same run (95") if slower else None)
    predicted = re.search("^Predicted with|so only ratios are reported", printed, re.MULTILINE)
    yield Statement("nothing is predicted where nothing can be tried", where, "There is nothing to try" in printed and bool(predicted), False)
    said = found(r"predict a step of .*? where (.*?) were measured", printed)
    if said:
        yield Statement("step beside the block times", where, said, statistics.fmean((end - begin) * 1e-9 for begin, end in trace.steps))


def gap_core_rows(where, trace, printed):
    """How much of the compute time the threads had no core: of all lanes together, or lane by lane where much is gone."""
    shares = [trace.on_core(lane) / (sum(a.length for a in trace.actions if a.lane == lane) * 1e-9) for lane in trace.lanes]
    missing = 1 - sum(map(trace.on_core, trace.lanes)) / (sum(a.length for a in trace.actions) * 1e-9)
    line = re.search(r"had (no core|a core) for (.*?) of (?:the|its|their) compute time", printed)
    taken = [percent(share) for share in shares if share < TAKEN_CORE]
    yield Statement("taken cores are named", where, bool(line) or not taken, True)
    if line:
        yield Statement("compute time with or without a core", where, re.findall(r"\d+\.\d %", line[2]), [percent(missing)] if line[1] == "no core" else taken)
