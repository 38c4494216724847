#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""What goes wrong outside of the program is an error that says what happened, why, and what to do, and harms nothing.

No GPU, no driver, too little memory, a folder or disk that takes nothing, damaged input.
"""
import ctypes
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import unittest

from cli_world import CLI, EXPERIMENT, TIME_LIMIT_S, CliTest, environment_of

LIBC = ctypes.CDLL(None)
SINGLE = EXPERIMENT["variants"][0]
ONE = {"variants": [SINGLE], "repeats": 1, "warmup": 0}
CROSS_ENTROPY = {"loss": "cross_entropy", "optimizer": "sgd"}
# Activations of about 7 GiB, in tensors of about 300 MiB and more.
LARGE = {**ONE, "model": {"arch": "resnet18"}, "training": CROSS_ENTROPY,
         "data": {"source": "random", "shape": [3, 224, 224], "batch": 200, "steps": 1}}
TOO_LARGE = {**LARGE, "data": {**LARGE["data"], "batch": 100_000}}
HAS_DRIVER = any(pathlib.Path(folder, "libcuda.so.1").exists()
                 for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/cuda/lib64", "/usr/local/nvidia/lib64"))

BAD_JSON = {
    "cut": ('{"name": "small",', r"not valid JSON at line 1, column \d+: unexpected end"),
    "empty": ("", r"is empty|not valid JSON"),
    "no JSON": ("name: small\n", r"not valid JSON at line 1, column \d+"),
    "no object": ("[1, 2]", r"object"),
    "unknown key": ('{"nmae": "small"}', r'nmae.*"name"'),
    "wrong type": ('{"name": 1}', r"name"),
    "key twice": ('{"name": "a", "name": "b"}', r"name.*twice"),
    "nested too deep": ("[" * 100_000, r"deep|not valid JSON"),
    "no text": ("\x00\x01", r"not an experiment|not valid JSON"),
}


def limited(kind, most):
    """For a child process: the limit, and a write beyond it as an error in place of a signal."""
    def limit():
        resource.setrlimit(kind, (most, most))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return limit


def bound_by_permissions():
    """For a child process: root without the capabilities that let it write and read everywhere (linux/prctl.h, linux/capability.h)."""
    drop_from_bounding_set, may_write_everywhere, may_read_everywhere = 24, 1, 2
    if os.geteuid() == 0:
        for capability in (may_write_everywhere, may_read_everywhere):
            LIBC.prctl(drop_from_bounding_set, capability, 0, 0, 0)


class Errors(CliTest):
    def fails(self, arguments, exit_code, what, why, next_step, *, limit=None, stdout=subprocess.PIPE):
        """Each of the three is a pattern in the one sentence on stderr, in that order or not."""
        environment = {**os.environ, "XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config")}
        result = subprocess.run([CLI, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                                text=True, timeout=TIME_LIMIT_S, env=environment, preexec_fn=limit)
        message = result.stderr.strip().split("\n")[-1]
        self.assertEqual(result.returncode, exit_code, result.stderr)
        for pattern in (what, why, next_step):
            self.assertRegex(message, pattern)
        self.assertTrue(message.startswith("lanelab-cli"), message)
        self.assertTrue(message.endswith("."), message)
        self.assertNotRegex(result.stderr, r"(?i)terminate called|what\(\)|segmentation|traceback|frame #|exception raised|\.cpp:\d|Unexpected:")
        return message

    def record(self, folder="out"):
        return json.loads((self.folder / folder / "run.json").read_text(encoding="utf-8"))

    def contents(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    @unittest.skipIf(HAS_DRIVER, "this machine has an NVIDIA driver")
    def test_no_gpu(self):
        file = self.experiment(**ONE, lanes=[{"device": "cuda:0"}])
        before = self.contents()
        self.fails(["run", file, "--out", "out"], 2, r"cuda:0 is not there", "no NVIDIA driver was found", "Use a CPU core such as cpu:0")
        self.assertEqual(self.contents(), before)

    @unittest.skipIf(HAS_DRIVER, "this machine has an NVIDIA driver")
    def test_no_driver(self):
        findings = json.loads(self.done("doctor", "--json").stdout)["findings"]
        gpu = next(finding for finding in findings if finding["what"] == "GPU lanes")
        self.assertEqual((gpu["state"], gpu["found"]), ("note", "none: no NVIDIA driver was found on this machine"))
        self.assertRegex(gpu["advice"], r"For GPU lanes install NVIDIA's driver, \d+ or later")
        text = self.done("doctor").stdout
        self.assertRegex(text, r"(?m)^note +GPU lanes +none: no NVIDIA driver")

    def test_too_little_memory_is_refused_before_anything_is_allocated(self):
        file = self.experiment(**TOO_LARGE)
        before = self.contents()
        self.fails(["run", file, "--out", "out"], 2, r"Single needs [\d.]+ [TP]iB of system memory", r"[\d.]+ GiB are free", r"Use a smaller batch.*--force",
                   limit=limited(resource.RLIMIT_AS, 8 << 30))
        self.assertEqual(self.contents(), before)

    def test_an_allocation_that_fails_in_a_run_ends_it_as_failed(self):
        self.done("run", self.experiment(**ONE), "--out", "before")
        before = self.contents()
        message = self.fails(["run", self.experiment(**LARGE), "--out", "out", "--force"], 1, r"Lane 0 \(cpu:0\), stage 0, micro-batch 0",
                             r"out of memory: a tensor of [\d.]+ [MG]iB does not fit", r"Use a smaller batch",
                             limit=limited(resource.RLIMIT_AS, 3 << 30))
        record = self.record()
        self.assertEqual(record["status"], "failed")
        self.assertIn(record["error"], message)
        self.assertEqual({path: content for path, content in self.contents().items() if path.is_relative_to(self.folder / "before")},
                         {path: content for path, content in before.items() if path.is_relative_to(self.folder / "before")})
        self.assertIn("failed", self.done("compare", "out").stdout + self.done("runs", "--runs", ".").stdout)

    def read_only_folder(self):
        folder = self.folder / "read-only"
        folder.mkdir()
        folder.chmod(0o500)
        return folder

    def test_a_read_only_folder(self):
        folder = self.read_only_folder()
        self.done("run", self.experiment(**ONE), "--out", "run")
        before = self.contents()
        for arguments in (["run", self.experiment(**ONE), "--out", folder / "run"],
                          ["gaps", "run", "--csv", folder / "gaps.csv"],
                          ["export", "run", "--what", "trace", "--format", "chrome", "--out", folder / "trace.json"],
                          ["weights", "toy", "--seed", "1", "--out", folder / "toy.safetensors"]):
            with self.subTest(arguments=arguments):
                self.fails(arguments, 1, re.escape(str(arguments[-1])) + " cannot be (made|written)", "may not be written|read-only", "Choose another folder",
                           limit=bound_by_permissions)
        self.assertEqual(self.contents(), before)

    def test_a_folder_that_takes_nothing(self):
        self.fails(["run", self.experiment(**ONE), "--out", "/proc/lanelab-run"], 1, "run folder /proc/lanelab-run cannot be made",
                   "its folder does not exist, or takes no new files", "Choose another folder")

    def test_bad_json(self):
        for name, (text, why) in BAD_JSON.items():
            with self.subTest(name=name):
                file = self.folder / "bad.json"
                file.write_text(text)
                # All commands read it alike; simulate starts without LibTorch.
                message = self.refused(*(("run", file, "--out", self.folder / "out") if name == "cut" else ("simulate", file)))
                self.assertRegex(message, why)
                self.assertIn("bad.json", message)
                self.assertRegex(message, r"(Fix|Choose|Use|Remove|Did you mean|Check|must|Write|Name|Keep|Give)[^.]*[.?]")
                self.assertEqual(file.read_text(), text)

    def test_a_full_disk_ends_a_run_and_leaves_no_half_files(self):
        self.fails(["run", self.experiment(**ONE), "--out", "out"], 1, "run.json cannot be written", "larger than the limit on file sizes", "Raise the limit",
                   limit=limited(resource.RLIMIT_FSIZE, 1024))
        self.assertFalse((self.folder / "out").exists())

    def test_a_disk_that_fills_up_while_a_run_is_in_progress_retains_what_was_measured(self):
        file = self.experiment(**ONE, data={**EXPERIMENT["data"], "steps": 3000})
        message = self.fails(["run", file, "--out", "out"], 1, "cannot be written", "larger than the limit on file sizes", "Raise the limit",
                             limit=limited(resource.RLIMIT_FSIZE, 16 << 10))
        self.assertIn(str(self.folder / "out"), message)
        self.assertEqual(self.record()["experiment"]["data"]["steps"], 3000)

    def test_a_full_disk_leaves_the_file_that_was_there(self):
        self.done("run", self.experiment(**ONE), "--out", "run")
        file = self.folder / "kept"
        file.write_text("precious")
        before = self.contents()
        for arguments in (["gaps", "run", "--csv", file],
                          ["export", "run", "--what", "trace", "--format", "chrome", "--out", file],
                          ["export", "run", "--what", "trace", "--format", "perfetto", "--out", file],
                          ["weights", "toy", "--seed", "1", "--out", file]):
            with self.subTest(arguments=arguments):
                self.fails(arguments, 1, "kept cannot be written", "larger than the limit on file sizes", "Raise the limit", limit=limited(resource.RLIMIT_FSIZE, 64))
                self.assertEqual(self.contents(), before)

    def test_a_device_or_a_pipe_is_never_replaced(self):
        self.done("run", self.experiment(**ONE), "--out", "run")
        os.mkfifo(self.folder / "pipe")
        (self.folder / "device").symlink_to("/dev/full")
        for name in ("pipe", "device"):
            for arguments in (["gaps", "run", "--csv", name], ["export", "run", "--what", "trace", "--format", "chrome", "--out", name],
                              ["weights", "toy", "--seed", "1", "--out", name]):
                with self.subTest(arguments=arguments):
                    self.fails(arguments, 1, name + " cannot be written", "a device, pipe or socket", "Choose the name of a file")
        self.assertTrue((self.folder / "pipe").is_fifo())
        self.assertTrue((self.folder / "device").is_symlink())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if ".tmp" in path.name or ".part" in path.name), [])

    def test_a_result_that_cannot_be_printed(self):
        self.done("run", self.experiment(**ONE), "--out", "run")
        for arguments in (["gaps", "run"], ["doctor"], ["schema"], ["--help"], ["--version"], ["run", self.experiment(**ONE), "--out", "more"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                self.fails(arguments, 1, "could not be written to standard output", "disk is not full", "Check", stdout=full)
        self.assertEqual(self.record("more")["status"], "done")

    def test_a_reader_that_ends_early_is_no_fault(self):
        """The work is done, and nothing is printed about the closed pipe; bad input keeps its message and exit code."""
        self.done("run", self.experiment(**ONE), "--out", "run")
        for arguments, code in ((["gaps", "run"], 0), (["doctor", "--json"], 0), (["--help-all"], 0), (["--version"], 0), (["compare", "run"], 0),
                                (["summary", "resnet18", "--input", "3x64x64"], 0), (["run", self.experiment(**ONE), "--out", "more"], 0),
                                (["gaps", "nowhere"], 2)):
            with self.subTest(arguments=arguments):
                reader, writer = os.pipe()
                os.close(reader)
                outcome = subprocess.run([CLI, *map(str, arguments)], cwd=self.folder, stdout=writer, stderr=subprocess.PIPE, text=True,
                                         timeout=TIME_LIMIT_S, env=environment_of(self.folder))
                os.close(writer)
                self.assertEqual(outcome.returncode, code, outcome.stderr)
                self.assertNotIn("standard output", outcome.stderr)
                self.assertEqual("nowhere" in outcome.stderr, code != 0, outcome.stderr)
        self.assertEqual(self.record("more")["status"], "done")


if __name__ == "__main__":
    unittest.main()
