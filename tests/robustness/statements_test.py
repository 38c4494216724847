#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""What commands and reports say of runs, held against the files: each number is computed again from run.json, the CSV files and the traces.

    statements_test.py CLI [unittest's options]

Four runs are made: a calm one, one beside busy loops on all cores, one that is cancelled after its first repeats, and an imported trace. A check is a row of a
table: what is said, where, and what it must be to the last printed digit. Sentences that are not checked here may come and go.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import unittest

from statement_rows import (SeenRun, command_rows, comparison_rows, gap_rows, json_rows, page_rows, planning_rows, record_rows, run_rows,
                            sweep_rows, two_run_rows)
from trials import World

CLI = sys.argv.pop(1)
LIMIT_S = 120
FEWEST_STATEMENTS = 170  # different ones, each for several runs and variants

EXPERIMENT = {
    "name": "statements",
    "model": {"arch": "resnet18", "classes": 10},
    "data": {"source": "random", "shape": [3, 32, 32], "batch": 16, "steps": 2},
    "training": {"loss": "mse", "optimizer": "sgd", "lr": 0.01, "momentum": 0.9, "seed": 3, "step_barrier": True},
    "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
    "variants": [
        {"name": "Single", "strategy": "single", "lanes": [0]},
        {"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4, "cuts": ["layer3.0"]},
        {"name": "Split", "strategy": "pipeline", "schedule": "zb-h1", "split_size": 4, "cuts": ["layer3.0"]},
        {"name": "Replicas", "strategy": "ddp"},
    ],
    "repeats": 5,
    "record": "blocks",
}


class Machine:
    """The program in a folder of its own, and the runs that all tables are about."""

    def __init__(self):
        # A shell starts background jobs with SIGINT ignored, and children inherit that; a handler of this process becomes the default in them.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.world = World(CLI, full=False)
        self.room = self.world.room("runs")

    def ask(self, *arguments):
        """What a command prints that must succeed."""
        outcome = self.world.run(*arguments, folder=self.room, limit_s=LIMIT_S)
        if outcome.code != 0:
            raise AssertionError(f"{arguments}: exit {outcome.code}: {outcome.err}")
        return outcome.out

    def experiment(self, name, **changes):
        file = self.room / f"{name}.json"
        file.write_text(json.dumps({**EXPERIMENT, "name": name, **changes}))
        return file

    def train(self, name, **changes):
        printed = self.ask("run", self.experiment(name, **changes), "--out", self.room / name)
        return SeenRun(name, self.room / name, printed, self.ask)

    def train_beside_loops(self, name, **changes):
        work = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"
        loops = []
        try:
            for core in os.sched_getaffinity(0):
                loops.append(subprocess.Popen([sys.executable, "-c", work, str(core)]))
            return self.train(name, **changes)
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()

    def train_and_cancel(self, name, attempts=6):
        """Cancelled by SIGINT once each variant has a counted repeat. An action that takes longer than the program waits after a signal ends it before it prints."""
        experiment = self.experiment(name)
        for _ in range(attempts):
            shutil.rmtree(self.room / name, ignore_errors=True)
            code, printed = self.cancelled_output("run", experiment, "--out", self.room / name)
            if code != 130:
                raise AssertionError(f"the cancelled run ended with {code}")
            if printed:
                return SeenRun(name, self.room / name, printed, self.ask)
        raise AssertionError(f"{attempts} cancelled runs printed nothing")

    def cancelled_output(self, *command):
        process = self.world.start(*command, folder=self.room, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        limit = threading.Timer(LIMIT_S, process.kill)
        limit.start()
        try:
            last = f"repeat 1 of {EXPERIMENT['repeats']}, {EXPERIMENT['variants'][-1]['name']}:"
            next((line for line in process.stderr if last in line), None)
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate()
        finally:
            limit.cancel()
            process.kill()
        return process.returncode, printed

    def costs(self):
        """Block times that no machine measured, so that predictions are the same everywhere; a backward takes 1.5 forwards and more."""
        names = ["stem", *(f"layer{layer}.{block}" for layer in (1, 2, 3, 4) for block in (0, 1)), "head"]
        forward = [4, 3, 3.5, 2, 2.5, 3, 3.5, 4.5, 5, 1]
        file = self.room / "costs"
        file.write_text(json.dumps({"blocks": [{"name": name, "forward_ms": ms, "backward_ms": 1.5 * ms + 0.25 * place} for place, (name, ms) in enumerate(zip(names, forward))],
                                    "transfers_ms": [0] * (len(names) - 1)}))
        return file


def setUpModule():
    global machine, calm, loaded, cancelled
    machine = Machine()
    unittest.addModuleCleanup(machine.world.close)
    calm = machine.train("calm")
    loaded = machine.train_beside_loops("loaded", variants=EXPERIMENT["variants"][:3])
    cancelled = machine.train_and_cancel("cancelled")


class StatementsTest(unittest.TestCase):
    names = set()
    rows = 0

    def hold(self, rows):
        rows = list(rows)
        self.assertTrue(rows, "no statements")
        self.names.update(row.name for row in rows)
        type(self).rows += len(rows)
        faults = [fault for fault in (row.fault() for row in rows) if fault]
        self.assertFalse(faults, "\n" + "\n".join(faults) + f"\n{len(faults)} of {len(rows)} statements are not true")

    def hold_of_each_run(self, rows_of):
        for run in (calm, loaded, cancelled):
            with self.subTest(run=run.name):
                self.hold(rows_of(run))

    def test_run_json_is_what_its_repeats_and_traces_say(self):
        self.hold_of_each_run(record_rows)

    def test_csv_and_json_files_say_what_run_json_says(self):
        self.hold_of_each_run(json_rows)

    def test_run_prints_what_was_measured(self):
        self.hold_of_each_run(run_rows)

    def test_compare_prints_what_run_prints(self):
        self.hold_of_each_run(lambda run: comparison_rows(run, "compare", run.ask("compare", run.folder)))

    def test_report_shows_what_was_measured(self):
        self.hold_of_each_run(page_rows)

    def test_gaps_explain_the_idle_time_of_the_trace(self):
        for run in (calm, loaded, cancelled):
            for variant in run.variants:
                with self.subTest(run=run.name, variant=variant["name"]):
                    self.hold(gap_rows(run, variant))

    def test_timelines_and_lists_of_runs(self):
        self.hold_of_each_run(lambda run: two_run_rows(run, loaded if run is calm else calm))

    def test_predictions_follow_from_block_times(self):
        self.hold(planning_rows(machine.ask, calm, machine.experiment("planned"), machine.costs()))

    def test_sweep_prints_what_it_predicted_and_measured(self):
        self.hold(sweep_rows(machine.ask, machine.experiment("swept", variants=EXPERIMENT["variants"][1:2]), machine.room / "sweep"))

    def test_imports_forecasts_and_the_machine(self):
        self.hold(command_rows(machine.ask, calm, (calm.folder / "trace-pipeline.json.gz", machine.room / "imported"),
                               machine.world.data / "traces" / "kineto.json"))

    def test_loops_beside_a_run_take_core_time(self):
        """Else the loaded run is another calm one."""
        shares = [1 - sum(map(trace.on_core, trace.lanes)) / (sum(a.length for a in trace.actions) * 1e-9) for trace in loaded.traces.values()]
        self.assertGreater(max(shares), 0.05)


def main():
    program = unittest.main(exit=False)
    print(f"{len(StatementsTest.names)} different statements in {StatementsTest.rows} rows", file=sys.stderr)
    everything = not program.testNames and not program.testNamePatterns
    sys.exit(not program.result.wasSuccessful() or (everything and len(StatementsTest.names) < FEWEST_STATEMENTS))


if __name__ == "__main__":
    main()
