#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""runs: stored runs are listed, filtered, labelled, compared, deleted and restored."""
import csv
import json
import pathlib
import shutil
import tempfile
import unittest
import zipfile

from cli_world import CLI, TIME_LIMIT_S, CliTest, started


class Runs(CliTest):
    trained = None  # the folder of the first test with its two runs, of which each has a copy

    def setUp(self):
        super().setUp()
        self.home = self.folder / "data" / "lanelab" / "runs"
        if Runs.trained:
            shutil.copytree(Runs.trained.name, self.folder, dirs_exist_ok=True)
            return
        quick = self.experiment(repeats=1, warmup=0, record="actions", record_cost=False)
        self.done("run", quick, "--out", self.home / "first", "--set", "name=first")
        self.done("run", quick, "--out", self.home / "second", "--set", "name=second", "--set", "training.lr=0.02")
        Runs.trained = tempfile.TemporaryDirectory()
        self.addClassCleanup(Runs.trained.cleanup)
        shutil.copytree(self.folder, Runs.trained.name, dirs_exist_ok=True)

    def listed(self, *arguments):
        return json.loads(self.done("runs", *arguments, "--json").stdout)["runs"]

    def ids(self, *arguments):
        return [run["id"] for run in self.listed(*arguments)]

    def test_runs_are_listed_as_a_table_and_as_json(self):
        table = self.done("runs", "--sort", "name").stdout.splitlines()
        self.assertRegex(table[0], r"Star +Name +Model +Strategy +Micro-batch size +Samples/s")
        self.assertRegex(table[1], r"^ +first +toy ")
        run = self.listed("--sort=name")[0]
        self.assertEqual((run["id"], run["status"], run["model"], run["batch"]), ("first", "done", "toy", 8))
        self.assertEqual([variant["name"] for variant in run["variants"]], ["Single", "Model parallel", "Pipeline"])
        self.assertEqual(run["shown"], "Pipeline")
        self.assertIn("too few repeats", table[1], "two repeats give no interval, so there is no ratio")
        self.assertEqual(run["variants"][0]["speed_up"], 1)
        self.assertEqual(self.ids("list"), self.ids())

    def test_runs_are_sorted_filtered_and_searched(self):
        self.assertEqual(self.ids("--sort=name"), ["first", "second"])
        self.assertEqual(self.ids("--sort=-name"), ["second", "first"])
        self.assertEqual(self.ids("--search", "SECO"), ["second"])
        self.assertEqual(self.ids("--filter", "status=failed,cancelled"), [])
        self.assertEqual(self.ids("--filter", "strategy=pipeline", "--sort=name", "--most", "1"), ["first"])
        self.assertIn('did you mean "tag"?', self.refused("runs", "tagg", "first"))
        self.assertIn("status", self.refused("runs", "--filter", "state=done"))
        self.assertIn("samples/s", self.refused("runs", "--sort", "sample/s"))
        self.assertIn("done", self.refused("runs", "--filter", "status=dne"))

    def test_labels_are_stored_beside_the_run(self):
        self.done("runs", "tag", "first", "night", "cpu")
        self.done("runs", "untag", "first", "cpu")
        self.done("runs", "rename", "fir", "Baseline of today")
        self.done("runs", "note", "Baseline of today", "Two lines\nof text")
        self.done("runs", "star", "first", "second")
        self.done("runs", "unstar", "second")
        (run,) = self.listed("--filter", "star", "--filter", "tag=night", "--search", "lines")
        self.assertEqual((run["id"], run["name"], run["tags"], run["note"]), ("first", "Baseline of today", ["night"], "Two lines\nof text"))
        labels = json.loads((self.home / "first" / "labels.json").read_text())
        self.assertEqual(labels["tags"], ["night"])
        self.assertFalse((self.home / "second" / "labels.json").exists())
        self.assertIn("There is no run", self.refused("runs", "tag", "third", "x"))

    def test_labels_that_many_commands_write_at_once_are_all_stored(self):
        commands = [("tag", f"x{i}") for i in range(10)] + [("note", "of today"), ("rename", "monday"), ("star",)]
        folder = self.home / "first"
        writers = [started("runs", command, folder, *values, folder=self.folder) for command, *values in commands]
        for process in writers:
            self.assertEqual(process.wait(timeout=TIME_LIMIT_S), 0)
        labels = json.loads((folder / "labels.json").read_text())
        self.assertEqual(sorted(labels["tags"]), [f"x{i}" for i in range(10)])
        self.assertEqual((labels["note"], labels["name"], labels["star"]), ("of today", "monday", True))
        self.assertEqual([file.name for file in folder.glob(".*")], [])

    def test_the_runs_folder_may_be_given_before_or_after_the_subcommand(self):
        own, other = self.home / "first", self.folder / "other"
        archive = self.folder / "first.zip"
        self.done("export", own, "--what", "archive", "--out", archive)
        shutil.copytree(self.home, other)
        untouched = {path: path.read_bytes() for path in self.home.rglob("*") if path.is_file()}
        for command in (["tag", "first", "night", "day"], ["untag", "first", "day"], ["note", "first", "quiet"], ["rename", "first", "one"],
                        ["star", "first", "second"], ["unstar", "second"], ["compare", "first", "second"], ["list"], ["rebuild"], ["folders"],
                        ["import", archive], ["delete", "first"], ["trash"], ["restore", "first"], ["delete", "second"], ["trash", "--empty"]):
            self.done("runs", "--runs", other, *command)
        listed = {run["id"]: run for run in self.listed("--runs", other)}
        self.assertEqual(set(listed), {"first"})
        first = listed["first"]
        self.assertEqual((first["name"], first["tags"], first["note"], first["star"]), ("one", ["night"], "quiet", True))
        self.assertEqual({path: path.read_bytes() for path in self.home.rglob("*") if path.is_file()}, untouched)
        self.assertEqual(self.done("runs", "--runs", other, "tag", "first", "x", "--runs", other).returncode, 0)

    def test_an_option_before_a_subcommand_that_does_not_have_it_is_refused(self):
        for arguments, words in [
            (["--runs", "a", "delete", "first", "--runs", "b"], r"--runs is given twice: a before delete and b after it"),
            (["--json", "delete", "first"], r"--json is not an option of runs delete. See lanelab-cli runs delete --help"),
            (["--sort", "name", "star", "first"], r"--sort is not an option of runs star"),
            (["--sort", "name", "list", "--sort", "date"], r"--sort is given twice: name before list and date after it"),
            (["--runs", "a", "folders", "--add", "runs"], r"--runs excludes --add"),
            (["trash", "delete", "first"], r"delete"),
        ]:
            self.assertRegex(self.refused("runs", *arguments), words)
        self.assertEqual(self.ids("--sort", "name"), self.ids("--sort", "name", "list"))

    def test_two_runs_are_compared_setting_by_setting(self):
        told = self.done("runs", "compare", "first", "second").stdout
        self.assertRegex(told, r"training\.lr +0\.01 +0\.02")
        self.assertRegex(told, r"Variant +Step time A \(ms\)")
        difference = json.loads(self.done("runs", "compare", "first", "second", "--json").stdout)
        for letter in ("a", "b"):
            self.assertIn(f"{letter.upper()}: {difference[f'trust_{letter}']}\n", told)
        self.assertEqual(difference["comparable"], "same")
        self.assertIn({"setting": "training.lr", "a": "0.01", "b": "0.02"}, difference["settings"])
        self.assertEqual(len(difference["variants"][0]["losses_a"]), 2)
        self.assertGreater(difference["variants"][0]["speed_up"], 0)

    def test_runs_are_grouped(self):
        self.done("runs", "tag", "first", "night")
        table = self.done("runs", "--group-by", "tag").stdout.splitlines()
        self.assertRegex(table[0], r"^Tag +First \(UTC\) +Last \(UTC\) +Runs +Best step time \(ms\) +Best samples/s$")
        self.assertRegex(table[1] + table[2], r"^night .* 1 .*- .* 1 ")
        groups = json.loads(self.done("runs", "--group-by", "model", "--json").stdout)
        self.assertEqual(groups["group_by"], "model")
        (toy,) = groups["groups"]
        self.assertEqual((toy["value"], sorted(toy["runs"])), ("toy", ["first", "second"]))
        best = min(run["variants"][2]["step_seconds"] for run in self.listed())
        self.assertEqual(toy["best_step_seconds"], best)
        self.assertIn("--group-by", self.refused("runs", "--group-by", "colour"))
        self.assertIn("excludes", self.refused("runs", "--group-by", "model", "--columns", "id"))

    def overlaid(self, *arguments):
        return json.loads(self.done("runs", "overlay", "first", "second", *arguments, "--json").stdout)

    def test_one_metric_of_several_runs_is_overlaid(self):
        told = self.done("runs", "overlay", "first", "second", "--csv", "loss.csv").stdout
        self.assertRegex(told, r"Training loss +Differs +Points +First +Last")
        record = json.loads((self.home / "second" / "run.json").read_text())
        losses = record["variants"][2]["repeats"][0]["losses"]
        curves = self.overlaid()["curves"]
        self.assertEqual([curve["name"] for curve in curves], ["first", "second"])
        self.assertEqual([point["value"] for point in curves[1]["points"]], losses)
        self.assertEqual(curves[1]["sources"], [{"run": "second", "id": "second", "variant": "Pipeline", "repeats": 1}])
        rows = list(csv.DictReader((self.folder / "loss.csv").read_text().splitlines()))
        self.assertEqual([float(row["loss"]) for row in rows if row["run"] == "second"], losses)
        self.assertEqual([row["step"] for row in rows], ["0", "1", "0", "1"])
        self.assertEqual(len(self.overlaid("--all-variants")["curves"]), 6)
        smooth = self.overlaid("--smoothing", "0.5")["curves"][1]["points"]
        self.assertAlmostEqual(smooth[1]["smoothed"], (0.5 * losses[0] + losses[1]) / 1.5)

    def test_figures_of_several_runs_are_overlaid_against_a_setting(self):
        overlay = self.overlaid("--metric", "step-time", "--x", "micro-batch-size")
        names = [curve["name"] for curve in overlay["curves"]]
        self.assertEqual(len(names), len(set(names)))
        sizes = {point["x"] for curve in overlay["curves"] for point in curve["points"]}
        self.assertEqual(sizes, {3, 8})
        (pipeline,) = [curve for curve in overlay["curves"] if "GPipe" in curve["name"] and len(curve["points"]) == 2]
        self.assertEqual({source["run"] for source in pipeline["sources"]}, {"first", "second"})

    def test_runs_that_cannot_be_overlaid_are_named(self):
        overlay = self.exits(1, "runs", "overlay", "first", "second", "--metric", "validation-accuracy")
        self.assertIn("Not drawn (the data are not counted in epochs): first; second.", overlay.stdout)
        self.assertIn("None of the runs has validation accuracy.", overlay.stderr)
        self.assertIn("Choose step, time or epoch", self.refused("runs", "overlay", "first", "--x", "lanes"))
        self.assertIn("below 1", self.refused("runs", "overlay", "first", "--smoothing", "1"))
        self.assertIn("extension png, svg or pdf", self.refused("runs", "overlay", "first", "--out", "loss.jpg"))
        self.assertIn("third", self.refused("runs", "overlay", "first", "third"))

    def test_an_overlay_is_drawn_as_a_figure(self):
        if not pathlib.Path(CLI).with_name("lanelab").exists():
            self.skipTest("the desktop part is not beside lanelab-cli")
        self.done("runs", "overlay", "first", "second", "--all-variants", "--smoothing", "0.5", "--out", "loss.svg")
        drawn = (self.folder / "loss.svg").read_text()
        for words in ("first/Pipeline", "second/Single", "Training loss against step"):
            self.assertIn(words, drawn)

    def test_a_deleted_run_can_be_restored_until_the_trash_is_emptied(self):
        self.done("runs", "delete", "first")
        self.assertEqual(self.ids(), ["second"])
        self.assertIn("first", self.done("runs", "trash").stdout)
        self.done("runs", "restore", "first")
        self.assertEqual(sorted(self.ids()), ["first", "second"])
        self.done("runs", "delete", "first", "second")
        self.assertIn("2 runs", self.done("runs", "trash", "--empty").stdout)
        self.assertEqual(self.ids(), [])
        self.refused("runs", "restore", "first")

    def test_folders_of_runs_can_be_added_and_removed(self):
        self.done("run", self.experiment(repeats=1, warmup=0, record="off"), "--runs", "runs")
        result = self.done("runs")
        self.assertIn("--add runs", result.stderr)
        self.done("runs", "folders", "--add", "runs")
        self.assertEqual(len(self.ids()), 3)
        self.assertNotIn("--add", self.done("runs").stderr)
        self.assertEqual(len(self.ids("--runs", "runs")), 1)
        self.done("runs", "folders", "--remove", "runs")
        self.assertEqual(len(self.ids()), 2)

    def test_a_run_is_shared_as_one_file(self):
        self.done("runs", "tag", "first", "shared")
        self.done("export", self.home / "first", "--what", "archive", "--out", "first.zip")
        with zipfile.ZipFile(self.folder / "first.zip") as archive:
            self.assertIsNone(archive.testzip())
            names = {name.removeprefix("first/") for name in archive.namelist()}
            self.assertIn("toy", archive.read("first/experiment.json").decode())
            self.assertIn("<html", archive.read("first/report.html").decode())
        self.assertTrue({"run.json", "labels.json", "samples.csv", "experiment.json", "report.html"} <= names, names)
        there = self.done("runs", "import", "first.zip", "--runs", "there").stdout.strip()
        self.assertEqual(self.listed("--runs", "there")[0]["tags"], ["shared"])
        self.done("compare", there)
        self.assertIn("cannot be opened as a run", self.refused("runs", "import", "experiment.json"))

    def test_an_export_removes_what_killed_ones_of_its_file_left(self):
        for what, name, *form in [("archive", "a.zip"), ("report", "b.html"), ("comparison", "c.csv", "--format", "csv"),
                                  ("trace", "d.json.gz", "--format", "chrome", "--variant", "Single")]:
            left = [self.folder / f".{name}.{'0123456789abcdef'[::step]}.tmp{end}" for step, end in ((1, ""), (-1, ".html"))]
            other = self.folder / f".other-{name}.0123456789abcdef.tmp"
            for file in (*left, other):
                file.write_text("half")
            process = started("export", self.home / "first", "--what", what, *form, "--out", name, folder=self.folder)
            process.kill()
            process.wait()
            self.done("export", self.home / "first", "--what", what, *form, "--out", name)
            self.assertEqual([file.name for file in self.folder.glob(f".*{name}*")], [other.name])

    def test_commands_take_the_id_or_name_of_a_stored_run(self):
        self.assertIn("first/Single", self.done("compare", "first", "second").stdout)
        self.done("runs", "rename", "second", "monday")
        by_name, by_id = (self.done("gaps", run, "--variant", "Single").stdout for run in ("monday", "second"))
        self.assertEqual(by_name, by_id)
        self.done("export", "second", "--what", "comparison", "--format", "csv", "--out", "second.csv")
        self.assertIn("third", self.refused("compare", "third"))

    def test_a_stored_run_runs_again(self):
        self.done("run", self.home / "second", "--out", "again")
        again = json.loads((self.folder / "again" / "run.json").read_text())
        first = json.loads((self.home / "second" / "run.json").read_text())
        self.assertEqual(again["experiment"], first["experiment"])
        self.assertEqual(again["variants"][0]["repeats"][0]["losses"], first["variants"][0]["repeats"][0]["losses"])

    def test_the_index_can_be_rebuilt(self):
        self.assertIn("2 runs", self.done("runs", "rebuild").stdout)
        index = self.home / ".lanelab" / "index" / "runs.sqlite"
        before = self.listed()
        index.write_text("not a database")
        self.assertEqual(self.listed(), before)
        (pathlib.Path(self.home) / "first" / "run.json").write_text("{")
        damaged = self.listed("--filter", "status=damaged")
        self.assertEqual([run["id"] for run in damaged], ["first"])
        self.assertIn("run.json", damaged[0]["error"])


if __name__ == "__main__":
    unittest.main()
