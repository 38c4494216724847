# SPDX-License-Identifier: GPL-3.0-only
"""What the panes Compare and Loss say of the variants of a run, and Compare Runs of two."""
import re

from comparison_rows import core_rows, note_rows
from pane_texts import lines_of, of_pane
from recomputed import LARGEST_WITHOUT_INTERVAL, SpeedUp, Statement, figures
from seen_run import cell, found, interval_text
from several_runs_rows import speed_up_beside


def compare_rows(run, panes):
    """The table with its tips, the chart, the headline, the notes, and whether the run can be trusted."""
    yield from of_pane("Compare", variant_rows(run, panes))
    yield from of_pane("Compare", chart_rows(run, panes))
    said = lines_of(panes.text("comparisonHeadline"), panes.tip("comparisonHeadline"))
    yield from of_pane("Compare", note_rows(run, panes.where, said))
    yield from of_pane("Compare", core_rows(run, panes.where, panes.text("comparisonTrust")))
    caption = panes.text("comparisonCaption", "compareDock")
    counts = sorted({len(times.seconds) for times in run.times.values()})
    yield Statement("Compare: repeats of the caption", panes.where, [int(n) for n in re.findall(r"n = (\d+)(?: to (\d+))? repeats?", caption)[0] if n], counts[:1] + counts[1:][-1:])
    yield Statement("Compare: a run that did not end says so", panes.where, found(r"not all of it ran \((\w+)\)", caption), run.record["status"] if run.record["status"] != "done" else None)
    data = run.record["experiment"]["data"]
    yield Statement("Compare: batch of the caption", panes.where, found(r"batch (\d+)", caption), str(data["batch"]))
    length = ("epochs", data["epochs"]) if data.get("epochs") else ("steps", data["steps"])
    yield Statement("Compare: length of a repeat", panes.where, found(rf"Time per repeat of (\d+) {length[0][:-1]}", caption), str(length[1]))


def variant_rows(run, panes):
    table, tips = panes.table("comparisonTable", "compareDock"), panes.tips("comparisonTable", "compareDock")
    for (name, times), tip in zip(run.times.items(), tips):
        where = f"{panes.where}, {name}"
        several = len(times.seconds) > 1
        speed = figures(run.record["images_per_repeat"] / times.mean)
        yield Statement("n in the table", where, cell(table, name, "n"), str(len(times.seconds)))
        yield Statement("mean in the table", where, cell(table, name, "mean"), figures(times.mean))
        yield Statement("deviation in the table", where, cell(table, name, "std"), figures(times.std) if several else "-")
        yield Statement("interval in the table", where, cell(table, name, "95 % CI"), interval_text(times.interval) if times.interval else "too few repeats")
        yield Statement("images/s in the table", where, cell(table, name, "images/s"), speed)
        yield Statement("speed-up in the table", where, cell(table, name, "Spe"), "baseline" if name == run.baseline else run.speed_up(name).cell())
        yield Statement("mean in the tip", where, found(r": mean (\S+) s of n = ", tip), figures(times.mean))
        yield Statement("n in the tip", where, found(r" of n = (\d+) repeats", tip), str(len(times.seconds)))
        yield Statement("median in the tip", where, found(r"median (\S+) s$", tip), figures(times.median))
        yield Statement("deviation in the tip", where, found(r"^Standard deviation (\S+) s$", tip), figures(times.std) if several else None)
        yield Statement("interval in the tip", where, found(r"^95 % confidence interval of the mean (.*) s$", tip), interval_text(times.interval) if times.interval else None)
        yield Statement("images/s in the tip", where, found(r"^(\S+) images/s$", tip), speed)
        if name != run.baseline:
            yield Statement("word in the tip", where, tip.splitlines()[-1].split(" (")[0], run.speed_up(name).word)


def chart_rows(run, panes):
    """The names and means that the chart draws, row by row."""
    painted = panes.painted("comparisonChart", "compareDock")
    drawn = painted[next((i for i, text in enumerate(painted) if text.startswith(next(iter(run.times)))), len(painted)):]
    names = [f"{name} (baseline)" if name == run.baseline else name for name in run.times]
    means = [figures(times.mean) + " s" + (f" (n = {len(times.seconds)})" if len(times.seconds) <= LARGEST_WITHOUT_INTERVAL else "") for times in run.times.values()]
    yield Statement("names in the chart", panes.where, drawn[0::2], names)
    yield Statement("means in the chart", panes.where, drawn[1::2], means)
    yield Statement("no text of the chart is cut", panes.where, [text for text in painted if "..." in text or "\u2026" in text], [])


def loss_rows(run, panes):
    """The chart's legend: a curve for each variant that has losses."""
    painted = panes.painted("lossChart", "lossDock")
    yield Statement("Loss: variants in the legend", panes.where, [text for text in painted if text in run.times], list(run.times))


def compared_runs_rows(run, other, panes):
    """Compare Runs: the table of both, and the settings that differ."""
    table, where = panes.table("comparisonTable", "runsComparison"), f"{run.name} and {other.name}, Compare Runs"
    for one in (run, other):
        for name, times in one.times.items():
            at, row = f"{where}, {one.name}/{name}", f"{one.name}/{name}"
            yield Statement("Compare Runs: mean beside another run", at, cell(table, row, "mean"), figures(times.mean))
            yield Statement("Compare Runs: interval beside another run", at, cell(table, row, "95 % CI"), interval_text(times.interval) if times.interval else "too few repeats")
            yield Statement("Compare Runs: speed-up beside another run", at, cell(table, row, "Speed-up"), speed_up_beside(run, one, name))
    settings = panes.rows("differingSettings", "runsComparison")
    yield Statement("Compare Runs: names of the runs", where, list(settings[0].values()), ["Name", run.name, other.name])
    gone = [name for name in run.times if name not in other.times]
    yield Statement("Compare Runs: variants of one run only", where, [row["Setting"] for row in settings if row[other.name] == "not set" and row[run.name] == "present"],
                    [f"variants.{name}" for name in gone])
    known = {name: SpeedUp(run.times[run.baseline], run.times[name]) for name in run.others()}
    headline = panes.text("comparisonHeadline", "runsComparison")
    name = found(rf"{run.name}/(\w+) ", headline.replace(f"{run.name}/{run.baseline} ", ""))
    if name in known and known[name].interval:
        sentence = known[name].sentence(f"{run.name}/{name}", f"{run.name}/{run.baseline}")
        yield Statement("Compare Runs: headline", where, headline[:len(sentence)], sentence)
