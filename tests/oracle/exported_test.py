#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Compares what engine/exported counts of exported networks with PyTorch: tensors saved for backward, MACs, and which operators are views or write.

Usage: exported_test.py EXPORTED_LINES [NETWORK...]
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
import make_exported  # noqa: E402

warnings.filterwarnings("ignore")
TOOL = ""
# Mixtral calls an operator that has no rule; the LSTM of the CPU saves a workspace, whose size is an estimate.
EXACT = [name for name in make_exported.NETWORKS if name not in ("mixtral", "lstm")]
WIDE = 64
# PyTorch does not count the CPU's own kernel.
CPU_ATTENTION = {torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: lambda q, k, v, *args, out_shape=None, **more: sdpa_flop_count(q, k, v)}


def counted(path):
    done = subprocess.run([TOOL, path], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Recorder(torch.fx.Interpreter):
    """Runs a network call by call; `saved` has the storages that each call saves for backward."""

    def __init__(self, module):
        super().__init__(module, garbage_collect_values=False)
        self.saved = collections.defaultdict(list)
        self.kept = []

    def call_function(self, target, args, kwargs):
        """Attention with dropout is computed as lanes do it: with a mask of their own numbers."""
        call = dict(zip(("query", "key", "value", "attn_mask", "dropout_p", "is_causal"), args)) | kwargs
        if target is not torch.ops.aten.scaled_dot_product_attention.default or not call.get("dropout_p"):
            return super().call_function(target, args, kwargs)
        query, key, share = call["query"], call["key"], call["dropout_p"]
        kept = torch.rand(*query.shape[:-1], key.shape[-2]) >= share
        return torch.ops.aten._scaled_dot_product_attention_math(
            query, key, call["value"], call.get("attn_mask"), share, call.get("is_causal", False), kept, scale=call.get("scale"),
            enable_gqa=call.get("enable_gqa", False))[0]

    def run_node(self, n):
        def pack(tensor):
            self.kept.append(tensor)  # so that no address is used twice
            self.saved[n.name].append(tensor.untyped_storage())
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            return super().run_node(n)


def storages(module, x):
    """Of each call, the bytes of the storages that it saves, by their addresses; without weights. And the storages of all values."""
    weights = {t.untyped_storage().data_ptr() for t in list(module.parameters()) + list(module.buffers()) +
               [v for v in vars(module).values() if isinstance(v, torch.Tensor)]}
    recorder = Recorder(module)
    recorder.run(x)
    saved = {name: {s.data_ptr(): s.nbytes() for s in found if s.data_ptr() not in weights} for name, found in recorder.saved.items()}
    values = {node.name: value.untyped_storage().data_ptr() for node, value in recorder.env.items() if isinstance(value, torch.Tensor)}
    return saved, values


def saved_bytes(blocks, module, x):
    """Of each block: what it saves first, and what of its input a block before it saves as well as one from it on."""
    saved, values = storages(module, x)
    of_block = [{p: n for node in block["nodes"] for p, n in saved.get(node, {}).items()} for block in blocks]
    seen, result = {}, []
    for i, block in enumerate(blocks):
        later = {p for found in of_block[i:] for p in found}
        first = {p: n for p, n in of_block[i].items() if p not in seen}
        received = {values[v] for v in block["crossing"] if v in values}
        result.append((sum(first.values()), sum(seen[p] for p in received if p in seen and p in later)))
        seen.update(first)
    return result


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = {}
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        for name, (make, example) in make_exported.NETWORKS.items():
            net = make_exported.Tagger(WIDE) if name == "lstm" else make()
            x = example()
            program = make_exported.exported_program(net, x)
            path = os.path.join(folder.name, name + ".pt2")
            torch.export.save(program, path)
            cls.cases[name] = (counted(path), program.module(), x)

    def test_saved_bytes_are_those_of_autograd(self):
        for name in EXACT:
            found, module, x = self.cases[name]
            blocks = found["blocks"]
            with self.subTest(network=name):
                small = saved_bytes(blocks, module, x)
                large = saved_bytes(blocks, module, torch.cat([x, x]))
                for block, before, after in zip(blocks, small, large):
                    measured = [(b - a) // len(x) for a, b in zip(before, after)]
                    self.assertEqual([block["activation_bytes"], block["received_bytes"]], measured, block["name"])

    def test_saved_bytes_of_an_lstm_are_near(self):
        found, module, x = self.cases["lstm"]
        small, large = (sum(a for a, _ in saved_bytes(found["blocks"], module, batch)) for batch in (x, torch.cat([x, x])))
        estimate = sum(block["activation_bytes"] for block in found["blocks"])
        self.assertEqual(found["notes"], [])
        self.assertLess(abs(estimate * len(x) / (large - small) - 1), 0.1)

    def test_macs_are_half_the_operations_that_pytorch_counts(self):
        for name in make_exported.NETWORKS:
            if name in ("mixtral", "lstm"):
                continue
            found, module, x = self.cases[name]

            def operations(batch):
                with FlopCounterMode(display=False, custom_mapping=CPU_ATTENTION) as counter, torch.no_grad():
                    module(batch)
                return counter.get_total_flops()

            with self.subTest(network=name):
                each = (operations(torch.cat([x, x])) - operations(x)) // len(x)
                self.assertEqual(sum(block["macs"] for block in found["blocks"]), each // 2)

    def test_parameters_and_buffers_are_those_of_the_module(self):
        for name, (found, module, _) in self.cases.items():
            with self.subTest(network=name):
                parameters = sum(p.numel() for p in module.parameters())
                self.assertEqual(sum(block["parameters"] for block in found["blocks"]), parameters)

    def test_an_operator_without_a_rule_is_named(self):
        notes = self.cases["mixtral"][0]["notes"]
        self.assertTrue(any("grouped_mm_fallback" in note and "is not known" in note for note in notes), notes)


def schema_call(schema):
    arguments = [(a.name, str(a.type).replace("Optional[Tensor]", "Tensor")) for a in schema.arguments]
    return json.dumps({"target": schema.name.replace("::", ".") + "." + (schema.overload_name or "default"), "arguments": arguments})


class Operators(unittest.TestCase):
    """The schemas of all public operators of ATen."""

    @classmethod
    def setUpClass(cls):
        cls.schemas = [s for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::") and
                       not s.name.startswith(("aten::_", "aten::keys", "aten::popitem", "aten::fbgemm", "aten::fused_moving")) and
                       any("Tensor" in str(a.type) for a in s.arguments) and any("Tensor" in str(r.type) for r in s.returns)]
        done = subprocess.run([TOOL, "--traits"], input="\n".join(map(schema_call, cls.schemas)), capture_output=True, text=True, timeout=60, check=True)
        cls.traits = [json.loads(line) for line in done.stdout.splitlines()]

    def test_what_is_annotated_as_written_is_known_to_be(self):
        self.assertGreater(len(self.schemas), 1500)
        for schema, traits in zip(self.schemas, self.traits):
            if schema.name in ("aten::detach_", "aten::requires_grad_"):
                continue  # no number changes
            written = {a.name for a in schema.arguments if a.alias_info and a.alias_info.is_write and not a.kwarg_only}
            missing = written - set(traits["written"])
            extra = set(traits["written"]) - written - {"out", "running_mean", "running_var"}
            with self.subTest(schema=str(schema)):
                self.assertEqual((missing, extra), (set(), set()))

    def test_what_is_annotated_as_a_view_is_known_to_be(self):
        for schema, traits in zip(self.schemas, self.traits):
            if any(r.alias_info for r in schema.returns) and not any(a.alias_info and a.alias_info.is_write for a in schema.arguments):
                with self.subTest(schema=str(schema)):
                    self.assertTrue(traits["view"])

    def test_what_draws_random_numbers_is_known_to(self):
        for schema, traits in zip(self.schemas, self.traits):
            packet = getattr(torch.ops.aten, schema.name[len("aten::"):], None)
            overload = getattr(packet, schema.overload_name or "default", None)
            if overload is not None and torch.Tag.nondeterministic_seeded in overload.tags:
                with self.subTest(schema=str(schema)):
                    self.assertTrue(traits["random"])


if __name__ == "__main__":
    TOOL = sys.argv.pop(1)
    unittest.main()
