# SPDX-License-Identifier: GPL-3.0-only
"""The kit for a machine with a GPU, packed from the programs of a build and rehearsed without one.

Usage: kit_test.py PROGRAMS SITE_PACKAGES HIDDEN... PROGRAMS is the folder of the built programs, SITE_PACKAGES has PyTorch. The kit runs at another path and finds PyTorch at
another path, with an empty home; the HIDDEN folders (sources and build) are empty for it where this user may make a mount namespace. Steps that need a GPU say so.
"""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("lanelab-cli", "lanelab-cli-torch", "lanelab-bench", "test_gpu", "test_gpu_nccl", "liblanelab_cuda.so")
MOST_FILES, MOST_BYTES = 8, 16 << 20
LIMIT_S = 420


def namespaces():
    """The words that give a command mounts of its own; none where that is not allowed."""
    for words in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        try:
            if subprocess.run([*words, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0:
                return words
        except FileNotFoundError:
            pass
    return []


def outermost(folders):
    return [folder for folder in folders if not any(other in folder.parents for other in folders)]


def run(words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S, **options)


class Kit:
    """A kit at a path of its own, and the world that it sees."""

    def __init__(self, folder):
        self.folder = folder
        packed = folder / "packed"
        self.packing = run([HERE / "pack_kit.sh", "--programs", PROGRAM_FOLDER, "--to", packed])
        self.path = folder / "elsewhere" / "kit"
        self.site = folder / "python" / "site-packages"
        self.results = folder / "results"
        for made in (self.path.parent, self.site, folder / "home", folder / "bin"):
            made.mkdir(parents=True)
        if packed.exists():
            packed.rename(self.path)
        # The real program behind a virtual environment's, which finds no package by itself.
        (folder / "bin" / "python3").symlink_to(pathlib.Path(sys.executable).resolve())
        self.apart = namespaces()

    def script(self, command):
        """In the kit's world, in which the tree does not exist, or is elsewhere where it cannot be hidden."""
        if not self.apart:
            link = "" if self.site.is_symlink() else f'rmdir "{self.site}" && ln -sfn "{SITE}" "{self.site}"; '
            return ["bash", "-c", f"cd /; {link}{command}"]
        hide = "".join(f'mount -t tmpfs tmpfs "{folder}" || exit 9; ' for folder in outermost([*HIDDEN, SITE]))
        return [*self.apart, "bash", "-c", f'mount --bind "{SITE}" "{self.site}" || exit 9; cd /; {hide}{command}']

    def run(self, command, **variables):
        world = {"PATH": f"{self.folder}/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder), "PYTHONPATH": str(self.site)}
        world |= {name: os.environ[name] for name in ("OMP_WAIT_POLICY",) if name in os.environ}  # which ctest sets for all tests
        world |= variables
        return run(self.script(command), env=world)


class KitTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.kit = Kit(pathlib.Path(cls.temporary.name))
        if not cls.kit.apart:
            print("The tree is not hidden: mount namespaces are not allowed here.")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def logs(self):
        with tarfile.open(self.kit.results / "logs.tar.gz") as archive:
            return {member.name: archive.extractfile(member).read().decode() for member in archive.getmembers()}

    def test_1_packing_names_what_it_packed(self):
        self.assertEqual(self.kit.packing.returncode, 0, self.kit.packing.stdout)
        for name in (*PROGRAMS, "libhwloc.so", "libsimdjson.so", "resources"):
            self.assertIn(name, self.kit.packing.stdout)
        self.assertRegex(self.kit.packing.stdout, r"packed: \d+\.\d MiB\n$")

    def test_1_packing_without_a_program_is_a_sentence(self):
        done = run([HERE / "pack_kit.sh", "--programs", self.kit.folder / "home", "--to", self.kit.folder / "nothing"])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("home has no lanelab-cli. Build it:", done.stdout)

    def test_2_programs_find_all_libraries_outside_the_tree(self):
        where = self.kit.run(f'cd "{self.kit.path}"; export LD_LIBRARY_PATH="$PWD/lib:{self.kit.site}/torch/lib$(printf ":%s" {self.kit.site}/nvidia/*/lib)"; ldd bin/* lib/*')
        self.assertEqual(where.returncode, 0, where.stdout)
        self.assertNotIn("not found", where.stdout)
        for folder in [*HIDDEN, SITE] if self.kit.apart else ():
            self.assertNotIn(f"{folder}/", where.stdout)

    def test_3_all_steps_are_rehearsed(self):
        done = self.kit.run(f'exec "{self.kit.path}/run_kit.sh" "{self.kit.results}"')
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = re.findall(r"^(\d)     .{28}  +\d+  (.*)$", done.stdout, re.MULTILINE)
        self.assertEqual([step for step, _ in rows], list("123456789"), done.stdout)
        wanted = {"2": "skipped: no GPU"}
        for step, outcome in rows:
            self.assertEqual(outcome, wanted.get(step, "rehearsed without a GPU"), self.logs().get(f"{step}.log", done.stdout))
        files = list(self.kit.results.iterdir())
        self.assertLessEqual(len(files), MOST_FILES)
        self.assertLess(max(file.stat().st_size for file in files), MOST_BYTES)
        logs = self.logs()
        self.assertRegex(logs["1.log"], r"GPU lanes +none: no NVIDIA driver was found on this machine")
        self.assertIn("CudaModule.LoadsWithAllItsSymbolsAndFindsAPlatformOnlyWhereAGpuIs", logs["2.log"])
        self.assertIn("[  SKIPPED ] CudaLanes.OneLaneTrainsAsTheCpuDoes", logs["2.log"])
        self.assertNotIn("[  FAILED  ]", logs["2.log"])
        for name, log in logs.items():
            for folder in HIDDEN if name != "2.log" else ():  # GoogleTest prints the path of a test's source
                self.assertNotIn(f"{folder}/", log, name)

    def test_4_a_failure_is_in_the_table_and_the_next_step_runs(self):
        broken = self.kit.path / "bin" / "test_gpu"
        broken.unlink()
        broken.write_text("#!/bin/sh\necho it broke\nexit 3\n")
        broken.chmod(0o755)
        done = self.kit.run(f'exec "{self.kit.path}/run_kit.sh" "{self.kit.folder}/again" 2 2')
        self.assertEqual(done.stdout.count("failed: test_gpu (3)\n"), 2, done.stdout)

    def test_4_what_is_missing_is_a_sentence(self):
        for command, words, variables in ((f'"{self.kit.path}/run_kit.sh" "{self.kit.folder}/none" 0', "there is no step 0", {}),
                                          (f'"{self.kit.path}/run_kit.sh" "{self.kit.folder}/none"', "python3 cannot import torch", {"PYTHONPATH": ""})):
            done = self.kit.run(command, **variables)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    PROGRAM_FOLDER, SITE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    HIDDEN = [pathlib.Path(folder).resolve() for folder in sys.argv[3:]]
    unittest.main(argv=sys.argv[:1], verbosity=2)
