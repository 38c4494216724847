# SPDX-License-Identifier: GPL-3.0-only
"""What commands say of two variants side by side, of the list of runs, and of two runs."""
import json
import re
import statistics

from recomputed import SpeedUp, Statement, figures
from seen_run import cell, found, interval_text, table_of


def two_run_rows(run, other):
    """`compare --timeline`, `runs` and `runs compare`."""
    a, b = run.traces["Pipeline"], run.traces["Split"]
    printed = run.ask("compare", run.folder, "--timeline", "Pipeline", "Split")
    both = {action.key: action for action in b.actions}
    pairs = [(action, both[action.key]) for action in a.actions if action.key in both]
    where = f"{run.name}, compare --timeline"
    yield Statement("matching actions", where, found(r"^(\d+) matching actions?:", printed), str(len(pairs)))
    yield Statement("actions of one variant only", where, re.findall(r"(\d+) only in [AB]", printed), [str(len(a.actions) - len(pairs)), str(len(b.actions) - len(pairs))])
    yield Statement("total of A", where, found(r"in total (.*?) in A", printed), sum(one.length for one, _ in pairs) * 1e-9)
    yield Statement("total of B", where, found(r"and (.*?) in B", printed), sum(two.length for _, two in pairs) * 1e-9)
    for line in printed.splitlines():
        row = re.split(r"\s{2,}", line)
        if len(row) != 7 or not row[0].isdigit():
            continue
        own = [(one.length * 1e-9, two.length * 1e-9) for one, two in pairs if (str(one.args["stage"]), one.args["phase"]) == (row[0], row[1])]
        means = [statistics.fmean(side) for side in zip(*own)]
        at = f"{where}, {row[0]}{row[1]}"
        yield Statement("count of a stage and phase", at, row[2], str(len(own)))
        for title, said, value in zip(("mean of A", "mean of B", "difference of the means", "change of the mean"), row[3:],
                                      (*means, means[1] - means[0], means[1] / means[0] - 1)):
            yield Statement(title, at, said, value)
    speed_up = run.speed_up("Split", "Pipeline")
    if speed_up.interval:
        yield Statement("all repeats beside a timeline", where, found(r"^All repeats: (.*?x; )", printed), speed_up.sentence("B", "A"))
    yield from listed_rows(run)
    yield from settings_rows(run, other)
    yield from between_rows(run, other)


def listed_rows(run):
    """The list of stored runs: of the first pipeline."""
    listed = next(one for one in json.loads(run.ask("runs", "--runs", run.folder.parent, "--json"))["runs"] if one["folder"] == str(run.folder))
    rows = (re.split(r"\s{2,}", line.strip()) for line in run.ask("runs", "--runs", run.folder.parent).splitlines())
    cells = next(row for row in rows if listed["id"] in row)
    where, times = f"{run.name}, runs", run.times["Pipeline"]
    yield Statement("status in the list", where, listed["status"], run.record["status"])
    yield Statement("samples/s in the list", where, figures(run.record["images_per_repeat"] / times.mean) in cells, True)
    yield Statement("speed-up in the list", where, run.speed_up("Pipeline").cell() in cells, True)
    for variant in listed["variants"]:
        own, at = run.times[variant["name"]], f"{where}, {variant['name']}"
        steps = run.record["experiment"]["data"]["steps"]
        yield Statement("step time in runs --json", at, variant["step_seconds"], own.mean / steps)
        yield Statement("ratio in runs --json", at, float(variant["speed_up"]), run.speed_up(variant["name"]).ratio if variant["name"] != run.baseline else 1.0)


def settings_rows(run, other):
    printed = run.ask("runs", "compare", run.folder, other.folder)
    table = table_of(printed, "Variant", "Repeats A/B")
    for name in set(run.times) & set(other.times):
        where = f"{run.name} and {other.name}, runs compare, {name}"
        for letter, one in (("A", run), ("B", other)):
            steps, times = one.record["experiment"]["data"]["steps"], one.times[name]
            yield Statement("step time of a compared run", where, cell(table, name, f"Step time {letter}"), figures(1e3 * times.mean / steps))
            yield Statement("images/s of a compared run", where, cell(table, name, f"Images/s {letter}"), figures(one.record["images_per_repeat"] / times.mean))
            losses = next(v for v in one.variants if v["name"] == name)["repeats"][-1]["losses"]
            yield Statement("last loss of a compared run", where, cell(table, name, f"Last loss {letter}"), losses[-1])
        yield Statement("repeats of compared runs", where, cell(table, name, "Repeats"), f"{len(run.times[name].seconds)}/{len(other.times[name].seconds)}")


def speed_up_beside(run, one, name):
    """The cell of a variant of `one`, which is compared with the baseline of `run`, maybe another run."""
    speed_up = SpeedUp(run.times[run.baseline], one.times[name])
    if one is run:
        return "baseline" if name == run.baseline else speed_up.cell()
    return (f"{figures(speed_up.ratio)}x ({interval_text(speed_up.interval)}), " if speed_up.interval else "") + "different runs"


def between_rows(run, other):
    """`compare` of two runs, whose intervals hold within each run only."""
    printed, where = run.ask("compare", run.folder, other.folder), f"{run.name} and {other.name}, compare"
    table = table_of(printed, "variant", "mean (s)")
    for one in (run, other):
        for name, times in one.times.items():
            at, row = f"{where}, {one.name}/{name}", f"{one.name}/{name}"
            yield Statement("mean beside another run", at, cell(table, row, "mean"), figures(times.mean))
            yield Statement("interval beside another run", at, cell(table, row, "95 % CI"), interval_text(times.interval))
            yield Statement("speed-up beside another run", at, cell(table, row, "Speed-up"), speed_up_beside(run, one, name))
    within = sum(run.speed_up(name).interval is not None for name in run.others())
    yield Statement("count of comparisons within a run", where, found(r"^(\d+) variants are compared with", printed), str(within) if within > 1 else None)
    for name in sorted(set(run.others()) & set(other.others())):
        twice = SpeedUp(other.times[other.baseline], other.times[name], run.times[run.baseline], run.times[name])
        if twice.interval:
            said = found(rf"^Relative to {run.baseline} of its own run, {other.name}/{name} vs {run.name}/{name}: (.*?)x;", printed)
            unclear = twice.word in ("no clear difference", "within noise band")
            value = f"{twice.word} (95 % CI of the speed-up {twice.ends()}" if unclear else f"{figures(twice.times[0])}x {twice.word} (95 % CI {twice.ends()}"
            yield Statement("speed-ups of two runs", f"{where}, {name}", said, value)
