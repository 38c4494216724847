# SPDX-License-Identifier: GPL-3.0-only
"""Files that were damaged on the way: bits flipped, ends cut, parts repeated or removed."""
import json
import random
import shutil
import subprocess
import time

from trials import TOY, Tally, write_experiment


def damaged(data, dice):
    """A copy of the bytes with one to four random faults."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        if not data:
            break
        at = dice.randrange(len(data))
        length = min(len(data) - at, 1 << dice.randint(0, 10))
        kind = dice.randrange(6)
        if kind == 0:
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            del data[at:at + length]
        elif kind == 3:
            data[at:at] = data[at:at + length] * dice.randint(1, 20)
        elif kind == 4:
            data[at:at + length] = bytes(dice.randrange(256) for _ in range(length))
        else:
            data[at:at + 1] = dice.choice([b"{", b"[", b'"', b"\\", b"}", b"\0", b"\xff", b"-", b"9" * 40, b"1e999", b"null"])
    return bytes(data)


def attack_files(world, tally, folder, files, trials, arguments, **options):
    """Each trial damages one of the files and hands it to the command that `arguments` makes of its path."""
    dice = random.Random(tally.kind)
    originals = [(file, file.read_bytes()) for file in files]
    for trial in range(trials):
        file, data = originals[trial % len(originals)]
        victim = folder / ("damaged" + "".join(file.suffixes))
        victim.write_bytes(damaged(data, dice))
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, *arguments(victim), what=f"{file.name}, trial {trial}", folder=folder, **options)


def recorded_run(world, folder):
    """A small run with its trace in all formats, its weights and its record."""
    outcome = world.run("run", write_experiment(folder), "--out", "run", "--save-weights", folder=folder, limit_s=120)
    assert outcome.code == 0, outcome.err
    for form in ("chrome", "perfetto"):
        outcome = world.run("export", "run", "--what", "trace", "--format", form, "--out", "trace." + form, folder=folder)
        assert outcome.code == 0, outcome.err
    return folder / "run"


def traces(world):
    """Traces of every format, damaged, into import and gaps."""
    tally = Tally("damaged traces")
    folder = world.room("traces")
    run = recorded_run(world, folder)
    files = [*sorted((world.data / "traces").glob("*.json")), *sorted(folder.glob("trace.*")), *run.glob("*.json.gz")]
    attack_files(world, tally, folder, files, world.count(60, 2500), lambda file: ["import", file, "--out", "out"], memory_mb=600)
    attack_files(world, tally, folder, files, world.count(20, 500), lambda file: ["gaps", file, "--json"], memory_mb=600)
    return tally


def records(world):
    """run.json, experiments and schedules, damaged."""
    tally = Tally("damaged run records, experiments and schedules")
    folder = world.room("records")
    run = recorded_run(world, folder)
    record = (run / "run.json").read_bytes()
    dice = random.Random(1)
    for trial in range(world.count(8, 400)):
        (run / "run.json").write_bytes(damaged(record, dice))
        world.attempt(tally, "compare", "run", what=f"run.json, trial {trial}", folder=folder)
    experiment = write_experiment(folder, "whole.json", variants=TOY["variants"])
    attack_files(world, tally, folder, [experiment], world.count(4, 400), lambda file: ["run", file, "--dry-run"], limit_s=60)
    schedule = folder / "order.csv"
    schedule.write_text("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n")
    attack_files(world, tally, folder, [schedule], world.count(8, 300), lambda file: ["schedule", "--file", file])
    return tally


def weights(world):
    """Weights, damaged, as a start of a training."""
    tally = Tally("damaged weights")
    folder = world.room("weights")
    run = recorded_run(world, folder)
    files = sorted(run.glob("weights-*.safetensors"))
    def start_from(file):
        return ["run", write_experiment(folder, model={**TOY["model"], "weights": str(file)}), "--out", "out"]
    attack_files(world, tally, folder, files, world.count(2, 400), start_from, limit_s=60)
    return tally


def checkpoints(world):
    """A checkpoint damaged at many places: the run that resumes from it reports that, or ends with the same losses."""
    tally = Tally("checkpoints damaged at 200 places")
    folder = world.room("checkpoints")
    long = write_experiment(folder, data={**TOY["data"], "steps": 60}, training={**TOY["training"], "momentum": 0.9}, repeats=1, record="off")
    assert world.run("run", long, "--out", "whole", folder=folder, limit_s=60).code == 0
    losses = last_losses(folder / "whole")
    checkpoint = stopped_with_checkpoint(world, folder, long)
    if checkpoint is None:
        tally.skipped = "the run ended before it could be stopped"
        return tally
    data = checkpoint.read_bytes()
    name = checkpoint.name
    stopped = folder / "stopped"
    dice = random.Random(7)
    places = [round(i * (len(data) - 1) / 199) for i in range(200)]
    for place in places if world.full else places[::80]:
        again = folder / "again"
        shutil.rmtree(again, ignore_errors=True)
        shutil.copytree(stopped, again)
        broken = bytearray(data)
        if dice.random() < 0.5:
            broken[place] ^= 1 << dice.randrange(8)
        else:
            del broken[place:]
        (again / name).write_bytes(broken)
        outcome = world.attempt(tally, "run", long, "--out", "again", "--resume", what=f"byte {place} of {len(data)}", folder=folder, limit_s=60)
        if outcome.code == 0:
            tally.expect(last_losses(again) == losses, f"byte {place}: resumed to other losses without a word")
    return tally


def last_losses(folder):
    return [variant["repeats"][-1]["losses"] for variant in json.loads((folder / "run.json").read_text())["variants"]]


def stopped_with_checkpoint(world, folder, experiment):
    """A run killed after its first checkpoint, in folder/stopped."""
    for _ in range(6):
        shutil.rmtree(folder / "stopped", ignore_errors=True)
        process = world.start("run", experiment, "--out", "stopped", "--checkpoint", 1, folder=folder, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            found = list((folder / "stopped").glob("checkpoint-*.safetensors"))
            if found:
                process.kill()
                process.wait()
                record = json.loads((folder / "stopped" / "run.json").read_text())
                if record["status"] == "running" and found[0].exists():
                    return found[0]
        process.kill()
        process.wait()
    return None
