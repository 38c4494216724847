# SPDX-License-Identifier: GPL-3.0-only
"""Packs what the steps left into at most eight files of at most 16 MiB: the table, all figures, the logs, and run folders.

Usage: pack_results.py WORK RESULTS. WORK has table.txt, logs/*.log and runs/*. What does not fit is left out and named in left-out.txt, weights and checkpoints without being named.
"""
import io
import json
import pathlib
import sys
import tarfile

MOST_BYTES = 16 << 20
MOST_LOG = 8 << 20  # of a log, its beginning and its end
ARCHIVES = 4  # of runs; with table, figures, logs and what was left out there are eight files
OVERHEAD = 64 << 10  # of an archive
HEAVY = (".safetensors", ".checkpoint")


def shortened(data):
    half = MOST_LOG // 2
    return data if len(data) <= MOST_LOG else data[:half] + f"\n[{len(data) - 2 * half} bytes are left out]\n".encode() + data[-half:]


def add(archive, name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


def archived(files):
    """The bytes of a .tar.gz of (name, bytes)."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=6) as archive:
        for name, data in files:
            add(archive, name, data)
    return buffer.getvalue()


def figures_in(logs):
    """Each line of a log that is a JSON object."""
    figures = []
    for log in logs:
        for line in log.read_text(errors="replace").splitlines():
            if line.startswith('{"'):
                try:
                    figures.append({"step": log.stem} | json.loads(line))
                except ValueError:
                    pass
    return figures


def pack_runs(folders, results):
    """Each folder goes into the first archive that has room. Returns the names of those that have none."""
    packed, left_out = [], []
    for folder in folders:
        files = [(str(path.relative_to(folder.parent)), path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in HEAVY]
        size = len(archived(files))
        place = next((files_there for files_there in packed if files_there["size"] + size <= MOST_BYTES - OVERHEAD), None)
        if place is None and len(packed) < ARCHIVES and size <= MOST_BYTES - OVERHEAD:
            place = {"size": 0, "files": []}
            packed.append(place)
        if place is None:
            left_out.append(f"{folder.name}: {size} bytes")
            continue
        place["size"] += size
        place["files"] += files
    for number, place in enumerate(packed, 1):
        (results / f"runs-{number}.tar.gz").write_bytes(archived(place["files"]))
    return left_out


def main():
    work, results = map(pathlib.Path, sys.argv[1:])
    results.mkdir(parents=True, exist_ok=True)
    logs = sorted((work / "logs").glob("*.log"))
    (results / "table.txt").write_bytes((work / "table.txt").read_bytes())
    (results / "figures.json").write_text(json.dumps(figures_in(logs), indent=1))
    (results / "logs.tar.gz").write_bytes(archived([(log.name, shortened(log.read_bytes())) for log in logs]))
    left_out = pack_runs(sorted(folder for folder in (work / "runs").iterdir() if folder.is_dir()), results)
    if left_out:
        (results / "left-out.txt").write_text("\n".join(left_out) + "\n")
    for file in sorted(results.iterdir()):
        print(f"{file.name}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
