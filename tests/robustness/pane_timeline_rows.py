# SPDX-License-Identifier: GPL-3.0-only
"""What headline, timeline, Details and What If say of the trace of a variant."""
import re

from gap_rows import gap_core_rows
from pane_texts import of_pane
from recomputed import Statement
from seen_run import found

def timeline_rows(run, variant, panes):
    trace = run.traces[variant["name"]]
    yield from of_pane("Headline", headline_rows(variant, trace, panes))
    yield from of_pane("Timeline", caption_rows(trace, panes))
    yield from of_pane("Details", details_rows(trace, panes))
    yield from of_pane("What If", what_if_rows(run, variant, trace, panes))


def headline_rows(variant, trace, panes):
    said, where = panes.text("traceHeadline"), panes.where
    names = {index: variant["lanes"][index]["name"] for index in trace.lanes}
    idle = {lane: trace.window - trace.busy(lane) for lane in trace.lanes}
    yield Statement("variant", where, found(r"^(\w+), measured, ", said), variant["name"])
    yield Statement("steps", where, found(r"measured, (\d+) steps?", said), str(len(trace.steps)))
    yield Statement("idle share", where, found(r": idle (\S+ %) of the step time", said), sum(idle.values()) / (trace.window * len(idle)))
    if len(idle) > 1:
        each = found(r"of the step time \((.*?)\)", said) or ""
        for lane, share in zip(trace.lanes, each.split(", ")):
            yield Statement("idle share of a lane", f"{where}, {names[lane]}", share.rsplit(" ", 2)[0], names[lane])
            yield Statement("share of a lane", f"{where}, {names[lane]}", " ".join(share.rsplit(" ", 2)[1:]), idle[lane] / trace.window)
    length, lane = trace.longest_gap()
    yield Statement("longest gap", where, found(r"longest gap (\S+ \S+) on", said), length)
    yield Statement("lane of the longest gap", where, found(r"longest gap \S+ \S+ on (\S+)", said), names[lane])
    yield from gap_core_rows(where, trace, said)


def caption_rows(trace, panes):
    said, where = panes.text("timeline"), panes.where
    yield Statement("lanes of the caption", where, found(r"(\d+) lanes?", said), str(len(trace.lanes)))
    yield Statement("steps of the caption", where, re.findall(r"\d+", found(r"(steps? \d+(?: to \d+)?)", said) or ""), ["1", str(len(trace.steps))] if len(trace.steps) > 1 else ["1"])
    shares = re.findall(r"(\S+) (\d+ %)[,.]", found(r"Utilization of all steps: (.*)", said) or "")
    painted = panes.painted("timeline")
    for lane, (name, share) in zip(trace.lanes, shares):
        yield Statement("utilization in the caption", f"{where}, {name}", share, trace.busy(lane) / trace.window)
        at = painted.index(name) if name in painted else -2
        yield Statement("utilization beside the lane", f"{where}, {name}", painted[at + 1], share)
    yield Statement("lanes with a utilization", where, len(shares), len(trace.lanes))


def details_rows(trace, panes):
    """Of the first action of each phase and stage; found by when it begins."""
    for pane in panes.panes("details of "):
        name, begin = re.fullmatch(r"details of (\S+) at (\d+)", pane).groups()
        figures_of = {row["Figure"]: row["Value"] for row in panes.rows("detailFigures", pane)}
        where = f"{panes.where}, {pane}"
        action = next((a for a in trace.actions if a.begin - trace.origin == int(begin) and f"{a.args['stage']}{a.args['phase']}" in name), None)
        yield Statement("the action is in the trace", where, action is not None, True)
        if action is None:
            continue
        step = next(begin for begin, end in trace.steps if begin <= action.begin <= end)
        yield Statement("name", where, figures_of["Name"], f"{action.args['stage']}{action.args['phase']}{'' if action.args['phase'] == 'U' else action.args['micro_batch']}")
        yield Statement("step", where, figures_of["Step"], str(action.args["step"] + 1))
        yield Statement("stage", where, figures_of["Stage"], str(action.args["stage"]))
        yield Statement("start", where, figures_of["Start"], (action.begin - trace.origin) * 1e-9)
        yield Statement("start in the step", where, figures_of["Start in step"], (action.begin - step) * 1e-9)
        yield Statement("duration", where, figures_of["Duration"], action.length * 1e-9)
        if action.cpu is not None:
            yield Statement("core time", where, found(r"(\d+ %) of it", figures_of["CPU"]), action.cpu * 1e3 / action.length)
        yield from wait_rows(trace, action, where, panes.rows("detailContext", pane))


def wait_rows(trace, action, where, context):
    """The idle time before an action, and the causes that make it up."""
    idle = next((row["Value"] for row in context if row["Context"] == "Idle before"), None)
    ends = [max((a.end for a in trace.actions if a.lane == action.lane and a.end <= action.begin), default=0)]
    ends += [begin for begin, end in trace.steps if begin <= action.begin <= end]
    yield Statement("idle time before it", where, idle, (action.begin - max(ends)) * 1e-9 if action.begin > max(ends) else None)
    shares = [found(r"\((.*?) ?%\)", row["Value"]) for row in context if re.search(r"\(.*%\)$", row["Value"])]
    if idle and shares:
        known = [int(share) for share in shares if share.isdigit()]
        yield Statement("causes add up to the idle time before it", where, abs(sum(known) - 100) <= len(shares), True)
    for row in context:
        if row["Context"] not in ("Waited for", "Waits for it") and row["Context"]:
            continue
        apart = re.search(r"(ended|began) (\S+ \S+) (before|after)$", row["Value"])
        if apart and not row["Value"].startswith("Transfer"):
            other = {a.begin - action.end for a in trace.actions} if apart[1] == "began" else {action.begin - a.end for a in trace.actions}
            yield Statement("an action ends or begins as far apart", f"{where}, {row['Value']}", nearest(apart[2], other), True)


def nearest(said, lengths):
    """Whether one of these times, ns, is printed so."""
    return any(Statement("", "", said, length * 1e-9).fault() is None for length in lengths if length >= 0)


def what_if_rows(run, variant, trace, panes):
    if not panes.panes("whatIf"):
        return
    step = trace.window / len(trace.steps)
    where, half = f"{panes.where}, What If", "whatIf of half"
    yield Statement("measured step", where, found(r"^The mean step took (.*)\.$", panes.text("whatIfResult", "whatIf")), step)
    yield Statement("step before", where, found(r"Before \(measured\): (\S+ \S+) per step", panes.spoken("whatIfSteps", half)), step)
    path = found(r"critical path: (.*)$", panes.spoken("whatIfSteps", "whatIf"))
    yield Statement("critical path as over the idle times", where, path, found(r"Critical path: (.*)$", panes.text("pathFigure")))
    # The first target is the first stage; `gaps` replays it the same.
    target = panes.text("whatIfTarget", half)
    if not target.startswith("Stage 0"):
        return
    # Of steps without a barrier the mean period, which `gaps` prints in its sentence.
    sentence = r"step takes (\S+ \S+) instead of (\S+ \S+), (\S+ %) (less|more)"
    printed = run.ask("gaps", run.folder, "--variant", variant["name"], "--what-if", "stage:0=0.5")
    said, replayed = (re.search(sentence, text) for text in (panes.text("whatIfResult", half), printed))
    for place, title in enumerate(("replayed step", "what it is compared with", "change of the step", "direction of the change"), 1):
        yield Statement(title, where, said and said[place], replayed and replayed[place])
    range90 = r"90 % range: (\S+ to \S+ \S+?)\."
    yield Statement("range of the replayed step", where, found(range90, panes.text("whatIfResult", half)), found(range90, printed))
    if said:
        yield Statement("the step is compared with the measured one", where, said[2], step)


def imported_headline_rows(trace, panes):
    """Of a trace that no run describes."""
    said = panes.text("traceHeadline")
    spans = [event for event in trace.events if event["ph"] == "X"]
    yield Statement("Headline: spans of a file", panes.where, found(r"imported: ([\d,]+) spans", said), str(len(spans)))
    yield Statement("Headline: flows of a file", panes.where, found(r"(\d+) flows", said), str(sum(event["ph"] == "s" for event in trace.events)))
