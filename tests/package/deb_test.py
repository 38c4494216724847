#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""cpack makes Debian packages that lintian finds no error in, that name Debian's Qt, and that install and go without a trace."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from package_world import BUILD, TIME_LIMIT_S, call, need

need("cpack", "dpkg-shlibdeps", "dpkg-deb", "lintian", "fakeroot")


def run(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        done = run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        cls.packages = sorted(cls.folder.glob("*.deb"))
        cls.program = next(file for file in cls.packages if file.name.startswith("lanelab_"))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_there_is_a_package_of_programs_and_one_of_libraries(self):
        self.assertEqual([file.name.split("_")[0] for file in self.packages], ["lanelab-dev", "lanelab"])

    def test_it_depends_on_the_libraries_of_debian_and_not_on_pytorch(self):
        depends = run("dpkg-deb", "--field", self.program, "Depends").stdout
        for package in ("libc6", "libqt6widgets6", "libqt6charts6", "libhwloc15", "libsqlite3-0"):
            self.assertIn(package, depends)
        self.assertNotRegex(depends, "torch|cuda")

    def test_lintian_finds_no_error(self):
        done = run("lintian", "--fail-on", "error", "--allow-root", self.program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_installs_and_goes_without_a_trace(self):
        root = self.folder / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        (root / "var/lib/dpkg/updates").mkdir()
        (root / "var/lib/dpkg/status").touch()
        before = sorted(root.rglob("*"))
        dpkg = ["fakeroot", "env", f"PATH={os.environ['PATH']}:/usr/sbin:/sbin", "dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--force-script-chrootless"]
        for words in (["--install", self.program], ["--purge", "lanelab"]):
            done = run(*dpkg, *words)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            if words[0] == "--install":
                self.assertRegex(call(root / "usr/bin/lanelab-cli", "--version", folder=self.folder).stdout, r"^\d+\.\d+\.\d+\n$")
        self.assertEqual([path for path in sorted(root.rglob("*")) if path not in before and root / "var" not in path.parents and path != root / "var/log"], [])


if __name__ == "__main__":
    unittest.main()
