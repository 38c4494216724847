#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Plants one fault at a time in translations and in the engine's sources, and expects the checks to see it."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_translations
import engine_texts

NAME = "lanelab_zh_CN"


def faults(source, text, context="lanelab::A"):
    key = (context, source, None)
    return list(check_translations.faults(NAME, {key: text and [text]}, {key: text and [text]}))


class Translations(unittest.TestCase):
    def test_whole_ones_pass(self):
        for context, source, text in [("A", "&Open %1...", "打开 %1(&O)..."), ("A", "Lane %1: %2", "泳道 %1：%2"),
                                      ("A", "&Fit\tHome", "适合(&F)\tHome"), ("messages", "{} of {}", "{1} 中的 {0}"),
                                      ("A", "Use {} here", "在这里使用"), ("A", "a && b", "甲 && 乙")]:
            with self.subTest(source=source):
                self.assertEqual(faults(source, text, context), [])

    def test_what_is_lost_is_named(self):
        for context, source, text, word in [
                ("A", "Lane %1: %2", "泳道 %1", "places"), ("messages", "{} of {}", "{} 个", "places"),
                ("A", "&Open", "打开", "mnemonic"), ("A", "&Open", "打开(&P)", "mnemonic"),
                ("A", "Fit\tHome", "适合\tEnd", "key"), ("A", "<b>Now</b>", "现在", "tags"), ("A", "Now", "现在 ", "space"),
                ("A", "Now", " ", "empty"), ("A", "Now, or later", "现在, 或以后", "full-width"), ("A", "Now", None, "unfinished")]:
            with self.subTest(source=source, text=text):
                found = faults(source, text, context)
                self.assertEqual(len(found), 1, found)
                self.assertIn(word, found[0])

    def test_missing_and_unused_ones_are_named(self):
        found = list(check_translations.faults(NAME, {("A", "New", None): None}, {("A", "Old", None): ["旧"]}))
        self.assertEqual(found, [f'{NAME}: A: "New" is missing.', f'{NAME}: A: "Old" is used nowhere.'])


class EngineTexts(unittest.TestCase):
    def texts(self, path, content):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(content)
            return engine_texts.texts(pathlib.Path(folder))

    def test_sentences_are_found_in_whole(self):
        for path, content, found in [
                ("engine/a.cpp", 'return Error::badInput("{} has "\n  "no (lane), {}.", f(a, b), c);', ("messages", '"{} has no (lane), {}."')),
                ("base/a.cpp", 'sentence<int>("Say \\"{}\\"", 1)', ("messages", '"Say \\"{}\\""')),
                ("base/a.cpp", 'writeError(e.value(), "{} is full.", path)', ("messages", '"{} is full."')),
                ("engine/experiment/a.h", 'see(Field("lr", &C::lr, "rate", "", {}));', ("fields", '"rate"')),
                ("engine/experiment/a.h", '{.low = 0, .label = "Rate"}', ("fields", '"Rate"')),
                ("engine/levels/level.cpp", '.hints = {{"One."}}', ("messages", '"One."'))]:
            with self.subTest(content=content):
                self.assertEqual(self.texts(path, content), [found])

    def test_other_words_are_none(self):
        for path, content in [("engine/a.cpp", 'names.add("lane"); verbatim("word"); badInput(verbatim(why));'),
                              ("base/a.cpp", 'sentence("{} {}", a, b)'), ("ui/a.cpp", 'tr("Lane")')]:
            with self.subTest(content=content):
                self.assertEqual(self.texts(path, content), [])


if __name__ == "__main__":
    unittest.main()
