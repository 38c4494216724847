#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""import, gaps and export: what they refuse of a trace, and that they end."""
import gzip
import os
import pathlib
import unittest

from cli_world import CLI, GAPS, CliTest, call

EVENT = '{"ph":"X","name":"a","pid":0,"tid":0,"ts":1,"dur":1},\n'


class Import(CliTest):
    def zipped(self):
        path = self.folder / "t.json.gz"
        path.write_bytes(gzip.compress(("[" + EVENT * 2000).encode()))
        return path

    def test_of_a_named_pipe_is_refused(self):
        os.mkfifo(self.folder / "pipe")
        for command in (["import", "pipe", "--out", "out"], ["gaps", "pipe"]):
            self.assertIn("pipe cannot be read: a named pipe, not a regular file. Copy the trace to a file first.", self.refused(*command))

    def test_has_a_limit_of_what_a_file_unpacks_to(self):
        self.zipped()
        for command in (["import", "t.json.gz", "--out", "out"], ["gaps", "t.json.gz"]):
            words = self.refused(*command, "--max-unpacked", "50kB")
            self.assertIn("t.json.gz unpacks to more than 50000 bytes.", words)
            self.assertIn("--max-unpacked", words)
        self.assertFalse((self.folder / "out").exists())
        self.done("import", "t.json.gz", "--out", "out", "--max-unpacked", "1 MiB")
        self.assertIn("is not a size", self.refused("gaps", "out", "--max-unpacked", "much"))
        self.assertIn("unpacks to more than 1000 bytes",
                      self.refused("export", "out", "--what", "trace", "--format", "chrome", "--out", "t.json", "--max-unpacked", "1kB"))

    def test_takes_the_limit_from_the_environment(self):
        self.zipped()
        os.environ["LANELAB_MAX_UNPACKED"] = "50kB"
        self.addCleanup(os.environ.pop, "LANELAB_MAX_UNPACKED")
        self.assertIn("unpacks to more than 50000 bytes", self.refused("gaps", "t.json.gz"))
        self.done("gaps", "t.json.gz", "--max-unpacked", "1MB")
        os.environ["LANELAB_MAX_UNPACKED"] = "lots"
        self.assertIn('LANELAB_MAX_UNPACKED: "lots" is not a size', self.refused("gaps", "t.json.gz"))

    def test_exports_the_timeline_as_a_figure(self):
        self.done("import", GAPS / "two_gpus.json", "--out", "two")
        export = ["export", "two", "--what", "timeline", "--out", "two.svg", "--format"]
        self.assertIn("lanelab-cli gaps --csv", self.refused(*export, "csv"))
        self.assertIn("--what trace, timeline or report", self.refused("export", "two", "--what", "comparison", "--format", "csv", "--out", "two.csv"))
        if not (pathlib.Path(CLI).parent / "lanelab").exists():
            self.skipTest("the desktop part is not built")
        self.done(*export, "svg")
        figure = (self.folder / "two.svg").read_text()
        for text in ("GPU 0", "GPU 1"):
            self.assertIn(text, figure)

    def test_of_nested_fragments_ends(self):
        for fragment in ('{"ph":"X","args":{', "[", ',{"a":"', '\n{"ph":"X"'):
            (self.folder / "t.json").write_text("[" + EVENT + fragment * (2_000_000 // len(fragment)))
            result = call("import", "t.json", "--out", "out", "--json", folder=self.folder)
            self.assertIn(result.returncode, (0, 2), result.stderr)


if __name__ == "__main__":
    unittest.main()
