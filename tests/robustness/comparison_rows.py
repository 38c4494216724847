# SPDX-License-Identifier: GPL-3.0-only
"""What `run`, `compare` and the report say of the variants of a run."""
import html
import math
import re
import statistics

from recomputed import LARGEST_WITHOUT_INTERVAL, Statement, figures, percent
from seen_run import cell, found, interval_text, table_of

WIDE_SPREAD = 0.1
TAKEN_CORE = 0.8


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
    steps = [row for row in rows if len(row) == 5 and row[0] in run.times and row[1].isdigit() and row[2].isdigit()]
    measured = [(variant["name"], r, s, seconds, loss) for variant in run.variants for r, repeat in enumerate(variant["repeats"], 1)
                for s, (seconds, loss) in enumerate(zip(repeat["step_seconds"], repeat["losses"]), 1)]
    yield Statement("steps of the report", run.name, [row[:3] for row in steps], [[name, str(r), str(s)] for name, r, s, *_ in measured])
    for row, (name, r, s, seconds, loss) in zip(steps, measured):
        where = f"{run.name}, report, {name}, repeat {r}, step {s}"
        yield Statement("time of a step in the report", where, row[3], figures(1e3 * seconds))
        yield Statement("loss of a step in the report", where, row[4], loss)
    yield Statement("losses of the report have one number of decimals", run.name, len({len(row[4].split(".")[-1]) for row in steps}), 1)
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
