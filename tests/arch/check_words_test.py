#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Plants one wrong word at a time in texts that users read, and expects check_words to name it; and one where it is no text."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_words


def faults(path, content):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        (pathlib.Path(folder) / "docs").mkdir(exist_ok=True)
        return check_words.all_faults(pathlib.Path(folder))


class Words(unittest.TestCase):
    def test_a_wrong_word_is_named_with_its_place_and_what_to_write(self):
        for path, content, line in [("ui/a.cpp", '\nauto a = tr("A run "\n  "goes on");\n', 2), ("app/cli/a.cpp", 'f("A run goes on");', 1),
                                    ("README.md", "# A\n\nA run goes on.\n", 3), ("docs/a.md", "A run goes on.\n", 1),
                                    ("resources/schema/a.json", '{"description": "A run goes on."}', 1), ("run.sh", "# goes on\nsay 'A run goes on.'  # goes on\n", 2)]:
            with self.subTest(path=path):
                found = faults(path, content)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{path}:{line}:"), found)
                self.assertIn("running, continues", found[0])

    def test_code_comments_and_keys_are_not_texts(self):
        for path, content in [("ui/a.cpp", '// It goes on.\nsetObjectName("goes on");\n'), ("app/cli/a.cpp", '/* goes on */ key("kept");'),
                              ("README.md", "`goes on`\n\n    goes on\n\n```\ngoes on\n```\n[a](goes on)\n")]:
            with self.subTest(path=path):
                self.assertEqual(faults(path, content), [])

    def test_words_in_comments_only_become_fewer(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "base").mkdir()
            (root / "base" / "a.h").write_text('// It goes on.\nint a = 0;  ///< mended "as kept"\nauto b = "goes on // goes on";\n')
            for left, words in ((2, None), (3, "write COMMENTS_LEFT = 2"), (1, "1 are left")):
                with self.subTest(left=left):
                    found = list(check_words.comment_faults(root, left))
                    self.assertEqual(len(found), 0 if words is None else 1)
                    self.assertTrue(words is None or words in found[0], found)

    def test_every_wrong_form_is_found_and_its_right_one_is_not(self):
        for wrong, right in [("mend it", "fix it"), ("it stands there", "it stands for x"), ("samples a micro-batch", "how long the actions a step takes"),
                             ("this is no file", "there is no file"), ("this is no file", "this is no longer a file"), ("3 times as long", "3x longer"),
                             ("so many rows", "many rows"), ("use where there is one", "use the one that there is"), ("one lane a stage", "one lane per stage")]:
            with self.subTest(wrong=wrong):
                self.assertEqual(len(faults("README.md", wrong)), 1)
                self.assertEqual(faults("README.md", right), [])


if __name__ == "__main__":
    unittest.main()
