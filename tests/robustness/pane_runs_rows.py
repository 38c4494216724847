# SPDX-License-Identifier: GPL-3.0-only
"""What the list of runs in the pane Runs says."""
import datetime

from pane_texts import of_pane
from recomputed import Statement, figures
from seen_run import found


def list_rows(run, panes):
    return of_pane("Runs", row_of_run(run, panes))


def row_of_run(run, panes):
    """Of its first pipeline, as the list of the command line."""
    listed = [(row, tip) for row, tip in zip(panes.rows("runs"), panes.tips("runs")) if row["ID"] == run.record["id"]]
    where = f"{panes.where}, list of runs"
    yield Statement("each run once", where, len(listed), 1)
    if not listed:
        return
    row, tip = listed[0]
    variant = next(v for v in run.variants if v["name"] == "Pipeline")
    times, data = run.times["Pipeline"], run.record["experiment"]["data"]
    speed, speed_up = figures(run.record["images_per_repeat"] / times.mean), run.speed_up("Pipeline")
    losses = variant["repeats"][-1]["losses"]
    yield Statement("name", where, row["Name"], run.record["experiment"]["name"])
    yield Statement("model", where, row["Model"], run.record["experiment"]["model"]["arch"])
    yield Statement("strategy", where, row["Strategy"], "pipeline (1F1B)")
    yield Statement("micro-batch size", where, row["Micro-batch size"], str(variant["split_size"]))
    yield Statement("samples/s", where, row["Samples/s"], speed)
    yield Statement("speed in the tip", where, found(r"^Pipeline: (\S+) images/s$", tip), speed)
    yield Statement("step time", where, row["Step time (ms)"], figures(1e3 * times.mean / (data["steps"] if not data.get("epochs") else len(losses))))
    yield Statement("speed-up", where, row["Speed-up"], speed_up.cell())
    yield Statement("speed-up in the tip", where, found(r"^Pipeline vs Single, \d+ repeats?: (.*)$", tip), speed_up.cell())
    yield Statement("repeats in the tip", where, found(r"^Pipeline vs Single, (\d+) repeats?: ", tip), str(len(times.seconds)))
    yield Statement("status", where, row["Status"], run.record["status"])
    started = datetime.datetime.fromisoformat(run.record["started"].replace("Z", "+00:00")).astimezone()
    yield Statement("date", where, row["Date"], f"{started.day} {started:%b %H:%M}")
    yield Statement("last loss", where, row["Last loss"], losses[-1])
    errors = [lane["forecast_bytes"] / lane["peak_bytes"] - 1 for lane in variant["lanes"] if lane["forecast_bytes"]]
    yield Statement("error of the memory forecast", where, row["Memory forecast error"], max(errors, key=abs))
