#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Fails on what clang-tidy 14 finds in the sources that need neither torch nor Qt: names (.clang-tidy), likely mistakes, values copied for nothing.

Usage: check_tidy.py [--all] [FOLDER [CACHE]]. The files of a folder are checked together, since most of the time goes into their headers, and what was
found is stored in CACHE by the content of all that it depends on. From nothing the whole tree takes some minutes, so a run uses one core, begins with the
folder that was changed last and starts nothing new after a quarter of a minute; the next run goes on from there, and --all waits for everything. Files with
torch or Qt headers are left out, which take several times as long each. Exit 77 (skipped) if there is no clang-tidy 14; with CI=true that is a failure.
"""
import concurrent.futures
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import check_house
from llvm_tool import VERSION, llvm_tool

BUDGET = 15  # seconds after which nothing new is started
ROOMS = ["base", "engine", "profiler", "app/cli"]
WITH_OTHER_HEADERS = ("engine/torch", "engine/dist", "engine/cuda", "profiler/collect/cupti")
CHECKS = ("-*,readability-identifier-naming,bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,"
          # Read each name of every system header, a fifth of all time, and find what compilers warn of.
          "-bugprone-suspicious-include,-bugprone-reserved-identifier,-bugprone-stringview-nullptr,performance-unnecessary-value-param")
FLAGS = ["-std=c++20", *(f'-DLANELAB_{name}="none"' for name in ("VERSION", "GIT", "BUILD", "MINIZIP_VERSION"))]
FINDING = re.compile(r"^(.+?):(\d+):\d+: (warning|error): (.*)$", re.M)


def batches(root):
    """The sources to check, those of a folder together."""
    folders = {}
    for path in check_house.files_of(root):
        if path.endswith(".cpp") and check_house.is_inside(path, ROOMS) and not path.startswith(WITH_OTHER_HEADERS):
            folders.setdefault(path.rpartition("/")[0], []).append(path)
    return list(folders.values())


def changed_last(root):
    """The paths of the tree as git has seen them change, the newest first; none without git."""
    status = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True).stdout
    log = subprocess.run(["git", "log", "--format=", "--name-only", "-n", "300"], cwd=root, capture_output=True, text=True).stdout
    return [line[3:] for line in status.splitlines()] + log.split("\n")


def newest_first(root, all_batches):
    """By the last change of the folder itself, then by that of what it includes: a changed header of base is included everywhere."""
    ages = {}
    for age, path in enumerate(changed_last(root)):
        ages.setdefault(path, age)

    def newest(paths):
        return min((ages.get(path, len(ages)) for path in paths), default=len(ages))

    def age(paths):
        included, folder = all_included(root, paths), paths[0].rpartition("/")[0]
        return newest(path for path in included if path.rpartition("/")[0] == folder), newest(included)

    return sorted(all_batches, key=age)


@functools.cache
def included_by(root, path):
    """The paths of the tree that a file includes itself."""
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    return [target for quote, target in (match.groups() for match in map(check_house.INCLUDE.match, text.splitlines()) if match)
            if quote == '"' and (root / target).is_file()]


def all_included(root, paths):
    seen, rest = set(), list(paths)
    while rest:
        path = rest.pop()
        if path not in seen:
            seen.add(path)
            rest += included_by(root, path)
    return sorted(seen)


def key_of(root, paths):
    """Changes with everything that the findings depend on, but for the headers of the system."""
    digest = hashlib.sha256(repr((VERSION, CHECKS, FLAGS, paths)).encode())
    for path in [".clang-tidy", *all_included(root, paths)]:
        digest.update((root / path).read_bytes())
    return digest.hexdigest()


def tidy(checker, root, paths):
    """The output of clang-tidy for these files, read as one."""
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "unit.cpp"
        unit.write_text("".join(f'#include "{root / path}"\n' for path in paths))
        command = [checker, "--quiet", f"--checks={CHECKS}", f"--config-file={root / '.clang-tidy'}", f"--header-filter={re.escape(str(root))}/.*",
                   str(unit), "--", *FLAGS, f"-I{root}"]
        return subprocess.run(command, cwd=root, capture_output=True, text=True).stdout


def findings(checker, root, paths):
    """One line per finding in the tree. Files whose local names clash are checked one by one; clang's trouble with headers of the system is none of ours."""
    found = [(pathlib.Path(path).relative_to(root), line, kind, text) for path, line, kind, text in FINDING.findall(tidy(checker, root, paths))
             if pathlib.Path(path).is_relative_to(root)]
    if len(paths) > 1 and any(kind == "error" for _, _, kind, _ in found):
        return [line for path in paths for line in findings(checker, root, [path])]
    return [f"{path}:{line}: {text}" for path, line, _, text in found]


def stored_findings(checker, root, cache, paths, deadline):
    """What is found in these files, or None if it is not known and too late to look."""
    stored = cache / key_of(root, paths)
    if not stored.is_file():
        if time.monotonic() > deadline:
            return None
        part = stored.with_suffix(f".{os.getpid()}")
        part.write_text("\n".join(findings(checker, root, paths)))
        part.rename(stored)
    return stored.read_text().splitlines()


def check_all(checker, root, cache, seconds, cores):
    """The findings in all files, and how many files are left for the next run."""
    cache.mkdir(parents=True, exist_ok=True)
    work = newest_first(root, batches(root))
    deadline = time.monotonic() + seconds
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        results = list(pool.map(lambda paths: stored_findings(checker, root, cache, paths, deadline), work))
    left = sum(len(paths) for paths, found in zip(work, results) if found is None)
    return sorted({line for found in results for line in found or []}), left


def main():
    words = [word for word in sys.argv[1:] if word != "--all"]
    root = pathlib.Path(words[0] if words else ".").resolve()
    cache = pathlib.Path(words[1]) if len(words) > 1 else root / "build" / "tidy"
    checker = llvm_tool("clang-tidy")
    if checker is None:
        print(f"clang-tidy {VERSION} is not installed (Debian package clang-tidy-{VERSION}); names and likely mistakes were not checked")
        return 1 if os.environ.get("CI") else 77
    limits = (float("inf"), len(os.sched_getaffinity(0))) if "--all" in sys.argv else (BUDGET, 1)
    faults, left = check_all(checker, root, cache, *limits)
    print("\n".join(faults) or "no fault")
    if left:
        print(f"{left} files are left for the next run; check_tidy.py --all checks them now")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
