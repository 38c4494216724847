# SPDX-License-Identifier: GPL-3.0-only
"""Whom each room of the house may include, besides itself: as few as it needs. An arrow that nothing uses is a fault, as is one that is not here.

Usage: arrows.py [FOLDER]. Writes the rooms into the line "May include" of each README; what follows a semicolon there is written by hand.
"""
import pathlib
import re
import sys
import textwrap

ARROWS = {
    "base": "",
    "engine/model": "base",
    "engine/exported/graph": "base engine/model engine/files",
    "engine/exported/archive": "base engine/exported/graph engine/files",
    "engine/exported/operators": "base engine/model engine/exported/graph",
    "engine/exported": "base engine/model engine/exported/graph engine/exported/archive engine/exported/operators engine/files",
    "engine/libtorch": "base",
    "engine/exporter": "base engine/libtorch",
    "engine/frameworks": "base engine/exported/graph engine/exported engine/exporter engine/placement engine/schedule engine/experiment engine/files",
    "engine/networks": "base engine/model engine/exported/graph engine/exported",
    "engine/placement": "base engine/model",
    "engine/schedule": "base engine/placement",
    "engine/experiment": "base engine/model engine/exported engine/networks engine/placement engine/schedule",
    "engine/levels": "base engine/schedule engine/experiment engine/experiment/edits",
    "engine/experiment/edits": "base engine/model engine/placement engine/schedule engine/experiment",
    "engine/memory": "base engine/model engine/placement engine/schedule engine/experiment",
    "engine/sim": "base engine/placement engine/schedule engine/experiment profiler/trace",
    "engine/lanes": "base engine/placement engine/schedule engine/experiment profiler/trace",
    "engine/record": "base engine/model engine/experiment engine/memory engine/sim engine/lanes profiler/trace profiler/analysis",
    "engine/advise": "base engine/placement engine/schedule engine/experiment engine/experiment/edits engine/memory engine/sim engine/lanes engine/record profiler/trace profiler/analysis",
    "engine/jobs": "base engine/schedule engine/sim engine/record engine/advise profiler/analysis profiler/analysis/statistics profiler/analysis/slowdown profiler/io/tables",  # imported traces, of which no run knows
    "engine/report": "base engine/schedule engine/experiment engine/record engine/advise",
    "engine/run": "base engine/model engine/placement engine/experiment engine/experiment/edits engine/memory engine/lanes engine/record profiler/trace profiler/analysis",
    "engine/library": "base engine/schedule engine/experiment engine/lanes engine/record engine/files",  # runs as a list: index, labels, trash, archives
    "engine/library/overlay": "base engine/experiment engine/record engine/library",
    "engine/files": "base",
    "engine/torch": "",
    "engine/torch/devices": "base engine/placement engine/experiment profiler/trace profiler/collect",
    "engine/torch/kernels": "base engine/model",
    "engine/torch/nn": "base engine/model engine/exported/graph engine/experiment engine/files engine/torch/devices engine/torch/kernels",
    "engine/torch/graph": "base engine/model engine/exported/graph engine/exported/operators engine/exported engine/torch/devices engine/torch/nn",
    "engine/torch/files": "base engine/exported/graph engine/exported engine/lanes engine/files engine/torch/devices engine/torch/nn",
    "engine/torch/data": "base engine/model engine/exported engine/schedule engine/experiment engine/files engine/torch/devices engine/torch/nn engine/torch/graph engine/torch/files",
    "engine/torch/record": "base engine/schedule engine/lanes engine/torch/devices engine/torch/nn profiler/trace",
    "engine/torch/lanes": "base engine/placement engine/schedule engine/experiment engine/lanes engine/torch/devices engine/torch/nn engine/torch/files engine/torch/data engine/torch/record profiler/trace profiler/collect",
    "engine/torch/train": "base engine/exported/archive engine/exported engine/placement engine/schedule engine/experiment engine/lanes engine/report engine/run engine/files engine/torch/devices engine/torch/nn engine/torch/files engine/torch/data engine/torch/record engine/torch/lanes profiler/trace profiler/collect",
    "engine/torch/inference": "base engine/model engine/networks engine/placement engine/experiment engine/run engine/torch/devices engine/torch/nn engine/torch/graph engine/torch/files engine/torch/data",
    "engine/cuda": "engine/torch/devices profiler/trace profiler/collect/cupti",
    "engine/dist/rendezvous": "base engine/run",
    "engine/dist": "base engine/experiment engine/run engine/torch engine/torch/devices engine/torch/lanes engine/dist/rendezvous profiler/trace",
    "profiler/trace": "base",
    "profiler/collect": "profiler/trace",
    "profiler/collect/cupti": "profiler/trace profiler/collect",
    "profiler/analysis": "base profiler/trace",
    "profiler/analysis/statistics": "base profiler/trace profiler/analysis",
    "profiler/analysis/slowdown": "base profiler/trace profiler/analysis",
    "profiler/replay": "profiler/trace profiler/analysis",
    "profiler/attach/http": "base",
    "profiler/attach": "base profiler/attach/http profiler/io/source profiler/io/import profiler/io/ranks",
    "profiler/io/source": "base profiler/trace",
    "profiler/io/names": "base profiler/trace",
    "profiler/io/build": "base profiler/trace profiler/io/source profiler/io/names",
    "profiler/io/written": "base profiler/trace profiler/io/source profiler/io/build",
    "profiler/io/chrome": "base profiler/trace profiler/io/source profiler/io/names profiler/io/build profiler/io/written",
    "profiler/io/perfetto": "base profiler/trace profiler/io/source profiler/io/build profiler/io/written",
    "profiler/io/nsight": "base profiler/io/source profiler/io/build",
    "profiler/io/html": "base profiler/trace profiler/analysis",
    "profiler/io/import": "base profiler/trace profiler/io/source profiler/io/written profiler/io/chrome profiler/io/perfetto profiler/io/nsight",
    "profiler/io/ranks": "base profiler/trace profiler/io/source profiler/io/import",
    "profiler/io/tables": "base profiler/trace profiler/analysis profiler/analysis/statistics profiler/analysis/slowdown profiler/io/written",
    "ui": "",
    "ui/look": "base profiler/trace",
    "ui/help": "ui/look",
    "ui/palette": "ui/look",
    "ui/export": "base ui/look",
    "ui/charts": "base engine/record engine/advise engine/report ui/look ui/export",
    "ui/experiment": "base engine/placement engine/schedule engine/experiment engine/experiment/edits engine/lanes engine/record engine/advise engine/report ui/look ui/export ui/charts",
    "ui/schedule": "base engine/placement engine/schedule engine/experiment engine/experiment/edits engine/record ui/look ui/export ui/experiment",
    "ui/board": "base engine/model engine/placement engine/schedule engine/experiment engine/experiment/edits engine/memory engine/lanes engine/record engine/advise profiler/trace ui/look ui/help ui/experiment",
    "ui/levels": "base engine/experiment engine/levels ui/look ui/schedule",
    "ui/device_map": "base engine/model engine/exported engine/networks engine/placement engine/experiment engine/memory engine/lanes engine/run ui/look ui/export ui/charts ui/experiment ui/board",
    "ui/curve": "engine/experiment engine/memory engine/record engine/advise ui/look ui/export ui/charts ui/experiment",
    "ui/history": "base engine/experiment engine/record engine/library ui/look ui/export ui/charts",
    "ui/overlay": "base engine/library engine/library/overlay ui/look ui/export ui/charts",
    "ui/timeline/model": "base profiler/trace profiler/analysis profiler/replay ui/look",
    "ui/timeline/idle": "base profiler/trace profiler/analysis profiler/io/tables ui/look ui/help ui/timeline/model ui/timeline/layout",
    "ui/timeline/layout": "profiler/trace profiler/analysis profiler/io/tables ui/look ui/timeline/model",
    "ui/timeline/paint": "profiler/trace profiler/analysis ui/look ui/timeline/model ui/timeline/layout",
    "ui/timeline/view": "profiler/trace profiler/analysis ui/look ui/help ui/export ui/timeline/model ui/timeline/change ui/timeline/layout ui/timeline/paint",
    "ui/timeline/details": "ui/look ui/help ui/timeline/layout",
    "ui/statistics": "base profiler/trace profiler/analysis/statistics profiler/io/tables ui/look ui/export ui/timeline/layout",
    "ui/timeline/change": "base profiler/trace ui/look ui/timeline/model",
    "ui/bookmarks": "engine/record ui/look ui/export ui/timeline/layout",
    "ui/what_if": "base engine/advise profiler/io/tables ui/look ui/export ui/timeline/model ui/timeline/paint",
    "ui/accessible": "base engine/experiment ui/look ui/export ui/charts ui/board ui/timeline/model ui/timeline/layout ui/timeline/view",
    "ui/import_model": "base engine/model engine/exporter engine/experiment engine/lanes ui/look",
    "ui/plan_export": "base engine/experiment engine/exporter engine/frameworks ui/look ui/export",
    "ui/attach": "base profiler/attach profiler/io/import profiler/io/source ui/look",
    "ui/run": "base engine/lanes engine/record engine/advise engine/run engine/library profiler/trace profiler/io/chrome profiler/io/perfetto profiler/io/import ui/look",
    "ui/report": "base engine/experiment engine/record engine/report engine/library profiler/trace profiler/analysis profiler/io/html profiler/io/import profiler/io/tables ui/look ui/export ui/charts ui/board ui/timeline/view",
    "ui/settings": "base engine/experiment engine/library ui/look ui/experiment",
    "ui/session": "base engine/experiment engine/record ui/look ui/experiment",
    "ui/queue": "engine/experiment ui/look",
    "ui/notice": "ui/look",
    "ui/watch": "base engine/record engine/advise engine/report profiler/trace profiler/analysis profiler/analysis/statistics profiler/io/import profiler/io/tables ui/look ui/experiment ui/timeline/model ui/timeline/change ui/timeline/idle ui/timeline/layout ui/timeline/view ui/timeline/details ui/statistics ui/bookmarks ui/what_if ui/run",
    "ui/first_steps": "base engine/record engine/advise engine/library profiler/trace profiler/analysis ui/look ui/experiment ui/board ui/timeline/view ui/run ui/watch",
    "ui/window": "*ui",
    "app/cli": "base engine/model engine/exported/archive engine/exported engine/networks engine/exporter engine/placement engine/schedule engine/experiment engine/memory engine/sim engine/record engine/advise engine/jobs engine/report engine/library engine/torch/train profiler/trace profiler/analysis profiler/analysis/statistics profiler/io/source profiler/io/chrome profiler/io/import profiler/io/ranks profiler/io/tables profiler/attach app/start profiler/io/names",
    "app/start": "base engine/libtorch",
    "app/set_up": "base ui/look",
    "app/cli/exports": "base engine/frameworks engine/advise engine/library engine/record engine/report profiler/trace profiler/io/html profiler/io/import profiler/io/perfetto profiler/io/tables app/cli",
    "app/cli/gaps": "base engine/record engine/advise engine/report engine/torch/train profiler/trace profiler/analysis profiler/io/import profiler/io/tables app/cli",
    "app/cli/runs": "base engine/record engine/library engine/library/overlay app/cli",
    "app/cli/completion": "base app/cli",
    "app/cli/torch": "*engine app/cli app/start",  # builds without Qt
    "app/window": "*engine *ui app/start",
    "tests": "*engine *ui app/start app/cli app/cli/runs app/cli/completion app/cli/torch app/set_up app/window",
}
MAY_INCLUDE = re.compile(r"^- May include: (?:[^;\n]|\n(?=  ))*?(?=;|\.\n)", re.MULTILINE)
WIDTH = 240  # characters of a line


def allowed(room):
    """The rooms that a room may include. "*engine" is every room without a window, "*ui" also those of the window."""
    rooms = set()
    for word in ARROWS[room].split():
        if word == "*engine":
            rooms |= {name for name in ARROWS if name == "base" or name.startswith(("engine/", "profiler/"))}
        elif word == "*ui":
            rooms |= {name for name in ARROWS if name.startswith(("ui/", "engine/", "profiler/")) and not name.startswith(("engine/torch", "engine/dist", "engine/cuda"))}
            rooms.add("base")
        else:
            rooms.add(word)
    return rooms


def unused(used):
    """Faults for the arrows that no include of `used` ({room: rooms}) goes along. Rooms that compose all others are not looked at."""
    for room, others in ARROWS.items():
        for other in others.split():
            if "*" not in others and other not in used.get(room, ()):
                yield f"tests/arch/arrows.py:1: {room} may include {other} and does not; take the arrow out"


def may_include(room):
    """The words of a README, up to what is written by hand; None for rooms that compose all others."""
    if "*" in ARROWS[room]:
        return None
    rooms = ARROWS[room].split()
    return "- May include: " + (" and ".join([", ".join(rooms[:-1]), rooms[-1]] if len(rooms) > 1 else rooms) or "no other room")


def unwrapped(text):
    return re.sub(r"\s+", " ", text)


def readme_faults(root):
    """READMEs that promise other arrows than the table."""
    for room in ARROWS:
        readme, words = root / room / "README.md", may_include(room)
        if words is None or not readme.is_file():
            continue
        found = MAY_INCLUDE.search(readme.read_text(encoding="utf-8"))
        if found is None or unwrapped(found.group()) != words:
            yield f"{room}/README.md:1: the rooms of \"May include\" are not those of tests/arch/arrows.py, which writes them"


def write_readmes(root):
    for room in ARROWS:
        readme, words = root / room / "README.md", may_include(room)
        if words is None or not readme.is_file():
            continue
        text = readme.read_text(encoding="utf-8")
        lines = textwrap.wrap(words, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        readme.write_text(MAY_INCLUDE.sub(lambda _: "\n".join(lines), text, count=1), encoding="utf-8")


if __name__ == "__main__":
    write_readmes(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
