#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Plants one fault at a time into a small README with its docs, and expects check_docs to name it."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_docs

TREE = {
    "README.md": "# A\n\n[guide](docs/guide.md#first-steps), *Kernels*\n",
    "docs/command-line.md": "# Command line\n\n## run\n\n```text\n  --out DIR\n```\n",
    "docs/guide.md": "# Guide\n\n## First steps\n\nFile > Open Trace, ![f](figures/f.png)\n\n    lanelab-cli run FILE --out runs/a\n",
    "docs/figures/f.png": "png",
    "app/window/options.cpp": "--screenshots DIR",
    "tests/bench/main.cpp": 'add_subcommand(\n      "gaps"',
    "tests/unit/a_test.cpp": "TEST(Runner, EndsWell)",
    "ui/help/help_topics.cpp": '{"board", "docs/guide.md#first-steps"},',
    "ui/menus.cpp": 'tr("Open &Trace...")',
    "engine/experiment/training_config.h": '.label = "Kernels"',
    **{f"docs/page{number}.md": "# Page\n" for number in range(8)},
}


def faults(**changes):
    with tempfile.TemporaryDirectory() as folder:
        for path, content in {**TREE, **{path.replace("__", "/").replace("_md", ".md"): content for path, content in changes.items()}}.items():
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        return check_docs.all_faults(pathlib.Path(folder).resolve())


class Docs(unittest.TestCase):
    def test_a_sound_tree_has_no_fault(self):
        self.assertEqual(faults(), [])

    def test_each_planted_fault_is_named(self):
        shown = "![f](figures/f.png) "
        for change, words in [({"README_md": "a\n" * 181}, "README has at most 180"), ({"README_md": "a" * 201}, "a line has at most 200"),
                              ({"README_md": "[a](docs/absent.md)"}, "names no file"), ({"README_md": "[a](docs/guide.md#absent)"}, "names no heading"),
                              ({"docs__guide_md": shown + "`lanelab-cli rum FILE`"}, "no command rum"), ({"docs__guide_md": shown + "`lanelab-cli run --in a`"}, "no option --in"),
                              ({"docs__guide_md": shown + "`lanelab --shots DIR`"}, "lanelab has no option --shots"),
                              ({"docs__guide_md": shown + "`lanelab-bench gap`"}, "no command gap"), ({"docs__guide_md": shown + "`engine/absent.cpp`"}, "does not exist"),
                              ({"docs__guide_md": shown + "`ctest -R 'Runner|Walker'`"}, "no test is called Walker"),
                              ({"ui__help__help_topics.cpp": '{"board", "docs/guide.md#last-steps"},'}, "docs/guide.md#last-steps names no heading"),
                              ({"docs__guide_md": shown + "File > Close Trace"}, "no menu has the entry"),
                              ({"docs__guide_md": shown + "the pane *Gaps*"}, "the window has no text Gaps"), ({"docs__guide_md": "# Guide\n\n## First steps\n"}, "no page shows this figure")]:
            with self.subTest(words=words):
                self.assertTrue(any(words in fault for fault in faults(**change)), faults(**change))

    def test_few_pages_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "README.md").write_text("# A\n")
            (pathlib.Path(folder) / "docs").mkdir()
            self.assertIn("0 pages", check_docs.all_faults(pathlib.Path(folder).resolve())[0])


if __name__ == "__main__":
    unittest.main()
