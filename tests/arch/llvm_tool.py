# SPDX-License-Identifier: GPL-3.0-only
"""Finds the tools of LLVM in the version that the tree is written for: others format and warn differently."""
import re
import shutil
import subprocess

VERSION = "14"


def llvm_tool(tool):
    """The path of "clang-format" or "clang-tidy", or None."""
    for name in (f"{tool}-{VERSION}", tool):
        path = shutil.which(name)
        if path and re.search(rf"version {VERSION}\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None
