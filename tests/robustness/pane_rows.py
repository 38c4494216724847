# SPDX-License-Identifier: GPL-3.0-only
"""All that the window says of a run, pane by pane, and what samples are called everywhere."""
import re

from pane_compare_rows import compare_rows, loss_rows
from pane_idle_rows import idle_rows
from pane_plan_rows import forecast_rows
from pane_runs_rows import list_rows
from pane_timeline_rows import timeline_rows
from recomputed import Statement, figures


def window_rows(run, said):
    """`said` has what each variant of the run shows; what is of the whole run is taken from the last one."""
    for variant in run.variants:
        panes = said[variant["name"]]
        yield from idle_rows(run, variant, panes)
        yield from timeline_rows(run, variant, panes)
        yield from forecast_rows(run, variant, panes)
    yield from compare_rows(run, panes)
    yield from loss_rows(run, panes)
    yield from list_rows(run, panes)


def unit_rows(run, unit, texts, prefix=""):
    """`unit` is images or samples: what is counted per second. The list of runs has samples of all kinds."""
    other = {"images": "samples", "samples": "images"}[unit]
    speeds = [figures(run.record["images_per_repeat"] / times.mean) for times in run.times.values()]
    for where, text in texts.items():
        if not where.startswith("runs"):
            yield Statement(f"{prefix}speed is in {unit}/s", f"{run.name}, {where}", f"{unit}/s" in text.lower(), True)
            yield Statement(f"{prefix}no speed is in {other}/s", f"{run.name}, {where}", f"{other}/s" in text.lower(), False)
        elif prefix:
            tips = re.findall(r"^\w+: (\S+) (\w+)/s$", text, re.MULTILINE)
            yield Statement(f"{prefix}tip of the list is in {unit}/s", f"{run.name}, {where}", [word for speed, word in tips if speed in speeds], [unit])
        if unit == "samples" and not where.startswith("runs"):
            yield Statement(f"{prefix}no sample is called an image", f"{run.name}, {where}", re.findall(r"\bimages?\b", text), [])
