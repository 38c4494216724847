#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""stats: what spans add up to, by group, of runs and of traces of other programs."""
import csv
import json
import unittest

from cli_world import DATA, GAPS, CliTest

COLUMNS = ["name", "count", "total_us", "self_us", "mean_us", "median_us", "p95_us", "longest_us", "longest_start_us", "share"]
PARTS = ("compute_us", "exposed_communication_us", "memory_us", "data_us", "host_us", "other_us", "idle_us")


def nanoseconds(microseconds):
    return round(float(microseconds) * 1000)


class Stats(CliTest):
    def counted(self, *arguments):
        result = json.loads(self.done("stats", *arguments, "--json").stdout)
        overview = result["overview"]
        for times in [overview, *overview["lanes"]]:
            self.assertEqual(sum(nanoseconds(times[part]) for part in PARTS), nanoseconds(times["window_us"]))
        self.assertEqual(result["lane_time_us"], overview["window_us"])
        self.assertEqual(sum(row["count"] for row in result["rows"]), result["all"]["count"])
        self.assertEqual(sum(nanoseconds(row["self_us"]) for row in result["rows"]), nanoseconds(result["all"]["total_us"]))
        return result

    def small_trace(self):
        """A step of one GPU and its host: two gemms, one of them hiding half of a collective, a copy, nested operators."""
        def event(cat, name, pid, ts, dur, **args):
            return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": pid, "ts": 1000 + ts, "dur": dur, "args": args}
        events = [event("kernel", "gemm", 0, 100, 40, device=0, stream=7, correlation=1),
                  event("kernel", "gemm", 0, 200, 60, device=0, stream=7, correlation=2),
                  {**event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 0, 120, 40, device=0, stream=20, correlation=3), "tid": 20},
                  {**event("gpu_memcpy", "Memcpy HtoD", 0, 270, 10, device=0, stream=7, correlation=4)},
                  event("cpu_op", "aten::linear", 9, 0, 50), event("cpu_op", "aten::addmm", 9, 10, 30),
                  event("user_annotation", "ProfilerStep#4", 9, 0, 150),
                  *[event("cuda_runtime", "cudaLaunchKernel", 9, 10 + 4 * i, 3, correlation=i) for i in (1, 2, 3, 4)]]
        path = self.folder / "small.json"
        path.write_text(json.dumps({"traceEvents": events}))
        return path

    def test_rows_have_count_and_times_of_each_name(self):
        result = self.counted(self.small_trace())
        self.assertEqual(result["by"], "name")
        rows = {row["name"]: row for row in result["rows"]}
        gemm = rows["gemm"]
        self.assertEqual({key: gemm[key] for key in ("count", "total_us", "mean_us", "median_us", "p95_us", "longest_us")},
                         {"count": 2, "total_us": 100, "mean_us": 50, "median_us": 50, "p95_us": 59, "longest_us": 60})
        self.assertEqual(gemm["longest"]["since_begin_us"], 200)
        self.assertEqual(gemm["longest"]["start_us"], 1200)
        self.assertEqual(result["lane_time_us"], 280, "one GPU")
        self.assertAlmostEqual(gemm["share"], 100 / 280)
        self.assertEqual((rows["aten::linear"]["total_us"], rows["aten::linear"]["self_us"]), (50, 20))
        self.assertEqual((rows["aten::addmm"]["total_us"], rows["aten::addmm"]["self_us"]), (30, 18))
        overview = {part: result["overview"][part] for part in PARTS}
        self.assertEqual(overview, {"compute_us": 100, "exposed_communication_us": 20, "memory_us": 10, "data_us": 0, "host_us": 50,
                                    "other_us": 0, "idle_us": 100})

    def test_of_a_thread_its_loader_is_data_on_whichever_row_it_is(self):
        def event(cat, name, ts, dur):
            return {"ph": "X", "cat": cat, "name": name, "pid": 9, "tid": 9, "ts": ts, "dur": dur}
        loader = event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 10, 30)
        for at, compute, data in ((0, 15, 30), (60, 25, 30)):  # across the loader, and beside it
            (self.folder / "loader.json").write_text(json.dumps([loader, event("cpu_op", "aten::a", at, 20), event("cpu_op", "aten::b", 40, 5)]))
            lane, = self.counted("loader.json")["overview"]["lanes"]
            self.assertEqual((lane["compute_us"], lane["data_us"]), (compute, data))

    def test_csv_and_table_say_the_same_as_json(self):
        trace = self.small_trace()
        result = self.counted(trace, "--by", "category")
        text = self.done("stats", trace, "--by", "category", "--csv", "out.csv", "--top", "2").stdout
        rows = list(csv.DictReader((self.folder / "out.csv").read_text().splitlines()))
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual(len(rows), 2)
        for row, expected in zip(rows, result["rows"]):
            self.assertEqual(row["name"], expected["name"])
            for key in COLUMNS[1:8]:
                self.assertEqual(float(row[key]), expected[key], key)
            self.assertIn(row["name"], text)
        self.assertIn("Compute", text)
        self.assertIn("The 2 largest totals of 5 categories", text)

    def test_a_range_and_a_step_count_what_is_inside(self):
        trace = self.small_trace()
        part = self.counted(trace, "--range", "110..210us")
        rows = {row["name"]: row for row in part["rows"]}
        self.assertEqual((rows["gemm"]["count"], rows["gemm"]["total_us"]), (2, 40))
        self.assertEqual(part["all"]["cut"], 3)
        self.assertEqual(part["window"], {"start_us": 1110, "since_begin_us": 110, "duration_us": 100})
        self.assertEqual(self.counted(trace, "--range", "0.11ms..210")["rows"], part["rows"])
        self.assertEqual(self.counted(trace, "--range", "..")["rows"], self.counted(trace)["rows"])
        step = self.counted(trace, "--step", "4")
        self.assertEqual(step["window"]["step"], 4)
        self.assertEqual(next(row["count"] for row in step["rows"] if row["name"] == "gemm"), 2, "launched in the step")
        self.assertIn("Step 4", self.done("stats", trace, "--step", "4").stdout)

    def test_of_a_run_blocks_stages_and_lanes_add_up(self):
        self.done("run", self.experiment(), "--out", "out")
        self.assertIn("--variant", self.refused("stats", "out"))
        gaps = json.loads(self.done("gaps", "out", "--variant", "Pipeline", "--windows", "step", "--json").stdout)
        for by in ("name", "block", "module", "category", "operation", "stage", "lane"):
            result = self.counted("out", "--variant", "pipeline", "--by", by)
            self.assertGreater(result["all"]["count"], 0, by)
        stages = {row["name"]: row for row in self.counted("out", "--variant", "Pipeline", "--by", "stage")["rows"]}
        self.assertEqual(sorted(stages), ["0", "1"])
        lanes = self.counted("out", "--variant", "Pipeline", "--by", "lane")
        self.assertEqual(sum(nanoseconds(row["total_us"]) for row in lanes["rows"]), nanoseconds(lanes["all"]["total_us"]))
        compute = [nanoseconds(lane["compute_us"]) for lane in lanes["overview"]["lanes"]]
        self.assertEqual(compute, [nanoseconds(lane["busy_us"]) for lane in gaps["lanes"]])
        first = self.counted("out", "--variant", "Pipeline", "--step", "1")
        self.assertEqual(first["window"]["step"], 0)
        self.assertIn("from 1 to 2", self.refused("stats", "out", "--variant", "Pipeline", "--step", "3"))
        self.assertIn("No span of the trace has a rank", self.refused("stats", "out", "--variant", "Pipeline", "--by", "rank"))

    def test_what_cannot_be_counted_is_refused_with_what_to_do(self):
        trace = self.small_trace()
        for arguments, sentence in [(["--by", "colour"], "operation"),
                                    (["--by", "stage"], "Choose name, category, operation or lane"),
                                    (["--range", "5..5"], "is empty"),
                                    (["--range", "9ms..1ms"], "is empty"),
                                    (["--range", "5"], "FROM..TO"),
                                    (["--range", "a..b"], "FROM..TO"),
                                    (["--range", "-3..b"], "FROM..TO"),
                                    (["--range", "1s..2s"], "after the trace, which is 280 µs long"),
                                    (["--step", "5"], "Its only step is 4."),
                                    (["--top", "0"], "top"),
                                    (["--step", "4", "--range", "1..2"], "range")]:
            self.assertIn(sentence, self.refused("stats", trace, *arguments), arguments)
        (self.folder / "without_steps.json").write_text('[{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]')
        self.assertIn("no steps", self.refused("stats", "without_steps.json", "--step", "1"))
        self.assertIn("absent", self.refused("stats", "absent"))

    def test_every_trace_of_the_tests_adds_up(self):
        traces = sorted([*(DATA / "traces").glob("*.json"), *(path for path in GAPS.glob("*.json") if ".gaps." not in path.name)])
        self.assertGreater(len(traces), 8)
        for trace in traces:
            for by in ("name", "operation"):
                with self.subTest(trace=trace.name, by=by):
                    self.counted(trace, "--by", by)

    def test_a_part_that_is_exported_has_the_statistics_of_the_range(self):
        self.done("import", self.small_trace(), "--out", "imported")
        for written in (["chrome", "part.json.gz"], ["perfetto", "part.pftrace"]):
            with self.subTest(written[0]):
                self.done("export", "imported", "--what", "trace", "--format", written[0], "--range", "110..210", "--out", written[1])
                part, whole = self.counted(written[1]), self.counted("imported", "--range", "110..210")
                keys = COLUMNS[:8]
                self.assertEqual(sorted([[row[key] for key in keys] for row in part["rows"]]),
                                 sorted([[row[key] for key in keys] for row in whole["rows"]]))
                self.assertEqual(part["window"]["duration_us"], 100)
        self.assertIn("--range is for traces", self.refused("export", "imported", "--what", "timeline", "--format", "png", "--range", "1..2", "--out", "a.png"))
        self.assertIn("is empty", self.refused("export", "imported", "--what", "trace", "--format", "csv", "--range", "2..1", "--out", "a.csv"))

    def test_a_trace_without_spans_has_zeros(self):
        (self.folder / "empty.json").write_text('{"traceEvents": []}')
        result = self.counted("empty.json")
        self.assertEqual((result["rows"], result["all"]["count"], result["overview"]["lanes"]), ([], 0, []))
        self.assertIn("No span is in it.", self.done("stats", "empty.json").stdout)


if __name__ == "__main__":
    unittest.main()
