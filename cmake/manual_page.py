#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes lanelab-cli(1) from docs/command-line.md, which `lanelab-cli --help-all` prints.

Usage: manual_page.py docs/command-line.md lanelab-cli.1
"""
import pathlib
import re
import sys

BEGIN = r""".TH LANELAB-CLI 1 "" "LaneLab" "User Commands"
.SH NAME
lanelab\-cli \- train neural networks across devices and see where the time goes, on the command line
.SH SYNOPSIS
.B lanelab\-cli
.I COMMAND
[\fIOPTIONS\fR]
.SH DESCRIPTION
Does what the window of
.BR lanelab (1)
does, without Qt. Commands that train use the PyTorch of the Python environment that the variable
.B LANELAB_TORCH_ROOT
names, else the one that
.BR lanelab\-setup\-torch (1)
installs.
.SH COMMANDS
"""
END = r""".SH SEE ALSO
.BR lanelab (1),
.BR lanelab\-setup\-torch (1)
"""


def roff(text):
    """A line of text as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def commands(page):
    """Name and help of each command and of those below it."""
    return re.findall(r"^##+ ([^\n]+)\n\n```text\n(.*?)```$", page, re.M | re.S)


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    sections = [".SS " + roff(name) + "\n.nf\n" + "\n".join(map(roff, text.splitlines())) + "\n.fi\n" for name, text in commands(page)]
    if not sections:
        sys.exit(f"{sys.argv[1]} has no commands.")
    pathlib.Path(sys.argv[2]).write_text(BEGIN + "".join(sections) + END, encoding="utf-8")


if __name__ == "__main__":
    main()
