#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""gaps: what it says of runs, of traces of other programs, and of what would mend them."""
import json
import re
import unittest

from cli_world import DATA, GAPS, CliTest


def nanoseconds(microseconds):
    return round(microseconds * 1000)


class Gaps(CliTest):
    def test_of_a_cut_file_warn_of_what_was_lost(self):
        events = [{"ph": "X", "cat": "lanelab", "name": f"0F{i}", "pid": 0, "tid": 0, "ts": 10 * i, "dur": 5,
                   "args": {"lane": 0, "stage": 0, "micro_batch": i, "phase": "F", "step": 0}} for i in range(3)]
        text = json.dumps({"traceEvents": events})
        for name, content, warned in [("whole.json", text, False), ("cut.json", text[:-30], True)]:
            (self.folder / name).write_text(content)
            result = self.done("gaps", name)
            self.assertEqual("Warning" in result.stderr, warned, name + ": " + result.stderr)

    def gpu_trace(self):
        """Two kernels and a collective between them, as PyTorch's profiler writes them in 2024; calls without GPU work end flows."""
        base = 1_712_170_298_123_456
        def event(cat, name, pid, tid, ts, dur, **args):
            return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": base + ts, "dur": dur, "args": args}
        work = [event("kernel", "gemm", 0, 7, 100, 50, device=0, stream=7, correlation=1),
                event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 0, 20, 130, 60, device=0, stream=20, correlation=2),
                event("kernel", "gelu", 0, 7, 220, 30, device=0, stream=7, correlation=3)]
        calls = [event("cuda_runtime", "cudaLaunchKernel", 9, 9, 10 * i, 5, correlation=i) for i in (1, 2, 3)]
        ends = [{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 50 + i, "pid": 9, "tid": 9, "ts": base + i, "bp": "e"} for i in range(9)]
        path = self.folder / "kineto.json"
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [{"traceEvents": []}], "traceEvents": work + calls + ends}))
        return path

    def test_of_a_gpu_tell_communication_from_compute_without_a_warning(self):
        result = self.done("gaps", self.gpu_trace(), "--json")
        self.assertEqual(result.stderr, "")
        lane, = json.loads(result.stdout)["lanes"]
        times = {key: lane[key + "_us"] for key in ("window", "busy", "idle", "communication", "exposed_communication", "inactive")}
        self.assertEqual(times, {"window": 150, "busy": 80, "idle": 70, "communication": 60, "exposed_communication": 40, "inactive": 30})
        self.assertEqual(lane["causes"]["communication"], 40)

    def test_print_starts_since_the_beginning_of_the_trace(self):
        text = self.done("gaps", self.gpu_trace(), "--csv", "gaps.csv").stdout
        self.assertIn("140.000 µs", text)
        self.assertEqual(text.count("1712170298123"), 1, "the place in the file once")
        self.assertIn("2024-04-03 18:51:38.123466 UTC", text)
        self.assertIn(",140.000,70.000,communication,", (self.folder / "gaps.csv").read_text())
        self.assertNotIn("action", text.replace("interaction", ""))
        result = json.loads(self.done("gaps", self.gpu_trace(), "--json").stdout)
        gap = result["lanes"][0]["gaps"][0]
        self.assertEqual(gap["since_begin_us"], 140)
        self.assertAlmostEqual(gap["start_us"] - result["begin_us"], 140, places=1)
        self.assertAlmostEqual(result["begin_unix_us"], 1_712_170_298_123_466, places=0)

    def explained(self, *arguments):
        result = json.loads(self.done("gaps", *arguments, "--json").stdout)
        for lane in result["lanes"]:
            idle = nanoseconds(lane["idle_us"])
            self.assertEqual(nanoseconds(lane["busy_us"]) + idle, nanoseconds(lane["window_us"]))
            self.assertEqual(sum(nanoseconds(time) for time in lane["causes"].values()), idle)
            self.assertEqual(sum(nanoseconds(gap["duration_us"]) for gap in lane["gaps"]), idle)
        return result

    def test_of_a_run_add_up_to_what_the_run_says_itself(self):
        self.done("run", self.experiment(), "--out", "out")
        run = json.loads((self.folder / "out" / "run.json").read_text())
        self.assertIn("--variant", self.refused("gaps", "out"))
        for variant in run["variants"]:
            result = self.explained("out", "--variant", variant["name"])
            lanes = result["lanes"]
            self.assertEqual(result["recording"], variant["recording"])
            self.assertIn("Recording cost (blocks): ", self.done("gaps", "out", "--variant", variant["name"]).stdout)
            used = [lane["name"] for lane in variant["lanes"] if lane["busy_seconds"]]
            self.assertEqual([lane["name"] for lane in lanes], used)
            self.assertGreater(sum(lane["busy_us"] for lane in lanes), 0)

    def test_of_an_ideal_pipeline_are_the_bubble_of_the_literature(self):
        bubble = self.explained(GAPS / "gpipe.json")["bubble"]
        self.assertAlmostEqual(bubble["of_total"], 2 / 6, delta=1e-6)
        self.assertAlmostEqual(bubble["of_ideal"], 2 / 4, delta=1e-6)

    def test_of_a_gpu_trace_of_another_program(self):
        lane, = self.explained(GAPS / "kernels.json")["lanes"]
        gaps = {gap["before"]: gap["causes"] for gap in lane["gaps"]}
        self.assertEqual(gaps["void gemm<12>()"], {"host": 18.0, "unresolved": 2.0})

    def test_of_the_example_in_the_documentation_are_what_it_shows(self):
        page = (DATA.parents[1] / "docs" / "imported-traces.md").read_text(encoding="utf-8")
        shown = re.search(r"```text\n(.*?)```", page, re.DOTALL).group(1)
        self.assertTrue(self.done("gaps", GAPS / "two_gpus.json").stdout.startswith(shown))

    def test_are_a_table_and_csv_for_people(self):
        text = self.done("gaps", GAPS / "two_lanes.json", "--longest", "1", "--csv", "gaps.csv").stdout
        self.assertIn("largest cause: fill and drain", text)
        self.assertEqual(text.count("0B0"), 1)
        self.assertNotIn("0B1", text)
        self.assertEqual(len((self.folder / "gaps.csv").read_text().splitlines()), 1 + 16)
        self.assertNotIn("1F0", self.done("gaps", GAPS / "two_lanes.json", "--lane", "left").stdout)

    def shortened_trace(self):
        """The GPU trace with its last kernel 10 us earlier."""
        path = self.gpu_trace()
        trace = json.loads(path.read_text())
        trace["traceEvents"][2]["ts"] -= 10
        after = self.folder / "after.json"
        after.write_text(json.dumps(trace))
        return path, after

    def test_of_two_traces_stand_side_by_side(self):
        before, after = self.shortened_trace()
        text = self.done("gaps", before, after).stdout
        self.assertIn(f"before: {before}\nafter:  {after}\n", text)
        self.assertRegex(text, r"GPU 0 +150 µs +140 µs +70.0 µs +60.0 µs +-10.0 µs +53.3 % +57.1 %")
        self.assertRegex(text, r"unresolved +30.0 µs +20.0 µs +-10.0 µs +20.0 % +14.3 %")
        alone = [json.loads(self.done("gaps", path, "--json").stdout) for path in (before, after)]
        both = json.loads(self.done("gaps", before, after, "--json").stdout)
        for one, of_both, path in zip(alone, both["traces"], (before, after)):
            self.assertEqual(of_both.pop("trace"), str(path))
            self.assertEqual(of_both, {key: one[key] for key in one if key not in ("suggestions", "mends")})
        self.assertEqual(both["difference"]["total"]["idle_us"], alone[1]["lanes"][0]["idle_us"] - alone[0]["lanes"][0]["idle_us"])
        self.assertEqual(both["difference"]["lanes"][0]["causes"], {"communication": 0, "unresolved": -10})

    def test_of_several_traces_follow_each_other(self):
        before, after = self.shortened_trace()
        text = self.done("gaps", before, after, GAPS / "gpipe.json").stdout
        places = [text.index(f"{path}\n\nLane ") for path in (before, after, GAPS / "gpipe.json")]
        self.assertEqual(places, sorted(places))
        self.assertEqual(text.count("Share of idle"), 3)
        result = json.loads(self.done("gaps", before, after, GAPS / "gpipe.json", "--json").stdout)
        self.assertEqual(set(result), {"traces"})
        self.assertEqual([len(trace["lanes"]) for trace in result["traces"]], [1, 1, 3])

    def test_of_several_traces_refuse_what_does_not_go_together(self):
        before, after = self.shortened_trace()
        self.assertIn("after.json: The trace has no lane \"1\"", self.refused("gaps", before, after, "--lane", "1").replace(str(after), "after.json").replace(
            str(before), "after.json"))
        self.assertIn("gpipe.json: The trace has no lane \"GPU 0\"", self.refused("gaps", before, GAPS / "gpipe.json", before, "--lane", "GPU 0"))
        self.assertIn("do not compare", self.refused("gaps", before, GAPS / "gpipe.json"))
        for option in (["--csv", "gaps.csv"], ["--longest", "3"], ["--what-if", "stage:0=2"], ["--apply-suggestion", "a.json"]):
            self.assertIn(f"{option[0]} is for one trace", self.refused("gaps", before, after, *option))
        self.assertFalse((self.folder / "gaps.csv").exists())

    def test_of_a_trace_played_again_with_a_faster_stage(self):
        text = self.done("gaps", GAPS / "gpipe.json", "--what-if", "stage:0=0.5", "--what-if", "stage:1=0.5", "--what-if", "stage:2=0.5").stdout
        self.assertIn("the mean step takes 9.00 µs instead of 18.0 µs, 50.0 % less", text)
        self.assertIn("stage 3", self.refused("gaps", GAPS / "gpipe.json", "--what-if", "stage:3=2"))
        self.assertIn("stage:0", self.refused("gaps", GAPS / "gpipe.json", "--what-if", "stage:0"))

    def test_of_a_badly_cut_run_end_in_a_mend_that_a_run_can_verify(self):
        # Nearly all of the network on one lane: whatever the machine does meanwhile, some of it belongs to the other.
        network = {"model": {"arch": "resnet18", "classes": 10}, "data": {"source": "random", "shape": [3, 64, 64], "batch": 8, "steps": 3}}
        variants = [{"name": "Pipeline", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": ["layer1.0"]}]
        file = self.experiment(**network, variants=variants, repeats=1, warmup=1, record="blocks")
        self.done("run", file, "--out", "bad")
        suggestions = self.explained("bad")["suggestions"]
        self.assertEqual(suggestions[0]["change"]["cuts"][0][:5], "layer")
        self.assertGreater(suggestions[0]["predicted_ratio"], 1.02)
        self.assertRegex(suggestions[0]["text"], r"^Move layer1\.0.* to cpu:0: (predicted [0-9.]+ % faster \(|no clear gain \(predicted [0-9.]+ %, )90 % range -?[0-9.]+ to [0-9.]+ %\)\.$")
        low, high = suggestions[0]["range90_ratio"]
        self.assertEqual("no clear gain" in suggestions[0]["text"], low <= 1 <= high)
        text = self.done("gaps", "bad", "--apply-suggestion", "suggested.json").stdout
        self.assertLess(text.index("of the time; largest cause:"), text.index(suggestions[0]["text"]))
        self.assertIn("--apply-suggestion", self.refused("gaps", GAPS / "two_lanes.json", "--apply-suggestion", "other.json"))
        self.assertEqual([variant["name"] for variant in json.loads((self.folder / "suggested.json").read_text())["variants"]], ["Pipeline", "Pipeline (suggested)"])
        table = self.done("run", "suggested.json", "--out", "suggested").stdout
        self.assertRegex(table, r"Pipeline \(suggested\) \(Move layer1\.0.* to cpu:0\): (predicted .* % faster than Pipeline|no clear gain over Pipeline predicted \(.* %\)), measured: too few repeats \(1 repeat each; an interval needs 5\)")

    def test_of_no_trace_or_no_such_lane_are_refused(self):
        self.assertIn("nothing.json", self.refused("gaps", "nothing.json"))
        self.assertIn('"left" or "right"', self.refused("gaps", GAPS / "two_lanes.json", "--lane", "middle"))


if __name__ == "__main__":
    unittest.main()
