#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""cmake --install puts everything in its place, and nothing that was installed names the source or build folder."""
import shutil
import subprocess
import unittest

from package_world import BUILD, ID, INSTALLED, SITE_PACKAGES, SOURCE, elf_files

PLACES = ["bin/lanelab-cli", "bin/lanelab-setup-torch", "libexec/lanelab/lanelab-cli-torch",
          "share/lanelab/setup/requirements.lock", "share/lanelab/setup/torch_environment.sh", "share/lanelab/setup/check_venv.py",
          "share/lanelab/experiments/demo.json", "share/lanelab/schema/experiment.schema.json", "share/lanelab/LICENSE",
          "share/doc/lanelab/README.md", "share/doc/lanelab/docs/guide.md", "share/doc/lanelab/docs/figures/compare.png",
          "share/man/man1/lanelab-cli.1.gz", "share/man/man1/lanelab-setup-torch.1.gz",
          "share/bash-completion/completions/lanelab-cli", "share/zsh/vendor-completions/_lanelab-cli",
          "include/lanelab/engine/run/runner.h", "include/lanelab/base/result.h"]
WITH_WINDOW = ["bin/lanelab", "libexec/lanelab/lanelab", "libexec/lanelab/lanelab-set-up", "share/man/man1/lanelab.1.gz",
               f"share/applications/{ID}.desktop", f"share/metainfo/{ID}.metainfo.xml", f"share/mime/packages/{ID}.xml",
               f"share/icons/hicolor/scalable/apps/{ID}.svg", f"share/icons/hicolor/128x128/apps/{ID}.png"]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(INSTALLED, ignore_errors=True)
        done = subprocess.run(["cmake", "--install", BUILD, "--prefix", INSTALLED], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr

    def test_everything_is_in_its_place(self):
        window = (BUILD / "bin/lanelab").exists()
        missing = [place for place in PLACES + (WITH_WINDOW if window else []) if not (INSTALLED / place).is_file()]
        self.assertEqual(missing, [])

    def test_no_file_names_the_source_or_build_folder_or_the_python_of_the_build(self):
        python = (BUILD / "bin/python-of-build").read_text(encoding="utf-8").strip()
        places = [str(place).encode() for place in (SOURCE, BUILD, SITE_PACKAGES, python)]
        naming = [f"{file}: {place.decode()}" for file in sorted(INSTALLED.rglob("*")) if file.is_file() and file.suffix != ".a"
                  for place in places if place in file.read_bytes()]
        self.assertEqual(naming, [])

    def test_no_program_has_a_path_of_libraries(self):
        for file in elf_files(INSTALLED):
            with self.subTest(file.name):
                self.assertNotRegex(subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout, r"R(UN)?PATH")

    def test_public_headers_need_no_header_that_is_not_installed(self):
        headers = INSTALLED / "include/lanelab"
        missing = [f"{file.relative_to(headers)}: {line.split(chr(34))[1]}" for file in headers.rglob("*.h")
                   for line in file.read_text(encoding="utf-8").splitlines()
                   if line.startswith('#include "') and not (headers / line.split('"')[1]).is_file()]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
