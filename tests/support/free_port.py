# SPDX-License-Identifier: GPL-3.0-only
"""A port for rank 0 to listen at."""
import pathlib
import random
import socket


def free_port():
    """A free port of this machine below those that connections are given, so that none takes it before rank 0 listens there."""
    first_given = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", random.randrange(10_000, max(first_given, 20_000))))
                return listener.getsockname()[1]
            except OSError:
                continue
