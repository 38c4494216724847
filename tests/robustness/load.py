# SPDX-License-Identifier: GPL-3.0-only
"""Much of everything: lanes, steps, repeats, variants, runs, events, and orders of actions."""
import json
import random
import shutil
import statistics
import subprocess
import time

from trials import TOY, Tally, write_experiment

FLAT = 1.05  # memory at the end over memory in the middle


def resident_mb(process):
    try:
        with open(f"/proc/{process.pid}/status") as status:
            return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS")), 0)
    except OSError:
        return 0


def memory_while(world, tally, folder, experiment, what, limit_s):
    """Runs it and compares the memory at the end with that of the middle; what comes before the first step is left out."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    process = world.start("run", experiment, "--out", "out", folder=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begin = time.monotonic()
    samples = []
    while process.poll() is None and time.monotonic() - begin < limit_s:
        if (folder / "out" / "run.json").exists():
            samples.append(resident_mb(process))
        time.sleep(0.05)
    tally.trials += 1
    if process.poll() is None:
        process.kill()
        process.wait()
        return tally.hang(f"{what}: over {limit_s} s")
    if process.returncode != 0:
        return tally.crash(f"{what}: exit {process.returncode}")
    tally.slowest_s = max(tally.slowest_s, time.monotonic() - begin)
    samples = [sample for sample in samples if sample > 0]
    tally.peak_mb = max(tally.peak_mb, *samples)
    third = len(samples) // 3
    early, late = statistics.median(samples[third:2 * third]), statistics.median(samples[-max(2, len(samples) // 10):])
    tally.expect(late <= early * FLAT, f"{what}: memory grew from {early:.0f} to {late:.0f} MB")
    return None


def memory(world):
    """10,000 steps and 500 repeats in flat memory."""
    tally = Tally("10,000 steps and 500 repeats in flat memory")
    folder = world.room("memory")
    steps = {**TOY["data"], "steps": world.count(3000, 10_000)}
    memory_while(world, tally, folder, write_experiment(folder, data=steps, repeats=1, record="off"), "steps", 200)
    for record in world.count(["actions"], ["off", "actions", "blocks"]):
        experiment = write_experiment(folder, data={**TOY["data"], "steps": 20}, repeats=world.count(80, 500), record=record, record_cost=False)
        memory_while(world, tally, folder, experiment, f"repeats, record {record}", 300)
    return tally


def crowds(world):
    """64 lanes on the cores that there are, 200 variants, bf16 that overflows, a loss that is NaN at once."""
    tally = Tally("64 lanes, 200 variants, losses that overflow")
    folder = world.room("crowds")
    lanes = [{"device": f"cpu:{i}"} for i in range(64)]
    replicas = [{"name": "Replicas", "strategy": "data-parallel", "lanes": list(range(64))}]
    world.attempt(tally, "run", write_experiment(folder, lanes=lanes, variants=replicas, data={**TOY["data"], "batch": 64, "steps": 5}), "--out", "lanes",
                  what="64 lanes", folder=folder, limit_s=120, codes=(0,))
    variants = [{**TOY["variants"][0], "name": f"V{i}", "split_size": 1 + i % 8} for i in range(world.count(10, 200))]
    world.attempt(tally, "run", write_experiment(folder, variants=variants, record="off", repeats=1), "--out", "variants", what="200 variants", folder=folder,
                  limit_s=240, codes=(0,))
    world.attempt(tally, "compare", "variants", what="compare 200 variants", folder=folder, codes=(0,))
    for precision in ("fp32", "bf16"):
        training = {**TOY["training"], "lr": 1e30, "precision": precision}
        world.attempt(tally, "run", write_experiment(folder, training=training), "--out", precision, what=precision + " overflow", folder=folder, codes=(0, 1))
        for command in (["gaps", precision], ["compare", precision], ["gaps", precision, "--json"]):
            world.attempt(tally, *command, what=f"{command[0]} of {precision} overflow", folder=folder, limit_s=60, codes=(0,))
        json.loads((folder / precision / "run.json").read_text())
    return tally


def random_order(dice, stages, micro_batches):
    """A legal order: one row of actions per stage, drawn by playing the pipeline with random choices."""
    rows, done = [[] for _ in range(stages)], set()
    while True:
        ready = []
        for stage in range(stages):
            for index in range(micro_batches):
                forward, backward = (stage, "F", index), (stage, "B", index)
                if forward not in done and (stage == 0 or (stage - 1, "F", index) in done):
                    ready.append(forward)
                elif forward in done and backward not in done and (stage == stages - 1 or (stage + 1, "B", index) in done):
                    ready.append(backward)
        if not ready:
            return [",".join(f"{stage}{kind}{index}" for stage, kind, index in row) for row in rows]
        action = dice.choice(ready)
        done.add(action)
        rows[action[0]].append(action)


def orders(world):
    """Random legal orders of actions: each runs to its end, to the loss of the whole network."""
    tally = Tally("random legal schedules through `actions`")
    folder = world.room("orders")
    dice = random.Random(17)
    lanes = [{"device": f"cpu:{i}"} for i in range(3)]
    for batch in range(world.count(1, 10)):
        variants = [{"name": "Single", "strategy": "single", "lanes": [0]}]
        for number in range(world.count(20, 100)):
            stages, micro_batches = dice.randint(2, 3), dice.choice([2, 4, 8])
            variants.append({"name": f"Order {number}", "strategy": "pipeline", "split_size": 8 // micro_batches, "lanes": list(range(stages)),
                             "cuts": ["net2"] if stages == 2 else ["relu", "net2"], "actions": random_order(dice, stages, micro_batches)})
        shutil.rmtree(folder / "out", ignore_errors=True)
        experiment = write_experiment(folder, lanes=lanes, variants=variants, repeats=1, record="off", data={**TOY["data"], "steps": 2})
        outcome = world.attempt(tally, "run", experiment, "--out", "out", what=f"batch {batch}", folder=folder, limit_s=120, codes=(0,))
        if outcome.code != 0:
            continue
        losses = [variant["repeats"][0]["losses"] for variant in json.loads((folder / "out" / "run.json").read_text())["variants"]]
        tally.trials += len(losses) - 1
        for variant, found in zip(variants[1:], losses[1:]):
            close = all(abs(a - b) <= 1e-4 * abs(b) for a, b in zip(found, losses[0]))
            tally.expect(close, f"{variant['actions']} trained to {found}, not {losses[0]}")
    return tally


def histories(world):
    """A folder of 5,000 runs, with damaged ones among them, in the window's list."""
    tally = Tally("a folder of 5,000 runs")
    folder = world.room("histories")
    window = world.cli.parent / "lanelab"
    if not window.exists():
        tally.skipped = "built without the window"
        return tally
    assert world.run("run", write_experiment(folder), "--out", "one", folder=folder).code == 0
    record = json.loads((folder / "one" / "run.json").read_text())
    for number in range(world.count(300, 5000)):
        run = folder / "runs" / f"run-{number:04}"
        run.mkdir(parents=True)
        text = json.dumps({**record, "id": run.name})
        (run / "run.json").write_text(text if number % 50 else text[:number])
    world.attempt(tally, "--time-start", "--runs", "runs", what="the window's start", folder=folder, program=window, limit_s=120, memory_mb=1500)
    return tally


def events(world):
    """A trace of 10 million events, in linear time and memory."""
    tally = Tally("a trace of 10 million events")
    folder = world.room("events")
    count = world.count(300_000, 10_000_000)
    with open(folder / "trace.json", "w") as out:
        out.write('{"traceEvents":[\n')
        for first in range(0, count, 10_000):
            out.write("".join(f'{{"ph":"X","pid":{i % 8},"tid":1,"ts":{i * 2},"dur":1.5,"name":"op{i % 100}","cat":"cpu_op"}},\n' for i in range(first, first + 10_000)))
        out.write('{"ph":"M","pid":1,"name":"process_name","args":{"name":"last"}}]}\n')
    outcome = world.attempt(tally, "import", "trace.json", "--out", "out", "--json", what="import", folder=folder, limit_s=240, memory_mb=200 + count * 0.0005, codes=(0,))
    tally.expect(outcome.code != 0 or json.loads(outcome.out)["spans"] == count, "events of a large trace")
    return tally
