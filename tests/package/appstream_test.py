#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The description for software centres is valid, and its release is this version."""
import subprocess
import unittest
import xml.etree.ElementTree as xml

from package_world import BUILD, ID, INSTALLED, need

need("appstreamcli")
FILE = INSTALLED / f"share/metainfo/{ID}.metainfo.xml"


class AppStream(unittest.TestCase):
    def test_it_is_valid(self):
        done = subprocess.run(["appstreamcli", "validate", "--no-net", FILE], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_names_the_entry_and_this_version(self):
        root = xml.parse(FILE).getroot()
        self.assertEqual(root.findtext("id"), ID)
        self.assertEqual(root.findtext("launchable"), f"{ID}.desktop")
        cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        self.assertIn(f"CMAKE_PROJECT_VERSION:STATIC={root.find('releases/release').get('version')}\n", cache)


if __name__ == "__main__":
    unittest.main()
