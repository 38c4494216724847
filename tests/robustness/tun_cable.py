# SPDX-License-Identifier: GPL-3.0-only
"""A network cable between two namespaces that delays packets and loses some. Needs root, ip and /dev/net/tun."""
import fcntl
import heapq
import os
import random
import select
import shutil
import struct
import subprocess
import threading
import time


def can_be_laid():
    return os.geteuid() == 0 and shutil.which("ip") is not None and os.path.exists("/dev/net/tun")


class Cable:
    """Two network namespaces, 10.77.0.1 and 10.77.0.2, joined by a cable that delays packets and loses some."""

    def __init__(self, delay, jitter, loss):
        self.delay, self.jitter, self.loss = delay, jitter, loss
        self.names = [f"lanelab{os.getpid()}{end}" for end in "ab"]
        self.ends, self.stop, self.random = [], threading.Event(), random.Random(1)

    def __enter__(self):
        set_interface, tun_without_header = 0x400454CA, 0x1001
        for end, name in enumerate(self.names):
            subprocess.run(["ip", "netns", "add", name], check=True)
            self.ends.append(os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
            fcntl.ioctl(self.ends[-1], set_interface, struct.pack("16sH14x", name[-15:].encode(), tun_without_header))
            subprocess.run(["ip", "link", "set", name[-15:], "netns", name], check=True)
            for command in (["link", "set", "lo", "up"], ["addr", "add", f"10.77.0.{end + 1}/24", "dev", name[-15:]], ["link", "set", name[-15:], "up"]):
                subprocess.run(["ip", "-n", name, *command], check=True)
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()
        return self

    def carry(self):
        late, number = [], 0
        while not self.stop.is_set():
            now = time.monotonic()
            while late and late[0][0] <= now:
                _, _, end, packet = heapq.heappop(late)
                os.write(end, packet)
            ready, _, _ = select.select(self.ends, [], [], min(0.1, max(0, late[0][0] - now) if late else 0.1))
            for end in ready:
                packet = os.read(end, 65536)
                if self.random.random() >= self.loss:
                    number += 1
                    other = self.ends[1 - self.ends.index(end)]
                    heapq.heappush(late, (time.monotonic() + self.delay + self.random.uniform(-self.jitter, self.jitter), number, other, packet))

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
        for end in self.ends:
            os.close(end)
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)
