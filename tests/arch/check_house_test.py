#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Plants one fault at a time in a small tree and expects check_house to name it: a watchman that never barks proves nothing."""
import graphlib
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arrows
import check_house

HEADER = check_house.LICENCE + "// What this is for.\n#pragma once\n"


def with_readmes(files):
    """The same tree in which each folder explains itself."""
    return {f"{folder}/README.md": "# A folder\n" for folder in check_house.folders_to_explain(files)} | files


def faults(files):
    """The faults of a tree that holds these files, and a README in each folder."""
    return faults_of(with_readmes(files))


def planted(root, files):
    """The root, which holds these files now."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def faults_of(files):
    """The faults of a tree that holds these files alone."""
    with tempfile.TemporaryDirectory() as folder:
        return check_house.all_faults(planted(pathlib.Path(folder), files))


def including(path, target, quote='""'):
    """A tree in which one file includes one header."""
    tree = {path: HEADER + f"#include {quote[0]}{target}{quote[1]}\n"}
    if quote == '""':
        tree[target] = HEADER
    return tree


class Arrows(unittest.TestCase):
    ALLOWED = [
        ("engine/schedule/schedule.h", "engine/placement/stage.h"),
        ("engine/schedule/schedule.h", "base/ids.h"),
        ("engine/run/runner.h", "profiler/analysis/gaps.h"),
        ("profiler/trace/trace.h", "base/ids.h"),
        ("engine/torch/train/executor.cpp", "profiler/collect/collector.h"),
        ("engine/cuda/lane.cpp", "engine/torch/devices/device_lane.h"),
        ("ui/run/view.cpp", "profiler/io/import/trace_import.h"),
        ("ui/board/view.cpp", "ui/look/theme.h"),
        ("app/cli/main.cpp", "engine/torch/train/torch_executor.h"),
        ("app/window/main.cpp", "ui/run/run_controller.h"),
        ("tests/unit/plan/a_test.cpp", "engine/schedule/schedule.h"),
    ]
    FORBIDDEN = [
        ("base/ids.h", "engine/model/model_spec.h"),
        ("engine/model/model_spec.h", "engine/schedule/schedule.h"),
        ("engine/schedule/schedule.h", "engine/run/runner.h"),
        ("engine/run/runner.cpp", "engine/torch/train/torch_executor.h"),
        ("engine/run/runner.cpp", "profiler/collect/collector.h"),
        ("engine/torch/train/executor.cpp", "engine/cuda/lane.h"),
        ("engine/torch/train/executor.cpp", "profiler/io/chrome/chrome_writer.h"),
        ("engine/torch/train/executor.cpp", "ui/run/run_controller.h"),
        ("profiler/trace/trace.h", "profiler/analysis/gaps.h"),
        ("profiler/io/chrome/chrome_writer.h", "engine/schedule/schedule.h"),
        ("profiler/collect/collector.h", "profiler/collect/cupti/decoder.h"),
        ("ui/board/view.cpp", "engine/torch/train/torch_executor.h"),
        ("ui/board/view.cpp", "app/window/main.h"),
        ("ui/timeline/model/rows.h", "ui/timeline/paint/row_painter.h"),
        ("engine/experiment/experiment.h", "engine/record/run_record.h"),
        ("app/cli/main.cpp", "ui/run/run_controller.h"),
        ("engine/schedule/schedule.h", "tests/unit/builders.h"),
    ]

    def test_allowed_arrows_pass(self):
        for path, target in self.ALLOWED:
            with self.subTest(path=path, target=target):
                self.assertEqual(faults(including(path, target)), [])

    def test_forbidden_arrows_are_named(self):
        for path, target in self.FORBIDDEN:
            with self.subTest(path=path, target=target):
                found = faults(including(path, target))
                self.assertEqual(len(found), 1)
                self.assertTrue(found[0].startswith(f"{path}:4: "), found)
                self.assertIn("may not include", found[0])

    def test_a_new_folder_has_to_be_planned(self):
        for folder in ("engine/extra", "engine/torch/nn/more", "ui/timeline", "profiler/io", "app"):
            with self.subTest(folder=folder):
                self.assertEqual(faults({f"{folder}/a.h": HEADER}),
                                 [f"{folder}:1: this folder is not in the plan of the house (tests/arch/arrows.py)"])

    def test_a_folder_holds_45_files(self):
        tree = {f"engine/run/part_{i}.h": HEADER for i in range(check_house.FOLDER_LIMIT)}
        self.assertEqual(faults(tree), [])
        tree["engine/run/one_more.h"] = HEADER
        self.assertEqual(faults(tree), ["engine/run:1: 46 files, and a folder holds at most 45; split it by subject"])

    def test_arrows_go_one_way(self):
        graph = {room: check_house.allowed(room) - {room} for room in check_house.ARROWS if not room.startswith(("app", "tests"))}
        del graph["ui/window"]  # composes all others
        self.assertTrue(list(graphlib.TopologicalSorter(graph).static_order()))
        graph["base"].add("engine/run")
        with self.assertRaises(graphlib.CycleError):
            list(graphlib.TopologicalSorter(graph).static_order())

    def test_an_arrow_that_nothing_uses_is_named(self):
        table = {"base": "", "engine/files": "base", "ui/look": "base engine/files", "app/window": "*ui"}
        with mock.patch.dict(arrows.ARROWS, table, clear=True):
            self.assertEqual(list(arrows.unused({"engine/files": {"base"}, "ui/look": {"base", "ui/look"}})),
                             ["tests/arch/arrows.py:1: ui/look may include engine/files and does not; take the arrow out"])
        files = including("engine/files/a.cpp", "base/b.h") | including("base/b.h", "base/c.h")
        with tempfile.TemporaryDirectory() as folder:
            root = planted(pathlib.Path(folder), files)
            self.assertEqual(check_house.arrows_used(root, check_house.files_of(root)), {"engine/files": {"base"}, "base": {"base"}})

    def test_includes_start_at_the_root(self):
        found = faults({"base/a.h": HEADER + '#include "ids.h"\n', "base/ids.h": HEADER})
        self.assertIn("not a path from the root", found[0])


class Readmes(unittest.TestCase):
    TREE = {"engine/torch/nn/a.h": HEADER, "engine/README.md": "# engine\n", "engine/torch/README.md": "# engine/torch\n"}

    def test_each_folder_and_those_above_have_one(self):
        self.assertEqual(faults_of(self.TREE | {"engine/torch/nn/README.md": "Read first: `a.h`\n"}), [])
        self.assertIn("engine/torch/nn/README.md:1: missing", faults_of(self.TREE)[0])
        tree = {path: text for path, text in self.TREE.items() if path != "engine/README.md"} | {"engine/torch/nn/README.md": "# nn\n"}
        self.assertEqual([fault.split(";")[0] for fault in faults_of(tree)], ["engine/README.md:1: missing"])

    def test_it_has_at_most_15_lines(self):
        self.assertEqual(faults_of(self.TREE | {"engine/torch/nn/README.md": "line\n" * 15}), [])
        self.assertEqual(faults_of(self.TREE | {"engine/torch/nn/README.md": "line\n" * 16}),
                         ["engine/torch/nn/README.md:16: 16 lines, and this file has at most 15"])

    def test_their_arrows_are_those_of_the_table(self):
        long = " ".join(f"engine/part_{i}" for i in range(30))
        cases = [("", "no other room", "; the standard library."), ("base", "base", "."), ("base engine/files", "base and engine/files", "; Qt."),
                 (f"base {long}", "base, engine/part_0, ", "; torch headers.")]
        for table, words, by_hand in cases:
            with self.subTest(table=table), tempfile.TemporaryDirectory() as folder, mock.patch.dict(arrows.ARROWS, {"ui/look": table}, clear=True):
                readme = f"# ui/look\n\n- Read first: all.\n- May include: ui,\n  and more{by_hand}\n- Does not belong here: more.\n"
                root = planted(pathlib.Path(folder), {"ui/look/README.md": readme})
                self.assertIn("not those of tests/arch/arrows.py", next(arrows.readme_faults(root)))
                arrows.write_readmes(root)
                self.assertEqual(list(arrows.readme_faults(root)), [])
                written = (root / "ui/look/README.md").read_text()
                self.assertIn(f"- May include: {words}", written)
                self.assertIn(f"{by_hand}\n- Does not belong here: more.\n", written)
                arrows.write_readmes(root)
                self.assertEqual((root / "ui/look/README.md").read_text(), written)

    def test_the_files_that_it_names_are_there(self):
        self.assertEqual(faults_of(self.TREE | {"engine/torch/nn/README.md": "# nn\nRead first: `a.h`, `b.h`\n"}),
                         ["engine/torch/nn/README.md:2: b.h is not in this folder"])


class Vendors(unittest.TestCase):
    def test_each_library_stays_in_its_folders(self):
        for header, home, elsewhere in [
            ("torch/nn.h", "engine/torch/a.cpp", "engine/run/a.cpp"),
            ("ATen/ops/add.h", "engine/torch/a.cpp", "app/cli/main.cpp"),
            ("c10/core/Device.h", "engine/cuda/a.cpp", "ui/a.cpp"),
            ("cuda_runtime_api.h", "engine/cuda/a.cpp", "engine/torch/a.cpp"),
            ("cupti.h", "profiler/collect/cupti/a.cpp", "profiler/collect/a.cpp"),
            ("QString", "ui/a.cpp", "base/a.cpp"),
            ("QtCharts/QChart", "ui/a.cpp", "app/cli/main.cpp"),
        ]:
            with self.subTest(header=header):
                self.assertEqual(faults(including(home, header, "<>")), [])
                self.assertIn("is allowed only in", faults(including(elsewhere, header, "<>"))[0])

    def test_headers_that_only_look_alike_pass(self):
        for header in ["queue", "chrono", "CLI/CLI.hpp", "nlohmann/json.hpp", "cstdint"]:
            with self.subTest(header=header):
                self.assertEqual(faults(including("app/cli/main.cpp", header, "<>")), [])


class Lines(unittest.TestCase):
    def test_each_rule_of_style_is_named(self):
        for line, words in [
            ("// TO" "DO later", "unfinished"),
            ("int x;  // FIX" "ME", "unfinished"),
            ('auto p = "/ho' 'me/somebody/data";', "path of one machine"),
            ("public slots:", "Qt's keywords"),
            ("signals:", "Qt's keywords"),
            ("  emit changed();", "Qt's keywords"),
            ("using namespace std;", "no using namespace std"),
        ]:
            with self.subTest(line=line):
                found = faults({"ui/a.h": HEADER + line + "\n"})
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_the_house_words_pass(self):
        lines = ["public Q_SLOTS:", "Q_SIGNALS:", "Q_EMIT changed();", "// we emit one event a span", "std::vector<Slot> slots;",
                 "// see resources/ho" "me/page"]
        self.assertEqual(faults({"ui/a.h": HEADER + "\n".join(lines) + "\n"}), [])

    def test_the_window_shows_plain_text_only(self):
        for line in ["label->setTextFormat(Qt::RichText);", "document.setHtml(name);", "new QTextBrowser(this);", "auto* label = new QLabel(name);",
                     "QMessageBox::warning(this, title, name);"]:
            with self.subTest(line=line):
                self.assertIn("plain text only", faults({"ui/a.h": HEADER + line + "\n"})[0])
                self.assertEqual(faults({"tests/gui/a.h": HEADER + line + "\n"}), [])
                self.assertEqual(faults({"ui/help/page_view.h": HEADER + line + "\n"}), [])  # pages of the program itself

    def test_a_source_names_its_licence(self):
        self.assertIn("SPDX", faults({"ui/a.cpp": "int a;\n"})[0])

    def test_a_header_says_what_it_is_for(self):
        self.assertIn("begins with a comment", faults({"ui/a.h": check_house.LICENCE + "#pragma once\n// late\n"})[0])
        self.assertIn("#pragma once", faults({"ui/a.h": check_house.LICENCE + "// What.\n"})[0])


if __name__ == "__main__":
    unittest.main()
