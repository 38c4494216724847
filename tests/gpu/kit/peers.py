# SPDX-License-Identifier: GPL-3.0-only
"""LaneLab and PyTorch on one GPU, in turns: samples per second of a training step, and their ratios.

Usage: peers.py LANELAB_CLI FOLDER [--small]. Run folders of LaneLab go into FOLDER. Each turn runs LaneLab once, with a variant per precision, then each of PyTorch's ways in the
same precisions: eager, and a CUDA graph of the whole step. torch.compile, which compiles for a minute, comes last, in bf16 and with a turn of LaneLab of its own.
Every step of PyTorch copies its batch from pinned memory to the GPU; LaneLab copies it from memory that is not pinned. Rates are of all steps but the first two.
Without a GPU, small networks are trained on the CPU, to try the script: no CUDA graph then, and torch.compile does not generate code.
Prints a line per result at once, a table of medians and ratios, and all of it as one line of JSON.
"""
import argparse
import contextlib
import dataclasses
import gc
import json
import pathlib
import statistics
import subprocess
import sys
import time
import typing

import torch

HERE = pathlib.Path(__file__).resolve().parent
TURNS = 2
PRECISIONS = ("fp32", "tf32", "bf16")
NOT_COUNTED = 2  # first steps


@dataclasses.dataclass
class Workload:
    name: str
    experiment: str
    samples: int
    model: typing.Callable  # with the loss of logits and targets
    batch: typing.Callable  # inputs and targets, on the host
    optimizer: typing.Callable
    layout: torch.memory_format
    settings: list  # of the experiment
    steps: int = 8
    per_sample: int = 1  # tokens


@dataclasses.dataclass
class Way:
    """How PyTorch runs a step."""
    name: str
    graph: bool = False
    compile: bool = False
    layout: typing.Optional[torch.memory_format] = None  # in place of the workload's
    benchmark: bool = False  # cuDNN tries its algorithms


def resnet(small):
    import torchvision

    arch, side, batch, classes = ("resnet18", 32, 4, 10) if small else ("resnet50", 224, 256, 1000)
    settings = [f'model.arch="{arch}"', f"model.classes={classes}", f"data.shape=[3,{side},{side}]", f"data.batch={batch}"]
    return Workload(f"{arch}, {side} px, batch {batch}", "peers-resnet50.json", batch, lambda: getattr(torchvision.models, arch)(weights=None, num_classes=classes),
                    lambda: (torch.randn(batch, 3, side, side), torch.randint(classes, (batch,))),
                    lambda parameters, capturable: torch.optim.SGD(parameters, lr=0.001), torch.channels_last, settings)


class Logits(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, tokens):
        return self.net(input_ids=tokens, use_cache=False).logits.transpose(1, 2)


def gpt2(small):
    from transformers import GPT2Config, GPT2LMHeadModel

    tokens, batch, vocabulary = (12, 4, 50) if small else (64, 256, 1024)
    sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2} if small else {}
    config = GPT2Config(vocab_size=vocabulary, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, **sizes)
    settings = [f"data.batch={batch}"]
    if small:
        tiny = HERE.parents[1] / "data" / "exported" / "gpt2.pt2"
        settings += [f'model.file="{tiny}"', 'data.source="random"', f"data.shape=[{tokens}]", f"model.classes={vocabulary}"]
    return Workload(f"GPT-2 {'tiny' if small else 'small'}, {tokens} tokens, batch {batch}", "peers-gpt2.json", batch, lambda: Logits(GPT2LMHeadModel(config)),
                    lambda: tuple(torch.randint(vocabulary, (batch, tokens)) for _ in range(2)),
                    lambda parameters, capturable: torch.optim.Adam(parameters, lr=0.0003, capturable=capturable), torch.contiguous_format, settings, per_sample=tokens)


class Peer:
    """PyTorch's training of a workload in one way and precision."""

    def __init__(self, workload, way, precision, device):
        self.on_gpu = device.type == "cuda"
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
        torch.backends.cudnn.benchmark = way.benchmark
        layout = way.layout or workload.layout
        x, y = workload.batch()
        if x.dim() == 4:
            x = x.contiguous(memory_format=layout)
        self.host = [t.pin_memory() if self.on_gpu else t for t in (x, y)]
        self.here = [torch.empty_like(t, device=device) for t in self.host]
        model = workload.model().to(device).to(memory_format=layout).train()
        # Without a GPU there may be no compiler either; this part of torch.compile needs none.
        self.model = torch.compile(model, backend="inductor" if self.on_gpu else "aot_eager") if way.compile else model
        self.optimizer = workload.optimizer(list(model.parameters()), self.on_gpu and way.graph)
        # Casts that the cache holds would not be part of a graph.
        self.reduced = lambda: torch.autocast(device.type, torch.bfloat16, cache_enabled=not way.graph) if precision == "bf16" else contextlib.nullcontext()
        self.compute = self.captured() if way.graph else self.train

    def load(self):
        for here, host in zip(self.here, self.host):
            here.copy_(host, non_blocking=True)

    def forward_and_backward(self):
        with self.reduced():
            loss = torch.nn.functional.cross_entropy(self.model(self.here[0]).float(), self.here[1])
        loss.backward()
        self.optimizer.step()

    def train(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.forward_and_backward()

    def captured(self):
        """The whole step as a CUDA graph, as PyTorch's notes on CUDA semantics describe it."""
        self.load()
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):
                self.train()
        torch.cuda.current_stream().wait_stream(beside)
        graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            self.forward_and_backward()
        return graph.replay

    def finish(self):
        if self.on_gpu:
            torch.cuda.synchronize()

    def seconds(self, steps):
        for step in range(NOT_COUNTED + steps):
            if step == NOT_COUNTED:
                self.finish()
                begin = time.perf_counter()
            self.load()
            self.compute()
        self.finish()
        return (time.perf_counter() - begin) / steps


class Contest:
    def __init__(self, cli, folder, small):
        self.cli, self.folder, self.small = cli, folder, small
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.device.type == "cpu":
            torch.set_num_threads(1)  # as LaneLab's lane
        self.precisions = [p for p in PRECISIONS if p != "tf32" or self.device.type == "cuda"]
        self.results = []
        self.runs = 0

    def add(self, workload, precision, name, seconds, remark=""):
        rate = workload.samples * workload.per_sample / seconds
        self.results.append({"workload": workload.name, "precision": precision, "contestant": name, "rate": rate})
        unit = "tokens/s" if workload.per_sample > 1 else "images/s"
        print(f"{workload.name}, {precision}, {name}: {rate:.5g} {unit}, {seconds * 1e3:.4g} ms a step{remark}", flush=True)

    def lanelab(self, workload, precisions):
        self.runs += 1
        out = self.folder / f"5-{pathlib.Path(workload.experiment).stem}-{self.runs}"
        command = [self.cli, "run", str(HERE / workload.experiment), "--out", str(out)]
        settings = [*workload.settings, f"data.steps={NOT_COUNTED + (1 if self.small else workload.steps)}"]
        if self.device.type == "cpu":
            settings += ['lanes=[{"device":"cpu:0"}]', 'variants[1].precision="fp32"']  # a CPU has no tf32
        for setting in settings:
            command += ["--set", setting]
        print("$", " ".join(command), flush=True)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(f"LaneLab failed ({done.returncode}):\n{done.stdout}", flush=True)
            return False
        for variant in json.loads((out / "run.json").read_text())["variants"]:
            if variant["name"] in precisions and variant["name"] in self.precisions:
                steps = variant["repeats"][-1]["step_seconds"][NOT_COUNTED:]
                self.add(workload, variant["name"], "LaneLab", sum(steps) / len(steps))
        return True

    def pytorch(self, workload, way, precision):
        try:
            begin = time.perf_counter()
            peer = Peer(workload, way, precision, self.device)
            seconds = peer.seconds(1 if self.small else workload.steps)
            self.add(workload, precision, f"PyTorch {way.name}", seconds, f" (with its preparation {time.perf_counter() - begin:.1f} s)")
            return True
        except Exception as error:  # one way that fails must not cost the others
            print(f"{workload.name}, {precision}, PyTorch {way.name} failed: {type(error).__name__}: {str(error)[:2000]}", flush=True)
            return False
        finally:
            peer = None
            gc.collect()
            if self.device.type == "cuda":
                torch.cuda.empty_cache()

    def run(self, workload):
        images = workload.per_sample == 1
        ways = [Way("eager")]
        if self.device.type == "cuda":
            ways.append(Way("CUDA graph", graph=True))
        else:
            print(f"{workload.name}, PyTorch CUDA graph: skipped: no GPU", flush=True)
        right = True
        for _ in range(1 if self.small else TURNS):
            right &= self.lanelab(workload, PRECISIONS)
            for precision in self.precisions:
                for way in ways:
                    right &= self.pytorch(workload, way, precision)
            if images:
                right &= self.pytorch(workload, Way("eager, contiguous", layout=torch.contiguous_format), self.precisions[-2])
                right &= self.pytorch(workload, Way("eager, cuDNN benchmark", benchmark=True), self.precisions[-2])
        return right

    def compiled(self, workload):
        return self.lanelab(workload, ("bf16",)) & self.pytorch(workload, Way("torch.compile", compile=True), "bf16")

    def table(self):
        """Medians over the turns, and LaneLab's rate over each peer's."""
        medians = {}
        for result in self.results:
            medians.setdefault((result["workload"], result["precision"], result["contestant"]), []).append(result["rate"])
        rows = []
        for (workload, precision, contestant), rates in medians.items():
            ours = medians.get((workload, precision, "LaneLab"))
            ratio = statistics.median(ours) / statistics.median(rates) if ours else None
            rows.append({"workload": workload, "precision": precision, "contestant": contestant, "rate": statistics.median(rates), "n": len(rates), "lanelab_over_it": ratio})
        for row in sorted(rows, key=lambda row: (row["workload"], row["precision"])):
            ratio = f"  LaneLab over it: {row['lanelab_over_it']:.3f}" if row["lanelab_over_it"] and row["contestant"] != "LaneLab" else ""
            print(f"{row['workload']:34} {row['precision']:5} {row['contestant']:32} {row['rate']:12.5g} per s  n = {row['n']}{ratio}")
        print(json.dumps({"peers": rows}))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("cli")
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--small", action="store_true")
    args = p.parse_args()
    contest = Contest(args.cli, args.folder, args.small)
    workloads = [resnet(args.small), gpt2(args.small)]
    right = all([contest.run(workload) for workload in workloads])
    contest.table()  # compiling may be stopped at the step's limit
    right &= all([contest.compiled(workload) for workload in (workloads[-1:] if args.small else workloads)])
    contest.table()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
