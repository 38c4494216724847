#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes the networks that ship with LaneLab: .pt2 files that have a recipe for their initial weights instead of the weights.

Usage: make_shipped.py [NAME...]. Without names: all. Run it with the Python that has torch, torchvision and transformers.

A recipe (extra/lanelab_weights.json) is what the constructor does to PyTorch's generator, call by call: {"draws": [...]} in their order. Each draw has a
"rule" and its numbers (normal: mean, deviation; truncated_normal: mean, deviation, low, high; uniform: low, high; constant: value), and either the
"record" whose numbers it makes, or the number of "elements" that are drawn and dropped. So a seed gives the weights that torch.manual_seed() and the
constructor give. Small tensors that are computed are stored as bytes.
"""
import contextlib
import io
import json
import math
import pathlib
import sys
import types
import warnings
import zipfile

import torch
import torchvision
from torch import nn
from torch.export import Dim, export, save
from torch.utils._python_dispatch import TorchDispatchMode

warnings.filterwarnings("ignore")
FOLDER = pathlib.Path(__file__).parent
RECIPE = "extra/lanelab_weights.json"
MOST_STORED_BYTES = 32768
TOKENS, COUNTING_TOKENS = 64, 24  # of a sample


def of_logits(net):
    """A network of transformers with token ids in and logits out, and with its own module paths."""
    forward = net.forward
    net.forward = types.MethodType(lambda self, x: forward(input_ids=x, use_cache=False).logits, net)
    return net


class Twice(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, padding=1)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv2(torch.relu(self.conv1(x))))


class UNet(nn.Module):
    """Ronneberger, Fischer, Brox 2015, half as wide and with padding: an image of as many classes as it has channels."""

    def __init__(self, width=32, depth=4, channels=3):
        super().__init__()
        sizes = [width << i for i in range(depth)]
        self.down = nn.ModuleList(Twice(a, b) for a, b in zip([channels] + sizes, sizes))
        self.bottom = Twice(sizes[-1], 2 * sizes[-1])
        self.raised = nn.ModuleList(nn.ConvTranspose2d(2 * s, s, 2, stride=2) for s in reversed(sizes))
        self.up = nn.ModuleList(Twice(2 * s, s) for s in reversed(sizes))
        self.head = nn.Conv2d(width, channels, 1)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):  # as in the paper: a deviation of sqrt(2 / n) for n inputs of a neuron
                nn.init.normal_(module.weight, 0, math.sqrt(2 / module.weight[0].numel()))
                nn.init.zeros_(module.bias)

    def forward(self, x):
        skips = []
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = nn.functional.max_pool2d(x, 2)
        x = self.bottom(x)
        for raised, block in zip(self.raised, self.up):
            x = block(torch.cat([raised(x), skips.pop()], 1))
        return self.head(x)


class Mlp(nn.Sequential):
    def __init__(self, width, hidden):
        super().__init__(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))


class MixerBlock(nn.Module):
    def __init__(self, tokens, width, token_hidden, hidden):
        super().__init__()
        self.norm1, self.tokens = nn.LayerNorm(width), Mlp(tokens, token_hidden)
        self.norm2, self.channels = nn.LayerNorm(width), Mlp(width, hidden)

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Mixer(nn.Module):
    """Mixer-S/16 (Tolstikhin et al. 2021)."""

    def __init__(self, side=64, patch=16, width=512, layers=8, token_hidden=256, hidden=2048, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, width, patch, patch)
        self.blocks = nn.ModuleList(MixerBlock((side // patch) ** 2, width, token_hidden, hidden) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Conv2d)):  # flax's default, lecun_normal, which divides by the deviation of what is cut off
                deviation = math.sqrt(1 / module.weight[0].numel()) / 0.87962566103423978
                nn.init.trunc_normal_(module.weight, 0, deviation, -2 * deviation, 2 * deviation)
                nn.init.zeros_(module.bias)
        nn.init.zeros_(self.head.weight)

    def forward(self, x):
        x = self.stem(x).flatten(2).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1))


def vit():
    return torchvision.models.VisionTransformer(image_size=64, patch_size=16, num_layers=12, num_heads=6, hidden_dim=384, mlp_dim=1536, num_classes=10)


def convnext():
    return torchvision.models.convnext_tiny(num_classes=10, stochastic_depth_prob=0)


def swin():
    return torchvision.models.SwinTransformer([4, 4], 96, [2, 2, 6, 2], [3, 6, 12, 24], [7, 7], stochastic_depth_prob=0, num_classes=10)


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    return of_logits(GPT2LMHeadModel(GPT2Config(vocab_size=1024, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0)))


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    return of_logits(LlamaForCausalLM(LlamaConfig.from_json_file(FOLDER / "tiny-llama" / "config.json")).float())


def images(side=64):
    return torch.randn(2, 3, side, side)


NETWORKS = {
    "vit-s16": (vit, images), "convnext-t": (convnext, images), "unet": (UNet, images), "swin-t": (swin, lambda: images(112)), "mixer-s16": (Mixer, images),
    "gpt2-small": (gpt2, lambda: torch.randint(0, 1024, (2, TOKENS))), "tiny-llama": (llama, lambda: torch.randint(0, 48, (2, COUNTING_TOKENS))),
}


class Draws(TorchDispatchMode):
    """Records what draws from the generator: `calls` has the tensor, the rule and its numbers."""

    def __init__(self):
        super().__init__()
        self.calls, self.kept, self.within = [], [], False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.kept.append(result)  # so that no address is used twice
        if torch.Tag.nondeterministic_seeded in function.tags and not self.within:
            name = function.overloadpacket.__name__
            low, high = (list(args[1:]) + [0.0, 1.0][len(args) - 1:])[:2]
            self.add(args[0], {"normal_": {"rule": "normal", "mean": low, "deviation": high},
                               "uniform_": {"rule": "uniform", "low": low, "high": high}}[name])
        return result

    def add(self, tensor, rule):
        assert tensor.is_contiguous() and tensor.numel() * tensor.element_size() == tensor.untyped_storage().nbytes(), "a part of a tensor is drawn"
        assert tensor.dtype == torch.float32
        self.calls.append((tensor, rule))


@contextlib.contextmanager
def recorded():
    draws = Draws()
    original = nn.init._no_grad_trunc_normal_

    def truncated(tensor, mean, std, a, b, generator=None):
        draws.within = True
        result = original(tensor, mean, std, a, b, generator=generator)
        draws.within = False
        draws.add(tensor, {"rule": "truncated_normal", "mean": mean, "deviation": std, "low": a, "high": b})
        return result

    nn.init._no_grad_trunc_normal_ = truncated
    try:
        with draws:
            yield draws
    finally:
        nn.init._no_grad_trunc_normal_ = original


def recipe_of(tensors, calls):
    """Of the tensors (by record): the draws in their order, and which records keep their bytes."""
    last = {tensor.data_ptr(): place for place, (tensor, _) in enumerate(calls)}
    records = {tensor.data_ptr(): record for record, tensor in tensors.items()}
    draws, stored = [], []
    for record, tensor in tensors.items():
        flat = tensor.detach().reshape(-1)
        if bool((flat == flat[0]).all()):
            draws.append({"record": record, "rule": "constant", "value": flat[0].item()})
            last.pop(tensor.data_ptr(), None)
        elif tensor.data_ptr() not in last:
            assert tensor.numel() * tensor.element_size() <= MOST_STORED_BYTES, record
            stored.append(record)
    for place, (tensor, rule) in enumerate(calls):
        record = records.get(tensor.data_ptr())
        drawn = record is not None and last.get(tensor.data_ptr()) == place
        draws.append(({"record": record} if drawn else {"elements": tensor.numel()}) | {k: v if k == "rule" else float(v) for k, v in rule.items()})
    return {"version": 1, "draws": draws}, stored


def short_stack(stack):
    """Paths and class names: all that is read of "L__self___fc,fc,torch.nn.modules.linear.Linear;..."."""
    calls = (call.split(",") for call in stack.split(";"))
    return ";".join(f"L,{path},{name.rpartition('.')[2]}" for _, path, name in calls)


def named_values(tree):
    """Each place of the graph that names a value: (object, key)."""
    if isinstance(tree, list):
        for item in tree:
            yield from named_values(item)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            if key in ("as_tensor", "as_tensors"):
                yield from ((value, "name") for value in (item if isinstance(item, list) else [item]))
            elif key == "as_name":
                yield tree, key
            else:
                yield from named_values(item)


def number_values(model):
    """What nodes compute is called v0, v1, ... in place of names that the exporter made of the operators."""
    def outputs(graph):
        for node in graph["nodes"]:
            for named in node["inputs"]:
                if "as_graph" in named["arg"]:
                    yield from outputs(named["arg"]["as_graph"]["graph"])
            yield from (value[key] for value, key in named_values(node["outputs"]))

    def rename_keys(graph):
        for key in [key for key in graph if key.endswith("_values")]:
            graph[key] = {numbers.get(name, name): value for name, value in graph[key].items()}
        for node in graph["nodes"]:
            for named in node["inputs"]:
                if "as_graph" in named["arg"]:
                    rename_keys(named["arg"]["as_graph"]["graph"])

    numbers = {}
    for name in outputs(model["graph_module"]["graph"]):
        numbers.setdefault(name, f"v{len(numbers)}")
    for value, key in list(named_values(model["graph_module"])):
        value[key] = numbers.get(value[key], value[key])
    rename_keys(model["graph_module"]["graph"])


def short_graph(graph):
    graph["nodes"] = [{key: node[key] for key in ("inputs", "target", "outputs", "metadata")} for node in graph["nodes"]]  # this order compresses best
    for node in graph["nodes"]:
        stack = node["metadata"].get("nn_module_stack")
        node["metadata"] = {"nn_module_stack": short_stack(stack)} if stack else {}
        for named in node["inputs"]:
            named.pop("kind")
            if "as_graph" in named["arg"]:
                short_graph(named["arg"]["as_graph"]["graph"])
    made = [entry["as_tensor"]["name"] for list_of in [graph["inputs"], *(n["outputs"] for n in graph["nodes"])] for entry in list_of if "as_tensor" in entry]
    graph["tensor_values"] = {name: graph["tensor_values"].pop(name) for name in made} | graph["tensor_values"]  # neighbours are alike
    for value in graph["tensor_values"].values():
        for key in ("requires_grad", "device", "storage_offset", "layout"):
            value.pop(key)
        for size in value["sizes"] + value["strides"]:
            if "as_expr" in size:
                size["as_expr"] = {"expr_str": size["as_expr"]["expr_str"].replace(", positive=True, integer=True", "")}


def short_model(text):
    """The model without what LaneLab does not read, most of which differs from machine to machine."""
    model = json.loads(text)
    for place, spec in enumerate(model["graph_module"]["signature"]["input_specs"]):
        weight = next(iter(spec.values()))["arg"]
        if "name" in weight:
            text = text.replace(json.dumps(weight["name"]).encode(), json.dumps(f"w{place}").encode())
    model = json.loads(text)
    number_values(model)
    short_graph(model["graph_module"]["graph"])
    for key in ("module_call_graph", "metadata", "treespec_namedtuple_fields"):
        model["graph_module"].pop(key, None)
    for key in ("guards_code", "opset_version"):
        model.pop(key)
    return json.dumps(model, separators=(",", ":")).encode()


def exported_program(net, example):
    """Dropout of no element is left out."""
    dropout = nn.functional.dropout
    nn.functional.dropout = lambda x, p=0.5, training=True, inplace=False: x if p == 0 else dropout(x, p, training, inplace)
    try:
        return export(net.train(), (example,), dynamic_shapes=({0: Dim("batch", min=1, max=4096)},))
    finally:
        nn.functional.dropout = dropout


def shipped(name, seed=0):
    make, example = NETWORKS[name]
    torch.manual_seed(seed)
    with recorded() as draws:
        net = make()
    x = example()
    buffer = io.BytesIO()
    save(exported_program(net, x), buffer)
    state = net.state_dict(keep_vars=True) | dict(net.named_buffers())
    source = zipfile.ZipFile(io.BytesIO(buffer.getvalue()))
    folder = source.namelist()[0].partition("/")[0]
    config = json.loads(source.read(f"{folder}/data/weights/model_weights_config.json"))
    constants = json.loads(source.read(f"{folder}/data/constants/model_constants_config.json"))
    tensors = {}
    stored = {}  # equal tensors once
    for key, entry in config["config"].items():
        tensor = state[key].detach()
        if not entry["is_param"]:
            entry["path_name"] = stored.setdefault((tuple(tensor.shape), tensor.numpy().tobytes()), entry["path_name"])
        tensors.setdefault(entry["path_name"], tensor)
    constant_bytes = {}  # those of one size follow each other in one record
    for entry in constants["config"].values():
        data = source.read(f"{folder}/data/constants/{entry['path_name']}")
        entry["path_name"] = f"tensors_of_{len(data)}"
        together = constant_bytes.setdefault(entry["path_name"], [])
        if data not in together:
            together.append(data)
        assert entry["tensor_meta"]["storage_offset"] == {"as_int": 0}
        entry["tensor_meta"]["storage_offset"] = {"as_int": together.index(data) * math.prod(size["as_int"] for size in entry["tensor_meta"]["sizes"])}
    for entry in [*config["config"].values(), *constants["config"].values()]:
        for key in ("requires_grad", "device"):
            entry["tensor_meta"].pop(key)
    recipe, kept = recipe_of(tensors, draws.calls)
    print(name, sum(p.numel() for p in net.parameters()), "parameters,", len(recipe["draws"]), "draws, stored:", len(kept), "constants:", list(constants["config"]))

    entries = {"models/model.json": short_model(source.read(f"{folder}/models/model.json")), "archive_version": b"0", "byteorder": b"little", "archive_format": b"pt2",
               "data/weights/model_weights_config.json": json.dumps(config, separators=(",", ":")).encode(),
               "data/constants/model_constants_config.json": json.dumps(constants, separators=(",", ":")).encode(),
               RECIPE: json.dumps(recipe, separators=(",", ":")).encode()}
    entries |= {f"data/weights/{record}": source.read(f"{folder}/data/weights/{record}") for record in kept}
    entries |= {f"data/constants/{record}": b"".join(together) for record, together in constant_bytes.items()}
    return written(entries)


def written(entries):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        for name, content in entries.items():
            info = zipfile.ZipInfo("net/" + name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(info, content, compresslevel=9)
    return buffer.getvalue()


def main():
    for name in sys.argv[1:] or NETWORKS:
        data = shipped(name)
        (FOLDER / f"{name}.pt2").write_bytes(data)
        print(name, len(data), "bytes")


if __name__ == "__main__":
    main()
