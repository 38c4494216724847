#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Help that can be relied on: examples that the program accepts, exit codes, and the page in docs that is made from it."""
import re
import shlex
import unittest

from cli_world import DATA, CliTest, call, listed_commands

ROOT = DATA.parents[1]


def examples_in(text):
    """The command lines below "Examples:"."""
    return re.findall(r"^  lanelab-cli (.*)$", text[text.index("\nExamples:\n"):], re.M)


class Help(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.helps = {command: call(command, "--help").stdout for command in listed_commands()}

    def test_each_command_has_two_or_three_examples_and_names_its_exit_codes(self):
        for command, text in self.helps.items():
            with self.subTest(command=command):
                self.assertIn(len(examples_in(text)), (2, 3))
                self.assertRegex(text, r"\nExit codes: 0 [^,]+, 1 .+, 2 [^,]+, 130 [^,]+\n$")

    def test_examples_use_options_that_their_command_has(self):
        for command, text in self.helps.items():
            for example in examples_in(text):
                with self.subTest(example=example):
                    words = shlex.split(example.split(" > ")[0])
                    self.assertEqual(words[0], command)
                    for word in words[1:]:
                        if word.startswith("--"):
                            self.assertRegex(text, rf"(?m)^  {word.split('=')[0]}( |$)")

    def test_lines_fit_into_a_terminal_except_for_examples(self):
        for command, text in self.helps.items():
            for line in text.splitlines():
                if not line.startswith("  lanelab-cli"):
                    self.assertLessEqual(len(line), 100, f"{command}: {line}")

    def test_the_page_in_docs_is_the_help_of_all_commands(self):
        page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
        self.assertEqual(page, self.done("--help-all").stdout, "Write it again: lanelab-cli --help-all > docs/command-line.md")

    def test_options_of_version_0_2_are_still_accepted(self):
        self.assertIn("run folder", self.refused("gaps", "absent.json", "--apply-mend", "a.json"))


if __name__ == "__main__":
    unittest.main()
