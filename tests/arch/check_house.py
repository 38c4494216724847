#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Reads the sources and names every place that breaks the rules of the house: who may include whom, and a few rules of style.

Usage: check_house.py [FOLDER]. Prints one line a fault (file:line: what is wrong) and exits 1 when there is any.
"""
import itertools
import pathlib
import re
import sys

import arrows
from arrows import ARROWS, allowed

FOLDER_LIMIT = 45  # files: beyond that a folder has several subjects
README_LIMIT = 15  # lines: what a folder is for, what to read first, what it may include, what does not belong in it
NAMED_FILE = re.compile(r"`([\w/]+\.(?:h|cpp|py))`")
ROOMS = ["base", "engine", "profiler", "ui", "app"]  # each of their folders is a room; tests are one


# Headers of a library, and the only folders that may include them.
VENDORS = [
    ("torch", r"(torch|ATen|c10|caffe2)/", ["engine/torch", "engine/cuda", "engine/dist", "tests"]),
    ("CUPTI", r"(extras/CUPTI/)?cupti", ["profiler/collect/cupti", "tests"]),
    ("CUDA", r"(cuda|cublas|cudnn|nccl|nvrtc|driver_types|vector_types)[\w/.]*",
     ["engine/cuda", "engine/dist", "profiler/collect/cupti", "tests"]),
    ("NVTX", r"(nvToolsExt|nvtx3/)", ["engine/torch", "tests"]),
    ("Qt", r"(Q[A-Z]|Qt|qt[a-z]*\.h|qnamespace)", ["ui", "app/window", "app/set_up", "tests/gui", "tests/bench/gui"]),
]

SOURCES = {".cpp", ".h", ".cu", ".cuh"}
TEXTS = SOURCES | {".py", ".sh", ".cmake", ".txt", ".json", ".md", ".in", ".lock", ".svg", ".qrc"}
PLACES = ["app", "base", "cmake", "docs", "engine", "profiler", "resources", "tests", "tools", "ui", ".ci"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LINE_RULES = [
    # Spelled in pieces, so that this file does not name itself.
    (TEXTS, re.compile(r"\b(TO" r"DO|FIX" r"ME)\b"), "unfinished work does not belong in the tree; do it or write an issue"),
    (TEXTS, re.compile(r"(?<![\w.~{}$-])/(wo" r"rk|ho" r"me|ro" r"ot|tmp/ba" r"sh_jobs)[./]\w"), "a path of one machine"),
    (SOURCES, re.compile(r"^\s*(public|protected|private)?\s*(slots|signals)\s*:|\bemit\s+\w+[.(-]"),
     "Qt's keywords are off (torch uses the same words): Q_SLOTS, Q_SIGNALS, Q_EMIT"),
    (SOURCES, re.compile(r"^\s*using namespace std\s*;"), "no using namespace std"),
]

# Rules of some folders only, and the files that they do not hold for.
FOLDER_RULES = [
    (["ui", "app/window", "app/set_up"], re.compile(r"\b(RichText|AutoText|MarkdownText|setHtml|setMarkdown|setWhatsThis|QTextBrowser|QTextEdit)\b"
                                      r"|new Q(Label|MessageBox)\b|QMessageBox::(information|question|warning|critical|about)\b"),
     "the window shows plain text only (ui/look/plain_label.h): a name could hold tags",
     ["ui/help/page_document.cpp", "ui/help/page_view.cpp", "ui/help/page_view.h",  # pages of the program itself
      "ui/report/pdf_report.cpp"]),  # a report, whose names are escaped
]


def folder_of(path):
    """The listed room that a path (relative to the root) lies in, or None. Tests are one room."""
    folder = "tests" if path.startswith("tests/") else path.rpartition("/")[0]
    return folder if folder in ARROWS else None


def is_inside(path, folders):
    return any(path.startswith(folder + "/") for folder in folders)


def include_fault(root, path, quote, target):
    """What is wrong with this include of this file, or None."""
    for vendor, pattern, folders in VENDORS:
        if quote == "<" and re.match(pattern, target) and not is_inside(path, folders):
            return f"{vendor} header <{target}> is allowed only in {', '.join(folders)}"
    if quote == "<":
        return None
    if not (root / target).is_file():
        generated = target.endswith(".moc") or target.startswith("ui_")
        of_example = path.startswith("docs/examples/") and (root / path).with_name(target).is_file()  # built outside the tree
        return None if generated or of_example else f'"{target}" is not a path from the root of the repository'
    here, there = folder_of(path), folder_of(target)
    if here is None:
        return None  # named as an unlisted folder
    if there != here and there not in allowed(here):
        return f"{here} may not include {there or target}"
    return None


LICENCE = "// SPDX-License-Identifier: GPL-3.0-only\n"


def first_words_fault(path, text):
    if not text.startswith(LICENCE):
        return f"the first line is not {LICENCE.strip()}"
    if path.endswith(".h") and not text.removeprefix(LICENCE).startswith(("//", "/*")):
        return "a header begins with a comment that says what it is for"
    if path.endswith(".h") and "#pragma once" not in text:
        return "#pragma once is missing"
    return None


def faults_in(root, path):
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    suffix = pathlib.PurePath(path).suffix
    if suffix in SOURCES and (fault := first_words_fault(path, text)):
        yield f"{path}:1: {fault}"
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line) if suffix in SOURCES else None
        if match and (fault := include_fault(root, path, *match.groups())):
            yield f"{path}:{number}: {fault}"
        for suffixes, pattern, fault in LINE_RULES:
            if suffix in suffixes and pattern.search(line):
                yield f"{path}:{number}: {fault}"
        for folders, pattern, fault, others in FOLDER_RULES:
            if suffix in SOURCES and is_inside(path, folders) and path not in others and pattern.search(line):
                yield f"{path}:{number}: {fault}"


def files_of(root):
    tops = [entry for entry in root.iterdir() if entry.is_file()]
    inner = [entry for place in PLACES if (root / place).is_dir() for entry in (root / place).rglob("*") if entry.is_file()]
    return sorted(entry.relative_to(root).as_posix() for entry in tops + inner if entry.suffix in TEXTS)


def arrows_used(root, paths):
    """{room: the rooms that it includes}."""
    used = {}
    for path in paths:
        here = folder_of(path)
        if here is None or pathlib.PurePath(path).suffix not in SOURCES:
            continue
        for line in (root / path).read_text(encoding="utf-8", errors="replace").splitlines():
            match = INCLUDE.match(line)
            if match and match.group(1) == '"':
                used.setdefault(here, set()).add(folder_of(match.group(2)))
    return used


def folder_faults(paths):
    """Folders that no room is planned for, and folders that hold too much."""
    counts = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder.split("/")[0] in [*ROOMS, "tests"] and pathlib.PurePath(name).suffix in SOURCES:
            counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        if folder.split("/")[0] in ROOMS and folder not in ARROWS:
            yield f"{folder}:1: this folder is not in the plan of the house (tests/arch/arrows.py)"
        if count > FOLDER_LIMIT:
            yield f"{folder}:1: {count} files, and a folder holds at most {FOLDER_LIMIT}; split it by subject"


def folders_to_explain(paths):
    """The folders of the house that hold sources, and those above them."""
    for folder in sorted({path.rpartition("/")[0] for path in paths if pathlib.PurePath(path).suffix in SOURCES}):
        if folder.split("/")[0] in ROOMS:
            yield from itertools.accumulate(folder.split("/"), "{}/{}".format)


def readme_faults(root, paths):
    """Folders that do not say in a few lines what they are for, or that name a file which is not there."""
    for folder in sorted(set(folders_to_explain(paths))):
        readme = root / folder / "README.md"
        if not readme.is_file():
            yield f"{folder}/README.md:1: missing; write what the folder is for, what to read first, what it may include, what does not belong in it"
            continue
        lines = readme.read_text(encoding="utf-8").splitlines()
        if len(lines) > README_LIMIT:
            yield f"{folder}/README.md:{README_LIMIT + 1}: {len(lines)} lines, and this file has at most {README_LIMIT}"
        for number, line in enumerate(lines, 1):
            yield from (f"{folder}/README.md:{number}: {name} is not in this folder" for name in NAMED_FILE.findall(line)
                        if not (root / folder / name).is_file())


def all_faults(root):
    paths = files_of(root)
    return [fault for path in paths for fault in faults_in(root, path)] + list(folder_faults(paths)) + list(readme_faults(root, paths))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    faults = all_faults(root) + list(arrows.unused(arrows_used(root, files_of(root)))) + list(arrows.readme_faults(root))
    print("\n".join(faults) or f"{len(files_of(root))} files, no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
