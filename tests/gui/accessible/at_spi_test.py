#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""What a screen reader gets of the window over AT-SPI: names, items of the board, actions, and the focus as keys would move it.

Usage: at_spi_test.py LANELAB. Starts a display (Xvfb) and a message bus of its own. Exits 77 with the reason if a program is missing.
On Debian: apt install xvfb at-spi2-core python3-pyatspi. Run it with the Python of the system, which has pyatspi.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT = 60  # seconds for each wait
SKIPPED = 77
NAMELESS = {"table cell", "filler"}  # an empty cell has no text


def missing():
    """Why the test cannot run here; empty if it can."""
    for program in ("Xvfb", "dbus-run-session"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if not os.path.exists("/usr/libexec/at-spi-bus-launcher"):
        return "at-spi2-core is not installed"
    return "" if importlib.util.find_spec("pyatspi") else "python3-pyatspi is not installed"


def wait_for(what, found):
    """The first true answer of `found`."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        answer = found()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {LIMIT} s")


def children(item):
    return [child for child in item if child is not None]


def walk(item):
    yield item
    for child in children(item):
        yield from walk(child)


def window_of(name):
    import pyatspi

    for program in children(pyatspi.Registry.getDesktop(0)):
        if program.name.lower() == name:
            for window in children(program):
                if window.getRoleName() in ("frame", "window"):
                    return window
    return None


def find(window, name, role):
    for item in walk(window):
        if item.name == name and item.getRoleName() == role:
            return item
    return None


def has_state(item, state):
    return item.getState().contains(state)


def act(item, name):
    actions = item.queryAction()
    names = [actions.getName(i) for i in range(actions.nActions)]
    actions.doAction(names.index(name))
    return names


def check_names(window):
    """All that takes the keyboard and is on the screen has a name."""
    import pyatspi

    seen = 0
    for item in walk(window):
        if not (has_state(item, pyatspi.STATE_FOCUSABLE) and has_state(item, pyatspi.STATE_SHOWING)):
            continue
        seen += 1
        assert item.name or item.getRoleName() in NAMELESS, f"a {item.getRoleName()} in {item.parent.name!r} has no name"
    assert seen > 20, f"only {seen} items take the keyboard"


def check_board(window):
    import pyatspi

    board = wait_for("the board", lambda: find(window, "Lane board", "list"))
    lanes = [lane for lane in children(board) if lane.getRoleName() == "list"]
    assert len(lanes) == 2, f"{len(lanes)} lanes"
    blocks = children(lanes[0])
    assert len(blocks) > 2 and all(", on lane " in block.name for block in blocks), [block.name for block in blocks]
    assert blocks[1].getIndexInParent() == 1
    box = blocks[1].queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    assert box.width > 0 and box.height > 0, box
    act(blocks[1], "select")
    wait_for("the block is selected", lambda: has_state(blocks[1], pyatspi.STATE_SELECTED))
    name = blocks[-1].name.split(",")[0]
    act(blocks[-1], "moveToLane1")
    wait_for("the block is on the other lane", lambda: any(block.name.startswith(name + ",") for block in children(lanes[1])))


def check_timeline(window):
    assert wait_for("the timeline", lambda: find(window, "Timeline", "list")).description is not None


def check(program):
    with tempfile.TemporaryDirectory() as home:
        display = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, XDG_RUNTIME_DIR=home,
                           DISPLAY=":" + display.stdout.readline().strip(), QT_QPA_PLATFORM="xcb", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
        window = subprocess.Popen([program], env=environment)
        try:
            shown = wait_for("the window", lambda: window_of(os.path.basename(program)))
            check_names(shown)
            check_board(shown)
            check_timeline(shown)
        finally:
            window.kill()
            window.wait()
            display.kill()
            display.wait()
    print("The window is accessible over AT-SPI.")


def main():
    if why := missing():
        print(f"Skipped: {why}.")
        return SKIPPED
    if "--inside" in sys.argv:
        check(sys.argv[1])
        return 0
    return subprocess.run(["dbus-run-session", "--", sys.executable, "-B", __file__, sys.argv[1], "--inside"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
