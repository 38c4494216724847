#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""A new user's road through an installed LaneLab, by the mouse alone, and back to it after a restart.

Usage: desktop_walk.py PICTURES [TRANSLATION.ts]. Run by desktop_walk.sh as a user of a bare Debian, inside an X display, a session bus and a window manager.
Where to click is asked of the window over AT-SPI, the clicks are xdotool's. Prints the actions that a person does; waiting is none. PICTURES gets what the screen
showed. A translation has the names in the window's language. Needs net.pt2, an exported network, in the home folder.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

import pyatspi
from PIL import ImageGrab

DESKTOP_FILE = "/usr/share/applications/io.github.lanelab.LaneLab.desktop"
LIMIT_S, RUN_LIMIT_S, INSTALL_LIMIT_S = 60, 600, 900
RUN_PAUSE_S = 4
QT_NAMES = {"Open": "打开", "Save": "保存", "Cancel": "取消"}  # of Qt's own dialogs in Chinese
BEGIN_LETTERS = 10  # of a translated text that are looked for
WHEEL_TURNS, WHEEL_MARGIN = 10, 30  # pixels above a table
COLOURS = 255  # of a picture, which is stored


def plain(name):
    """Without mnemonics: &Report, or 报告(&R)."""
    return re.sub(r"\(&?[A-Z]\)", "", name).replace("&", "")


class Names:
    """Names of the window in its language, by the English ones."""

    def __init__(self, translation=None):
        self.known = dict(QT_NAMES) if translation else {}
        for message in xml.etree.ElementTree.parse(translation).iter("message") if translation else ():
            self.known.setdefault(plain(message.findtext("source")), plain("".join(message.find("translation").itertext())))

    def of(self, name):
        return self.known.get(name, name)

    def beginning(self, name):
        """What a text begins with; before the first number that it holds."""
        texts = [translated for source, translated in self.known.items() if source.startswith(name)]
        return texts[0].split("%")[0].strip(" (")[:BEGIN_LETTERS] if texts else name


class Screen:
    """What is on the screen, by its English name."""

    def __init__(self, names):
        self.names = names

    def windows(self):
        programs = [program for program in children(pyatspi.Registry.getDesktop(0)) if "lanelab" in (program.name or "").lower()]
        return [window for program in programs for window in children(program) if is_shown(window)]

    def top(self):
        """The window that has the keyboard; popups are part of it."""
        windows = self.windows()
        active = [window for window in windows if has(window, pyatspi.STATE_ACTIVE)]
        return (active or windows or [None])[-1]

    def find(self, name, role=None, enabled=False, begins=False):
        """The first item of this name, or whose name begins so."""
        window = self.top()
        name = self.names.beginning(name) if begins else self.names.of(name)
        for item in walk(window) if window else ():
            try:
                shown = plain(item.name or "")
                is_it = shown.startswith(name) if begins else shown == name
                if is_it and (not role or item.getRoleName() == role) and is_shown(item) and is_shown(item.parent) and box(item):
                    if not enabled or has(item, pyatspi.STATE_ENABLED):
                        return item
            except Exception:  # the item went away while it was looked at
                continue
        return None

    def text(self, begin):
        """A label's whole text."""
        item = self.find(begin, "label", begins=True)
        return item.name if item else ""


def children(item):
    try:
        return [child for child in item if child is not None]
    except Exception:
        return []


def walk(item):
    yield item
    for child in children(item):
        yield from walk(child)


def has(item, state):
    try:
        return item.getState().contains(state)
    except Exception:
        return False


def is_shown(item):
    return has(item, pyatspi.STATE_SHOWING)


def box(item):
    """Where it is on the screen; None if it has no place there."""
    extents = item.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    if extents.width <= 0 or extents.height <= 0 or extents.x < 0 or extents.y < 0:
        return None
    return extents.x, extents.y, extents.width, extents.height


def centre(item):
    x, y, width, height = box(item)
    return x + width // 2, y + height // 2


def parents(item):
    """Those that have a place."""
    while item := item.parent:
        try:
            if box(item):
                yield item
        except Exception:  # an application has none
            return


def settled(item):
    """The place of what does not move any more, as a new window does until the window manager has put it somewhere."""
    before = box(item) if item else None
    time.sleep(0.3)
    return before if before and box(item) == before else None


def wait_for(what, found, limit_s=LIMIT_S, pause_s=0.2):
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if answer := found():
            return answer
        time.sleep(pause_s)
    raise AssertionError(f"{what}: not within {limit_s} s")


class Walk:
    def __init__(self, pictures, translation=None):
        self.screen, self.pictures, self.actions = Screen(Names(translation)), pathlib.Path(pictures), []

    def picture(self, name):
        time.sleep(0.7)  # the last frame is drawn
        screen = ImageGrab.grab(xdisplay=os.environ["DISPLAY"])
        screen.crop(screen.getbbox()).quantize(COLOURS).save(self.pictures / f"{name}.png", optimize=True)  # around it all is black

    def click(self, name, role=None, why="", from_left=None, begins=False):
        found = lambda: self.screen.find(name, role, enabled=True, begins=begins)
        item = wait_for(f"{role or 'item'} {name!r}", found)
        x, y, width, height = wait_for(f"a place of {name!r}", lambda: settled(found()))
        self.click_at(x + (from_left or width // 2), y + min(height // 2, 12 if role == "combo box" else height))
        self.actions.append(f"click *{name}*{': ' + why if why else ''}")
        return item

    def click_at(self, x, y):
        subprocess.run(["xdotool", "mousemove", str(x), str(y)], check=True)
        time.sleep(0.2)
        subprocess.run(["xdotool", "click", "1"], check=True)
        time.sleep(0.4)

    def bring_into_sight(self, cell, table):
        """By the wheel over the pane that the table is in: in a low one the cell is below the edge."""
        for _ in range(WHEEL_TURNS):
            edge = min(box(above)[1] + box(above)[3] for above in parents(cell))
            if centre(cell)[1] + box(cell)[3] // 2 <= edge:
                return
            subprocess.run(["xdotool", "mousemove", str(centre(cell)[0]), str(box(table)[1] - WHEEL_MARGIN), "click", "5"], check=True)
            time.sleep(0.3)

    def start(self):
        subprocess.run(["gio", "launch", DESKTOP_FILE], check=True)

    def is_idle(self):
        cancel = self.screen.find("Cancel", "push button")
        return cancel is not None and not has(cancel, pyatspi.STATE_ENABLED)

    def stored_runs(self):
        return len(list(pathlib.Path.home().glob(".local/share/lanelab/runs/*/run.json")))

    def wait_for_run(self, stored_before):
        """A machine that other programs use asks first; the answer is an action, too. The window is asked seldom, since its answers take time of the cores."""
        wait_for("the run begins", lambda: self.screen.find("Run Anyway") or not self.is_idle() or self.stored_runs() > stored_before)
        if self.screen.find("Run Anyway"):
            self.click("Run Anyway", "push button")
        ended = lambda: self.stored_runs() > stored_before and self.screen.find("Runs", "menu item") and self.is_idle()
        wait_for("the run ends", ended, RUN_LIMIT_S, RUN_PAUSE_S)

    def close(self):
        """As the window manager's button does. Unsaved edits are kept for the next start, or asked for."""
        window = self.screen.top()
        for why in ("saves the experiment", "as it is called"):
            if self.screen.top() == window:
                subprocess.run(["xdotool", "key", "--clearmodifiers", "alt+F4"], check=True)
            wait_for("a question or the end", lambda: self.screen.top() != window)
            if self.screen.top():
                self.click("Save", "push button", why)
        wait_for("the window is gone", lambda: not self.screen.windows())


def install_pytorch(walk_):
    walk_.click("Install PyTorch", "push button", "at the first start: LaneLab fetches PyTorch into the user's folder")
    walk_.picture("set-up")
    wait_for("PyTorch is installed", lambda: walk_.screen.find("File", "menu item"), INSTALL_LIMIT_S)


def first_result(walk_):
    purpose = wait_for("the purpose", lambda: walk_.screen.text("LaneLab trains a network across lanes"))
    print(f"Purpose, in sight at the start: {purpose}")
    walk_.picture("first-window")
    walk_.actions.clear()  # set-up was before
    before = walk_.stored_runs()
    walk_.click("Compare Strategies Here", "push button", "the first result", begins=True)  # its name has the time, too
    walk_.wait_for_run(before)
    walk_.click("Compare", "page tab")
    walk_.picture("first-result")


def cause_of_the_largest_gap(walk_):
    walk_.click("Idle and Gaps", "page tab", "idle time and its causes, the longest gap first")
    table = wait_for("the gaps", lambda: walk_.screen.find("Idle gaps, longest first", "table"))
    cells = wait_for("a gap", lambda: [child for child in children(table) if child.getRoleName() == "table cell" and box(child)])
    walk_.bring_into_sight(cells[0], table)
    walk_.click_at(*centre(cells[0]))
    wait_for("the gap is chosen", lambda: has(cells[0], pyatspi.STATE_SELECTED))
    walk_.actions.append("click the first row: the largest gap, its cause beside it and on the timeline")
    print("Largest gap: " + ", ".join(cell.name for cell in cells[:7]))
    walk_.picture("largest-gap")


def apply_a_suggestion(walk_):
    if walk_.screen.find("Run Suggested Fix", "push button"):
        before = walk_.stored_runs()
        walk_.click("Run Suggested Fix", "push button", "the suggestion becomes a variant and runs")
        walk_.wait_for_run(before)
    else:
        walk_.click("Try Micro-Batch Sizes", "push button", "nothing else would be faster: micro-batch sizes are left")
        walk_.click("Apply", "push button", "the best one is taken")
    walk_.picture("suggestion")


def own_network(walk_):
    walk_.click("ResNet-50", "combo box", "the form's network")
    walk_.click("Choose File...", "list item")
    wait_for("the file dialog", lambda: walk_.screen.find("net.pt2") and walk_.screen.find("Open", "push button"))
    walk_.picture("choose-network")
    walk_.click("net.pt2", why="the user's own network, as torch.export.save wrote it", from_left=30)
    walk_.click("Open", "push button")
    wait_for("the network is taken", lambda: walk_.screen.find("net.pt2", "combo box") or walk_.screen.find("net", "combo box"))
    walk_.picture("own-network")
    before = walk_.stored_runs()
    walk_.click("Run", "push button")
    walk_.wait_for_run(before)
    walk_.picture("own-run")


def export_a_report(walk_):
    walk_.click("Export", "push button")
    walk_.click("Report...", "menu item")
    walk_.click("Save", "push button")
    wait_for("the report", lambda: list(pathlib.Path.home().rglob("*.html")))
    print(f"Report: {next(iter(pathlib.Path.home().rglob('*.html'))).name}")
    walk_.picture("report")


def lesson(walk_):
    walk_.click("Lessons", "page tab")
    walk_.click("Show the Recorded Run", "push button")
    walk_.click("4 micro-batches", "radio button", "an answer")
    walk_.click("Check", "push button")
    walk_.picture("lesson")


def come_back(walk_):
    title = walk_.screen.top().name.replace("*", "")
    walk_.close()
    walk_.start()
    wait_for(f"the window {title!r}", lambda: walk_.screen.find("File", "menu item") and walk_.screen.top().name == title)
    print(f"Reopened where it was: {title}")
    walk_.picture("reopened")


def main():
    signal.alarm(3600)
    walk_ = Walk(*sys.argv[1:])
    walk_.start()
    wait_for("a window", lambda: walk_.screen.find("Install PyTorch") or walk_.screen.find("File", "menu item"))
    if walk_.screen.find("Install PyTorch"):
        install_pytorch(walk_)
    try:
        for part in (first_result, cause_of_the_largest_gap, apply_a_suggestion, own_network, export_a_report):
            part(walk_)
        print(f"{len(walk_.actions)} actions:")
        for number, action in enumerate(walk_.actions, 1):
            print(f"{number}. {action}")
        for part in (lesson, come_back):
            part(walk_)
    except BaseException:
        walk_.picture("failed")
        raise


if __name__ == "__main__":
    main()
