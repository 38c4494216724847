# SPDX-License-Identifier: GPL-3.0-only
"""A run whose statements are held against its files, and how printed tables and sentences are read."""
import itertools
import json
import pathlib
import re

from recomputed import SpeedUp, Times, TraceFile, figures


class SeenRun:
    """A run folder, what `run` printed of it, and what other commands print of it."""

    def __init__(self, name, folder, printed, ask):
        self.name, self.folder, self.printed, self.ask = name, pathlib.Path(folder), printed, ask
        self.record = json.loads((self.folder / "run.json").read_text())
        self.variants = [variant for variant in self.record["variants"] if variant["repeats"]]
        self.times = {variant["name"]: Times([repeat["seconds"] for repeat in variant["repeats"]]) for variant in self.variants}
        self.traces = {variant["name"]: TraceFile(self.folder / f"trace-{variant['name'].lower()}.json.gz") for variant in self.variants}
        self.baseline = self.record["comparison"]["baseline"]

    def speed_up(self, name, baseline=None):
        return SpeedUp(self.times[baseline or self.baseline], self.times[name])

    def others(self):
        return [name for name in self.times if name != self.baseline]


def table_of(text, first, last=""):
    """{name of the row: {title: cell}} of the first table whose titles begin with `first` and hold `last`."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if re.split(r"\s{2,}", line)[0] == first and last in line), None)
    if begin is None:
        return {}
    titles = re.split(r"\s{2,}", lines[begin].strip())
    rows = (re.split(r"\s{2,}", line.strip()) for line in lines[begin + 1:])
    return {row[0]: dict(zip(titles, row)) for row in itertools.takewhile(lambda row: len(row) == len(titles), rows)}


def cell(table, row, title):
    """The text of a cell, or nothing if it is not there."""
    return next((text for name, text in table.get(row, {}).items() if name.lower().startswith(title.lower())), None)


def found(pattern, text):
    """The first group of the first match, or nothing."""
    match = re.search(pattern, text, re.MULTILINE)
    return match and match[1]


def interval_text(interval):
    return f"{figures(interval[0])} to {figures(interval[1])}" if interval else "-"


def microseconds(value):
    """Of JSON, whose last digit is a nanosecond that may be cut off: between two tenths that nanosecond decides, so there it is a digit less."""
    return f"{value:.1f} µs" if abs(10 * value % 1 - 0.5) > 0.02 else f"{value:.0f} µs"
