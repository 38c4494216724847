# SPDX-License-Identifier: GPL-3.0-only
"""What the pane Idle and Gaps says of the trace of a variant."""
import json
import re

from gap_rows import bubble_rows, gap_core_rows, share_rows, sums_of
from pane_texts import of_pane
from pane_timeline_rows import imported_headline_rows
from recomputed import Statement, percent, read_number
from seen_run import cell, found


def idle_rows(run, variant, panes):
    """Tables, figures and sentences against the trace, and causes against those that `gaps` explains."""
    answer = json.loads(run.ask("gaps", run.folder, "--variant", variant["name"], "--json"))
    yield from of_pane("Idle", trace_rows(run.traces[variant["name"]], answer, panes))
    yield from of_pane("Idle", suggestion_rows(answer, panes))


def imported_rows(run, variant, trace, panes):
    """A file that no run describes: its idle times are those of the run that wrote it."""
    answer = json.loads(run.ask("gaps", run.folder, "--variant", variant, "--json"))
    yield from of_pane("Idle of a file", trace_rows(trace, answer, panes))
    yield from imported_headline_rows(trace, panes)


def trace_rows(trace, answer, panes):
    """What is known of any trace with actions, also of an imported one."""
    lanes, where = [lane for lane in answer["lanes"] if lane["lane"] in trace.lanes], panes.where
    yield from lane_table_rows(trace, lanes, panes)
    yield from gap_table_rows(trace, answer, panes)
    idle = sum(lane["idle_us"] for lane in lanes) * 1e-6
    if idle:
        yield from share_rows(where, trace, lanes, panes.text("idleNote"))
    gaps = sum(len(lane["gaps"]) for lane in answer["lanes"])
    yield Statement("count of the gaps", where, found(r"(\d+) gaps", panes.tip("idleNote")), str(gaps))
    yield from gap_core_rows(where, trace, panes.text("idleDoubt"))
    bubble = panes.text("bubbleFigure")
    sums = sums_of(lanes)
    yield Statement("a bubble is named where there is one", where, bool(bubble), sums["fill"] + sums["drain"] > 0)
    if bubble:
        yield from bubble_rows(where, trace, lanes, found(r"Bubble: (\S+ %) of total", bubble), found(r"total, (\S+ %) of ideal", bubble))
    busy, window = [trace.busy(lane) for lane in trace.lanes], trace.window
    yield Statement("utilization of all lanes", where, found(r"^Utilization: (\S+ %)", panes.text("utilisationFigure")), sum(busy) / (window * len(busy)))
    said = re.findall(r": (\S+ %)$", panes.tip("utilisationFigure"), re.MULTILINE)
    yield Statement("utilization of each lane", where, said, [percent(part / window) for part in busy])
    shares = [part["idle_of_total"] for part in answer["waterfall"]]
    drawn = re.findall(r"(\d+\.\d) %", panes.text("waterfallFigure"))
    if drawn:
        yield Statement("ends of the waterfall", where, [drawn[0] + " %", drawn[-1] + " %"], [percent(shares[0]), percent(1 - sum(busy) / (window * len(busy)))])
    path = re.findall(r"(\S+ %) (\w+)", panes.text("pathFigure"))
    yield Statement("compute on the critical path", where, next((share for share, kind in path if kind == "compute"), None), sum(part["share"] for part in answer["critical_path"]["parts"]))
    yield Statement("the critical path is whole", where, abs(sum(read_number(share)[0] for share, _ in path) - 1) < 0.002, True)


def lane_table_rows(trace, lanes, panes):
    table = panes.table("idleLanes")
    yield Statement("lanes with work are listed", panes.where, [name for name in table if name in {lane["name"] for lane in lanes}], [lane["name"] for lane in lanes])
    for lane in lanes:
        where, busy = f"{panes.where}, {lane['name']}", trace.busy(lane["lane"])
        for title, value in (("Step windows", trace.window), ("Busy (ms)", busy), ("Idle", trace.window - busy)):
            yield Statement(f"{title} of a lane", where, f"{cell(table, lane['name'], title)} ms", value)
        yield Statement("Busy (%) of a lane", where, f"{cell(table, lane['name'], 'Busy (%)')} %", busy / trace.window)
        yield Statement("main causes of a lane", where, cell(table, lane["name"], "Main causes"), main_causes(lane["causes"]))


def main_causes(causes):
    """"drain 62 %, jitter 38 %": what is at least a tenth of the idle time, the largest first; of one the name alone."""
    whole = sum(causes.values())
    parts = sorted(((time, cause.replace("_", " ")) for cause, time in causes.items() if time and 10 * time >= whole), key=lambda part: -part[0])
    return parts[0][1] if len(parts) == 1 else ", ".join(f"{cause} {int(100 * time / whole + 0.5)} %" for time, cause in parts)


def gap_table_rows(trace, answer, panes):
    gaps = sorted(((lane["name"], gap, trace.window) for lane in answer["lanes"] for gap in lane["gaps"]), key=lambda one: -one[1]["duration_us"])
    rows = panes.rows("idleGaps")
    yield Statement("count of the listed gaps", panes.where, len(rows), min(len(gaps), 500))
    for row, (name, gap, window) in zip(rows[:20], gaps):
        where = f"{panes.where}, {name} at {gap['since_begin_us']}"
        yield Statement("lane of a gap", where, row["Lane"], name)
        yield Statement("length of a gap", where, row["Length (ms)"] + " ms", gap["duration_us"] * 1e-6)
        yield Statement("start of a gap", where, row["Start (ms)"] + " ms", gap["since_begin_us"] * 1e-6)
        yield Statement("step of a gap", where, row["Step"], str(gap["step"] + 1))
        yield Statement("share of a gap", where, row["Of window (%)"] + " %", gap["duration_us"] * 1e-6 / window)
        yield Statement("causes of a gap", where, row["Causes"], main_causes(gap["causes"]))


def suggestion_rows(answer, panes):
    """The best suggestion, and what its range allows to say of it."""
    sentence, suggestions = panes.text("suggestionSentence"), answer["suggestions"]
    said = re.search(r"predicted (\S+) %(?: faster| slower)?(?: \(|, )90 % range (\S+) to (\S+) %\)", sentence)
    yield Statement("a suggestion is said where there is one", panes.where, bool(said), bool(suggestions))
    if not said or not suggestions:
        return
    best = suggestions[0]
    yield Statement("gain of a suggestion", panes.where, said[1] + " %", abs(best["predicted_ratio"] - 1))
    yield Statement("a clear gain is called faster", panes.where, " % faster" in sentence, best["range90_ratio"][0] > 1)
    yield Statement("a gain whose range has 0 in it is not clear", panes.where, "no clear gain" in sentence, best["range90_ratio"][0] <= 1 <= best["range90_ratio"][1])
    for title, end, value in zip(("low", "high"), said.groups()[1:], best["range90_ratio"]):
        yield Statement(f"{title} end of a suggestion's range", panes.where, end + " %", value - 1)
