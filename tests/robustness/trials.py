# SPDX-License-Identifier: GPL-3.0-only
"""One trial of the attack: a command is run with a limit on its time and memory, and what it did is counted."""
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import time

# Exit codes that a command may end with: done, failed, bad input, cancelled. Anything else is a crash, as is a sentence about an unexpected error.
CODES = (0, 1, 2, 130)
CRASH_WORDS = ("Unexpected:", "terminate called", "AddressSanitizer", "runtime error:", "Traceback")

TOY = {
    "name": "toy",
    "model": {"arch": "toy", "classes": 5},
    "data": {"source": "random", "shape": [10], "batch": 8, "steps": 3},
    "training": {"loss": "mse", "optimizer": "sgd", "lr": 0.01, "seed": 0},
    "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
    "variants": [{"name": "Pipeline", "strategy": "pipeline", "schedule": "gpipe", "split_size": 4, "cuts": ["net2"]}],
    "repeats": 2,
    "warmup": 0,
}


@dataclasses.dataclass
class Tally:
    """What the trials of one kind of fault did."""
    kind: str
    trials: int = 0
    crashes: int = 0
    hangs: int = 0
    lost: int = 0
    unclear: int = 0  # ends without the sentence that was expected
    slowest_s: float = 0
    peak_mb: float = 0
    skipped: str = ""
    faults: list = dataclasses.field(default_factory=list)

    def crash(self, what):
        self.crashes += 1
        self.faults.append("crash: " + what)

    def hang(self, what):
        self.hangs += 1
        self.faults.append("hang: " + what)

    def lose(self, what):
        self.lost += 1
        self.faults.append("lost: " + what)

    def end_unclear(self, what):
        self.unclear += 1
        self.faults.append("unclear: " + what)

    def expect(self, holds, what):
        """Counts what was lost, or is untrue, as data lost."""
        if not holds:
            self.lose(what)

    @property
    def clean(self):
        return self.crashes + self.hangs + self.lost + self.unclear == 0


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str
    seconds: float
    peak_mb: float
    hung: bool


def peak_of(process):
    """Peak of its resident memory so far, in MB. The rusage of a child would begin with the peak of this process."""
    try:
        with open(f"/proc/{process.pid}/status") as status:
            return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


class World:
    """The program under attack, and a folder of its own for each kind of fault."""

    def __init__(self, cli, full):
        self.cli = pathlib.Path(cli).resolve()
        self.full = full
        self._folder = tempfile.TemporaryDirectory(prefix="lanelab-attack-")
        self.folder = pathlib.Path(self._folder.name)
        self.data = pathlib.Path(__file__).resolve().parents[1] / "data"

    def close(self):
        self._folder.cleanup()

    def count(self, sample, full):
        return full if self.full else sample

    def limit(self, seconds):
        """How long something may take. A sample runs among other tests, on machines that have more to do."""
        return seconds if self.full else 4 * seconds

    def room(self, name):
        path = self.folder / name
        path.mkdir()
        return path

    def environment(self, **changes):
        environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment.update(LANELAB_PROFILES=str(self.folder / "profiles"), QT_QPA_PLATFORM="offscreen", **changes)
        return environment

    def start(self, *arguments, folder, program=None, **options):
        command = [str(program or self.cli), *map(str, arguments)]
        return subprocess.Popen(command, cwd=folder, **{"stdin": subprocess.DEVNULL, "env": self.environment(), **options})

    def run(self, *arguments, folder, limit_s=30, program=None, **options):
        """Runs a command to its end; kills it at the limit."""
        with open(folder / ".out", "w+b") as out, open(folder / ".err", "w+b") as err:
            begin = time.monotonic()
            process = self.start(*arguments, folder=folder, program=program, **{"stdout": out, "stderr": err, **options})
            peak_mb = 0
            hung = False
            while process.poll() is None:
                peak_mb = max(peak_mb, peak_of(process))
                if time.monotonic() - begin > self.limit(limit_s):
                    hung = True
                    process.kill()
                    process.wait()
                else:
                    time.sleep(0.004)
            seconds = time.monotonic() - begin
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode(errors="replace"))
        return Outcome(process.returncode, *texts, seconds, peak_mb, hung)

    def attempt(self, tally, *arguments, what, memory_mb=1500, codes=CODES, **options):
        """Runs a command and counts a crash, a hang, too much memory, or an exit code that is not expected."""
        outcome = self.run(*arguments, **options)
        tally.trials += 1
        tally.slowest_s = max(tally.slowest_s, outcome.seconds)
        tally.peak_mb = max(tally.peak_mb, outcome.peak_mb)
        said = f"{what}: exit {outcome.code} after {outcome.seconds:.1f} s, {outcome.peak_mb:.0f} MB: {outcome.err.strip()[-300:]}"
        if outcome.hung:
            tally.hang(said)
        elif outcome.code not in codes or any(word in outcome.err for word in CRASH_WORDS):
            tally.crash(said)
        elif outcome.peak_mb > memory_mb:
            tally.crash("memory, " + said)
        elif outcome.code != 0 and not outcome.err.strip():
            tally.lose("no sentence, " + said)
        return outcome


def write_experiment(folder, name="experiment.json", **changes):
    file = folder / name
    file.write_text(json.dumps({**TOY, **changes}))
    return file


def status_of(folder):
    """As run.json has it; nothing if there is none."""
    try:
        return json.loads((folder / "run.json").read_text())["status"]
    except FileNotFoundError:
        return None
