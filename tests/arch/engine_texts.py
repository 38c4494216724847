# SPDX-License-Identifier: GPL-3.0-only
"""The texts of base, engine and profiler that the window translates, found in their sources.

They know no Qt, so lupdate finds none: the window asks for their translations by the English text (ui/look/plain_text,
ui/experiment). noop_source(root) lists them as a C++ file that lupdate reads beside the sources of the window.
"""
import re

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
LITERALS = re.compile(rf"\s*({LITERAL}(?:\s*{LITERAL})*)\s*")

# context, what is called, which argument is the text, and the files in which such a call is meant
CALLS = [
    ("messages", r"sentence|badInput|failed|cancelled", 0, r"(base|engine|profiler|ui)/"),
    ("messages", r"writeError", 1, r"(base|engine|profiler)/"),
    ("messages", r"add", 1, r"engine/experiment/"),
    ("messages", r"report", 1, r"engine/schedule/check\.cpp"),
    ("fields", r"Field", 2, r"engine/"),
]
# context, members that are initialised with a text, and the files
MEMBERS = [
    ("messages", r"title|lesson|hints", r"engine/levels/level\.cpp"),
    ("schedule", r"title|tip", r"engine/schedule/schedule_kind\.cpp"),
    ("fields", r"label|placeholder", r"engine/"),
]
# context, variables that hold lists of texts, and the file
LISTS = [(context, "kCauseTexts", r"profiler/analysis/cause\.h") for context in ("IdleTable", "messages")]


def joined(literals):
    """Adjacent literals as one."""
    return '"' + "".join(one[1:-1] for one in re.findall(LITERAL, literals)) + '"'


def arguments(text, start):
    """What stands between the commas of a call whose bracket is before `start`; braces and brackets nest."""
    depth, begin, at = 1, start, start
    while at < len(text) and depth:
        literal = re.compile(LITERAL).match(text, at)
        if literal:
            at = literal.end()
            continue
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and text[at] == ","):
            yield text[begin:at]
            begin = at + 1
        at += 1


def called(text, name, index):
    for call in re.finditer(rf"\b(?:{name})\s*(?:<[^<>()]*>)?\(", text):
        argument = dict(enumerate(arguments(text, call.end()))).get(index, "")
        if LITERALS.fullmatch(argument):
            yield joined(argument)


def initialised(text, name):
    for member in re.finditer(rf"\.(?:{name}) = ", text):
        value = LITERALS.match(text, member.end())
        if value:
            yield joined(value.group(1))
        elif text.startswith("{{", member.end()):
            yield from listed(text, member.end())


def listed(text, start):
    for one in arguments(text, text.index("{", start) + 1):
        if one.strip().startswith("{"):
            yield from listed(one, 0)
        elif LITERALS.fullmatch(one):
            yield joined(one)


def texts(root):
    """(context, literal), each once, in the order of the files."""
    found = {}
    for part in ("base", "engine", "profiler", "ui"):
        for file in sorted((root / part).rglob("*")):
            if file.suffix not in (".cpp", ".h"):
                continue
            path, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
            for context, name, index, where in CALLS:
                if re.match(where, path):
                    found.update({(context, one): None for one in called(text, name, index)})
            for context, name, where in MEMBERS:
                if re.match(where, path):
                    found.update({(context, one): None for one in initialised(text, name)})
            for context, name, where in LISTS:
                if re.match(where, path):
                    found.update({(context, one): None for one in listed(text, text.index(name + " ="))})
    return [(context, one) for context, one in found if re.search(r"[^\s{}]", one[1:-1])]


def noop_source(root):
    return "".join(f'QT_TRANSLATE_NOOP("{context}", {literal});\n' for context, literal in texts(root))
