# SPDX-License-Identifier: GPL-3.0-only
"""Names that mean something to a terminal, a browser, a spreadsheet or a shell, through every output of the command line."""
import csv
import html.parser
import io
import json
import re
import xml.etree.ElementTree

from trials import TOY, Tally

NAMES = ["=1+1<script>alert(1)</script>\"&'\ufffe", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '" onmouseover="alert(1)', "' onclick='x", "</title><b>", "]]>", "--><i>", "&lt;&amp;", "a & b",
         "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "%s%n", "$(touch executed)", "; touch executed", "../../etc/passwd", "-rf", ".", "x" * 200,
         "\u202egnp.exe", "\ufffe", "\ufdd0", "\U0001f600", "e\u0301" * 60, 'quote"comma,', "{{7*7}}", "\\x1b[31m"]
CONTROL_NAMES = ["\x1b[31mred", "bell\x07", "del\x7f", "carriage\rreturn", "nul\x00", "line\nbreak", "\x9b31m", "x" * 201, "x" * 10_000]
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[-+]?(\d|inf|nan)")


class Skeleton(html.parser.HTMLParser):
    """The elements of a page with their attributes' names."""

    def __init__(self, text):
        super().__init__()
        self.parts = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.parts.add((tag, *sorted(name for name, _ in attributes)))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)


def experiment_named(folder, name):
    variants = [{**TOY["variants"][0], "name": name}, {"name": "Single " + name[:150], "strategy": "single", "lanes": [0]}]
    lanes = [{"device": "cpu:0", "name": name}, {"device": "cpu:1"}]
    file = folder / "experiment.json"
    file.write_text(json.dumps({**TOY, "name": name, "variants": variants, "lanes": lanes}))
    return file


def plain(text):
    """Whether a terminal shows the text as it is."""
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def formulas(text):
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row if cell.startswith(FORMULA) and not NUMBER.match(cell)]


def skeleton_of(world, tally, folder, what):
    outcome = world.attempt(tally, "export", "run", "--what", "report", "--format", "html", "--out", "report.html", what=f"report of {what}", folder=folder,
                            codes=(0,), limit_s=60)
    return Skeleton((folder / "report.html").read_text()).parts if outcome.code == 0 else set()


def exports(world, tally, folder, name, template):
    what = ascii(name[:40])
    variant = ["--variant", name]
    outcome = world.attempt(tally, "compare", "run", "--csv", "compare.csv", what=f"compare {what}", folder=folder, codes=(0,))
    tally.expect(plain(outcome.out + outcome.err), f"compare {what}: control characters reach the terminal")
    outcome = world.attempt(tally, "gaps", "run", *variant, "--csv", "gaps.csv", what=f"gaps {what}", folder=folder, codes=(0,))
    tally.expect(plain(outcome.out + outcome.err), f"gaps {what}: control characters reach the terminal")
    outcome = world.attempt(tally, "gaps", "run", *variant, "--json", what=f"gaps --json {what}", folder=folder, codes=(0,))
    json.loads(outcome.out)
    for form in ("csv", "chrome", "perfetto"):
        world.attempt(tally, "export", "run", "--what", "trace", "--format", form, "--out", "trace." + form, *variant, what=f"trace {form} {what}", folder=folder,
                      codes=(0,))
    json.loads((folder / "trace.chrome").read_text())
    for table in [folder / "compare.csv", folder / "gaps.csv", folder / "trace.csv", *(folder / "run").glob("*.csv")]:
        found = formulas(table.read_bytes().decode())
        tally.expect(not found, f"{table.name} of {what} has a formula: {found[:1]}")
    tally.expect(skeleton_of(world, tally, folder, what) <= template, f"the report of {what} has an element or attribute of its own")
    for picture in ("comparison", "timeline"):
        outcome = world.attempt(tally, "export", "run", "--what", picture, "--format", "svg", "--out", "picture.svg", *variant, what=f"{picture} of {what}",
                                folder=folder, limit_s=60, codes=(0,))
        if outcome.code == 0:
            try:
                xml.etree.ElementTree.fromstring((folder / "picture.svg").read_bytes())
            except xml.etree.ElementTree.ParseError as error:
                tally.lose(f"{picture}.svg of {what} is not well-formed: {error}")


def names(world):
    """A run whose experiment, variants and lanes have the name, through all exports; or a clear refusal."""
    tally = Tally("hostile names through every output")
    harmless = world.room("harmless")
    assert world.run("run", experiment_named(harmless, "harmless"), "--out", "run", folder=harmless, limit_s=60).code == 0
    template = skeleton_of(world, tally, harmless, "harmless")
    for number, name in enumerate(NAMES if world.full else NAMES[:1]):
        folder = world.room(f"name-{number}")
        outcome = world.attempt(tally, "run", experiment_named(folder, name), "--out", "run", what=ascii(name[:40]), folder=folder, limit_s=60, codes=(0, 2))
        tally.expect(plain(outcome.out + outcome.err), f"run {ascii(name[:40])}: control characters reach the terminal")
        if outcome.code == 0:
            exports(world, tally, folder, name, template)
        tally.expect(not list(folder.rglob("executed")), f"{ascii(name)} was executed")
        tally.expect(all(len(file.name.encode()) <= 120 for file in (folder / "run").rglob("*")), f"{ascii(name[:40])} makes long file names")
    folder = world.room("control-names")
    for name in CONTROL_NAMES if world.full else CONTROL_NAMES[::4]:
        outcome = world.attempt(tally, "run", experiment_named(folder, name), "--out", "run", what=ascii(name[:40]), folder=folder, codes=(2,))
        tally.expect(plain(outcome.err), f"the refusal of {ascii(name[:40])} shows control characters raw")
    for name in world.count(["\x1b[31mred"], ["\x1b[31mred", "bell\x07", "../../x", "x" * 10_000]):
        for command in (["compare", name[:4000]], ["import", name[:4000], "--out", "o"], ["run", name[:4000]], ["gaps", name[:4000]], [name[:4000]]):
            if "\x00" in name:
                continue
            outcome = world.attempt(tally, *command, what=f"{command[0][:20]!a} {ascii(name[:20])}", folder=folder, codes=(1, 2))
            tally.expect(plain(outcome.err), f"{command[0]!a} shows {ascii(name[:20])} raw")
    return tally
