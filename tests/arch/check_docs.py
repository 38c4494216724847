#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Holds README and docs to the tree: lengths, links, figures, and that commands, options, paths, tests menu entries and texts of the window exist; and the
window to docs: that each section which F1 opens is there.

Usage: check_docs.py [FOLDER]. Prints one line a fault (file:line: what is wrong) and exits 1 when there is any. The options of
lanelab-cli are those of docs/command-line.md, which a test holds to the program.
"""
import functools
import pathlib
import re
import sys

README_LINES, LINE_LENGTH = 180, 200
FEWEST_PAGES, FIGURE_BYTES = 10, 200_000
PAGES = ("README.md", "CONTRIBUTING.md")
ROOTS = ("app", "base", "build", "cmake", "docs", "engine", "profiler", "resources", "tests", "ui")
BUILT = ("build/", "runs/")  # what readers make
TOPICS = "ui/help/help_topics.cpp"

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
PROGRAM = re.compile(r"(?:^|[\s/])(lanelab-cli|lanelab-bench|lanelab|\./run\.sh cli)((?: +(?:'[^']*'|\"[^\"]*\"|[^\s|&;#>`]+))*)")
NAMED = re.compile(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)")  # panes, buttons and commands of the window
MENU = re.compile(r"\b(File|Edit|View|Run|Plan|Runs|Help) > ([A-Z][A-Za-z ]*[A-Za-z])")


def heading_anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Tree:
    def __init__(self, root):
        self.root = root

    @functools.lru_cache(None)
    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    @functools.cached_property
    def pages(self):
        names = [name for name in PAGES if (self.root / name).is_file()]
        return names + sorted(page.relative_to(self.root).as_posix() for page in (self.root / "docs").rglob("*.md"))

    @functools.cached_property
    def commands(self):
        """The help of each command of lanelab-cli, by name."""
        parts = re.split(r"(?m)^## (\S+)$", self.text("docs/command-line.md"))
        return dict(zip(parts[1::2], parts[2::2]))

    @functools.cached_property
    def tests(self):
        files = [file for file in (self.root / "tests").rglob("*") if file.suffix in (".cpp", ".py", ".txt") and file.is_file()]
        return "\n".join(file.name + "\n" + file.read_text(encoding="utf-8", errors="replace") for file in files)

    @functools.cached_property
    def menu_texts(self):
        files = [file for room in ("ui", "app") for file in (self.root / room).rglob("*.cpp")]
        texts = (text for file in files for text in re.findall(r'tr\("([^"]*)"', file.read_text(encoding="utf-8")))
        return {text.replace("&", "").removesuffix("...") for text in texts} | self.form_labels

    @functools.cached_property
    def form_labels(self):
        """Rows of the form, whose labels are beside the fields of an experiment."""
        headers = (self.root / "engine/experiment").glob("*.h")
        return {label for file in headers for label in re.findall(r'\.label = "([^"]+)"', file.read_text(encoding="utf-8"))}

    def anchors(self, page):
        return {heading_anchor(heading) for heading in re.findall(r"(?m)^#+ (.*)$", self.text(page))}


def link_fault(tree, page, target):
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    there = (tree.root / page).parent / path if path else tree.root / page
    if not there.exists():
        return f"the link {target} names no file"
    if anchor and anchor not in tree.anchors(there.resolve().relative_to(tree.root).as_posix()):
        return f"the link {target} names no heading"
    return None


def option_faults(text, options, what):
    for option in options:
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text):
            yield f"{what} has no option {option}"


def command_faults(tree, program, words):
    """Of a command line that a page shows."""
    options = [word.split("=")[0] for word in words if word.startswith("--") and len(word) > 2]
    if program == "lanelab":
        yield from option_faults(tree.text("app/window/options.cpp"), options, program)
        return
    if program == "lanelab-bench":
        known = tree.text("tests/bench/main.cpp")
        if words and not words[0].startswith("-") and f'add_subcommand("{words[0]}"' not in re.sub(r"\(\s+", "(", known):
            yield f"lanelab-bench has no command {words[0]}"
        yield from option_faults(known, [option for option in options if option != "--help"], program)
        return
    if not words or words[0] in ("--help", "--help-all", "--version"):
        return
    if words[0] not in tree.commands:
        if re.fullmatch(r"[a-z][a-z-]*", words[0]):
            yield f"lanelab-cli has no command {words[0]}"
        return
    yield from option_faults(tree.commands[words[0]], options, f"lanelab-cli {words[0]}")


def code_faults(tree, code):
    for program, arguments in PROGRAM.findall(code):
        yield from command_faults(tree, program, arguments.split())
    for path in re.findall(r"(?<![\w./~$-])((?:" + "|".join(ROOTS) + r")/[\w./-]*\w)(?![\w*])", code):
        if not path.startswith(BUILT) and not (tree.root / path).exists() and not list(tree.root.glob(path + ".*")):
            yield f"{path} does not exist"
    for pattern in re.findall(r"ctest .*-R '?([\w|.]+)", code):
        yield from (f"no test is called {name}" for name in pattern.split("|") if name.replace("oracle.", "").lower() not in tree.tests.lower()
                    and name.split(".")[-1].lower() not in tree.tests.lower())


def code_in(lines):
    """Line number and code: fences, indented lines and `code`."""
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.startswith("    "):
            yield number, line
        elif not fenced:
            yield from ((number, code) for code in CODE.findall(line))


def page_faults(tree, page):
    lines = tree.text(page).splitlines()
    for number, line in enumerate(lines, 1):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if fault := link_fault(tree, page, target):
                yield f"{page}:{number}: {fault}"
        for menu, entry in MENU.findall(line):
            if not any(" ".join(entry.split()[:count]) in tree.menu_texts for count in range(1, 6)):
                yield f"{page}:{number}: no menu has the entry {menu} > {entry}"
        for name in NAMED.findall(re.sub(r"`[^`]*`", "", line)):
            if page != "CONTRIBUTING.md" and " > " not in name and not any(text.startswith(name) for text in tree.menu_texts):
                yield f"{page}:{number}: the window has no text {name}"
    if page != "docs/command-line.md":
        for number, code in code_in(lines):
            yield from (f"{page}:{number}: {fault}" for fault in code_faults(tree, code))


def length_faults(tree):
    lines = tree.text("README.md").splitlines()
    if len(lines) > README_LINES:
        yield f"README.md:{README_LINES + 1}: {len(lines)} lines, and README has at most {README_LINES}"
    yield from (f"README.md:{number}: {len(line)} characters, and a line has at most {LINE_LENGTH}" for number, line in enumerate(lines, 1) if len(line) > LINE_LENGTH)
    pages = [page for page in tree.pages if page.startswith("docs/")]
    if len(pages) < FEWEST_PAGES:
        yield f"docs:1: {len(pages)} pages, and there are at least {FEWEST_PAGES}"


def figure_faults(tree):
    shown = "\n".join(tree.text(page) for page in tree.pages)
    for figure in sorted((tree.root / "docs" / "figures").glob("*.png")):
        name = figure.relative_to(tree.root).as_posix()
        if figure.stat().st_size > FIGURE_BYTES:
            yield f"{name}:1: {figure.stat().st_size} bytes, and a figure has at most {FIGURE_BYTES}"
        if f"figures/{figure.name})" not in shown:
            yield f"{name}:1: no page shows this figure"


def topic_faults(tree):
    """Sections that the table of F1 names."""
    if not (tree.root / TOPICS).is_file():
        return
    for number, line in enumerate(tree.text(TOPICS).splitlines(), 1):
        for target in re.findall(r'"(\w[\w/-]*\.md(?:#[\w-]+)?)"', line):
            if fault := link_fault(tree, "README.md", target):
                yield f"{TOPICS}:{number}: {fault}"


def all_faults(root):
    tree = Tree(root)
    return list(length_faults(tree)) + list(figure_faults(tree)) + list(topic_faults(tree)) + [fault for page in tree.pages for fault in page_faults(tree, page)]


def main():
    faults = all_faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    print("\n".join(faults) or "no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
