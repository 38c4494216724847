#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Faults between the processes of a run, played with real ranks: what differs, who is missing or too many, what is slow, stopped, killed or removed.

Usage: ranks.py [--quick] [PATH_OF_LANELAB_CLI]. Prints a row for each kind of fault and exits 1 if anything crashed, hung, lost data or ended without a clear sentence.
--quick plays one trial of each kind that needs no network namespace, and that tests/unit/dist, cli/replicas or ended_processes.py do not play in every test run.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from free_port import free_port
from trials import Tally
from tun_cable import Cable, can_be_laid

EXPERIMENT = ROOT / "resources" / "experiments" / "ddp.json"
# By tests/unit/dist/processes_test.cpp, tests/unit/cli/replicas_test.py, and shared_folders() of ended_processes.py.
PLAYED_BY_OTHER_TESTS = {"differing_experiments", "port_of_another_program", "killed_rank", "removed_folder", "listening_addresses", "two_runs_in_one_folder"}
SENTENCE_LIMIT_S = 15   # from the start of the last rank to its sentence
RUN_LIMIT_S = 120       # for a run that must end well
OWN_WORDS = re.compile(r"gloo/|\.cc:|\.cpp:|c10d|keys:|Timed out waiting|Exception raised|enforce fail")
CRASHES = {-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS, -signal.SIGFPE, -signal.SIGILL, 134, 135, 136, 139}


class Ranks:
    """Processes of a run, each with what it printed so far, in a folder that goes with them."""

    def __init__(self, cli, folder):
        self.cli, self.folder = cli, pathlib.Path(folder)
        self.processes, self.texts, self.readers = [], [], []
        self.started = time.monotonic()

    def start(self, rank, size, port, *options, file=EXPERIMENT, address="127.0.0.1", timeout=60, before=()):
        environment = {**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size), "MASTER_ADDR": address, "MASTER_PORT": str(port),
                       "LANELAB_DIST_TIMEOUT": str(timeout), "OMP_NUM_THREADS": "1", "LANELAB_PROFILES": str(self.folder / "profiles")}
        self.launch([*before, self.cli, "run", str(file), "--out", str(self.folder / "run"), *options], environment)

    def launch(self, command, environment):
        process = subprocess.Popen(command, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(iter(process.stderr.readline, "")), daemon=True)
        reader.start()
        self.processes.append(process)
        self.texts.append(lines)
        self.readers.append(reader)
        self.started = time.monotonic()

    def text(self, rank):
        return "".join(self.texts[rank])

    def wait_for(self, rank, words, limit=RUN_LIMIT_S):
        end = time.monotonic() + limit
        while words not in self.text(rank):
            if time.monotonic() > end or self.processes[rank].poll() is not None:
                return False
            time.sleep(0.02)
        return True

    def signal(self, number, ranks=None):
        for rank in range(len(self.processes)) if ranks is None else ranks:
            self.processes[rank].send_signal(number)

    def codes(self, limit):
        """Exit codes by rank; None for one that hangs."""
        end = self.started + limit
        codes = []
        for process, reader in zip(self.processes, self.readers):
            try:
                codes.append(process.wait(timeout=max(0.1, end - time.monotonic())))
                reader.join(timeout=10)
            except subprocess.TimeoutExpired:
                codes.append(None)
        return codes

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def says(text, words):
    return any(word in text for word in ([words] if isinstance(words, str) else words))


def judge(tally, ranks, limit, expected):
    """`expected` has for each rank its exit code (None: any) and words of its sentence, or several of which one will do."""
    tally.trials += 1
    codes = ranks.codes(limit)
    for rank, (code, (wanted, words)) in enumerate(zip(codes, expected)):
        text = ranks.text(rank)
        if code is None:
            tally.hang(f"rank {rank} hangs: {text[-300:]!r}")
        elif code in CRASHES:
            tally.crash(f"rank {rank} crashed ({code}): {text[-300:]!r}")
        elif (wanted is not None and code != wanted) or not all(says(text, word) for word in words) or OWN_WORDS.search(text):
            tally.end_unclear(f"rank {rank} ended with {code}: {text[-400:]!r}")


def record_of(ranks):
    try:
        return json.loads((ranks.folder / "run" / "run.json").read_text())
    except (OSError, ValueError):
        return None


def expect_status(tally, ranks, status):
    record = record_of(ranks)
    if record is None or record["status"] != status:
        tally.lose(f"run.json: {record and record['status']!r} instead of {status!r}")


class Faults:
    """One method for each kind of fault. The longer ones begin first."""

    def __init__(self, cli, quick):
        self.cli, self.quick = cli, quick

    def world(self):
        return Ranks(self.cli, tempfile.mkdtemp(prefix="lanelab-ranks-"))

    def lasting(self, ranks, size=2):
        """A run that does not end by itself, after its first repeat."""
        port = free_port()
        for rank in range(size):
            ranks.start(rank, size, port, "--set", "data.steps=200", "--set", "repeats=100000", "--set", "warmup=0", "--set", "record=off")
        ranks.wait_for(0, "[1/")
        return port

    @staticmethod
    def expect_progress(tally, ranks):
        """Three more repeats from now on, then the end that the user asks for."""
        tally.trials += 1
        done = ranks.text(0).count("] repeat")
        if not ranks.wait_for(0, f"[{done + 3}/"):
            tally.lose(f"the run did not go on: {ranks.text(0)[-300:]!r}, {ranks.text(1)[-300:]!r}")
        ranks.signal(signal.SIGINT, [0])
        ranks.started = time.monotonic()
        # On a busy machine rank 0 is ended before the others have heard of it.
        judge(tally, ranks, 40, [(130, ["cancelled"]), (1, [("cancelled", "Lost rank 0")])])
        expect_status(tally, ranks, "cancelled")

    def all_stopped(self, tally):
        with self.world() as ranks:
            self.lasting(ranks)
            ranks.signal(signal.SIGSTOP)
            time.sleep(13 if self.quick else 20)  # longer than a silent rank is waited for
            ranks.signal(signal.SIGCONT)
            self.expect_progress(tally, ranks)

    def differing_experiments(self, tally):
        changes = {"training.lr": "0.2", "data.steps": "7", "record": "off", "training.seed": "5", "training.optimizer": "adam", "training.loss": "cross_entropy",
                   "data.batch": "20", "name": "other", "model.classes": "7", "model.arch": "resnet18", "repeats": "2", "warmup": "0", "variants[0].name": "Other"}
        for key, value in list(changes.items())[:3 if self.quick else None]:
            with self.world() as ranks:
                port = free_port()
                more = ["--set", "data.shape=[3,32,32]", "--set", "model.classes=10"] if key == "model.arch" else []
                ranks.start(0, 2, port)
                ranks.start(1, 2, port, "--set", f"{key}={value}", *more)
                words = ["" if more else key, "on rank 0 and", "on rank 1. Start all ranks with the same file and options."]
                judge(tally, ranks, SENTENCE_LIMIT_S, [(2, words)] * 2)

    def unknown_machine(self, tally):
        with self.world() as ranks:
            for rank in range(2):
                ranks.start(rank, 2, 29500, address="no-such-machine.invalid")
            judge(tally, ranks, SENTENCE_LIMIT_S, [(2, ["MASTER_ADDR: cannot find the machine \"no-such-machine.invalid\""])] * 2)

    def port_of_another_program(self, tally):
        for answer in (None, b"HTTP/1.1 400 Bad Request\r\n\r\n")[:1 if self.quick else None]:
            with socket.socket() as listener, self.world() as ranks:
                listener.bind(("127.0.0.1", 0))
                listener.listen()
                threading.Thread(target=serve, args=(listener, answer), daemon=True).start()
                for rank in range(2):
                    ranks.start(rank, 2, listener.getsockname()[1])
                judge(tally, ranks, SENTENCE_LIMIT_S, [(1, ["another program uses the port", "MASTER_PORT"]), (1, ["is not rank 0 of a LaneLab run", "MASTER_PORT"])])

    def second_run_on_the_port(self, tally):
        with self.world() as first, self.world() as second:
            port = self.lasting(first)
            for rank in range(2):
                second.start(rank, 2, port)
            judge(tally, second, SENTENCE_LIMIT_S, [(1, ["another program uses the port"]), (2, ["Rank 1 of the run at", "is already"])])
            self.expect_progress(tally, first)

    def processes_too_many(self, tally):
        with self.world() as ranks, self.world() as more:
            port = self.lasting(ranks)
            more.start(1, 2, port)
            more.start(2, 3, port)
            judge(tally, more, SENTENCE_LIMIT_S, [(2, ["Rank 1 of the run at", "is already"]), (2, ["as one of 3 processes", "as one of 2"])])
            self.expect_progress(tally, ranks)
        with self.world() as ranks:  # and rank 2 nowhere
            port = free_port()
            for rank in (0, 1, 1):
                ranks.start(rank, 3, port)
            judge(tally, ranks, SENTENCE_LIMIT_S, [(2, ["Rank 1 of the run at", "is already"])] * 3)

    def killed_rank(self, tally):
        for lost in (1, 0)[:1 if self.quick else None]:
            with self.world() as ranks:
                self.lasting(ranks, size=3)
                ranks.signal(signal.SIGKILL, [lost])
                ranks.started = time.monotonic()
                expected = [(1, [f"rank {lost} ("])] * 3
                expected[lost] = (None, [])
                judge(tally, ranks, 30, expected)
                if lost:
                    expect_status(tally, ranks, "failed")

    def removed_folder(self, tally):
        with self.world() as ranks:
            self.lasting(ranks)
            remove(ranks.folder / "run")
            ranks.started = time.monotonic()
            judge(tally, ranks, 40, [(1, ["it was removed or moved"])] * 2)
        for file, marks, options in () if self.quick else self.further_removals():
            with self.world() as ranks:
                port = free_port()
                for rank in range(2):
                    ranks.start(rank, 2, port, *options, file=file)
                while not list(ranks.folder.glob(f"run/{marks}")) and ranks.processes[0].poll() is None:
                    time.sleep(0.02)
                remove(ranks.folder / "run")
                ranks.started = time.monotonic()
                judge(tally, ranks, 40, [(1, [str(ranks.folder)])] * 2)

    @staticmethod
    def further_removals():
        """Runs that write checkpoints, weights and traces, of replicas and of a pipeline."""
        digits = ["--set", "data.epochs=2000", "--set", "data.shape=[3,8,8]", "--set", "data.batch=360"]
        lanes = json.dumps([{"device": "cpu:0"}, {"device": "cpu:1", "rank": 1}])
        pipeline = json.dumps([{"name": "Pipeline", "strategy": "pipeline", "split_size": 4, "cuts": ["net2"]}])
        for record in ("off", "blocks"):
            more = ["--set", f"record={record}"]
            yield EXPERIMENT.with_name("ddp-checkpoint.json"), "checkpoint-*", [*digits, *more]
            yield EXPERIMENT, "run.json", ["--set", f"lanes={lanes}", "--set", f"variants={pipeline}", "--set", "repeats=10000", "--save-weights", *more]

    def two_runs_in_one_folder(self, tally):
        with self.world() as ranks:
            environment = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
            command = [self.cli, "run", str(EXPERIMENT), "--out", str(ranks.folder / "run"), "--set", "data.steps=1500", "--set", "repeats=3"]
            ranks.launch(command, environment)
            ranks.wait_for(0, "[1/")
            ranks.launch(command, environment)
            judge(tally, ranks, RUN_LIMIT_S, [(0, []), (2, ["Another process is using the run folder"])])
            expect_status(tally, ranks, "done")

    def listening_addresses(self, tally):
        with self.world() as ranks:
            self.lasting(ranks)
            tally.trials += 1
            for process in ranks.processes:
                others = [address for address in listening_of(process.pid) if address != "127.0.0.1"]
                if others:
                    tally.end_unclear(f"listens at {others}")

    def slow_and_lossy_network(self, tally):
        if self.quick or not can_be_laid():
            tally.skipped = "needs root, ip and /dev/net/tun, and not --quick"
            return
        options = ["--set", "data.steps=4", "--set", "repeats=2", "--set", "warmup=0"]
        with self.world() as ranks:
            port = free_port()
            for rank in range(2):
                ranks.start(rank, 2, port, *options)
            judge(tally, ranks, RUN_LIMIT_S, [(0, [])] * 2)
            expected = losses_of(ranks)
        for delay, jitter, loss in ((0.05, 0.02, 0), (0.01, 0, 0.05)):
            with Cable(delay, jitter, loss) as cable, self.world() as ranks:
                port = free_port()
                for rank, name in enumerate(cable.names):
                    ranks.start(rank, 2, port, *options, address="10.77.0.1", before=["ip", "netns", "exec", name])
                judge(tally, ranks, RUN_LIMIT_S, [(0, [])] * 2)
                expect_status(tally, ranks, "done")
                tally.expect(losses_of(ranks) == expected, "the losses are not those without delay and loss")


def losses_of(ranks):
    record = record_of(ranks)
    return record and [[repeat["losses"] for repeat in variant["repeats"]] for variant in record["variants"]]


def serve(listener, answer):
    """Takes every connection, answers the first bytes with `answer` or never."""
    held = []
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        held.append(connection)
        if answer:
            connection.recv(64)
            connection.sendall(answer)


def remove(folder):
    """Again and again, since the run writes into it."""
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


def listening_of(pid):
    """Addresses at which a process and its children listen."""
    pids = [str(pid), *pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    inodes = set()
    for one in pids:
        for entry in pathlib.Path(f"/proc/{one}/fd").iterdir():
            try:
                inodes.update(re.findall(r"socket:\[(\d+)\]", os.readlink(entry)))
            except OSError:
                pass
    addresses = []
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                raw = bytes.fromhex(fields[1].split(":")[0])
                family = socket.AF_INET if len(raw) == 4 else socket.AF_INET6
                addresses.append(socket.inet_ntop(family, b"".join(raw[i:i + 4][::-1] for i in range(0, len(raw), 4))))
    return addresses


def play(cli, quick, only=""):
    """A tally for each kind of fault whose name holds `only`."""
    faults = Faults(str(pathlib.Path(cli).resolve()), quick)
    helpers = ("world", "lasting", "expect_progress", "further_removals")
    left_out = {*helpers, *(PLAYED_BY_OTHER_TESTS if quick and not only else ())}
    kinds = [name for name in vars(Faults) if not name.startswith("_") and name not in left_out and only in name]
    tallies = {name: Tally("ranks: " + name.replace("_", " ")) for name in kinds}
    with concurrent.futures.ThreadPoolExecutor(max_workers=6 if quick else 2) as pool:
        for name, future in [(name, pool.submit(getattr(faults, name), tallies[name])) for name in kinds]:
            if error := future.exception():
                tallies[name].crash(f"the trial itself broke: {error!r}")
    return list(tallies.values())


def faults_between_ranks(world):
    """All kinds, as tallies of the attack."""
    return play(world.cli, not world.full)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="the kinds whose name holds this")
    parser.add_argument("cli", nargs="?", default=str(ROOT / "build" / "release" / "bin" / "lanelab-cli"))
    options = parser.parse_args()
    tallies = play(options.cli, options.quick, options.only or "")
    print(f"{'kind':<36}{'trials':>8}{'crashes':>9}{'hangs':>7}{'data lost':>11}{'unclear':>9}")
    for tally in tallies:
        print(f"{tally.kind:<36}{tally.trials:>8}{tally.crashes:>9}{tally.hangs:>7}{tally.lost:>11}{tally.unclear:>9}")
    for tally in tallies:
        for fault in tally.faults:
            print(f"{tally.kind}: {fault}")
        if tally.skipped:
            print(f"{tally.kind}: skipped: {tally.skipped}")
    return 0 if all(tally.clean for tally in tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
