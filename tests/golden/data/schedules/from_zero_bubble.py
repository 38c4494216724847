# SPDX-License-Identifier: GPL-3.0-only
"""Writes v-memory.csv from the authors' own script, so that it holds their orders of v-half and v-min and not ours.

Usage: from_zero_bubble.py PATH_OF_ZBV_GREEDY    (sail-sg/zero-bubble-pipeline-parallelism,
megatron/core/pipeline_parallel/zerobubble/scheduler/zbv_greedy.py; overwrites the file beside this one)

A row a schedule: FNV-1a, 64 bits, of its actions as CSV, a line a lane.
"""
import contextlib
import importlib.util
import io
import pathlib
import sys
import types

PACKAGE = "megatron.core.pipeline_parallel.zerobubble.scheduler"


def load(path):
    """The script alone, with a stand-in for what it imports from its package."""
    graph = types.ModuleType(PACKAGE + ".graph")
    graph.ScheduledNode = lambda **fields: types.SimpleNamespace(**fields)
    graph.F, graph.B, graph.W, graph.FuncType = "F", "I", "W", None
    parts = PACKAGE.split(".")
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        sys.modules[name] = types.ModuleType(name)
    sys.modules[graph.__name__] = graph
    spec = importlib.util.spec_from_file_location("zbv_greedy", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def csv_of(script, memory, lanes, micro_batches):
    graph = script.PipelineGraph(lanes, micro_batches, memory, 1, 1, 1, 0)
    with contextlib.redirect_stdout(io.StringIO()):
        rows = graph.create_schedule(types.SimpleNamespace(max_chunks=2, n_stages=lanes))
    return "".join(",".join(f"{node.layer_group_idx}{node.type}{node.microbatch}" for node in row) + "\n" for row in rows)


def fingerprint(text):
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


def main(path):
    script = load(path)
    lines = ["schedule,lanes,micro_batches,fingerprint"]
    for name, memory in (("v-half", "half"), ("v-min", "min")):
        for lanes in range(1, 9):
            for micro_batches in range(1, 33):
                lines.append(f"{name},{lanes},{micro_batches},{fingerprint(csv_of(script, memory, lanes, micro_batches))}")
    (pathlib.Path(__file__).resolve().parent / "v-memory.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
