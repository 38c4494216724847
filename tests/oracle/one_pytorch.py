#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Runs test programs in children of one process that has imported PyTorch, torchvision and transformers and has exported a network, which takes each of them
seconds by itself.

Usage: one_pytorch.py start SOCKET                        set-up of the tests: returns when the process listens
       one_pytorch.py run SOCKET PROGRAM [ARGUMENT...]    a script of Python, with the folder, environment, output and exit status of this call
       one_pytorch.py stop SOCKET                         clean-up

Programs find SOCKET in LANELAB_ONE_PYTORCH.
"""
import importlib
import io
import json
import os
import pathlib
import runpy
import select
import signal
import socket
import socketserver
import subprocess
import sys
import threading

SHARED = ["torch", "torchvision", "transformers", "accelerate.utils.modeling", "safetensors.torch", "transformers.models.gpt2.modeling_gpt2",
          "transformers.models.llama.modeling_llama"]
VARIABLE = "LANELAB_ONE_PYTORCH"
MOST_BYTES = 1 << 20  # of what is asked
EXPORTER = "resources/exporter/lanelab_export.py"
START_LIMIT, IDLE_LIMIT = 240, 1800  # seconds; the first start compiles what it imports


def outcome_of(program):
    """Exit status of a program that runs in this process."""
    sys.argv = program
    sys.path.insert(0, str(pathlib.Path(program[0]).parent))
    try:
        runpy.run_path(program[0], run_name="__main__")
        return 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return int(end.code) if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1


def end_with(caller):
    """A caller that is killed for its limit takes this process and what it started with it."""
    caller.recv(1)
    os.killpg(0, signal.SIGKILL)


class Child(socketserver.BaseRequestHandler):
    """Lives in a process of its own."""

    def handle(self):
        text, outputs, _, _ = socket.recv_fds(self.request, MOST_BYTES, 2)
        asked = json.loads(text)
        os.setsid()
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        for given, standard in zip(outputs, (1, 2)):
            os.dup2(given, standard)
        threading.Thread(target=end_with, args=[self.request], daemon=True).start()
        status = outcome_of(asked["program"])
        sys.stdout.flush()
        sys.stderr.flush()
        self.request.sendall(json.dumps(status).encode())
        os._exit(status)


class Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    timeout = IDLE_LIMIT
    idle = False

    def handle_timeout(self):
        super().handle_timeout()
        self.idle = not self.active_children


def export_once():
    """PyTorch imports hundreds of modules when it exports, saves and loads for the first time. Of random numbers nothing is drawn for good."""
    torch, file = sys.modules["torch"], io.BytesIO()
    with torch.random.fork_rng():
        network = torch.nn.Linear(2, 2)
    torch.export.save(torch.export.export(network, (torch.zeros(2, 2),), dynamic_shapes=({0: torch.export.Dim("batch", min=1, max=8)},)), file)
    torch.export.load(io.BytesIO(file.getvalue()))


def serve(path, ready):
    # Set-up leaves bytecode to the first use; what is stored beside the packages here saves every later Python half of its imports.
    sys.dont_write_bytecode = False
    for module in SHARED:
        importlib.import_module(module)
    export_once()
    sys.dont_write_bytecode = True
    with Server(path, Child) as server:
        ready.write(f"{os.getpid()}\n")
        ready.flush()
        while not server.idle:
            server.handle_request()


def start(path):
    stop(path)
    ours, theirs = os.pipe()
    with open(path + ".log", "wb") as log:
        subprocess.Popen([sys.executable, "-B", __file__, "serve", path, str(theirs)], pass_fds=[theirs], start_new_session=True, stdin=subprocess.DEVNULL,
                         stdout=log, stderr=log)
    os.close(theirs)
    process = os.read(ours, 100) if select.select([ours], [], [], START_LIMIT)[0] else b""
    if not process:
        sys.exit(pathlib.Path(path + ".log").read_text())
    pathlib.Path(path + ".pid").write_bytes(process)


def stop(path):
    try:
        os.kill(int(pathlib.Path(path + ".pid").read_text()), signal.SIGTERM)
    except (FileNotFoundError, ProcessLookupError):
        pass
    for name in (path, path + ".pid"):
        pathlib.Path(name).unlink(missing_ok=True)


def run(path, program):
    with socket.socket(socket.AF_UNIX) as there:
        there.connect(path)
        asked = {"folder": os.getcwd(), "environment": os.environ | {VARIABLE: path}, "program": program}
        socket.send_fds(there, [json.dumps(asked).encode()], [1, 2])
        status = there.recv(100)
    return int(status) if status else 1


def program_of(script, otherwise):
    """What starts a script of Python here; where nothing listens, in a process of `otherwise`."""
    if VARIABLE not in os.environ:
        return [otherwise, script]
    return [sys.executable, "-B", __file__, "run", os.environ[VARIABLE], script]


def exporting_python(folder, otherwise):
    """A program for `new-model --python`, which calls it with -u -c SCRIPT ARGUMENT...: it has that script run here. Where nothing listens: `otherwise`."""
    if VARIABLE not in os.environ:
        return otherwise
    this = pathlib.Path(__file__).resolve()
    program = folder / "exporting-python"
    program.write_text(f'#!/bin/sh\nshift 3\nexec "{sys.executable}" -B "{this}" run "{os.environ[VARIABLE]}" "{this.parents[2] / EXPORTER}" "$@"\n')
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    what, where, *rest = sys.argv[1:]
    if what == "serve":
        serve(where, os.fdopen(int(rest[0]), "w"))
    elif what == "run":
        sys.exit(run(where, rest))
    else:
        {"start": start, "stop": stop}[what](where)
