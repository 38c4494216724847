#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Plants one fault of style at a time in a small tree and expects check_format or check_tidy to name it."""
import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import check_format
import check_house
import check_tidy

ROOT = pathlib.Path(__file__).resolve().parents[2]


def verdict(check, text, **environment):
    """Exit code and output of a check over a tree with one source."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
        (pathlib.Path(folder) / "base").mkdir()
        (pathlib.Path(folder) / "base" / "a.cpp").write_text(check_house.LICENCE + text)
        for settings in (".clang-format", ".clang-tidy"):
            shutil.copy(ROOT / settings, folder)
        with mock.patch.object(sys, "argv", ["check", folder]), mock.patch.dict("os.environ", environment):
            return check.main(), output.getvalue()


class Format(unittest.TestCase):
    @unittest.skipUnless(check_format.llvm_tool("clang-format"), "no clang-format 14")
    def test_a_line_that_the_formatter_writes_differently_is_named(self):
        self.assertEqual(verdict(check_format, "int f() { return 1; }\n")[0], 0)
        code, output = verdict(check_format, "int f()  {return 1;}\n")
        self.assertEqual(code, 1)
        self.assertIn("base/a.cpp:2:", output)
        self.assertIn("clang-format -i base/a.cpp", output)

    def test_without_the_formatter_it_is_skipped_and_in_ci_it_fails(self):
        with mock.patch.object(check_format, "llvm_tool", return_value=None):
            self.assertEqual(verdict(check_format, "int a;\n", CI="")[0], 77)
            code, output = verdict(check_format, "int a;\n", CI="true")
            self.assertEqual(code, 1)
            self.assertIn("clang-format 14 is not installed", output)


class Tidy(unittest.TestCase):
    @unittest.skipUnless(check_tidy.llvm_tool("clang-tidy"), "no clang-tidy 14")
    def test_a_wrong_name_and_a_likely_mistake_are_named(self):
        self.assertEqual(verdict(check_tidy, "int twice(int number) { return 2 * number; }\n"), (0, "no fault\n"))
        for text, words in [("int Twice(int number) { return 2 * number; }\n", "base/a.cpp:2: invalid case style for function 'Twice'"),
                            ("bool same(int a) { if (a > 1) { return true; } else { return true; } }\n", "bugprone-branch-clone")]:
            with self.subTest(text=text):
                code, output = verdict(check_tidy, text)
                self.assertEqual(code, 1)
                self.assertIn(words, output)

    @unittest.skipUnless(check_tidy.llvm_tool("clang-tidy"), "no clang-tidy 14")
    def test_what_there_is_no_time_for_is_left_for_the_next_run(self):
        with mock.patch.object(check_tidy, "BUDGET", -1):
            self.assertEqual(verdict(check_tidy, "int Twice;\n"), (0, "no fault\n1 files are left for the next run; check_tidy.py --all checks them now\n"))

    def test_files_whose_local_names_clash_are_checked_one_by_one(self):
        root = pathlib.Path("/tree")
        clash = "/tree/a.cpp:3:1: error: redefinition of 'x'\n"
        wrong = "/tree/a.cpp:2:1: warning: wrong name\n"
        for output, calls, found in [(clash, 3, []), (wrong, 1, ["a.cpp:2: wrong name"]), ("/usr/include/x.h:1:1: error: no match\n" + wrong, 1, ["a.cpp:2: wrong name"])]:
            with self.subTest(output=output), mock.patch.object(check_tidy, "tidy", side_effect=[output, "", ""]) as tidy:
                self.assertEqual(check_tidy.findings("", root, ["a.cpp", "b.cpp"]), found)
                self.assertEqual(tidy.call_count, calls)

    def test_the_folder_that_was_changed_last_is_checked_first(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in [("a/a.cpp", '#include "c/c.h"\n'), ("b/b.cpp", ""), ("c/c.cpp", '#include "c/c.h"\n'), ("c/c.h", "")]:
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(text)
            for changed, order in [(["c/c.h", "b/b.cpp"], "cba"), (["c/c.h"], "cab"), (["b/b.cpp"], "bac")]:
                with self.subTest(changed=changed), mock.patch.object(check_tidy, "changed_last", return_value=changed):
                    self.assertEqual("".join(paths[0][0] for paths in check_tidy.newest_first(root, [[f"{each}/{each}.cpp"] for each in "abc"])), order)

    def test_findings_are_stored_until_something_that_they_depend_on_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / ".clang-tidy").write_text("")
            (root / "a.h").write_text("int a;\n")
            (root / "b.cpp").write_text('#include "a.h"\n')
            first = check_tidy.key_of(root, ["b.cpp"])
            self.assertEqual(check_tidy.key_of(root, ["b.cpp"]), first)
            (root / "a.h").write_text("int b;\n")
            self.assertNotEqual(check_tidy.key_of(root, ["b.cpp"]), first)

    def test_without_the_linter_it_is_skipped_and_in_ci_it_fails(self):
        with mock.patch.object(check_tidy, "llvm_tool", return_value=None):
            self.assertEqual(verdict(check_tidy, "int a;\n", CI="")[0], 77)
            self.assertEqual(verdict(check_tidy, "int a;\n", CI="true")[0], 1)


if __name__ == "__main__":
    unittest.main()
