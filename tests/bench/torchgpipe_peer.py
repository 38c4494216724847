# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench partition: torchgpipe's block partition (its balance by time).

Each line on standard input is {"times": [...], "stages": k}; the answer is {"milliseconds", "bottleneck"}, the fastest of five solutions and the
largest sum of a part.
"""
import json
import sys
import time

from torchgpipe.balance.blockpartition import solve

for line in sys.stdin:
    question = json.loads(line)
    fastest = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        parts = solve(question["times"], question["stages"])
        fastest = min(fastest, time.perf_counter() - begin)
    print(json.dumps({"milliseconds": 1e3 * fastest, "bottleneck": max(sum(part) for part in parts)}), flush=True)
