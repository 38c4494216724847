#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes small networks as torch.export.save() does, for tests of engine/exported (tests/data/exported).

Usage: make_exported.py [NAME...]. Without names: all. Run it with the Python that has torch, torchvision and transformers.

The archives are written again: deflated, without sample inputs, with paths of files cut to their names, with times of 1980 and with weights of a pattern
that deflates well, so that each is 5 to 40 kB and the same from run to run.
"""
import io
import json
import pathlib
import re
import struct
import sys
import warnings
import zipfile

import torch
import torchvision
from torch import nn
from torch.export import Dim, export, save

warnings.filterwarnings("ignore")
FOLDER = pathlib.Path(__file__).parent / "exported"
TOKENS = 50


class Logits(nn.Module):
    """A network of transformers with token ids in and logits out."""

    def __init__(self, inner, **more):
        super().__init__()
        self.inner = inner
        self.more = more

    def forward(self, x):
        return self.inner(input_ids=x, **self.more).logits


class Translation(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(input_ids=x, decoder_input_ids=x, use_cache=False).logits


class Twice(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, padding=1)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv2(torch.relu(self.conv1(x))))


class UNet(nn.Module):
    def __init__(self, width=4, depth=3, classes=2):
        super().__init__()
        sizes = [width << i for i in range(depth)]
        self.down = nn.ModuleList(Twice(a, b) for a, b in zip([3] + sizes, sizes))
        self.bottom = Twice(sizes[-1], 2 * sizes[-1])
        self.raised = nn.ModuleList(nn.ConvTranspose2d(2 * s, s, 2, stride=2) for s in reversed(sizes))
        self.up = nn.ModuleList(Twice(2 * s, s) for s in reversed(sizes))
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        skips = []
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = torch.nn.functional.max_pool2d(x, 2)
        x = self.bottom(x)
        for raised, block in zip(self.raised, self.up):
            x = block(torch.cat([raised(x), skips.pop()], 1))
        return self.head(x)


class Tagger(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.embed = nn.Embedding(TOKENS, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.head = nn.Linear(width, 5)

    def forward(self, x):
        return self.head(self.lstm(self.embed(x))[0])


def resnet18():
    """A sixteenth as wide as torchvision's."""
    class Narrow(torchvision.models.ResNet):
        def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
            self.inplanes = 4 if planes == 64 else self.inplanes
            return super()._make_layer(block, planes // 16, blocks, stride, dilate)

    net = Narrow(torchvision.models.resnet.BasicBlock, [2, 2, 2, 2], num_classes=10)
    net.conv1, net.bn1, net.fc = nn.Conv2d(3, 4, 7, 2, 3, bias=False), nn.BatchNorm2d(4), nn.Linear(32, 10)
    return net


def convnext():
    from torchvision.models.convnext import CNBlockConfig, ConvNeXt
    return ConvNeXt([CNBlockConfig(8, 16, 2), CNBlockConfig(16, 32, 2), CNBlockConfig(32, None, 1)], num_classes=10)


def efficientnet():
    from torchvision.models.efficientnet import EfficientNet, MBConvConfig
    return EfficientNet([MBConvConfig(1, 3, 1, 8, 8, 1, 1, 1), MBConvConfig(2, 3, 2, 8, 16, 2, 1, 1), MBConvConfig(2, 5, 2, 16, 16, 2, 1, 1)],
                        dropout=0.2, num_classes=10, last_channel=32)


def vit():
    return torchvision.models.VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=2, hidden_dim=16, mlp_dim=32, num_classes=10, dropout=0.1)


class Encoder(nn.Module):
    """PyTorch's own attention, of which nothing is random."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, 16)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(16, 2, 32, dropout=0, batch_first=True, norm_first=i > 0) for i in range(2))
        self.head = nn.Linear(16, TOKENS)

    def forward(self, x):
        x = self.embedding(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def swin():
    return torchvision.models.SwinTransformer([2, 2], 8, [2, 2], [2, 4], [4, 4], num_classes=10)


def densenet():
    return torchvision.models.DenseNet(4, (2, 3, 2), 8, num_classes=10)


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    return Logits(GPT2LMHeadModel(GPT2Config(vocab_size=TOKENS, n_positions=32, n_embd=16, n_layer=3, n_head=2)), use_cache=False)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    return Logits(LlamaForCausalLM(LlamaConfig(vocab_size=TOKENS, hidden_size=16, intermediate_size=32, num_hidden_layers=3, num_attention_heads=4,
                                               num_key_value_heads=2, max_position_embeddings=64)), use_cache=False)


def mixtral():
    from transformers import MixtralConfig, MixtralForCausalLM
    return Logits(MixtralForCausalLM(MixtralConfig(vocab_size=TOKENS, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4,
                                                   num_key_value_heads=2, num_local_experts=2, max_position_embeddings=64)), use_cache=False)


def bert():
    from transformers import BertConfig, BertForMaskedLM
    return Logits(BertForMaskedLM(BertConfig(vocab_size=TOKENS, hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32, max_position_embeddings=32)))


def t5():
    from transformers import T5Config, T5ForConditionalGeneration
    return Translation(T5ForConditionalGeneration(T5Config(vocab_size=TOKENS, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0)))


def images(side):
    return lambda: torch.randn(2, 3, side, side)


def tokens():
    return torch.randint(0, TOKENS, (2, 12))


NETWORKS = {
    "resnet18": (resnet18, images(32)), "convnext": (convnext, images(32)), "efficientnet": (efficientnet, images(32)), "densenet": (densenet, images(32)),
    "unet": (UNet, images(16)), "vit": (vit, images(32)), "encoder": (Encoder, tokens), "swin": (swin, images(32)), "lstm": (Tagger, tokens), "gpt2": (gpt2, tokens), "bert": (bert, tokens),
    "t5": (t5, tokens), "llama": (llama, tokens), "mixtral": (mixtral, tokens),
}


def exported_program(net, example):
    return export(net.train(), (example,), dynamic_shapes=({0: Dim("batch", min=1, max=4096)},))


def exported(name):
    torch.manual_seed(0)
    make, example = NETWORKS[name]
    buffer = io.BytesIO()
    save(exported_program(make(), example()), buffer)
    return buffer.getvalue()


def short_model(text):
    """The model without paths of this machine, and of each stack trace the innermost line outside of PyTorch only."""
    model = json.loads(text)

    def shorten(graph):
        for node in graph["nodes"]:
            trace = node["metadata"].get("stack_trace")
            if trace:
                frames = re.findall(r'File "([^"]*)", line (\d+), in (\w+)', trace)
                path, line, function = ([f for f in frames if "/torch/" not in "/" + f[0]] or frames)[-1]
                node["metadata"]["stack_trace"] = f'File "{path.rsplit("/", 1)[-1]}", line {line}, in {function}'
            for named in node["inputs"]:
                if "as_graph" in named["arg"]:
                    shorten(named["arg"]["as_graph"]["graph"])

    shorten(model["graph_module"]["graph"])
    model["guards_code"] = []
    return json.dumps(model, separators=(",", ":")).encode()


def pattern(size):
    """Small floats that repeat."""
    period = b"".join(struct.pack("<f", 0.02 * ((i * 5) % 7 - 3)) for i in range(7))
    return (period * (size // len(period) + 1))[:size]


def rewritten(data):
    source = zipfile.ZipFile(io.BytesIO(data))
    configs = {n: json.loads(source.read(n))["config"] for n in source.namelist() if n.endswith("model_weights_config.json")}
    weights = {str(pathlib.PurePosixPath(n).parent / meta["path_name"]) for n, config in configs.items() for meta in config.values()
               if meta["is_param"] and meta["tensor_meta"]["dtype"] == 7}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name in source.namelist():
            if "/sample_inputs/" in name or "/.data/" in name:
                continue
            content = source.read(name)
            content = short_model(content) if name.endswith("models/model.json") else pattern(len(content)) if name in weights else content
            info = zipfile.ZipInfo("net" + name[name.index("/"):], (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(info, content)
    return buffer.getvalue()


def main():
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or NETWORKS:
        try:
            data = rewritten(exported(name))
        except Exception as error:  # the others are still worth writing
            print(name, "was not exported:", str(error)[:300])
            continue
        (FOLDER / f"{name}.pt2").write_bytes(data)
        print(name, len(data), "bytes")


if __name__ == "__main__":
    main()
