#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""new-model: networks of torchvision, of transformers and of a user's file become .pt2 files; what is refused is named, and leaves no file.

Usage: new_model_test.py PATH_OF_LANELAB_CLI
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from cli_world import CLI, END_LIMIT_S, TIME_LIMIT_S, CliTest, call

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
from one_pytorch import exporting_python, program_of  # noqa: E402

PYTHON = pathlib.Path(os.environ.get("LANELAB_TEST_PYTHON") or ROOT / ".venv" / "bin" / "python")
SCRIPT = ROOT / "resources" / "exporter" / "lanelab_export.py"

OWN = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Dropout(0.5))
        self.head = nn.Linear(width, 3)
    def forward(self, x):
        return {"logits": self.head(self.encoder(x)), "hidden": x}

class Branch(Net):
    def forward(self, x):
        y = self.head(self.encoder(x))
        return y if y.sum() > 0 else -y

class Changing(Net):
    calls = 0
    def forward(self, x):
        Changing.calls += 1
        return self.head(self.encoder(x)) * Changing.calls

class Choosing(nn.Module):
    def forward(self, x):
        return x if x.mean() > 0 else 2 * x

class Ranked(Net):
    def forward(self, x):
        return self.head(self.encoder(x), x[:, 0].long().clamp(0, 5)).output

class Counting(Net):
    def forward(self, x):
        self.steps[0].add_(1)
        return self.head(self.encoder(x))

class Teacher(Net):
    def forward(self, x):
        with torch.no_grad():
            x = self.norm(x)
        return self.head(self.encoder(x))

class Fixed(Net):
    def forward(self, x):
        return self.head(self.encoder(x.reshape(2, 8)))

def make(width=4):
    print("a line of the factory")
    return Net(width)

def branch(): return Branch(2)
def changing(): return Changing(2)
def fixed(): return Fixed(2)
def choosing():
    net = Net(4)
    net.encoder[1] = Choosing()
    return net
def ranked():
    net = Ranked(4)
    net.head = nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2])
    return net
def cumulative():
    net = Net(4)
    net.encoder.append(nn.BatchNorm1d(4, momentum=None))
    return net
def scripted():
    net = Net(4)
    net.encoder = torch.jit.script(net.encoder)
    return net
def counting():
    net = Counting(2)
    net.register_buffer("steps", torch.zeros(3))
    return net
def teacher():
    net = Teacher(2)
    net.norm = nn.BatchNorm1d(8)
    return net
def two(): return nn.Bilinear(2, 2, 2)
def broken(): return 1 / 0
def custom():
    double = torch.library.custom_op("own::double", lambda x: x * 2, mutates_args=(), schema="(Tensor x) -> Tensor")
    double.register_fake(torch.empty_like)
    double.register_autograd(lambda context, grad: grad * 2)
    class Custom(Net):
        def forward(self, x):
            return double(self.head(x))
    net = Custom(8)
    return net
"""

# Calls the script with each list of words of a file, and prints exit codes and messages.
REPEATED = """
import contextlib, io, json, pathlib, runpy, sys
results = []
for words in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    sys.argv, messages = [sys.argv[-1], *words], io.StringIO()
    with contextlib.redirect_stderr(messages):
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
            results.append([end.code, messages.getvalue()])
    sys.argv = sys.argv[:1]
print(json.dumps(results))
"""

# Stands for a Python whose network takes long to build.
SLOW = """
import os, sys, time
print("Building", file=sys.stderr)
print("slow:", os.getpid())
time.sleep(600)
"""

GPT2 = {"vocab_size": 60, "n_positions": 16, "n_embd": 16, "n_layer": 2, "n_head": 2, "bos_token_id": 0, "eos_token_id": 0}


def has(module):
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"]).returncode == 0


@unittest.skipUnless(has("torch"), "the set-up's Python with PyTorch is missing")
class NewModel(CliTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.python = exporting_python(pathlib.Path(folder.name), PYTHON)

    def setUp(self):
        super().setUp()
        (self.folder / "net.py").write_text(OWN)

    def made(self, *arguments):
        """What --json prints of a new net.pt2."""
        result = self.done("new-model", *arguments, "--out", "net.pt2", "--python", self.python, "--json")
        self.assertIn("Verified with", result.stderr)
        return json.loads(result.stdout)

    def fails(self, *arguments, code=2, python=None, file_stays=False):
        """The sentence on stderr; no file but the user's own. python="" names none."""
        python = self.python if python is None else python
        result = call("new-model", *arguments, "--out", "net.pt2", *(["--python", python] if python else []), folder=self.folder)
        self.assertEqual(result.returncode, code, result.stderr)
        sentence = result.stderr.rstrip("\n").split("\n")[-1]
        self.assertRegex(sentence, r"^lanelab-cli new-model: .*[.\w]$")
        self.assertNotIn("Traceback", result.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if "net.pt2" in path.name], ["net.pt2"] if file_stays else [])
        return sentence

    def test_a_network_of_torchvision(self):
        made = self.made("torchvision.models:squeezenet1_1", "--input", "3x32x32", "--set", "num_classes=10")
        self.assertEqual(made["blocks"], [f"features.{i}" for i in (0, *range(2, 13))] + ["classifier"])
        totals = json.loads(self.done("summary", "net.pt2", "--json").stdout)["totals"]
        self.assertEqual(totals["parameters"], 727_626)

    @unittest.skipUnless(has("transformers"), "transformers is not installed")
    def test_a_network_of_transformers_by_its_configuration(self):
        (self.folder / "config.json").write_text(json.dumps(GPT2))
        made = self.made("transformers:GPT2LMHeadModel", "--config", "config.json", "--set", "n_embd=8", "--input", "8:int64:60")
        self.assertEqual(made["blocks"], [f"transformer.{name}" for name in ("wte", "wpe", "drop", "h.0", "h.1", "ln_f")] + ["lm_head"])

    def test_a_network_that_lanelab_cannot_train_is_named_and_stays(self):
        rows = [
            ("custom", r"own\.double\.default \(net.py:\d+\): this operator exists in Python only"),
            ("counting", r"aten\.add_\.Tensor \(net.py:\d+\): it changes the buffer steps, and only batch norms may"),
            ("teacher", r"it changes the buffer norm\.\w+ within torch\.no_grad\(\), .*; call eval\(\) of a batch norm"),
        ]
        for factory, pattern in rows:
            with self.subTest(factory):
                sentence = self.fails(f"net.py:{factory}", "--input", "8", code=1, file_stays=True)
                self.assertRegex(sentence, "net.pt2 was written, but LaneLab cannot train it: .*" + pattern)

    def test_a_file_of_ones_own(self):
        result = self.done("new-model", "net.py:make", "--set", "width=5", "--input", "8", "--out", "net.pt2", "--python", PYTHON)
        self.assertIn("a line of the factory\n", result.stdout)
        self.assertRegex(result.stdout, r"Verified with 3 samples: .* difference 0\n")
        self.assertIn("Wrote net.pt2: 63 parameters, 4 nodes, batch size 1 to 4096\n", result.stdout)
        self.assertIn("blocks: encoder.0, encoder.1, encoder.2, head\n", result.stdout)
        self.assertRegex(result.stderr, r"^Building net.py:make\nExporting .*\nVerifying .*\n$")

    def test_the_script_alone_with_a_network_of_a_fixed_batch_size(self):
        result = subprocess.run([*program_of(SCRIPT, PYTHON), "net.py:fixed", "--input", "8", "--out", "net.pt2"], cwd=self.folder, capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("PyTorch refuses a dynamic batch size: ", result.stderr)
        self.assertIn("batch size 2 only\n", result.stdout)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.is_file()), ["net.pt2", "net.py"])

    def test_what_pytorch_cannot_export_is_refused(self):
        self.assertRegex(self.fails("net.py:branch", "--input", "8"), r"cannot export the network: in Branch: GuardOnDataDependent.* \(net.py, line \d+\)")

    def test_a_graph_that_trains_differently_is_refused(self):
        self.assertIn("The exported graph trains differently: ", self.fails("net.py:changing", "--input", "8"))

    def test_bad_input_is_refused_by_the_script(self):
        cases = [
            (["torchvison.models:resnet18", "--input", "8"], r"torchvison.models cannot be imported: .*No module named 'torchvison'.*install what is missing"),
            (["net.py:male", "--input", "8"], r'net.py has no function or class "male"\. Check the name'),
            (["net.py:Net", "--input", "8"], r"net.py:Net does not build a network: .*missing .*'width'.*--set KEY=VALUE"),
            (["net.py:broken", "--input", "8"], r"ZeroDivisionError: division by zero \(net.py, line \d+\)"),
            (["net.py:choosing", "--input", "8"], r"cannot export the network: in encoder\.1 \(Choosing\): .*\(net.py, line \d+\)\. Write a network without branches"),
            (["net.py:ranked", "--input", "8"], r"in head \(AdaptiveLogSoftmaxWithLoss\): .*Use another module in place of head \(AdaptiveLogSoftmaxWithLoss\), or"),
            (["net.py:cumulative", "--input", "8"], r"encoder\.3 \(BatchNorm1d\) has momentum=None, a cumulative average, which cannot be exported\. Set a momentum\.$"),
            (["net.py:scripted", "--input", "8"], r"encoder \(RecursiveScriptModule\) was made by torch\.jit, which .* before torch\.jit\.script\(\)"),
            (["net.py:make", "--input", "9"], r"does not accept an input of \[2, 9\]: in encoder\.0 \(Linear\): .*shapes cannot be multiplied.*Change --input"),
            (["net.py:two", "--input", "2"], r"does not accept an input of \[2, 2\]: .*missing .*'input2'"),
            (["net.py:make", "--input", "8xa"], r'--input: "8xa" is not a shape'),
            (["net.py:make", "--input", "8:int64"], r'--input: "8:int64" is not a shape.*128:int64:50257'),
            (["net.py:make", "--input", "8", "--config", "c.json"], r"--config: c.json does not configure net.py:make.*class of transformers"),
        ]
        # All in one Python: the import of PyTorch is most of the time.
        (self.folder / "cases.json").write_text(json.dumps([[*words, "--out", "net.pt2"] for words, _ in cases]))
        (self.folder / "repeated.py").write_text(REPEATED)
        command = [*program_of(self.folder / "repeated.py", PYTHON), "cases.json", SCRIPT]
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(result.returncode, 0, result.stderr)
        for (words, pattern), (code, messages) in zip(cases, json.loads(result.stdout.splitlines()[-1])):
            with self.subTest(words=words):
                self.assertEqual(code, 2, messages)
                self.assertRegex(messages.rstrip("\n").split("\n")[-1], "^lanelab_export: .*" + pattern)
        self.assertFalse(list(self.folder.glob("net.pt2*")))

    def test_bad_input_is_refused_before_python_starts(self):
        for words, pattern in [
            (["net.py:make", "--input", "8", "--out", "net.pt"], r"net.pt does not have the file extension .pt2"),
            (["net.py:make", "--input", "8", "--out", "no/net.pt2"], r"the folder of no/net.pt2 does not exist"),
            (["net.py:make", "--input", "8", "--out", "net.pt2", "--set", "width"], r'--set: "width" is not KEY=VALUE'),
            (["net.py:make", "--out", "net.pt2"], r"--input is required"),
        ]:
            with self.subTest(words=words):
                self.assertRegex(self.refused("new-model", *words), pattern)

    def test_a_missing_python_or_pytorch_is_named(self):
        self.assertRegex(self.fails("net.py:make", "--input", "8", python="absent/python"), r"absent/python cannot be started: No such file.*--python")
        os.environ["LANELAB_PYTHON"] = "/absent/python"
        self.addCleanup(os.environ.pop, "LANELAB_PYTHON")
        self.assertRegex(self.fails("net.py:make", "--input", "8", python=""), r"/absent/python cannot be started: .*LANELAB_PYTHON")
        self.assertRegex(self.fails("net.py:make", "--input", "8", python="false", code=1), r"false ended with exit code 1")
        bare = self.folder / "bare"
        bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -I "$@"\n')  # without packages
        bare.chmod(0o755)
        self.assertRegex(self.fails("net.py:make", "--input", "8", python=bare, code=1), r"PyTorch cannot be imported by .*pip install torch")

    def test_ctrl_c_ends_python_at_once(self):
        (self.folder / "slow.py").write_text(SLOW)
        slow = self.folder / "slow-python"
        slow.write_text(f'#!/bin/sh\nexec "{sys.executable}" -u slow.py\n')
        slow.chmod(0o755)
        command = subprocess.Popen([CLI, "new-model", "net.py:make", "--input", "8", "--out", "net.pt2", "--python", slow], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        python = int(command.stdout.readline().removeprefix("slow: "))
        begin = time.monotonic()
        command.send_signal(signal.SIGINT)
        _, messages = command.communicate(timeout=TIME_LIMIT_S)
        self.assertLess(time.monotonic() - begin, END_LIMIT_S)
        self.assertEqual(command.returncode, 130, messages)
        self.assertRegex(messages, r"\nlanelab-cli new-model: The command was cancelled\.\n$")
        state = pathlib.Path(f"/proc/{python}/stat")
        self.assertTrue(not state.exists() or ") Z " in state.read_text())
        self.assertEqual([path.name for path in self.folder.iterdir() if "net.pt2" in path.name], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
