#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Attacks lanelab-cli with damaged and hostile files, names, faults and load, and counts crashes, hangs and lost data.

Usage: attack.py LANELAB_CLI [--sample] [--only WORD ...] [--markdown FILE]
Without --sample everything runs (about 25 minutes on two cores); with it a part of each kind (at most 2 minutes). Exits 1 if anything fell.
"""
import argparse
import signal
import sys
import time

import damaged_files
import ended_processes
import hostile_files
import hostile_names
import load
import ranks
from trials import World

KINDS = [damaged_files.traces, damaged_files.records, damaged_files.weights, damaged_files.checkpoints, hostile_files.fragments, hostile_files.bombs,
         hostile_files.perfetto, hostile_files.sqlite, hostile_files.weights, hostile_files.special_files, hostile_files.images, hostile_names.names,
         ended_processes.signals, ended_processes.kills, ended_processes.writes, ended_processes.shared_folders, ended_processes.clocks, ranks.faults_between_ranks, load.memory,
         load.crowds, load.orders, load.histories, load.events]


def name_of(kind):
    return f"{kind.__module__}.{kind.__name__}"


def row(tally, name, time_text):
    return [tally.kind, str(tally.trials), str(tally.crashes), str(tally.hangs), str(tally.lost + tally.unclear), f"`{name}`", time_text]


def print_table(rows):
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(rows[0]))]
    for cells in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())


def markdown(rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([lines[0], "|---|---|---|---|---|---|---|", *lines[1:]]) + "\n"


def report(tally, seconds):
    print(f"{tally.kind}: {tally.trials} trials, {tally.crashes} crashes, {tally.hangs} hangs, {tally.lost + tally.unclear} lost; slowest {tally.slowest_s:.2f} s, "
          f"peak {tally.peak_mb:.0f} MB, {seconds:.0f} s" + (f"; skipped: {tally.skipped}" if tally.skipped else ""), flush=True)
    for fault in tally.faults[:10]:
        print("  " + fault, flush=True)


def main():
    parser = argparse.ArgumentParser(description="Attacks lanelab-cli and counts what falls.")
    parser.add_argument("cli")
    parser.add_argument("--sample", action="store_true", help="a part of each kind, at most 2 minutes")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="kinds whose name holds one of the words")
    parser.add_argument("--markdown", metavar="FILE", help="write the table there")
    options = parser.parse_args()
    rows = [["kind of fault", "trials", "crashes", "hangs", "data lost", "name", "time"]]
    clean = True
    # A shell starts background jobs with SIGINT ignored, and children inherit that; a handler of this process becomes the default in them.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    world = World(options.cli, not options.sample)
    try:
        for kind in KINDS:
            name = name_of(kind)
            if options.only and not any(word in name for word in options.only):
                continue
            begin = time.monotonic()
            tallies = kind(world)
            seconds = time.monotonic() - begin
            for number, tally in enumerate(tallies if isinstance(tallies, list) else [tallies]):
                rows.append(row(tally, name, f"{seconds:.0f} s" if number == 0 else ""))  # of all kinds that were played together
                clean = clean and tally.clean
                report(tally, seconds)
    finally:
        world.close()
    print()
    print_table(rows)
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write(markdown(rows))
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
