#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Holds what users read to the word list: texts of the window, of the command line, of errors and of the scripts; README, docs, schemas.

Usage: check_words.py [FOLDER] [--all] [--comments]. Prints one line a fault (file:line: the words, what to write) and exits 1
when there is any. --all also checks the folders of NOT_YET, --comments prints what comments still have.
"""
import json
import pathlib
import re
import sys

# What is wrong, and what to write. Only words that are wrong wherever they occur, or nearly: exceptions are in ALLOWED.
PER = "(step|micro-batch|repeat|lane|stage|replica|epoch|second|sample|action|process|rank|row|block|boundary|node)"
COUNTED = "(samples?|seconds?|times?|ms|forwards?|bytes|MACs|images|tokens?|stages?|lanes?|threads?|actions?|micro-batches|values?|one|once|event|file|line)"
THEN_A_VERB = "(takes?|took|has|had|holds?|waits?|needs?|costs?|is|was|does|makes?|may|can|that|which|spends?|computes?)"
WRONG = [
    (r"mend(s|ed|ing)?", "suggestion, suggested fix, fix"),
    (r"(stands?(?! (in )?for)|stood)( idle)?", "is, is shown, is in; is idle"),
    (r"(lies|lie|lay)", "is, is in"),
    (r"(go|goes|going|went) on", "running, continues"),
    (r"anew", "again, from scratch"),
    (r"kept", "stored, retained, recorded"),
    (r"thin", "collapsed"),
    (r"foreign", "imported, of another program"),
    (r"ending", "file extension"),
    (r"(so many|so much)", "n, several, at most N"),
    (r"(hang|hangs|hung) on", "depends on"),
    (r"(as fast as|times as (fast|long|many|much)|times as long)", "N times faster or slower, speed-up"),
    (COUNTED + r" an? " + PER + r"(?! " + THEN_A_VERB + r"\b)", "per ..."),
    (r"blanks?", "space"),
    (r"(?<!there )(is|are|was|were) no (?!(longer|more|less|later|better)\b)\w+", "is not a"),
    (r"(persons?|people who)", "user, you"),
    (r"busy share", "utilization"),
    (r"(tells?|told)", "reports, prints, shows, names"),
    (r"pictures?", "figure, chart, screenshot"),
    (r"where there (is|are)", "if there is"),
    (r"held against", "compared with"),
    (r"in the midst", "during"),
    (r"as at first", "reset"),
    (r"seconds a repeat", "time per repeat (s)"),
    (r"(throw|throws|thrown) away", "delete, discard"),
]
PATTERNS = [(re.compile(r"(?<![\w-])" + wrong + r"(?![\w-])", re.I), right) for wrong, right in WRONG]

# Texts in which the words are right: file, a part of the text, the reason.
ALLOWED = [
    ("app/cli/gaps/gaps.cpp", "\"mends\":", "a key of version 0.2.0, which scripts may read"),
]

# How many words of the list comments of the sources still have. It only falls: whoever writes more is refused, whoever leaves fewer writes the number here.
COMMENTS_LEFT = 621

SCRIPTS = ["run.sh", "test.sh", "cmake/setup.sh", "cmake/torch_environment.sh", "cmake/lanelab-setup-torch.in"]

# Folders whose texts are still to be rewritten. Take a folder out when it has no fault; nothing is added.
NOT_YET = []

SOURCES = {".cpp", ".h"}
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
# Adjacent literals are one text; a comment is none.
LITERALS = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|'(?:[^'\\\n]|\\.)'|(" + LITERAL + r"(?:\s*" + LITERAL + r")*)", re.S | re.M)
CALL = re.compile(r"\b(?:tr|QT_TR_NOOP|QT_TRANSLATE_NOOP|translate)\(\s*(?:\"\w+\",\s*)?(" + LITERAL + r"(?:\s*" + LITERAL + r")*)", re.S)


def text_of(literals):
    parts = [re.sub(r"\\n", " ", re.sub(r"\\([^n])", r"\1", part[1:-1])) for part in re.findall(LITERAL, literals)]
    return "".join(parts)


def texts_of_source(path, content):
    """Line and text: of a window what is translated, else every literal of several words."""
    window = path.startswith(("ui/", "app/window/"))
    for match in (CALL if window else LITERALS).finditer(content):
        if match[1] and (window or " " in match[1]):
            yield content.count("\n", 0, match.start(1)) + 1, text_of(match[1])


def texts_of_page(content):
    """Paragraphs of a Markdown page without what is code in them."""
    fenced = False
    for number, line in enumerate(content.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`code`", line))


def texts_of_schema(content):
    def descriptions(value):
        if isinstance(value, dict):
            yield from (text for key, text in value.items() if key in ("description", "title") and isinstance(text, str))
            for inner in value.values():
                yield from descriptions(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from descriptions(inner)

    for text in descriptions(json.loads(content)):
        yield content.count("\n", 0, max(0, content.find(json.dumps(text, ensure_ascii=False)))) + 1, text


def pages_of(root):
    yield from (root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md") if (root / name).is_file())
    yield from sorted((root / "docs").rglob("*.md"))


def texts_of_script(content):
    """Lines without comments."""
    for number, line in enumerate(content.splitlines(), 1):
        yield number, re.sub(r"(^|\s)#\s.*", "", line)


def texts(root):
    """Path, line and text of everything that users read."""
    for script in (file for file in (root / name for name in SCRIPTS) if file.is_file()):
        yield from ((script.relative_to(root).as_posix(), line, text) for line, text in texts_of_script(script.read_text(encoding="utf-8")))
    for room in ("app", "base", "engine", "profiler", "ui"):
        for file in sorted((root / room).rglob("*")):
            if file.suffix in SOURCES:
                path = file.relative_to(root).as_posix()
                yield from ((path, line, text) for line, text in texts_of_source(path, file.read_text(encoding="utf-8")))
    for page in pages_of(root):
        yield from ((page.relative_to(root).as_posix(), line, text) for line, text in texts_of_page(page.read_text(encoding="utf-8")))
    for schema in sorted((root / "resources" / "schema").glob("*.json")):
        yield from ((schema.relative_to(root).as_posix(), line, text) for line, text in texts_of_schema(schema.read_text(encoding="utf-8")))


def comments(root):
    """Path, line and text of each comment of the sources, a line at a time."""
    for room in ("app", "base", "engine", "profiler", "ui"):
        for file in sorted((root / room).rglob("*")):
            if file.suffix in SOURCES:
                for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                    without_literals = re.sub(LITERAL, '""', line)
                    if (start := without_literals.find("//")) >= 0:
                        yield file.relative_to(root).as_posix(), number, without_literals[start:]


def comment_faults(root, left):
    """One fault where the comments have more or fewer of these words than are left."""
    found = [fault for path, line, text in comments(root) for fault in faults_in(path, line, text)]
    if len(found) < left:
        yield f"tests/arch/check_words.py:1: comments have {len(found)} words of the list; write COMMENTS_LEFT = {len(found)}"
    if len(found) > left:
        yield f"tests/arch/check_words.py:1: comments have {len(found)} words of the list, and {left} are left; check_words.py --comments names them"


def is_in(path, place):
    return path == place or path.startswith(place + "/")


def faults_in(path, line, text):
    for pattern, right in PATTERNS:
        for match in pattern.finditer(text):
            if not any(is_in(path, place) and part in text for place, part, _ in ALLOWED):
                yield f'{path}:{line}: "{match[0]}" in "{text.strip()[max(0, match.start() - 30):match.end() + 30]}": write {right}'


def all_faults(root):
    return [fault for path, line, text in texts(root) for fault in faults_in(path, line, text)]


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    if "--comments" in sys.argv:
        print("\n".join(fault for path, line, text in comments(root) for fault in faults_in(path, line, text)))
        return 0
    faults = all_faults(root) + list(comment_faults(root, COMMENTS_LEFT))
    later = [] if "--all" in sys.argv else NOT_YET
    waiting = [fault for fault in faults if any(is_in(fault.split(":")[0], place) for place in later)]
    faults = [fault for fault in faults if fault not in set(waiting)]
    if waiting:
        print(f"{len(waiting)} faults in folders of NOT_YET; check_words.py --all names them")
    print("\n".join(faults) or "no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
