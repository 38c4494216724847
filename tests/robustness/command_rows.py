# SPDX-License-Identifier: GPL-3.0-only
"""What `doctor`, `import`, `run --dry-run` and `gaps` of another program's trace say."""
import json
import re

from recomputed import Statement, TraceFile
from seen_run import cell, found, table_of


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
