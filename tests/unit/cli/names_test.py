#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Names that others chose: none of them commands the terminal, breaks a table or a file name."""
import csv
import json
import re
import subprocess
import unittest

from cli_world import CLI, EXPERIMENT, TIME_LIMIT_S, CliTest

HOSTILE = "\x1b[2J\x1b]0;title\x07 bell\r\x7f\u009b31m \u202eevil\n=1+1"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Names(CliTest):
    def printed(self, *arguments, code=0):
        """What a terminal would get of both streams, byte for byte."""
        result = subprocess.run([CLI, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=TIME_LIMIT_S, stdin=subprocess.DEVNULL)
        text = (result.stdout + result.stderr).decode()
        self.assertEqual(result.returncode, code, text)
        self.assertIsNone(OBEYED.search(text), ascii(text))
        return result.stdout.decode()

    def trace(self):
        args = {"lane": 0, "stage": 0, "phase": "F", "step": 0}
        events = [{"ph": "M", "name": kind, "pid": HOSTILE, "tid": HOSTILE, "args": {"name": HOSTILE}} for kind in ("process_name", "thread_name")]
        events += [{"ph": "X", "cat": "kernel", "name": HOSTILE, "pid": HOSTILE, "tid": HOSTILE, "ts": 10 * i, "dur": 5,
                    "args": {**args, "device": 0, "stream": 7}} for i in range(3)]
        events.append({"ph": "X", "cat": HOSTILE, "name": HOSTILE, "pid": 1, "tid": 1, "ts": 0, "dur": 40})
        file = self.folder / "trace.json"
        file.write_text(json.dumps({"traceEvents": events}))
        return file

    def test_of_a_trace_reach_the_terminal_escaped(self):
        text = self.printed("import", self.trace(), "--out", "imported")
        self.assertIn("\\x1b[2J\\x1b]0;title\\x07 bell\\x0d\\u007f\\u009b31m \\u202eevil\\n=1+1", text)
        self.assertIn("\\x1b[2J", self.printed("gaps", "imported"))

    def test_in_json_read_back_unchanged(self):
        self.assertIn(HOSTILE, json.loads(self.printed("import", self.trace(), "--out", "imported", "--json"))["categories"])
        gaps = json.loads(self.printed("gaps", "imported", "--json"))
        self.assertIn(HOSTILE, {gap["before"] for lane in gaps["lanes"] for gap in lane["gaps"]})

    def test_in_tables_are_no_formulas(self):
        events = [{"ph": "X", "cat": "@SUM(A1)", "name": "=cmd|' /C calc'!A0", "pid": "+1", "tid": "-2", "ts": 10 * i, "dur": 5} for i in range(3)]
        (self.folder / "trace.json").write_text(json.dumps({"traceEvents": events}))
        self.printed("import", "trace.json", "--out", "imported")
        self.printed("export", "imported", "--what", "trace", "--format", "csv", "--out", "trace.csv")
        with open(self.folder / "trace.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.assertEqual((row["category"], row["name"]), ("'@SUM(A1)", "'=cmd|' /C calc'!A0"))
            self.assertNotRegex(row["process"] + "\n" + row["thread"], re.compile("^[=+@-]", re.M))

    def test_of_an_experiment_are_limited(self):
        for change, where in [({"name": "n" * 10_000}, "name: The name has 10000 characters"),
                              ({"lanes": [{"device": "cpu:0", "name": "l" * 201}, {"device": "cpu:1"}]}, "lanes[0].name: The name has 201 characters"),
                              ({"variants": [{**EXPERIMENT["variants"][0], "name": "v" * 10_000}]}, "variants[0].name: The name has 10000 characters")]:
            said = self.refused("simulate", self.experiment(**change))
            self.assertIn(where + "; at most 200 are allowed. Shorten it.", said)
        self.assertIn("control character", self.refused("simulate", self.experiment(name="a\x1b[2J")))

    def test_of_files_that_are_too_long_are_bad_input(self):
        for arguments in [("simulate", "n" * 10_000), ("gaps", "n" * 10_000), ("compare", "n" * 10_000)]:
            self.assertNotIn("Unexpected", self.refused(*arguments))
        said = self.refused("run", self.experiment(), "--out", "n" * 10_000)
        self.assertIn("file name too long", said)

    def test_of_files_reach_the_terminal_escaped(self):
        self.printed("simulate", "\x1b[2Jmissing\r.json", code=2)
        self.printed("\x1b[2J", code=2)


if __name__ == "__main__":
    unittest.main()
