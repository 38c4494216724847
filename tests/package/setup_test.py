#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""lanelab-setup-torch with a lock file of small packages of the test's own, which pip finds in a folder: no network."""
import hashlib
import pathlib
import re
import shutil
import tempfile
import unittest
import zipfile

from package_world import INSTALLED, call, need

need("bash", "flock")

# What the program imports at the end, and one of NVIDIA's, which are installed beside the others.
PACKAGES = {"torch": "torch", "torchvision": "torchvision", "numpy": "numpy", "safetensors": "safetensors", "nvidia-cuda-crt": "nvidia_crt"}


def write_wheel(folder, name, module):
    """The smallest wheel that pip installs; torch has the library that LaneLab looks for. Returns its line of the lock file."""
    dist = name.replace("-", "_")
    files = {f"{module}/__init__.py": "", f"{dist}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
             f"{dist}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    if name == "torch":
        files.update({"torch/lib/libtorch_cpu.so": "", "torch/version.py": "__version__ = '1.0'\n"})
    record = f"{dist}-1.0.dist-info/RECORD"
    wheel = folder / f"{dist}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(record, "".join(f"{path},,{len(text)}\n" for path, text in files.items()) + f"{record},,\n")
    return f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


class SetUp(unittest.TestCase):
    def setUp(self):
        self._place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._place.name)
        self.prefix = self.folder / "moved prefix"
        shutil.copytree(INSTALLED / "share/lanelab/setup", self.prefix / "share/lanelab/setup")
        (self.prefix / "bin").mkdir()
        shutil.copy(INSTALLED / "bin/lanelab-setup-torch", self.prefix / "bin")
        self.lock = "".join(write_wheel(self.folder, name, module) for name, module in PACKAGES.items())
        self.write_lock(self.lock)
        self.environment = self.folder / "data/lanelab/python"

    def tearDown(self):
        self._place.cleanup()

    def write_lock(self, text):
        (self.prefix / "share/lanelab/setup/requirements.lock").write_text(text, encoding="utf-8")

    def call(self, *words):
        return call(self.prefix / "bin/lanelab-setup-torch", *words, folder=self.folder, PIP_NO_INDEX=1, PIP_FIND_LINKS=self.folder)

    def test_another_file_than_that_of_the_lock_is_refused_and_the_environment_is_completed_later(self):
        self.write_lock(re.sub(r"sha256:\w{8}", "sha256:00000000", self.lock))
        result = self.call("--yes")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("is not the one that requirements.lock names", result.stderr.splitlines()[-1])
        self.assertFalse((self.environment / "lanelab.stamp").exists())

        self.write_lock(self.lock)
        result = self.call("--yes")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(re.findall(r"^PyTorch: (\d) of (\d) packages \((\w+)", result.stderr, re.M)[-1][:2], ("5", "5"))
        self.assertTrue((self.environment / "lanelab.stamp").is_file())
        self.assertFalse((self.environment / "tmp").exists())
        self.assertEqual(self.call("--yes").stderr, f"PyTorch is in {self.environment}. Nothing to do.\n")

    def test_a_dry_run_changes_nothing(self):
        result = self.call("--dry-run")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(self.environment), result.stderr)
        self.assertFalse((self.folder / "data").exists())

    def test_an_unknown_option_is_refused(self):
        self.assertEqual(self.call("--absent").returncode, 2)


if __name__ == "__main__":
    unittest.main()
