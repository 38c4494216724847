#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The installed completions offer what the program has: each command, each option, files, folders and words."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from package_world import INSTALLED, SITE_PACKAGES, SOURCE, call, need

need("bash")
SCRIPT = INSTALLED / "share/bash-completion/completions/lanelab-cli"
ZSH_SCRIPT = INSTALLED / "share/zsh/vendor-completions/_lanelab-cli"
# Completes each line of standard input, whose words are separated by tabs, and prints the offers on one line.
COMPLETE = r'''
. "$1"
while IFS=$'\t' read -r -a COMP_WORDS; do
  [ "${COMP_WORDS[-1]}" != "<empty>" ] || COMP_WORDS[-1]=""
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _lanelab_cli
  echo "${COMPREPLY[*]}"
done
'''


def helps():
    """The help of each command, and of those below it, by the words that call it: the page in docs, which a test compares with the program."""
    page = (SOURCE / "docs/command-line.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^##+ ([^\n]+)\n\n```text\n(.*?)```$", page, re.M | re.S))


def options_of(text):
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text.split("\nOptions:\n")[1].split("\n\n")[0], re.M))


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helps = helps()
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        (cls.folder / "a run").mkdir()
        (cls.folder / "a.json").touch()

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def offers(self, *lines):
        """Of command lines without the program; the last word is the one to complete."""
        text = "".join("\t".join(["lanelab-cli", *words[:-1], words[-1] or "<empty>"]) + "\n" for words in lines)
        done = subprocess.run(["bash", "--norc", "-c", COMPLETE, "complete", SCRIPT], input=text, capture_output=True, text=True, check=True, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_each_command_is_offered(self):
        commands = {name for name in self.helps if " " not in name}
        self.assertEqual(set(self.offers([""])[0].split()) & commands, commands)
        self.assertGreater(len(commands), 15)

    def test_each_option_of_each_command_is_offered(self):
        offers = self.offers(*[[*name.split(), "--"] for name in self.helps])
        for (name, text), offered in zip(self.helps.items(), offers):
            with self.subTest(name):
                self.assertEqual(set(offered.split()), options_of(text))

    def test_values_are_offered_by_their_kind(self):
        for words, offered in ((["ex"], "export"), (["runs", "del"], "delete"), (["export", "--format", "pn"], "png"), (["completion", "z"], "zsh"),
                               (["run", "a.j"], "a.json"), (["run", "--out", "a"], "a run"), (["run", "--checkpoint", ""], ""), (["run", "a.json", "--res"], "--resume")):
            with self.subTest(words):
                self.assertEqual(self.offers(words), [offered])

    def test_the_scripts_are_those_that_the_program_prints(self):
        for shell, script in (("bash", SCRIPT), ("zsh", ZSH_SCRIPT)):
            printed = call(INSTALLED / "bin/lanelab-cli", "completion", shell, folder=self.folder, LANELAB_TORCH_ROOT=SITE_PACKAGES)
            self.assertEqual(printed.stdout, script.read_text(encoding="utf-8"), printed.stderr)

    def test_zsh_reads_its_script_which_has_each_command_and_option(self):
        text = ZSH_SCRIPT.read_text(encoding="utf-8")
        for name, shown in self.helps.items():
            body = re.search(rf"^_lanelab_cli_{re.sub('[ -]', '_', name)}\(\) {{\n(.*?)^}}$", text, re.M | re.S)[1]
            self.assertEqual(set(re.findall(r"^    '\*?(--[\w-]+)\[", body, re.M)), options_of(shown), name)
        if shutil.which("zsh"):
            done = subprocess.run(["zsh", "-f", "-n", ZSH_SCRIPT], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
