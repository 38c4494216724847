# SPDX-License-Identifier: GPL-3.0-only
"""Pipelines on an ideal clock, with causes of idle time planted in them, written as traces of LaneLab's dialect.

An order is a list of actions for each lane; an action is (stage, phase, micro-batch). Times are integers in nanoseconds.
"""
import dataclasses
import json
import random

STEP_GAP = 1_000_000


def one_f_one_b(lanes, micro_batches, split=False):
    """1F1B; with split backwards, each W follows its I as late as zero bubble (ZB-H1) lets it."""
    order = []
    for lane in range(lanes):
        warm_up = min(lanes - lane - 1, micro_batches)
        row = [(lane, "F", m) for m in range(warm_up)]
        weights = []
        for m in range(micro_batches):
            if warm_up + m < micro_batches:
                row.append((lane, "F", warm_up + m))
            row.append((lane, "I" if split else "B", m))
            weights.append((lane, "W", m))
            if split and m >= lane:
                row.append(weights.pop(0))
        order.append(row + (weights if split else []))
    return order, list(range(lanes))


def gpipe(lanes, micro_batches):
    rows = [[(lane, phase, m) for phase in "FB" for m in range(micro_batches)] for lane in range(lanes)]
    return rows, list(range(lanes))


def interleaved(lanes, micro_batches, chunks=2):
    """Megatron-LM's order; the micro-batches are a multiple of the lanes."""
    total = micro_batches * chunks

    def stage_and_micro_batch(lane, k, forward):
        group, within = divmod(k, lanes * chunks)
        chunk = within // lanes
        return (chunk if forward else chunks - 1 - chunk) * lanes + lane, group * lanes + within % lanes

    order = []
    for lane in range(lanes):
        warm_up = min((lanes - lane - 1) * 2 + (chunks - 1) * lanes, total)
        forward = [(s, "F", m) for s, m in (stage_and_micro_batch(lane, k, True) for k in range(total))]
        backward = [(s, "B", m) for s, m in (stage_and_micro_batch(lane, k, False) for k in range(total))]
        row = forward[:warm_up]
        for k in range(total):
            row += forward[warm_up + k:warm_up + k + 1] + backward[k:k + 1]
        order.append(row)
    return order, [stage % lanes for stage in range(lanes * chunks)]


def v_shaped(lanes, micro_batches):
    """Two stages a lane, there and back; each lane takes what is ready, backwards first, weights when nothing else is."""
    stages = 2 * lanes
    lane_of = [s if s < lanes else stages - 1 - s for s in range(stages)]
    ends, order, free = {}, [[] for _ in range(lanes)], [0] * lanes
    todo = {(s, p, m) for s in range(stages) for p in "FIW" for m in range(micro_batches)}

    def needs(action):
        stage, phase, m = action
        needed = {"F": [(stage - 1, "F", m)] if stage else [],
                  "I": [(stage, "F", m)] + ([(stage + 1, "I", m)] if stage + 1 < stages else []),
                  "W": [(stage, "I", m)]}[phase]
        return needed + ([(stage, phase, m - 1)] if m else [])

    def in_flight(lane):
        return sum((s, "F", m) in ends and (s, "W", m) not in ends
                   for s in range(stages) if lane_of[s] == lane for m in range(micro_batches))

    while todo:
        best = None
        for action in todo:
            if any(other not in ends for other in needs(action)):
                continue
            lane = lane_of[action[0]]
            if action[1] == "F" and action[0] < lanes and in_flight(lane) >= 2 * lanes:
                continue
            ready = max([free[lane]] + [ends[other] for other in needs(action)])
            rank = (ready, "IFW".index(action[1]), -action[0] if action[1] == "F" else action[0], action[2])
            if best is None or rank < best[0]:
                best = (rank, lane, action)
        (ready, *_), lane, action = best
        ends[action] = free[lane] = ready + 1
        order[lane].append(action)
        todo.remove(action)
    return order, lane_of


SCHEDULES = {"gpipe": gpipe, "1f1b": one_f_one_b, "zero bubble": lambda p, m: one_f_one_b(p, m, split=True),
             "interleaved": interleaved, "v-shaped": v_shaped}


@dataclasses.dataclass
class Pipeline:
    order: list
    lane_of: list
    lengths: dict                                   # of (step, stage, phase, micro-batch)
    steps: int = 1
    links: dict = dataclasses.field(default_factory=dict)   # of (lower stage): time of each transfer, one at a time
    loader: int = 0                                 # time of each load
    ahead: bool = False                             # loads the next batches meanwhile; else when they are needed
    host: dict = dataclasses.field(default_factory=dict)    # of lane: time before each of its actions
    issued: bool = False                            # told by issued_us in place of a span

    def __post_init__(self):
        self.events, self.idle_of = [], [0] * len(self.order)


def play(pipe):
    """Fills `events` and `idle_of` each lane. Steps begin together."""
    start = 0
    for step in range(pipe.steps):
        start = play_step(pipe, step, start) + STEP_GAP
    return pipe


def play_step(pipe, step, begin):
    lanes = len(pipe.order)
    free, place, ends, arrived = [begin] * lanes, [0] * lanes, {}, {}
    link_free, loads, busy = {}, [begin], [0] * lanes

    def input_of(action):
        stage, phase, m = action
        if phase == "F":
            return (stage - 1, "F", m) if stage else None
        return (stage + 1, phase, m) if phase != "W" and stage + 1 < len(pipe.lane_of) else None

    def send(action, end):
        """The result of the action, to the next stage on another lane."""
        stage, phase, m = action
        other = stage + 1 if phase == "F" else stage - 1
        link = min(stage, other)
        if phase == "W" or not 0 <= other < len(pipe.lane_of) or pipe.lane_of[other] == pipe.lane_of[stage] or not pipe.links.get(link):
            return end
        way = (link, phase == "F")
        sent = max(end, link_free.get(way, 0))
        link_free[way] = sent + pipe.links[link]
        pipe.events.append(span("transfer", "send", pipe.lane_of[stage], 2 if phase == "F" else 4, sent, link_free[way], from_stage=stage, micro_batch=m, phase=phase,
                                step=step, queued_us=(sent - end) / 1000))
        return link_free[way]

    while any(place[lane] < len(pipe.order[lane]) for lane in range(lanes)):
        # The lane whose next action begins first, so that transfers queue in the order of time.
        best = None
        for lane in range(lanes):
            if place[lane] == len(pipe.order[lane]):
                continue
            action = pipe.order[lane][place[lane]]
            needed = input_of(action)
            if needed is not None and needed not in ends:
                continue
            ready = max(free[lane], arrived.get(needed, begin))
            if best is None or ready < best[0]:
                best = (ready, lane, action)
        ready, lane, action = best
        stage, phase, m = action
        at = ready
        if stage == 0 and phase == "F" and pipe.loader:
            loads.append((loads[-1] if pipe.ahead else at) + pipe.loader)
            if loads[-1] > at:
                pipe.events.append(span("data", "data", lane, 3, at, loads[-1], lane=lane, step=step))
                at = loads[-1]
        late = pipe.host.get(lane, 0)
        if late and not pipe.issued:
            pipe.events.append(span("host", "host", lane, 3, at, at + late, lane=lane, step=step))
        at += late
        end = at + pipe.lengths[(step,) + action]
        more = {"issued_us": at / 1000} if late and pipe.issued else {}
        pipe.events.append(span("lanelab", f"{stage}{phase}{m}", lane, 1, at, end, lane=lane, stage=stage, micro_batch=m, phase=phase, step=step, **more))
        busy[lane] += end - at
        free[lane] = ends[action] = end
        arrived[action] = send(action, end)
        place[lane] += 1
    end = max(free)
    pipe.events.append(span("step", f"step {step}", 0, 9, begin, end, step=step))
    for lane in range(lanes):
        pipe.idle_of[lane] += end - begin - busy[lane]
    return end


def span(cat, name, pid, tid, start, end, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": start / 1000, "dur": (end - start) / 1000, "args": args}


def write(pipe, path):
    names = [{"ph": "M", "name": "process_name", "pid": lane, "tid": 0, "args": {"name": f"lane {lane}"}} for lane in range(len(pipe.order))]
    path.write_text(json.dumps({"displayTimeUnit": "ns", "traceEvents": names + pipe.events}), "utf-8")


def equal_pipeline(schedule, lanes, micro_batches, steps):
    """Each action takes 1 ms, or 2 ms for whole backwards."""
    order, lane_of = SCHEDULES[schedule](lanes, micro_batches)
    lengths = {(step,) + action: 2_000_000 if action[1] == "B" else 1_000_000
               for step in range(steps) for row in order for action in row}
    return Pipeline(order, lane_of, lengths, steps)


def plant(pipe, cause, rng):
    """Plants the cause in the pipeline."""
    lanes, links = len(pipe.order), range(len(pipe.lane_of) - 1)
    if cause == "data":
        pipe.loader, pipe.ahead = rng.randrange(1500, 4500) * 1000, rng.random() < 0.5
    elif cause == "transfer":
        time = rng.randrange(300, 1500) * 1000
        pipe.links = {link: time for link in (links if rng.random() < 0.5 else [rng.choice(links)])}
    elif cause == "host":
        late, who = rng.randrange(200, 900) * 1000, range(lanes) if rng.random() < 0.5 else [rng.randrange(lanes)]
        pipe.host, pipe.issued = {lane: late for lane in who}, rng.random() < 0.5
    elif cause == "imbalance":
        slow, percent = rng.randrange(len(pipe.lane_of)), rng.randrange(140, 250)
        pipe.lengths = {key: length * percent // 100 if key[1] == slow else length for key, length in pipe.lengths.items()}
    elif cause == "jitter":
        # One action in forty takes several times as long.
        keys = sorted(pipe.lengths)
        for key in rng.sample(keys, max(1, len(keys) // 40)):
            pipe.lengths[key] *= rng.randrange(3, 7)
    elif cause == "smaller":
        last, percent = max(key[3] for key in pipe.lengths), rng.randrange(30, 80)
        pipe.lengths = {key: length * percent // 100 if key[3] == last else length for key, length in pipe.lengths.items()}
    return pipe


def random_case(cause, seed):
    """(pipeline with the cause, the same without it, words)"""
    rng = random.Random(seed)
    schedule = rng.choice(sorted(SCHEDULES))
    lanes = rng.randint(2, 8)
    micro_batches = rng.randint(2, 4) * lanes if schedule == "interleaved" else rng.randint(max(4, lanes), 3 * lanes + 2)
    steps = rng.randint(1, 3)
    with_cause = play(plant(equal_pipeline(schedule, lanes, micro_batches, steps), cause, rng))
    without = equal_pipeline(schedule, lanes, micro_batches, steps)
    if cause == "imbalance":  # the same work, spread equally
        for phase in "FBIW":
            own = [length for key, length in with_cause.lengths.items() if key[2] == phase]
            for key in without.lengths:
                if key[2] == phase:
                    without.lengths[key] = sum(own) // len(own)
    return with_cause, play(without), f"{schedule}, {lanes} lanes, {micro_batches} micro-batches, {steps} steps"
