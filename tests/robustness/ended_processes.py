# SPDX-License-Identifier: GPL-3.0-only
"""Processes that are ended, stopped or refused a write at any moment: nothing hangs, and what was measured stays."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time

from damaged_files import last_losses
from trials import TOY, Tally, status_of, write_experiment

# The promise is 0.3 s; the rest is for a machine that has more to do.
END_LIMIT_S = 2.0


def wait(process, limit_s):
    """The exit code, or None after the limit."""
    try:
        return process.wait(limit_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def signals(world):
    """SIGINT and SIGTERM at random moments of each command."""
    tally = Tally("SIGINT and SIGTERM at random moments")
    folder = world.room("signals")
    experiment = write_experiment(folder, data={**TOY["data"], "steps": 200_000})
    bomb = folder / "bomb.json"
    bomb.write_bytes(b'{"ph":"X","args":{' * 3_000_000)
    commands = {"run": ["run", experiment, "--out", "out"], "import": ["import", bomb, "--out", "out"], "gaps": ["gaps", bomb],
                "profile": ["profile", write_experiment(folder, "p.json", model={"arch": "resnet18", "classes": 5})],
                "sweep": ["sweep", experiment, "--out", "out"], "check": ["check", experiment]}
    dice = random.Random(11)
    for trial in range(world.count(6, 240)):
        name, command = list(commands.items())[trial % len(commands)]
        shutil.rmtree(folder / "out", ignore_errors=True)
        process = world.start(*command, folder=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.01, 1.5))
        tally.trials += 1
        if process.poll() is not None:
            continue
        process.send_signal(dice.choice([signal.SIGINT, signal.SIGTERM]))
        begin = time.monotonic()
        code = wait(process, world.limit(END_LIMIT_S))
        tally.slowest_s = max(tally.slowest_s, time.monotonic() - begin)
        if code is None:
            tally.hang(f"{name} did not end within {world.limit(END_LIMIT_S)} s of a signal")
        elif code not in (0, 2, 130, -signal.SIGINT, -signal.SIGTERM):  # 2: the bomb was refused just then
            tally.crash(f"{name} ended with {code} after a signal")
        left = [file.name for file in folder.rglob("*") if ".part" in file.name or file.name.endswith(".tmp")]
        tally.expect(not left, f"{name} left partial files: {left}")
        if (folder / "out" / "run.json").exists():
            tally.expect(status_of(folder / "out") in ("cancelled", "done"), f"{name} left a run as {status_of(folder / 'out')}")
    return tally


def kills(world):
    """SIGKILL at a random moment, then --resume: the same losses as without."""
    tally = Tally("kill -9 and resume")
    folder = world.room("kills")
    experiment = write_experiment(folder, data={**TOY["data"], "steps": 400}, training={**TOY["training"], "momentum": 0.9}, repeats=2, record="off")
    assert world.run("run", experiment, "--out", "whole", folder=folder, limit_s=120).code == 0
    losses = last_losses(folder / "whole")
    dice = random.Random(13)
    for trial in range(world.count(1, 60)):
        shutil.rmtree(folder / "out", ignore_errors=True)
        for _ in range(dice.randint(1, 3)):
            resume = ["--resume"] if (folder / "out" / "run.json").exists() else []
            if not resume:
                shutil.rmtree(folder / "out", ignore_errors=True)
            process = world.start("run", experiment, "--out", "out", "--checkpoint", 5, *resume, folder=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0.05, 1.2))
            process.kill()
            process.wait()
        if not (folder / "out" / "run.json").exists():
            shutil.rmtree(folder / "out", ignore_errors=True)
        outcome = world.attempt(tally, "run", experiment, "--out", "out", "--resume", what=f"trial {trial}", folder=folder, limit_s=60, codes=(0,))
        tally.expect(outcome.code != 0 or last_losses(folder / "out") == losses, f"trial {trial} resumed to other losses")
    return tally


def writes(world):
    """Closed pipes, a file size limit, a read-only folder, a full disk."""
    tally = Tally("refused writes: closed pipes, size limits, a full disk")
    folder = world.room("writes")
    experiment = write_experiment(folder, data={**TOY["data"], "steps": 50})
    for stream in ("stdout", "stderr"):
        for trial in range(world.count(1, 10)):
            shutil.rmtree(folder / "out", ignore_errors=True)
            reader, writer = os.pipe()
            os.close(reader)
            outcome = world.attempt(tally, "run", experiment, "--out", "out", what=f"closed {stream}", folder=folder, codes=(0, 1), **{stream: writer})
            os.close(writer)
            tally.expect(status_of(folder / "out") == "done", f"closed {stream}: the run is {status_of(folder / 'out')}")
            del outcome, trial
    for size in world.count([1, 20_000], [1, 100, 1000, 4000, 8000, 12_000, 20_000, 50_000, 100_000]):
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, "run", experiment, "--out", "out", what=f"file size limit {size}", folder=folder, codes=(0, 1),
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    full_disk(world, tally, folder, experiment)
    return tally


def full_disk(world, tally, folder, experiment):
    """A tmpfs of a few kilobytes; needs root."""
    disk = folder / "disk"
    disk.mkdir()
    assert world.run("run", experiment, "--out", "whole", folder=folder).code == 0
    for size in world.count(["16k"], ["4k", "8k", "16k", "24k", "32k", "48k", "64k", "96k"]):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "none", disk], capture_output=True)
        if mounted.returncode != 0:
            tally.skipped = "full disk: no right to mount"
            return
        try:
            for form in ("chrome", "perfetto", "csv"):
                outcome = world.attempt(tally, "export", "whole", "--what", "trace", "--format", form, "--out", disk / "trace", what=f"{form} on {size}", folder=folder, codes=(0, 1))
                tally.expect(outcome.code == 0 or not list(disk.iterdir()), f"{form} on {size} left a part behind")
                (disk / "trace").unlink(missing_ok=True)
            world.attempt(tally, "run", experiment, "--out", disk / "run", what=f"run on {size}", folder=folder, codes=(0, 1))
            record = disk / "run" / "run.json"
            if record.exists():
                json.loads(record.read_text())
        finally:
            subprocess.run(["umount", disk], check=True)


def shared_folders(world):
    """Two processes on one run folder, and a folder that is deleted under a run."""
    tally = Tally("two processes on one folder, and deleted folders")
    folder = world.room("shared")
    experiment = write_experiment(folder, data={**TOY["data"], "steps": world.count(300, 1500)})
    for trial in range(world.count(1, 20)):
        shutil.rmtree(folder / "out", ignore_errors=True)
        both = [world.start("run", experiment, "--out", "out", folder=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
        codes = sorted(str(wait(process, 60)) for process in both)
        tally.trials += 1
        if "None" in codes:
            tally.hang(f"two processes, trial {trial}")
        tally.expect(codes == ["0", "2"], f"two processes on one folder ended with {codes}")
        tally.expect(status_of(folder / "out") == "done", f"two processes: the run is {status_of(folder / 'out')}")
    for trial in range(world.count(1, 20)):
        shutil.rmtree(folder / "out", ignore_errors=True)
        process = world.start("run", experiment, "--out", "out", folder=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while not (folder / "out" / "run.json").exists() and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
        time.sleep(trial * 0.01)
        shutil.rmtree(folder / "out", ignore_errors=True)
        code = wait(process, 60)
        tally.trials += 1
        if code is None:
            tally.hang(f"deleted folder, trial {trial}")
        elif code not in (0, 1):
            tally.crash(f"deleted folder, trial {trial}: {code}: {process.stderr.read()[-300:]}")
        process.stderr.close()
    return tally


CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static long jump(void) {  /* forwards and backwards by an hour, every 64 calls */
  static unsigned calls;
  return (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) / 64) % 2 ? 3600 : -3600;
}
int clock_gettime(clockid_t clock, struct timespec* at) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, at);
  if (clock == CLOCK_REALTIME) at->tv_sec += jump();
  return result;
}
time_t time(time_t* at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
int gettimeofday(struct timeval* at, void* zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}
"""


def clocks(world):
    """The wall clock jumps by an hour, both ways, all the time."""
    tally = Tally("jumps of the wall clock")
    folder = world.room("clocks")
    (folder / "clock.c").write_text(CLOCK)
    if subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "clock.so", folder / "clock.c", "-ldl"], capture_output=True).returncode != 0:
        tally.skipped = "no C compiler"
        return tally
    experiment = write_experiment(folder, data={**TOY["data"], "steps": 200})
    for trial in range(world.count(1, 30)):
        shutil.rmtree(folder / "out", ignore_errors=True)
        environment = world.environment(LD_PRELOAD=str(folder / "clock.so"))
        outcome = world.attempt(tally, "run", experiment, "--out", "out", what=f"trial {trial}", folder=folder, codes=(0,), env=environment)
        if outcome.code != 0:
            continue
        seconds = [repeat["seconds"] for variant in json.loads((folder / "out" / "run.json").read_text())["variants"] for repeat in variant["repeats"]]
        tally.expect(all(0 < value < 60 for value in seconds), f"trial {trial}: repeats took {seconds} s")
        spans = world.run("gaps", "out", "--json", folder=folder)
        tally.expect(spans.code == 0 and all(0 <= lane["busy_us"] < 60e6 for lane in json.loads(spans.out)["lanes"]), f"trial {trial}: lanes' times")
    return tally
