# SPDX-License-Identifier: GPL-3.0-only
"""The tables of statements: what commands say of a run beside what its files say. A table is a generator of Statement."""
import csv
import html
import itertools
import json
import math
import pathlib
import re
import statistics

from recomputed import LARGEST_WITHOUT_INTERVAL, SpeedUp, Statement, Times, TraceFile, figures, percent, read_number

BACKWARD = ("B", "I")
WIDE_SPREAD = 0.1
TAKEN_CORE = 0.8
LONGEST_GAPS = 20


class SeenRun:
    """A run folder, what `run` printed of it, and what other commands print of it."""

    def __init__(self, name, folder, printed, ask):
        self.name, self.folder, self.printed, self.ask = name, pathlib.Path(folder), printed, ask
        self.record = json.loads((self.folder / "run.json").read_text())
        self.variants = [variant for variant in self.record["variants"] if variant["repeats"]]
        self.times = {variant["name"]: Times([repeat["seconds"] for repeat in variant["repeats"]]) for variant in self.variants}
        self.traces = {variant["name"]: TraceFile(self.folder / f"trace-{variant['name'].lower()}.json.gz") for variant in self.variants}
        self.baseline = self.record["comparison"]["baseline"]

    def speed_up(self, name, baseline=None):
        return SpeedUp(self.times[baseline or self.baseline], self.times[name])

    def others(self):
        return [name for name in self.times if name != self.baseline]


def table_of(text, first, last=""):
    """{name of the row: {title: cell}} of the first table whose titles begin with `first` and hold `last`."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if re.split(r"\s{2,}", line)[0] == first and last in line), None)
    if begin is None:
        return {}
    titles = re.split(r"\s{2,}", lines[begin].strip())
    rows = (re.split(r"\s{2,}", line.strip()) for line in lines[begin + 1:])
    return {row[0]: dict(zip(titles, row)) for row in itertools.takewhile(lambda row: len(row) == len(titles), rows)}


def cell(table, row, title):
    """The text of a cell, or nothing if it is not there."""
    return next((text for name, text in table.get(row, {}).items() if name.startswith(title)), None)


def found(pattern, text):
    """The first group of the first match, or nothing."""
    match = re.search(pattern, text, re.MULTILINE)
    return match and match[1]


def interval_text(interval):
    return f"{figures(interval[0])} to {figures(interval[1])}" if interval else "-"


# --- run.json and the CSV files beside it -------------------------------------------------------------------------------------------


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


# --- run, compare and the report -----------------------------------------------------------------------------------------------------


def comparison_rows(run, command, printed):
    """The table of variants, the headline and the notes that `run`, `compare` and the report share."""
    table = table_of(printed, "variant", "mean (s)")
    for name, times in run.times.items():
        where = f"{run.name}, {command}, {name}"
        several = len(times.seconds) > 1
        yield Statement("n in the table", where, cell(table, name, "n"), str(len(times.seconds)))
        yield Statement("mean in the table", where, cell(table, name, "mean"), figures(times.mean))
        yield Statement("deviation in the table", where, cell(table, name, "std"), figures(times.std) if several else "-")
        yield Statement("median in the table", where, cell(table, name, "median"), figures(times.median))
        yield Statement("interval in the table", where, cell(table, name, "95 % CI"), interval_text(times.interval))
        yield Statement("images/s in the table", where, cell(table, name, "images/s"), figures(run.record["images_per_repeat"] / times.mean))
        yield Statement("speed-up in the table", where, cell(table, name, "Speed-up"), "baseline" if name == run.baseline else run.speed_up(name).cell())
    yield from note_rows(run, command, printed)
    yield from core_rows(run, command, printed)


def note_rows(run, command, printed):
    where = f"{run.name}, {command}"
    speed_ups = {name: run.speed_up(name) for name in run.others()}
    known = {name: one for name, one in speed_ups.items() if one.interval}
    if known:
        # The fastest that is clearly faster, else the one that is farthest from the baseline, clear ones first.
        name, best = max(known.items(), key=lambda item: (item[1].word == "faster", item[1].word == "slower", abs(math.log(item[1].ratio))))
        sentence = best.sentence(name, run.baseline)
        yield Statement("headline", where, found(f"^({re.escape(sentence)})", printed), sentence)
        if best.word == "no clear difference":
            line = found(f"^{re.escape(sentence)}(.*)$", printed)
            yield Statement("what the repeats would show", where, line, f"{len(run.times[name].seconds)} repeats each show differences of {best.least()} and more).")
    said = re.findall(r"^(\S+): (\d+) of (\d+) repeats? (is|are) beyond", printed, re.MULTILINE)
    yield Statement("repeats that are called outliers", where, said,
                    [(name, str(len(t.outliers)), str(len(t.seconds)), "is" if len(t.outliers) == 1 else "are") for name, t in run.times.items() if t.outliers])
    said = re.findall(r"^(\S+): the interquartile range is (\S+ %) of the median", printed, re.MULTILINE)
    yield Statement("variants that are called unsteady", where, said,
                    [(name, percent(t.spread / t.median)) for name, t in run.times.items() if t.spread > WIDE_SPREAD * t.median])
    said = re.findall(r"^(\S+): an interval needs 5 repeats; there (is|are) (\d+)\.", printed, re.MULTILINE)
    yield Statement("variants with too few repeats", where, said, [(name, "is" if len(t.seconds) == 1 else "are", str(len(t.seconds)))
                                                                   for name, t in run.times.items() if len(t.seconds) <= LARGEST_WITHOUT_INTERVAL])
    compared = sum(one.interval is not None for one in speed_ups.values())
    yield Statement("count of comparisons", where, found(r"^(\d+) variants are compared with", printed), str(compared) if compared > 1 else None)


def core_shares(variant):
    """Of each lane over all repeats, if run.json has them, else of all lanes in the last repeat."""
    shares = [repeat["core_shares"] for repeat in variant["repeats"] if "core_shares" in repeat]
    if shares:
        return [statistics.fmean(lane) for lane in zip(*shares)]
    lanes = [lane for lane in variant["lanes"] if lane["cpu_seconds"]]
    return [sum(lane["cpu_seconds"] for lane in lanes) / sum(lane["busy_seconds"] for lane in lanes)]


def core_rows(run, command, printed):
    said = re.findall(r"had a core for only (.*?) of (?:the|its|their) compute time", printed)
    yield Statement("shares of taken cores", f"{run.name}, {command}", re.findall(r"\d+\.\d %", " ".join(said)),
                    [percent(share) for variant in run.variants for share in core_shares(variant) if 0 < share < TAKEN_CORE])


def run_rows(run):
    """What only `run` prints: the tables of the schedules and of the memory."""
    yield from comparison_rows(run, "run", run.printed)
    yield from schedule_rows(run, "run", table_of(run.printed, "variant", "efficiency"))
    yield from split_rows(run)
    memory = table_of(run.printed, "variant, lane")
    for variant in run.variants:
        for lane in variant["lanes"]:
            if not lane["forecast_bytes"]:
                continue
            row, where = f"{variant['name']}, {lane['name']}", f"{run.name}, run, {variant['name']}, {lane['name']}"
            yield Statement("forecast in the table of memory", where, cell(memory, row, "forecast"), lane["forecast_bytes"])
            yield Statement("peak in the table of memory", where, cell(memory, row, "peak"), lane["peak_bytes"])
            yield Statement("error of the forecast", where, cell(memory, row, "forecast's error"), lane["forecast_bytes"] / lane["peak_bytes"] - 1)
            for title, part in (("weights", "parameters"), ("gradients", "gradients"), ("activations", "activations"), ("workspace", "workspace")):
                yield Statement(f"{title} in the table of memory", where, cell(memory, row, title), lane["forecast"][part])


def schedule_rows(run, command, table):
    for variant in run.variants:
        name, bound, where = variant["name"], variant["bound"], f"{run.name}, {command}, {variant['name']}"
        ideal = min(bound["order_seconds"], bound["step_seconds"])
        yield Statement("step (ms) of a schedule", where, cell(table, name, "step (ms)"), figures(1e3 * bound["step_seconds"]))
        yield Statement("ideal for an order", where, cell(table, name, "ideal for this order"), figures(1e3 * ideal))
        yield Statement("busiest lane", where, cell(table, name, "busiest lane"), figures(1e3 * bound["work_seconds"]))
        yield Statement("idle of a schedule", where, cell(table, name, "idle"), percent(bound["step_idle"]))
        yield Statement("ideal idle of a schedule", where, cell(table, name, "ideal idle"), percent(bound["order_idle"]))
        yield Statement("efficiency of a schedule", where, cell(table, name, "efficiency"), percent(ideal / bound["step_seconds"]))
        parts = [(s["forward"], s["backward"] / (1 if s["weight"] else 2), s["weight"] or s["backward"] / 2) for s in bound["stages"]]
        said = re.findall(r"\d+", cell(table, name, "stage times") or "")
        yield Statement("stage times F:I:W", where, said, [str(math.floor(1e6 * part + 0.5)) for stage in parts for part in stage])


def split_rows(run):
    """What splitting the backward changed: the sentence about Split and Pipeline."""
    bounds = {variant["name"]: variant["bound"] for variant in run.variants}
    if not {"Split", "Pipeline"} <= bounds.keys():
        return
    line = found(r"^Split vs Pipeline \(measured\): (.*)$", run.printed) or ""
    whole, split = bounds["Pipeline"], bounds["Split"]
    work = [sum(s["forward"] + s["backward"] + s["weight"] for s in bound["stages"]) for bound in (whole, split)]
    where = f"{run.name}, run, split backwards"
    yield Statement("idle of the split order", where, found(r"idle for (\S+ %) of a step", line), percent(split["order_idle"]))
    yield Statement("idle of the whole order", where, found(r"instead of (\S+ %)", line), percent(whole["order_idle"]))
    dearer = work[1] / work[0] - 1
    yield Statement("longer or shorter actions", where, found(r"its actions take (\S+ % \w+)", line), f"{percent(abs(dearer))} {'longer' if dearer >= 0 else 'less'}")


def text_of_page(page):
    """The lines of an HTML page, cells parted as in printed tables."""
    page = re.sub(r"<(style|script|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    plain = re.sub(r"</t[dh]>", "  ", page)
    plain = re.sub(r"<br/?>|</(p|tr|h\d|li|div|table|caption|figcaption)>", "\n", plain)
    lines = html.unescape(re.sub(r"<[^>]+>", "", plain)).splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())


def page_rows(run):
    """The report, as the page that a browser shows."""
    file = run.folder.parent / f"{run.folder.name}.html"
    run.ask("export", run.folder, "--what", "report", "--format", "html", "--out", file)
    page = text_of_page(file.read_text())
    yield from comparison_rows(run, "report", page)
    yield from schedule_rows(run, "report", table_of(page, "variant", "efficiency"))
    repeats = sum(len(variant["repeats"]) for variant in run.variants)
    steps = run.record["experiment"]["data"]["steps"]
    yield Statement("counted steps of the report", run.name, found(r"^All (\d+) counted steps", page), str(repeats * steps))
    yield Statement("length of a repeat in the report", run.name, found(r"One repeat is (\d+ steps? in batches of \d+)", page),
                    f"{steps} step{'s' if steps != 1 else ''} in batches of {run.record['experiment']['data']['batch']}")
    rows = [re.split(r"\s{2,}", line) for line in page.splitlines()]
    for variant in run.variants:
        for lane in variant["lanes"]:
            if not lane["busy_seconds"]:
                continue
            row = next((row for row in rows if row[:3] == [variant["name"], lane["name"], lane["device"]]), [""] * 11)
            where = f"{run.name}, report, {variant['name']}, {lane['name']}"
            share = lane["busy_seconds"] / lane["window_seconds"]
            for title, said, value in (("busy time", row[5], figures(lane["busy_seconds"])), ("idle time", row[6], figures(lane["idle_seconds"])),
                                       ("busy share", row[7], percent(share)), ("idle share", row[8], percent(1 - share))):
                yield Statement(f"{title} of a lane in the report", where, said, value)
            line = found(rf"^{variant['name']}\. Measured.*?\bUtilization of all steps: (.*)\.$", page)
            if line:  # a program without the desktop part draws no figures
                yield Statement("utilization under a figure of the report", where, found(rf"\b{lane['name']} (\d+ %)", line), share)


# --- gaps ---------------------------------------------------------------------------------------------------------------------------


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


def microseconds(value):
    """Of JSON, whose last digit is a nanosecond that may be cut off."""
    return f"{value:.1f} µs"


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


def sentence_rows(run, variant, where, lanes, printed):
    trace, sums = run.traces[variant["name"]], sums_of(lanes)
    idle, window = sum(lane["idle_us"] for lane in lanes) * 1e-6, trace.window * len(lanes)
    busy = window - idle
    yield Statement("idle share of the lanes", where, found(r"\b(?:[Ll]anes are|lane is|is) idle (\S+ %) of the time", printed), idle / window)
    bubble = sums["fill"] + sums["drain"]
    line = found(r"^(Bubble \(fill and drain\).*)$", printed)
    if line:
        yield Statement("bubble of the lane time", where, found(r": (\S+ %) of the lane time", line), bubble / window)
        yield Statement("bubble of the busy time", where, found(r"(\S+ %) of the busy time", line), bubble / busy)
    groups = {cause.replace("_", " "): seconds for cause, seconds in sums.items() if cause not in ("fill", "drain", "transfer", "transfer_queued")}
    groups.update({"fill and drain": bubble, "transfer": sums["transfer"] + sums["transfer_queued"]})
    largest = max(groups, key=groups.get)
    match = re.search(r"largest cause: (.*?) \((.*?), (\S+ %) of the idle time\)", printed)
    yield Statement("largest cause", where, match and match[1], largest)
    yield Statement("time of the largest cause", where, match and match[2], groups[largest])
    yield Statement("share of the largest cause", where, match and match[3], groups[largest] / idle)
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


# --- several variants, several runs, and predictions ----------------------------------------------------------------------------------


def two_run_rows(run, other):
    """`compare --timeline`, `runs` and `runs compare`."""
    a, b = run.traces["Pipeline"], run.traces["Split"]
    printed = run.ask("compare", run.folder, "--timeline", "Pipeline", "Split")
    both = {action.key: action for action in b.actions}
    pairs = [(action, both[action.key]) for action in a.actions if action.key in both]
    where = f"{run.name}, compare --timeline"
    yield Statement("matching actions", where, found(r"^(\d+) matching actions?:", printed), str(len(pairs)))
    yield Statement("actions of one variant only", where, re.findall(r"(\d+) only in [AB]", printed), [str(len(a.actions) - len(pairs)), str(len(b.actions) - len(pairs))])
    yield Statement("total of A", where, found(r"in total (.*?) in A", printed), sum(one.length for one, _ in pairs) * 1e-9)
    yield Statement("total of B", where, found(r"and (.*?) in B", printed), sum(two.length for _, two in pairs) * 1e-9)
    for line in printed.splitlines():
        row = re.split(r"\s{2,}", line)
        if len(row) != 7 or not row[0].isdigit():
            continue
        own = [(one.length * 1e-9, two.length * 1e-9) for one, two in pairs if (str(one.args["stage"]), one.args["phase"]) == (row[0], row[1])]
        means = [statistics.fmean(side) for side in zip(*own)]
        at = f"{where}, {row[0]}{row[1]}"
        yield Statement("count of a stage and phase", at, row[2], str(len(own)))
        for title, said, value in zip(("mean of A", "mean of B", "difference of the means", "change of the mean"), row[3:],
                                      (*means, means[1] - means[0], means[1] / means[0] - 1)):
            yield Statement(title, at, said, value)
    speed_up = run.speed_up("Split", "Pipeline")
    if speed_up.interval:
        yield Statement("all repeats beside a timeline", where, found(r"^All repeats: (.*?x; )", printed), speed_up.sentence("B", "A"))
    yield from listed_rows(run)
    yield from settings_rows(run, other)
    yield from between_rows(run, other)


def listed_rows(run):
    """The list of stored runs: of the first pipeline."""
    listed = next(one for one in json.loads(run.ask("runs", "--runs", run.folder.parent, "--json"))["runs"] if one["folder"] == str(run.folder))
    rows = (re.split(r"\s{2,}", line.strip()) for line in run.ask("runs", "--runs", run.folder.parent).splitlines())
    cells = next(row for row in rows if listed["id"] in row)
    where, times = f"{run.name}, runs", run.times["Pipeline"]
    yield Statement("status in the list", where, listed["status"], run.record["status"])
    yield Statement("samples/s in the list", where, figures(run.record["images_per_repeat"] / times.mean) in cells, True)
    yield Statement("speed-up in the list", where, run.speed_up("Pipeline").cell() in cells, True)
    for variant in listed["variants"]:
        own, at = run.times[variant["name"]], f"{where}, {variant['name']}"
        steps = run.record["experiment"]["data"]["steps"]
        yield Statement("step time in runs --json", at, variant["step_seconds"], own.mean / steps)
        yield Statement("ratio in runs --json", at, float(variant["speed_up"]), run.speed_up(variant["name"]).ratio if variant["name"] != run.baseline else 1.0)


def settings_rows(run, other):
    printed = run.ask("runs", "compare", run.folder, other.folder)
    table = table_of(printed, "Variant", "Repeats A/B")
    for name in set(run.times) & set(other.times):
        where = f"{run.name} and {other.name}, runs compare, {name}"
        for letter, one in (("A", run), ("B", other)):
            steps, times = one.record["experiment"]["data"]["steps"], one.times[name]
            yield Statement("step time of a compared run", where, cell(table, name, f"Step time {letter}"), figures(1e3 * times.mean / steps))
            yield Statement("images/s of a compared run", where, cell(table, name, f"Images/s {letter}"), figures(one.record["images_per_repeat"] / times.mean))
            losses = next(v for v in one.variants if v["name"] == name)["repeats"][-1]["losses"]
            yield Statement("last loss of a compared run", where, cell(table, name, f"Last loss {letter}"), losses[-1])
        yield Statement("repeats of compared runs", where, cell(table, name, "Repeats"), f"{len(run.times[name].seconds)}/{len(other.times[name].seconds)}")


def between_rows(run, other):
    """`compare` of two runs, whose intervals hold within each run only."""
    printed, where = run.ask("compare", run.folder, other.folder), f"{run.name} and {other.name}, compare"
    table = table_of(printed, "variant", "mean (s)")
    for one in (run, other):
        for name, times in one.times.items():
            at, row = f"{where}, {one.name}/{name}", f"{one.name}/{name}"
            yield Statement("mean beside another run", at, cell(table, row, "mean"), figures(times.mean))
            yield Statement("interval beside another run", at, cell(table, row, "95 % CI"), interval_text(times.interval))
            speed_up = SpeedUp(run.times[run.baseline], times)
            if one is run:
                value = "baseline" if name == run.baseline else speed_up.cell()
            else:
                value = (f"{figures(speed_up.ratio)}x ({interval_text(speed_up.interval)}), " if speed_up.interval else "") + "different runs"
            yield Statement("speed-up beside another run", at, cell(table, row, "Speed-up"), value)
    within = sum(run.speed_up(name).interval is not None for name in run.others())
    yield Statement("count of comparisons within a run", where, found(r"^(\d+) variants are compared with", printed), str(within) if within > 1 else None)
    for name in sorted(set(run.others()) & set(other.others())):
        twice = SpeedUp(other.times[other.baseline], other.times[name], run.times[run.baseline], run.times[name])
        if twice.interval:
            said = found(rf"^Relative to {run.baseline} of its own run, {other.name}/{name} vs {run.name}/{name}: (.*?)x;", printed)
            unclear = twice.word in ("no clear difference", "within noise band")
            value = f"{twice.word} (95 % CI of the speed-up {twice.ends()}" if unclear else f"{figures(twice.times[0])}x {twice.word} (95 % CI {twice.ends()}"
            yield Statement("speed-ups of two runs", f"{where}, {name}", said, value)


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


def sweep_rows(ask, experiment, folder):
    """A sweep that measures: its table and sentences against its run folder."""
    printed = ask("sweep", experiment, "--split-sizes", "4,8", "--repeats", 3, "--out", folder)
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
    only = ("sweep", experiment, "--split-sizes", "4,8", "--predict-only")
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


def command_rows(ask, run, imported, kineto):
    """`doctor`, `sweep --predict-only`, `run --dry-run`, and the import of a trace of a run."""
    trace, folder = imported
    chrome = TraceFile(trace)
    answer = json.loads(ask("import", trace, "--out", folder, "--json"))
    spans = [event for event in chrome.events if event["ph"] == "X"]
    yield Statement("spans of an import", "import", answer["spans"], len(spans))
    yield Statement("categories of an import", "import", answer["categories"], {c: sum(s.get("cat") == c for s in spans) for c in {s.get("cat") for s in spans}})
    again, first = (json.loads(ask("gaps", *what, "--json")) for what in ([folder], [run.folder, "--variant", "Pipeline"]))
    yield Statement("idle times of an imported trace", "gaps", [lane["causes"] for lane in again["lanes"]], [lane["causes"] for lane in first["lanes"]])
    dry = {one["name"]: one["lanes"] for one in json.loads(ask("run", run.folder, "--dry-run", "--json"))["variants"]}
    for variant in run.variants:
        yield Statement("forecast before a run", f"run --dry-run, {variant['name']}", [lane["forecast_bytes"] for lane in dry[variant["name"]] if lane["forecast_bytes"]],
                        [lane["forecast_bytes"] for lane in variant["lanes"] if lane["forecast_bytes"]])
    environment, machine = run.record["environment"], ask("doctor")
    for title, said, key in (("cores", found(r"^\w+ +CPU lanes +(\d+) cores?", machine), "cpu cores"), ("memory", found(r"^\w+ +Memory +(.*)$", machine), "memory"),
                             ("version of LaneLab", found(r"^\w+ +LaneLab +(.*)$", machine), "lanelab"), ("version of torch", found(r"^\w+ +torch +(.*)$", machine), "torch")):
        yield Statement(f"{title} of the machine", "doctor", said, environment[key])
    yield from kernel_rows(ask, kineto)


def kernel_rows(ask, kineto):
    """A trace of PyTorch's profiler: one step, one kernel, one copy."""
    spans = {event.get("cat"): event for event in json.loads(kineto.read_text())["traceEvents"] if event["ph"] == "X"}
    window, kernel, copy = (spans[cat]["dur"] * 1e-6 for cat in ("user_annotation", "kernel", "gpu_memcpy"))
    lane, printed = json.loads(ask("gaps", kineto, "--json"))["lanes"][0], ask("gaps", kineto)
    for title, value in (("window", window), ("busy", kernel), ("idle", window - kernel), ("exposed_memory", copy), ("inactive", window - kernel - copy)):
        yield Statement(f"{title} time of a GPU", "gaps --json of another program's trace", f"{lane[title + '_us']:.3f} µs", value)
    yield Statement("utilization of a GPU", "gaps of another program's trace", cell(table_of(printed, "Lane", "Utilization"), lane["name"], "Utilization"), kernel / window)
    yield Statement("idle share of a GPU", "gaps of another program's trace", found(r"^Lanes are idle (\S+ %)", printed), 1 - kernel / window)
