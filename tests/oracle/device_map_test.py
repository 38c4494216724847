#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Compares device maps with those of Hugging Face accelerate: frozen cases, random trees, and the trees of torchvision's networks.

Usage: device_map_test.py DEVICE_MAP_LINES [SEED]
"""
import json
import logging
import random
import subprocess
import sys
import unittest

import torch
import torchvision
import transformers
from accelerate.utils import modeling

LINES = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
DTYPES = ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8"]

unordered_ties = modeling.find_tied_parameters


def ordered_ties(model):
    """accelerate takes its groups from a set, so that some maps differ from run to run; in order of the first names they are always the same."""
    place = {name: i for i, (name, _) in enumerate(model.named_parameters())}
    return sorted(unordered_ties(model), key=lambda group: min(place.get(name, len(place)) for name in group))


modeling.find_tied_parameters = ordered_ties


def module_of(tree, tied):
    module = type(tree["class"], (torch.nn.Module,), {})()
    for name, tensor in tree.get("parameters", {}).items():
        def fresh():
            empty = torch.empty(tensor["shape"], dtype=getattr(torch, tensor["dtype"]), device="meta")
            return torch.nn.Parameter(empty, requires_grad=False)
        tie = tensor.get("tie")
        module.register_parameter(name, tied.setdefault(tie, fresh()) if tie else fresh())
    for name, tensor in tree.get("buffers", {}).items():
        module.register_buffer(name, torch.empty(tensor["shape"], dtype=getattr(torch, tensor["dtype"]), device="meta"))
    for name, child in tree.get("children", {}).items():
        module.add_module(name, module_of(child, tied))
    return module


def tree_of(module):
    holders = [id(value) for _, value in module.named_parameters(remove_duplicate=False)]
    tied = {value for value in holders if holders.count(value) > 1}

    def tensor(value):
        tie = {"tie": str(id(value))} if id(value) in tied else {}
        return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")} | tie

    def tree(module):
        return {"class": type(module).__name__,
                "parameters": {name: tensor(value) for name, value in module.named_parameters(recurse=False)},
                "buffers": {name: tensor(value) for name, value in module.named_buffers(recurse=False)},
                "children": {name: tree(child) for name, child in module.named_children()}}
    return tree(module)


def llama(**options):
    """A Llama of 2.5 M parameters on the meta device."""
    with torch.device("meta"):
        return transformers.LlamaForCausalLM(transformers.LlamaConfig(hidden_size=128, intermediate_size=344, num_hidden_layers=6, num_attention_heads=8,
                                                                      vocab_size=4000, **options))


def reference(case, model=None):
    model = module_of(case["tree"], {}) if model is None else model
    limits = {}
    for limit in case["max_memory"]:
        device, size = limit.split("=")
        limits[int(device) if device.isdigit() else device] = int(size) if size.isdigit() else size
    dtype = getattr(torch, case["dtype"]) if "dtype" in case else None
    try:
        if case["policy"] == "sequential":
            limits = modeling.get_max_memory(limits)
        else:
            low_zero = case["policy"] == "balanced_low_0"
            limits = modeling.get_balanced_memory(model, limits, case["no_split"], dtype=dtype, low_zero=low_zero)
        places = modeling.infer_auto_device_map(model, dict(limits), case["no_split"], dtype=dtype)
    except (IndexError, KeyError) as error:
        return {"error": type(error).__name__}
    return {"map": {"device_map": dict(places), "max_memory": {str(device): size for device, size in limits.items()}}}


def ours(cases):
    text = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run([LINES], input=text, capture_output=True, text=True, timeout=300, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class RandomTrees:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def tensor(self, buffer=False):
        r = self.random
        dtype = r.choice(DTYPES) if r.random() < 0.3 else "float32"
        shape = [r.choice([0, 1, 2, 3, 5, 8, 13]) for _ in range(r.choice([0, 1, 1, 2, 2, 3]))]
        tensor = {"shape": shape, "dtype": dtype}
        if not buffer and r.random() < self.tie_share:
            tensor = {"shape": [4, 3], "dtype": "float32", "tie": r.choice(["a", "b"][:self.groups])}
        return tensor

    def module(self, depth):
        r = self.random
        tree = {"class": r.choice(["Block", "Layer", "Norm", "Head"])}
        leaf = depth == 0 or r.random() < 0.25
        if r.random() < (0.8 if leaf else 0.3):
            tree["parameters"] = {name: self.tensor() for name in r.sample(["weight", "bias", "scale"], r.choice([1, 1, 2]))}
        if r.random() < 0.25:
            tree["buffers"] = {name: self.tensor(True) for name in r.sample(["mean", "count"], r.choice([1, 2]))}
        if not leaf:
            names = [str(i) for i in range(12)] if r.random() < 0.5 else ["up", "down", "norm", "a", "aa", "layer", "fc", "0"]
            tree["children"] = {name: self.module(depth - 1) for name in (names[:r.randint(1, 5)] if r.random() < 0.5 else r.sample(names, r.randint(1, 5)))}
        return tree

    def case(self):
        r = self.random
        self.tie_share, self.groups = r.choice([(0, 1), (0, 1), (0.05, 1), (0.15, 2)])
        tree = self.module(r.choice([1, 2, 3, 4]))
        total = sum(size for size in self.sizes(tree)) or 1
        gpus = r.choice([0, 1, 2, 2, 3, 4])
        numbers = list(range(gpus)) if r.random() < 0.85 else sorted(r.sample(range(6), gpus))
        def limit():
            return r.choice([0, r.randint(0, total), r.randint(0, 2 * total), r.randint(0, total // max(gpus, 1) + 1)])
        memory = [f"{number}={limit()}" for number in numbers]
        if r.random() < 0.7 or not memory:
            memory.append(f"cpu={limit()}")
        r.shuffle(memory)
        no_split = r.sample(["Block", "Layer", "Norm", "Head", "Absent"], r.choice([0, 0, 1, 1, 2]))
        policy = r.choice(["auto", "balanced", "balanced_low_0", "sequential", "sequential"])
        dtype = {"dtype": r.choice(["float32", "float16", "bfloat16", "int8"])} if r.random() < 0.2 else {}
        return {"tree": tree, "policy": policy, "max_memory": memory, "no_split": no_split} | dtype

    def sizes(self, tree):
        for tensor in list(tree.get("parameters", {}).values()) + list(tree.get("buffers", {}).values()):
            elements = 1
            for size in tensor["shape"]:
                elements *= size
            yield 4 * elements
        for child in tree.get("children", {}).values():
            yield from self.sizes(child)


def same(expected, answer):
    """Where accelerate raises, an error or any map will do."""
    return "error" in expected or answer.get("map") == expected["map"]


class DeviceMaps(unittest.TestCase):
    def compare(self, cases, models=None):
        expected = [reference(case, models[i] if models else None) for i, case in enumerate(cases)]
        answers = ours(cases)
        self.assertEqual(len(answers), len(cases))
        wrong = [i for i in range(len(cases)) if not same(expected[i], answers[i])]
        for i in wrong[:3]:
            print(json.dumps(cases[i]), "\n  expected", expected[i], "\n  got     ", answers[i], file=sys.stderr)
        self.assertEqual(len(wrong), 0, f"{len(wrong)} of {len(cases)} maps differ")
        raised = sum("error" in e for e in expected)
        took = sorted(answer["microseconds"] for answer in answers)
        print(f"{len(cases)} maps equal (accelerate raised on {raised}); median {took[len(took) // 2]} us, slowest {took[-1]} us", file=sys.stderr)
        return answers

    def test_random_trees(self):
        trees = RandomTrees(SEED)
        cases = [trees.case() for _ in range(1500)]
        answers = self.compare(cases)
        self.assertGreater(len({json.dumps(answer.get("map"), sort_keys=True) for answer in answers}), 560, "the cases are too much alike")

    def test_networks(self):
        limits = [["0=200MiB", "1=200MiB"], ["0=200MiB", "1=200MiB", "2=200MiB", "3=200MiB"], ["0=40MiB", "1=40MiB", "cpu=30MiB"],
                  ["0=20MB", "1=25.5MB", "cpu=400Mb"], ["0=1GiB"], ["cpu=1GiB"], ["0=0", "1=60MiB", "2=60MiB"], ["1=70MiB", "0=30MiB"]]
        cases, models = [], []
        for arch in ["resnet18", "resnet50", "resnet152"]:
            with torch.device("meta"):
                model = getattr(torchvision.models, arch)(weights=None)
            tree = tree_of(model)
            for memory in limits:
                for policy in ["auto", "balanced", "balanced_low_0", "sequential"]:
                    for no_split in [[], ["Bottleneck", "BasicBlock"]]:
                        cases.append({"tree": tree, "policy": policy, "max_memory": memory, "no_split": no_split})
                        models.append(model)
        self.compare(cases, models)

    def test_llamas(self):
        limits = [["0=3MB", "1=4MB"], ["0=2MB", "1=2MB", "2=2MB", "cpu=20MB"], ["0=4MB", "cpu=3MB"], ["cpu=3MB"], ["0=20MB", "1=20MB"], ["0=2500KB", "cpu=5MB"]]
        cases, models = [], []
        for options in [{}, {"num_key_value_heads": 2, "attention_bias": True, "mlp_bias": True}, {"tie_word_embeddings": True}]:
            model = llama(**options)
            for memory in limits:
                for policy in ["auto", "balanced_low_0", "sequential"]:
                    for no_split in [[], ["LlamaDecoderLayer"]]:
                        cases.append({"tree": tree_of(model), "policy": policy, "max_memory": memory, "no_split": no_split})
                        models.append(model)
        self.compare(cases, models)

    def test_sizes(self):
        for text in ["5GiB", "1.5GiB", "0.7MiB", "3.3KiB", "5GB", "5Gb", "5gb", "1.9MB", "1.9Mb", "7KB", "7Kb", "2e3KB", " 1.5 MB", "0.0001KB", "3gib", "3Gib"]:
            case = {"tree": {"class": "A"}, "policy": "sequential", "max_memory": [f"cpu={text}"], "no_split": []}
            self.assertEqual(ours([case])[0]["map"]["max_memory"]["cpu"], modeling.convert_file_size_to_int(text), text)


if __name__ == "__main__":
    logging.disable()  # accelerate says of each GPU that this machine lacks it
    unittest.main(argv=sys.argv[:1], verbosity=2, warnings="ignore")
