#!/usr/bin/env python3
"""Reads the sources and names every place that breaks the rules of the house: who may include whom, and a few rules of style.

Usage: check_house.py [FOLDER]. Prints one line a fault (file:line: what is wrong) and exits 1 when there is any.
"""
import pathlib
import re
import sys

# Whom each folder may include, besides itself. A folder is the longest prefix that is listed here.
BASE = {"base"}
ENGINE_BASE = BASE | {"engine/base"}
ENGINE_MODEL = ENGINE_BASE | {"engine/model"}
ENGINE_PLAN = ENGINE_MODEL | {"engine/plan"}
TRACE = BASE | {"profiler/trace"}
ENGINE_RUN = ENGINE_PLAN | TRACE | {"engine/run", "profiler/analysis"}
DEVICE = ENGINE_PLAN | TRACE | {"engine/run", "engine/files", "profiler/collect"}
VIEW = ENGINE_RUN | {"engine/sim", "profiler/io", "ui"}
ALL = {"app/cli", "app/window", "engine/files", "engine/torch", "engine/cuda", "engine/dist", "profiler/collect", "profiler/collect/cupti",
       "tests"} | VIEW
ARROWS = {
    "base": set(),
    "engine/base": BASE,
    "engine/files": ENGINE_BASE,
    "engine/model": ENGINE_BASE,
    "engine/plan": ENGINE_MODEL,
    "engine/sim": ENGINE_PLAN | TRACE,
    "engine/run": ENGINE_RUN,
    "engine/torch": DEVICE,
    "engine/cuda": DEVICE | {"engine/torch", "profiler/collect/cupti"},
    "engine/dist": DEVICE | {"engine/torch"},
    "profiler/trace": BASE,
    "profiler/collect": TRACE,
    "profiler/collect/cupti": TRACE | {"profiler/collect"},
    "profiler/analysis": TRACE,
    "profiler/io": TRACE | {"profiler/analysis"},
    "ui": VIEW,
    "app/cli": ALL - {"ui", "app/window", "tests"},  # builds without Qt
    "app/window": ALL - {"app/cli", "tests"},
    "tests": ALL,
}

# Headers of a library, and the only folders that may include them.
VENDORS = [
    ("torch", r"(torch|ATen|c10|caffe2)/", ["engine/torch", "engine/cuda", "engine/dist", "tests"]),
    ("CUPTI", r"(extras/CUPTI/)?cupti", ["profiler/collect/cupti", "tests"]),
    ("CUDA", r"(cuda|cublas|cudnn|nccl|nvrtc|driver_types|vector_types)[\w/.]*",
     ["engine/cuda", "engine/dist", "profiler/collect/cupti", "tests"]),
    ("NVTX", r"(nvToolsExt|nvtx3/)", ["engine/torch", "tests"]),
    ("Qt", r"(Q[A-Z]|Qt|qt[a-z]*\.h|qnamespace)", ["ui", "app/window", "tests/gui", "tests/bench/gui"]),
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

# Rules of some folders only.
FOLDER_RULES = [
    (["ui", "app/window"], re.compile(r"\b(RichText|AutoText|MarkdownText|setHtml|setMarkdown|setWhatsThis|QTextBrowser|QTextEdit)\b"
                                      r"|new Q(Label|MessageBox)\b|QMessageBox::(information|question|warning|critical|about)\b"),
     "the window shows plain text only (ui/look/plain_label.h): a name could hold tags"),
]


def folder_of(path):
    """The listed folder that a path (relative to the root) lies in, or None."""
    parts = path.split("/")[:-1]
    while parts:
        if "/".join(parts) in ARROWS:
            return "/".join(parts)
        parts.pop()
    return None


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
        return None if generated else f'"{target}" is not a path from the root of the repository'
    here, there = folder_of(path), folder_of(target)
    if here is None:
        return "this folder is not in the plan of the house (tests/arch/check_house.py)"
    if there != here and there not in ARROWS[here]:
        return f"{here} may not include {there or target}"
    return None


def first_words_fault(path, text):
    if path.endswith(".h") and not text.lstrip().startswith(("//", "/*")):
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
        for folders, pattern, fault in FOLDER_RULES:
            if suffix in SOURCES and is_inside(path, folders) and pattern.search(line):
                yield f"{path}:{number}: {fault}"


def files_of(root):
    tops = [entry for entry in root.iterdir() if entry.is_file()]
    inner = [entry for place in PLACES if (root / place).is_dir() for entry in (root / place).rglob("*") if entry.is_file()]
    return sorted(entry.relative_to(root).as_posix() for entry in tops + inner if entry.suffix in TEXTS)


def all_faults(root):
    return [fault for path in files_of(root) for fault in faults_in(root, path)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    faults = all_faults(root)
    print("\n".join(faults) or f"{len(files_of(root))} files, no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
