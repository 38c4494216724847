#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Every command that --help lists does its work; bad input exits 2 and leaves nothing behind."""
import json
import pathlib
import unittest

from cli_world import CLI, EXPERIMENT, EXPORTED, GAPS, PIPEDREAM, CliTest, listed_commands


class EveryCommand(CliTest):
    def test_help_lists_commands_and_each_explains_itself(self):
        commands = listed_commands()
        self.assertGreaterEqual(len(commands), 2)
        for command in commands:
            with self.subTest(command=command):
                self.assertIn("Usage: lanelab-cli " + command, self.done(command, "--help").stdout)

    def test_every_listed_command_does_its_work(self):
        # In an order in which each finds what an earlier one wrote.
        samples = {
            "doctor": [["doctor"]],
            "summary": [["summary", "resnet18", "--input", "3x64x64"], ["summary", str(EXPORTED / "gpt2.pt2")]],
            "schedule": [["schedule", "1f1b", "--stages", "2", "--micro-batches", "3"]],
            "schema": [["schema"]],
            "completion": [["completion", "bash"], ["completion", "zsh"]],
            "weights": [["weights", "resnet18", "--seed", "0", "--out", "w.safetensors"]],
            "run": [["run", str(self.experiment()), "--out", "out"]],
            "check": [["check", str(self.experiment())]],
            "profile": [["profile", str(self.experiment()), "--samples", "2"]],
            "plan": [["plan", str(self.experiment()), "--stages", "2"],
                     ["plan", "--costs", str(PIPEDREAM), "--stages", "4", "--micro-batches", "8"]],
            "simulate": [["simulate", str(self.experiment())],
                         ["simulate", str(self.experiment()), "--costs", self.toy_costs()]],
            "curve": [["curve", str(self.experiment())],
                      ["curve", str(self.experiment()), "--costs", self.toy_costs(), "--json"]],
            "sweep": [["sweep", str(self.experiment()), "--split-sizes", "2,4", "--out", "swept"]],
            "device-map": [["device-map", "resnet18", "--max-memory", "0=30MiB", "--max-memory", "cpu=1GiB"]],
            "import": [["import", str(GAPS / "kernels.json"), "--out", "imported"]],
            "compare": [["compare", "out"], ["compare", "imported", "imported"]],
            "what-if": [["what-if", "out", "--variant", "Pipeline", "--stage", "1=0.5"]],
            "stats": [["stats", "out", "--variant", "Pipeline"],
                      ["stats", "out", "--variant", "Pipeline", "--by", "block", "--json"]],
            "gaps": [["gaps", "out", "--variant", "Pipeline"],
                     ["gaps", "imported", "--json"]],
            "export": [["export", "out", "--what", "comparison", "--format", "csv", "--out", "comparison.csv"],
                       ["export", "swept", "--what", "sweep", "--format", "csv", "--out", "sweep.csv"],
                       ["export", "out", "--what", "timeline", "--format", "csv", "--out", "timeline.csv", "--variant", "Pipeline"],
                       ["export", "out", "--what", "trace", "--format", "chrome", "--out", "trace.json", "--variant", "Pipeline"],
                       ["export", "out", "--what", "report", "--format", "html", "--out", "report.html"],
                       ["export", "out", "--what", "archive", "--out", "out.zip"]],
            "runs": [["runs", "import", "out.zip"], ["runs"], ["runs", "compare", "out", "swept"]],
        }
        commands = listed_commands()
        for command in [name for name in samples if name in commands]:
            for arguments in samples[command]:
                with self.subTest(arguments=arguments):
                    self.done(*arguments)
                    if "--out" in arguments:
                        self.assertTrue((self.folder / arguments[arguments.index("--out") + 1]).exists())
        # infer has a test with PyTorch, since its input is a tensor file; new-model one of its own, since it runs PyTorch; attach asks a running job.
        self.assertEqual(set(commands) - set(samples) - {"infer", "new-model", "attach"}, set(), "a command has no sample here")

    def test_everything_of_a_run_is_a_folder_that_opens_as_the_run(self):
        self.done("run", self.experiment(), "--out", "out")
        export = ["export", "out", "--what", "everything", "--out", "all"]
        self.assertIn("Leave --format out", self.refused(*export, "--format", "png"))
        if not (pathlib.Path(CLI).parent / "lanelab").exists():
            self.skipTest("the desktop part is not built")
        self.done(*export)
        written = {file.name for file in (self.folder / "all").iterdir()}
        expected = {"report.html", "report.pdf", "run.json", "experiment.json", "samples.csv", "comparison.svg", "loss.csv"}
        for variant in ("single", "model-parallel", "pipeline"):
            expected |= {f"trace-{variant}.json.gz", f"gaps-{variant}.csv", f"stages-{variant}.svg", f"stages-{variant}.csv", f"timeline-{variant}.svg"}
        self.assertEqual(expected - written, set())
        self.done("compare", "all")
        self.done("export", "out", "--what", "report", "--format", "pdf", "--out", "report.pdf")
        self.assertTrue((self.folder / "report.pdf").read_bytes().startswith(b"%PDF-"))

    def test_summary_json_is_one_object_with_torchvisions_numbers(self):
        totals = json.loads(self.done("summary", "resnet50", "--input", "3x128x128", "--json").stdout)["totals"]
        self.assertEqual(totals["parameters"], 25557032)

    def test_summary_of_an_exported_network_names_its_blocks_in_order(self):
        summary = json.loads(self.done("summary", str(EXPORTED / "resnet18.pt2"), "--json").stdout)
        layers = [f"layer{a}.{b}" for a in (1, 2, 3, 4) for b in (0, 1)]
        self.assertEqual(summary["blocks"], ["conv1", "bn1", "maxpool"] + layers + ["avgpool", "fc"])
        self.assertEqual(summary["totals"]["parameters"], 45102)
        self.assertIn("bn1 and relu are in one block", summary["notes"][0])


class BadInput(CliTest):
    def test_usage(self):
        self.assertIn("No command", self.refused())
        self.assertIn("schedule", self.refused("shedule"))
        self.refused("summary")
        self.refused("summary", "resnet50", "--input", "3x128x128", "--no-such-option")
        self.refused("summary", "resnet49", "--input", "3x128x128")
        self.refused("summary", "resnet50", "--input", "3xmany")
        self.assertIn("none.pt2: ", self.refused("summary", "none.pt2"))
        self.assertIn("Remove --input", self.refused("summary", str(EXPORTED / "unet.pt2"), "--input", "3x16x16"))
        cut = self.folder / "cut.pt2"
        cut.write_bytes((EXPORTED / "unet.pt2").read_bytes()[:-100])
        self.assertIn("cut.pt2: it has no zip directory", self.refused("summary", cut))
        self.refused("schedule", "gpipe", "--stages", "0", "--micro-batches", "4")

    def test_experiments_that_cannot_run_name_the_place(self):
        pipeline = EXPERIMENT["variants"][2]
        data, training = EXPERIMENT["data"], EXPERIMENT["training"]
        for changes, words in [
            ({"repeats": "five"}, "repeats"),
            ({"repeets": 5}, "repeats"),
            ({"repeats": -1}, "repeats"),
            ({"variants": [{**pipeline, "split_size": 0}]}, "split_size"),
            ({"variants": [{**pipeline, "split_size": 9}]}, "split_size"),
            ({"variants": [{**pipeline, "cuts": ["net9"]}]}, "net9"),
            ({"lanes": [{"device": "cpu:0"}, {"device": "tpu:1"}]}, "tpu:1"),
            ({"data": {**data, "batch": 0}}, "batch"),
            ({"data": {**data, "batch": 10**12}}, "batch"),
            ({"training": {**training, "lr": -1}}, "lr"),
            ({"training": {**training, "loss": "mean"}}, "loss"),
        ]:
            with self.subTest(changes=changes):
                self.assertIn(words, self.refused("run", self.experiment(**changes), "--out", "out"))

    def test_files_that_are_no_experiments(self):
        file = self.folder / "experiment.json"
        for content in [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"name": NaN}', b"[" * 100000]:
            with self.subTest(content=content[:20]):
                file.write_bytes(content)
                self.refused("simulate", file)  # reads it as run does, and starts without LibTorch
        self.assertIn("absent.json", self.refused("run", self.folder / "absent.json", "--out", "out"))
        self.refused("run", self.folder, "--out", "out")


if __name__ == "__main__":
    unittest.main()
