#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""What commands, reports and the panes of the window say of runs, held against the files: each number is computed again from run.json, the CSV files and the traces.

    statements_test.py CLI [PANE_TEXTS] [unittest's options]

These runs are made: a calm one, one beside busy loops on all cores, one that is cancelled after its first repeats, one of epochs, one whose samples are no
images, a sweep, and an imported trace. A check is a row of a table: what is said, where, and what it must be to the last printed digit. Sentences that are not
checked here may come and go. PANE_TEXTS prints what the window shows of them; without it, as without Qt, the panes are not checked.
"""
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import unittest

from command_rows import command_rows
from comparison_rows import comparison_rows, page_rows, run_rows
from gap_rows import gap_rows
from pane_compare_rows import compared_runs_rows
from pane_idle_rows import imported_rows
from pane_plan_rows import sweep_pane_rows
from pane_rows import unit_rows, window_rows
from pane_texts import read_panes
from planning_rows import planning_rows, sweep_rows
from record_rows import json_rows, record_rows
from recomputed import TraceFile
from seen_run import SeenRun
from several_runs_rows import two_run_rows
from trials import TOY, World

CLI = sys.argv.pop(1)
PANE_TEXTS = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]) else None
LIMIT_S = 120
FEWEST_STATEMENTS = 170  # different ones, each for several runs and variants
FEWEST_PANE_STATEMENTS = 120
REPEATS_OF_CANCELLED = 200

EXPERIMENT = {
    "name": "statements",
    "model": {"arch": "resnet18", "classes": 10},
    "data": {"source": "random", "shape": [3, 16, 16], "batch": 8, "steps": 2},
    "training": {"loss": "mse", "optimizer": "sgd", "lr": 0.01, "momentum": 0.9, "seed": 3, "step_barrier": True},
    "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
    "variants": [
        {"name": "Single", "strategy": "single", "lanes": [0]},
        {"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": ["layer3.0"]},
        {"name": "Split", "strategy": "pipeline", "schedule": "zb-h1", "split_size": 2, "cuts": ["layer3.0"]},
        {"name": "Replicas", "strategy": "ddp"},
    ],
    "repeats": 5,
    "record": "blocks",
    "record_cost": False,
}


EPOCHS = {
    "data": {"source": "digits", "shape": [3, 8, 8], "batch": 480, "epochs": 2, "shuffle": True},
    "training": {"loss": "cross_entropy", "optimizer": "sgd", "lr": 0.01, "seed": 3},
    "variants": [EXPERIMENT["variants"][0], {**EXPERIMENT["variants"][1], "split_size": 120}],
    "repeats": 1,
    "warmup": 0,
    "record": "actions",
}
FEATURES = {**{key: value for key, value in TOY.items() if key != "name"}, "variants": [{"name": "Single", "strategy": "single", "lanes": [0]}, *TOY["variants"]]}


class Machine:
    """The program in a folder of its own, and the runs that all tables are about."""

    def __init__(self):
        # A shell starts background jobs with SIGINT ignored, and children inherit that; a handler of this process becomes the default in them.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.world = World(CLI, full=False)
        self.room = self.world.room("runs")
        self.asked = functools.cache(self.ask)  # of runs that no longer change

    def ask(self, *arguments, **options):
        """What a command prints that must succeed."""
        outcome = self.world.run(*arguments, folder=self.room, limit_s=LIMIT_S, **options)
        if outcome.code != 0:
            raise AssertionError(f"{arguments}: exit {outcome.code}: {outcome.err}")
        return outcome.out

    def experiment(self, name, **changes):
        file = self.room / f"{name}.json"
        file.write_text(json.dumps({**EXPERIMENT, "name": name, **changes}))
        return file

    def train(self, name, **changes):
        printed = self.ask("run", self.experiment(name, **changes), "--out", self.room / name)
        return SeenRun(name, self.room / name, printed, self.asked)

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

    def train_and_cancel(self, name, attempts=12):
        """Cancelled by SIGINT once each variant has a counted repeat. An action that takes longer than the program waits after a signal ends it before it prints; those of the second variant, which runs then, are short. Repeats are left that outlast a reader who wakes late."""
        experiment = self.experiment(name, repeats=REPEATS_OF_CANCELLED)
        for _ in range(attempts):
            shutil.rmtree(self.room / name, ignore_errors=True)
            code, printed = self.cancelled_output("run", experiment, "--out", self.room / name)
            if code != 130:
                raise AssertionError(f"the cancelled run ended with {code}")
            if printed:
                return SeenRun(name, self.room / name, printed, self.asked)
        raise AssertionError(f"{attempts} cancelled runs printed nothing")

    def cancelled_output(self, *command):
        process = self.world.start(*command, folder=self.room, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        limit = threading.Timer(LIMIT_S, process.kill)
        limit.start()
        try:
            last = f"repeat 2 of {REPEATS_OF_CANCELLED}, {EXPERIMENT['variants'][0]['name']}:"
            next((line for line in process.stderr if last in line), None)
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate()
        finally:
            limit.cancel()
            process.kill()
        return process.returncode, printed

    def sweep(self, name):
        """Its run folder, and what was printed."""
        narrow = {"file": str(self.world.data / "exported" / "resnet18.pt2")}
        experiment = self.experiment(name, model=narrow, data={**EXPERIMENT["data"], "shape": [3, 32, 32]}, variants=EXPERIMENT["variants"][1:2])
        return self.room / "sweep", self.ask_apart("sweep", experiment, "--split-sizes", "2,4", "--repeats", 3, "--out", self.room / "sweep")

    def ask_apart(self, *arguments):
        """Block times that a sweep measures are stored elsewhere, so that suggestions for other runs are from their own traces, in the window as in `gaps`."""
        return self.ask(*arguments, env={**self.world.environment(), "LANELAB_PROFILES": str(self.room / "profiles")})

    def panes(self, *paths):
        """What the window shows of them: {path: {variant: Panes}}."""
        outcome = self.world.run(self.room, *paths, folder=self.room, limit_s=LIMIT_S, program=PANE_TEXTS)
        if outcome.code != 0:
            raise AssertionError(f"{paths}: exit {outcome.code}: {outcome.err}")
        return read_panes(outcome.out)

    def costs(self):
        """Block times that no machine measured, so that predictions are the same everywhere; a backward takes 1.5 forwards and more."""
        names = ["stem", *(f"layer{layer}.{block}" for layer in (1, 2, 3, 4) for block in (0, 1)), "head"]
        forward = [4, 3, 3.5, 2, 2.5, 3, 3.5, 4.5, 5, 1]
        file = self.room / "costs"
        file.write_text(json.dumps({"blocks": [{"name": name, "forward_ms": ms, "backward_ms": 1.5 * ms + 0.25 * place} for place, (name, ms) in enumerate(zip(names, forward))],
                                    "transfers_ms": [0] * (len(names) - 1)}))
        return file


def setUpModule():
    global machine, calm, loaded, cancelled, epochs, features, sweep, swept
    machine = Machine()
    unittest.addModuleCleanup(machine.world.close)
    calm = machine.train("calm")
    loaded = machine.train_beside_loops("loaded", variants=EXPERIMENT["variants"][:3])
    cancelled = machine.train_and_cancel("cancelled")
    epochs = machine.train("epochs", **EPOCHS)
    features = machine.train("features", **FEATURES)
    sweep, swept = machine.sweep("swept")


class Held(unittest.TestCase):
    """Rows that must be true, counted for each class of tests."""

    def hold(self, rows):
        rows = list(rows)
        self.assertTrue(rows, "no statements")
        self.names.update(row.name for row in rows)
        type(self).rows += len(rows)
        faults = [fault for fault in (row.fault() for row in rows) if fault]
        self.assertFalse(faults, "\n" + "\n".join(faults) + f"\n{len(faults)} of {len(rows)} statements are not true")


class StatementsTest(Held):
    names = set()
    rows = 0

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
        self.hold(sweep_rows(machine.ask_apart, machine.room / "swept.json", sweep, swept))

    def test_imports_forecasts_and_the_machine(self):
        self.hold(command_rows(machine.ask, calm, (calm.folder / "trace-pipeline.json.gz", machine.room / "imported"),
                               machine.world.data / "traces" / "kineto.json"))

    def test_samples_are_called_images_only_where_they_are(self):
        self.hold(unit_rows(features, "samples", {"run": features.printed, "compare": features.ask("compare", features.folder),
                                                  "runs": features.ask("runs", "--runs", machine.room)}))
        self.hold(unit_rows(calm, "images", {"run": calm.printed, "compare": calm.ask("compare", calm.folder)}))

    def test_loops_beside_a_run_take_core_time(self):
        """Else the loaded run is another calm one."""
        shares = [1 - sum(map(trace.on_core, trace.lanes)) / (sum(a.length for a in trace.actions) * 1e-9) for trace in loaded.traces.values()]
        self.assertGreater(max(shares), 0.05)


@unittest.skipUnless(PANE_TEXTS, "needs the program pane_texts, which is built with Qt")
class PanesTest(Held):
    """What the window says of the same runs."""
    names = set()
    rows = 0

    @classmethod
    def setUpClass(cls):
        trace = calm.folder / "trace-pipeline.json.gz"
        cls.trace, cls.both = str(trace), f"{calm.folder}+{loaded.folder}"
        cls.said = machine.panes(*(run.folder for run in (calm, loaded, cancelled, epochs, features)), sweep, trace, cls.both)

    def test_panes_show_what_was_measured(self):
        for run in (calm, loaded, cancelled, epochs):
            with self.subTest(run=run.name):
                self.hold(window_rows(run, self.said[str(run.folder)]))

    def test_pane_of_micro_batch_sizes(self):
        self.hold(sweep_pane_rows(json.loads((sweep / "run.json").read_text()), next(iter(self.said[str(sweep)].values()))))

    def test_panes_of_an_imported_trace(self):
        self.hold(imported_rows(calm, "Pipeline", TraceFile(self.trace), self.said[self.trace][""]))

    def test_window_that_compares_two_runs(self):
        self.hold(compared_runs_rows(calm, loaded, self.said[self.both][""]))

    def test_panes_call_samples_what_they_are(self):
        for run, unit in ((features, "samples"), (calm, "images")):
            panes = self.said[str(run.folder)]["Pipeline"]
            self.hold(unit_rows(run, unit, {pane: panes.everything(pane) for pane in ("compareDock", "runsDock")}, "Unit: "))


def main():
    program = unittest.main(exit=False)
    enough = True
    for tests, fewest in ((StatementsTest, FEWEST_STATEMENTS), (PanesTest, FEWEST_PANE_STATEMENTS if PANE_TEXTS else 0)):
        print(f"{tests.__name__}: {len(tests.names)} different statements in {tests.rows} rows", file=sys.stderr)
        enough = enough and len(tests.names) >= fewest
    everything = not program.testNames and not program.testNamePatterns
    sys.exit(not program.result.wasSuccessful() or (everything and not enough))


if __name__ == "__main__":
    main()
