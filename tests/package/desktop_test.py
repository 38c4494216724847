#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The desktop entry is valid, its actions are those of the program, and its types of files are known and LaneLab's own."""
import configparser
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

from package_world import ID, INSTALLED, SOURCE, call, need

need("desktop-file-validate", "update-mime-database")
ENTRY = INSTALLED / f"share/applications/{ID}.desktop"
TYPES = INSTALLED / f"share/mime/packages/{ID}.xml"
SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


class Desktop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.entry = configparser.ConfigParser(interpolation=None)
        cls.entry.optionxform = str
        cls.entry.read(ENTRY, encoding="utf-8")

    def listed(self, key):
        return [word for word in self.entry["Desktop Entry"][key].split(";") if word]

    def test_the_entry_is_valid(self):
        done = subprocess.run(["desktop-file-validate", ENTRY], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_its_types_are_those_that_the_package_defines(self):
        defined = [each.get("type") for each in xml.parse(TYPES).getroot()]
        self.assertEqual(self.listed("MimeType"), defined)
        self.assertFalse({"application/json", "application/zip", "application/gzip"} & set(defined))

    def test_the_types_are_taken_into_the_database(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "mime"
            (folder / "packages").mkdir(parents=True)
            (folder / "packages" / TYPES.name).write_bytes(TYPES.read_bytes())
            done = call("update-mime-database", folder, folder=folder, XDG_DATA_HOME=name)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            globs = (folder / "globs2").read_text(encoding="utf-8")
            for glob in xml.parse(TYPES).getroot().iter(f"{SPACE}glob"):
                self.assertIn(f":{glob.get('pattern')}\n", globs)

    def test_actions_call_what_the_program_has(self):
        known = (SOURCE / "app/window/options.cpp").read_text(encoding="utf-8")
        for action in self.listed("Actions"):
            words = self.entry[f"Desktop Action {action}"]["Exec"].split()
            self.assertEqual(words, ["lanelab", "--action", action])
            self.assertRegex(known, rf'{{"{re.escape(action)}", "\w+"}}')

    def test_icon_and_program_are_installed_under_their_names(self):
        self.assertEqual(self.entry["Desktop Entry"]["Icon"], ID)
        self.assertTrue((INSTALLED / "bin" / self.entry["Desktop Entry"]["TryExec"]).is_file())
        for size in (48, 64, 128, 256):
            header = (INSTALLED / f"share/icons/hicolor/{size}x{size}/apps/{ID}.png").read_bytes()[16:24]
            self.assertEqual(header, size.to_bytes(4, "big") * 2)


if __name__ == "__main__":
    unittest.main()
