# SPDX-License-Identifier: GPL-3.0-only
"""Three training steps of a ResNet as PyTorch's profiler records them, on the GPU where there is one: a trace for lanelab-cli gaps.

Usage: trace.py FILE.json.gz [--small]
"""
import argparse

import torch
import torchvision


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("file")
    p.add_argument("--small", action="store_true")
    args = p.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    side, batch = (32, 2) if args.small else (128, 120)
    model = (torchvision.models.resnet18 if args.small else torchvision.models.resnet50)(weights=None).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    host, targets = torch.randn(batch, 3, side, side), torch.randint(1000, (batch,))

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(host.to(device)), targets.to(device)).backward()
        optimizer.step()

    step()
    activities = [torch.profiler.ProfilerActivity.CPU] + ([torch.profiler.ProfilerActivity.CUDA] if device.type == "cuda" else [])
    with torch.profiler.profile(activities=activities) as profiler:
        for number in range(3):
            with torch.profiler.record_function(f"ProfilerStep#{number}"):
                step()
        if device.type == "cuda":
            torch.cuda.synchronize()
    profiler.export_chrome_trace(args.file)
    print(f"{len(profiler.events())} events in {args.file}")


if __name__ == "__main__":
    main()
