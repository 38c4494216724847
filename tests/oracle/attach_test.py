#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""attach on a job under torchrun with PyTorch's debug server: all ranks, one that is stopped, and one that is killed while it records.

Usage: attach_test.py PATH_OF_LANELAB_CLI [--ranks N]. One job of two ranks by default. Runs in the Python whose PyTorch LaneLab is built with.
"""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

CLI, RANKS = "", 2
HERE = pathlib.Path(__file__).resolve().parent
START_LIMIT_S, ATTACH_LIMIT_S = 150, 60
MONITOR_S = 600  # torchrun ends a job when it sees that a rank has ended: later than this test needs


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def environment_of(folder):
    """PyTorch's page imports tabulate, for tables that nobody asks for here."""
    (folder / "tabulate.py").write_text("def tabulate(*_, **__):\n    return ''\n")
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(folder)]))}


class Attach(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def started(self):
        """A job whose ranks all listen. Its process group is killed in the end."""
        self.port = free_port()
        command = [sys.executable, "-B", "-m", "torch.distributed.run", "--nproc-per-node", str(RANKS), "--master-port", str(free_port()), "--monitor-interval", str(MONITOR_S),
                   str(HERE / "attached_job.py"), str(self.folder), str(self.port)]
        self.log = open(self.folder / "log", "w+")
        self.addCleanup(self.log.close)
        job = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=environment_of(self.folder))
        self.addCleanup(self.end, job)
        self.wait_until(lambda: all(self.pid_of(rank) for rank in range(RANKS)) and self.page_listens(), job)

    def end(self, job):
        (self.folder / "end").touch()
        for rank in range(RANKS):  # torchrun gives each rank a session of its own
            if pid := self.pid_of(rank):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(os.getpgid(pid), signal.SIGKILL)
        job.kill()
        job.wait(10)

    def pid_of(self, rank):
        file = self.folder / f"rank{rank}"
        text = file.read_text() if file.exists() else ""
        return int(text) if text else None

    def page_listens(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def wait_until(self, condition, process):
        deadline = time.monotonic() + START_LIMIT_S
        while not condition():
            self.assertIsNone(process.poll(), (self.folder / "log").read_text())
            self.assertLess(time.monotonic(), deadline, (self.folder / "log").read_text())
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)

    def attaching(self, out, seconds):
        return subprocess.Popen([CLI, "attach", f"localhost:{self.port}", "--seconds", str(seconds), "--grace", "30", "--out", self.folder / out, "--json"], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def result_of(self, process, code):
        try:
            out, words = process.communicate(timeout=ATTACH_LIMIT_S)
        finally:
            process.kill()
        self.assertEqual(process.returncode, code, words + (self.folder / "log").read_text())
        return json.loads(out), words

    def records_all(self, out):
        told, _ = self.result_of(self.attaching(out, 0.5), 0)
        self.assertEqual((told["ranks"], told["missing"]), (list(range(RANKS)), []))
        stats = subprocess.run([CLI, "gaps", self.folder / out, "--json"], capture_output=True, text=True, timeout=ATTACH_LIMIT_S)
        self.assertEqual(stats.returncode, 0, stats.stderr)
        lanes = " ".join(lane["name"] for lane in json.loads(stats.stdout)["lanes"])
        for rank in range(RANKS):
            self.assertIn(f"rank {rank}", lanes)

    def misses_the_last(self, process):
        """The reason why the last rank gave no trace, where all others did."""
        told, words = self.result_of(process, 1)
        self.assertEqual((told["ranks"], [rank["rank"] for rank in told["missing"]]), (list(range(RANKS - 1)), [RANKS - 1]), words)
        return told["missing"][0]["reason"]

    def test_records_whoever_answers(self):
        self.started()
        self.records_all("whole")
        last = self.pid_of(RANKS - 1)
        os.kill(last, signal.SIGSTOP)
        self.assertIn("It may be stopped", self.misses_the_last(self.attaching("stopped", 0.5)))
        os.kill(last, signal.SIGCONT)
        self.records_all("continued")
        recording = self.folder / f"recording{RANKS - 1}"
        recording.unlink()
        attaching = self.attaching("killed", 4)
        self.wait_until(recording.exists, attaching)
        os.kill(last, signal.SIGKILL)
        self.assertNotEqual(self.misses_the_last(attaching), "")


if __name__ == "__main__":
    CLI = os.path.abspath(sys.argv.pop(1))
    if "--ranks" in sys.argv:
        place = sys.argv.index("--ranks")
        RANKS = int(sys.argv[place + 1])
        del sys.argv[place:place + 2]
    unittest.main()
