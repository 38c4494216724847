#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""lanelab-cli infer against transformers' LlamaForCausalLM: logits, greedy generation, maps with offload, 8-bit weights; and ResNets under maps.

Usage: llama_test.py PATH_OF_LANELAB_CLI [unittest's options].
"""
import itertools
import json
import logging
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import safetensors.torch
import torch
import torchvision
import transformers
from accelerate.utils import modeling

CLI = ""
SMALL = {"vocab_size": 320, "hidden_size": 64, "intermediate_size": 176, "num_hidden_layers": 3, "num_attention_heads": 4, "eos_token_id": None,
         "bos_token_id": None}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64}


def spread(model, seed):
    """Weights large enough that attention and the norms matter, and biases that are not zero."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            parameter.copy_(1 + 0.3 * noise if "norm" in name else 0.12 * noise)


class Infer(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def run_cli(self, *arguments):
        return subprocess.run([CLI, "infer", *map(str, arguments)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)

    def llama(self, seed=1, dtype=torch.float32, **options):
        """A random network, written as Hugging Face does."""
        config = transformers.LlamaConfig(**(SMALL | options), dtype=dtype)
        model = transformers.LlamaForCausalLM(config)
        spread(model, seed)
        model = model.to(dtype).eval()
        model.model.rotary_emb = type(model.model.rotary_emb)(config)
        model.save_pretrained(self.folder)
        return model

    def ids(self, rows, tokens, vocabulary=320):
        ids = torch.randint(0, vocabulary, (rows, tokens), generator=torch.Generator().manual_seed(rows + tokens))
        safetensors.torch.save_file({"input_ids": ids}, self.folder / "in.safetensors")
        return ids

    def infer(self, *arguments, weights="model.safetensors"):
        """The tensors written, the object printed, and what was said."""
        done = self.run_cli("llama", "--config", self.folder / "config.json", "--weights", self.folder / weights, "--input", self.folder / "in.safetensors",
                            "--out", self.folder / "out.safetensors", "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return safetensors.torch.load_file(self.folder / "out.safetensors"), json.loads(done.stdout), done.stderr

    def assert_near(self, logits, wanted, most):
        self.assertEqual(logits.dtype, torch.float32)
        self.assertEqual(logits.shape, wanted.shape)
        self.assertLessEqual((logits - wanted.float()).abs().max().item(), most)


class Logits(Infer):
    def compare(self, most=1e-4, rows=2, tokens=40, arguments=(), **options):
        model = self.llama(**options)
        ids = self.ids(rows, tokens)
        with torch.no_grad():
            wanted = model(ids).logits
        self.assertGreater(wanted.abs().max().item(), 0.5, "logits near zero show nothing")
        found, told, _ = self.infer(*arguments)
        self.assert_near(found["logits"], wanted, most)
        return told

    def test_every_head_of_its_own(self):
        self.assertEqual(self.compare()["device_map"], {"": "cpu"})

    def test_one_token(self):
        self.compare(rows=1, tokens=1)

    def test_shared_keys_and_values(self):
        self.compare(num_key_value_heads=2)
        self.compare(num_key_value_heads=1, tokens=7)

    def test_head_size_of_its_own(self):
        self.compare(head_dim=32, num_key_value_heads=2)

    def test_biases(self):
        self.compare(attention_bias=True, mlp_bias=True)

    def test_tied_embeddings(self):
        self.compare(tie_word_embeddings=True)
        with safetensors.safe_open(self.folder / "model.safetensors", "pt") as file:
            self.assertNotIn("lm_head.weight", file.keys())

    def test_rotary_embeddings(self):
        for parameters in [{"rope_type": "default", "rope_theta": 500000.0}, {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}, LLAMA3]:
            with self.subTest(parameters=parameters):
                self.compare(rope_parameters=parameters, tokens=150, head_dim=32)

    def test_old_keys(self):
        model = self.llama(rope_parameters=LLAMA3, num_key_value_heads=2)
        ids = self.ids(2, 90)
        config = json.loads((self.folder / "config.json").read_text())
        rope = config.pop("rope_parameters")
        config |= {"rope_theta": rope.pop("rope_theta"), "rope_scaling": rope, "torch_dtype": config.pop("dtype")}
        config.pop("head_dim", None)
        (self.folder / "config.json").write_text(json.dumps(config))
        with torch.no_grad():
            self.assert_near(self.infer()[0]["logits"], model(ids).logits, 1e-4)

    def test_bf16(self):
        """bf16 has 8 bits: two orders of the same sums differ by a few units in the last place of logits up to about 8."""
        self.compare(dtype=torch.bfloat16, num_key_value_heads=2, most=0.13)

    def test_file_of_another_type_is_converted(self):
        model = self.llama(dtype=torch.bfloat16)
        ids = self.ids(2, 20)
        with torch.no_grad():
            wanted = model.float()(ids).logits
        config = json.loads((self.folder / "config.json").read_text())
        (self.folder / "config.json").write_text(json.dumps(config | {"dtype": "float32"}))
        for arguments in [[], ["--device-map", "sequential", "--max-memory", "cpu=0"]]:
            self.assert_near(self.infer(*arguments)[0]["logits"], wanted, 1e-4)

    def test_shards(self):
        model = self.llama()
        ids = self.ids(2, 20)
        (self.folder / "model.safetensors").unlink()
        model.save_pretrained(self.folder, max_shard_size="200KB")
        self.assertGreater(len(list(self.folder.glob("model-*.safetensors"))), 2)
        with torch.no_grad():
            wanted = model(ids).logits
        for weights in [".", "model.safetensors.index.json"]:
            self.assert_near(self.infer(weights=weights)[0]["logits"], wanted, 1e-4)


class Maps(Infer):
    MAPS = {
        "disk": (["--device-map", "sequential", "--max-memory", "cpu=0"], {"disk"}),
        "cpu and disk": (["--device-map", "sequential", "--max-memory", "cpu=500KB"], {"cpu", "disk"}),
        "GPU, cpu and disk": (["--device-map", "auto", "--max-memory", "0=300KB", "--max-memory", "cpu=400KB"], {0, "cpu", "disk"}),
        "two GPUs": (["--device-map", "balanced", "--max-memory", "0=800KB", "--max-memory", "1=800KB", "--no-split", "LlamaDecoderLayer"], {0, 1}),
    }

    def test_maps_change_nothing(self):
        for options in [{"num_key_value_heads": 2}, {"tie_word_embeddings": True, "attention_bias": True}]:
            model = self.llama(**options)
            ids = self.ids(2, 30)
            plain = self.infer()[0]["logits"]
            with torch.no_grad():
                self.assert_near(plain, model(ids).logits, 1e-4)
            for name, (arguments, devices) in self.MAPS.items():
                with self.subTest(map=name, options=options):
                    found, told, said = self.infer(*arguments)
                    self.assertLessEqual(set(told["device_map"].values()), devices)
                    self.assertTrue(torch.equal(found["logits"], plain))
                    self.assertEqual("GPU" in said, bool({0, 1} & set(told["device_map"].values())))

    def test_map_in_a_file(self):
        self.llama()
        self.ids(1, 5)
        plain = self.infer()[0]["logits"]
        places = {"model.embed_tokens": 0, "model.layers.0": "cpu", "model.layers": "disk", "model.layers.1.mlp.up_proj": "cpu", "model.norm": "disk", "lm_head": 0}
        (self.folder / "map.json").write_text(json.dumps(places))
        found, told, _ = self.infer("--device-map", self.folder / "map.json")
        self.assertEqual(told["device_map"], places)
        self.assertTrue(torch.equal(found["logits"], plain))
        self.assertGreater(told["offloaded_bytes"], 0)

    def test_offload_keeps_little_in_memory(self):
        """24 layers of 4 MiB, and only two modules of them at once."""
        model = self.llama(hidden_size=256, intermediate_size=1024, num_hidden_layers=24, vocab_size=320)
        size = os.path.getsize(self.folder / "model.safetensors")
        ids = self.ids(1, 8)

        def peak(*arguments):
            code = ("import resource,subprocess,sys; r = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024); sys.exit(r.returncode)")
            done = subprocess.run([sys.executable, "-c", code, CLI, "infer", "llama", "--config", self.folder / "config.json", "--weights", self.folder / "model.safetensors",
                                   "--input", self.folder / "in.safetensors", "--out", self.folder / "out.safetensors", *arguments], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            return int(done.stdout), safetensors.torch.load_file(self.folder / "out.safetensors")["logits"]

        kept, plain = peak()
        offloaded, logits = peak("--device-map", "sequential", "--max-memory", "cpu=0")
        self.assertTrue(torch.equal(plain, logits))
        self.assertGreater(size, 90 << 20)
        self.assertGreater(kept - offloaded, size * 0.85)
        with torch.no_grad():
            self.assert_near(logits, model(ids).logits, 1e-4)

    def test_resnet_with_disk_equals_the_plain_one(self):
        torch.manual_seed(3)
        model = torchvision.models.resnet18(num_classes=10).eval()
        safetensors.torch.save_file(model.state_dict(), self.folder / "w.safetensors")
        safetensors.torch.save_file({"inputs": torch.randn(20, 3, 64, 64)}, self.folder / "in.safetensors")
        files = ["resnet18", "--classes", 10, "--weights", self.folder / "w.safetensors", "--input", self.folder / "in.safetensors", "--out", self.folder / "out.safetensors"]

        def logits(*arguments):
            done = self.run_cli(*files, "--json", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            return safetensors.torch.load_file(self.folder / "out.safetensors")["logits"], json.loads(done.stdout)["device_map"]

        plain, places = logits()
        self.assertEqual(places, {"": "cpu"})
        for arguments in [["--max-memory", "cpu=0"], ["--device-map", "sequential", "--max-memory", "0=20MB", "--max-memory", "cpu=22MB"],
                          ["--device-map", "balanced", "--max-memory", "0=15MB", "--max-memory", "1=15MB", "--no-split", "BasicBlock"]]:
            mapped, places = logits(*arguments)
            self.assertIn("disk", places.values())
            self.assertTrue(torch.equal(mapped, plain))

    def test_linear_has_the_size_of_its_inputs(self):
        torch.manual_seed(4)
        model = torch.nn.Linear(7, 3)
        inputs = torch.randn(20, 7)
        safetensors.torch.save_file(model.state_dict(), self.folder / "w.safetensors")
        safetensors.torch.save_file({"inputs": inputs}, self.folder / "in.safetensors")
        for arguments in [[], ["--max-memory", "cpu=0"]]:
            done = self.run_cli("linear", "--classes", 3, "--weights", self.folder / "w.safetensors", "--input", self.folder / "in.safetensors", "--out",
                                self.folder / "out.safetensors", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            with torch.no_grad():
                self.assert_near(safetensors.torch.load_file(self.folder / "out.safetensors")["logits"], model(inputs), 1e-5)


class Generation(Infer):
    def compare(self, tokens=12, rows=2, arguments=(), **options):
        model = self.llama(**options)
        ids = self.ids(rows, 9)
        with torch.no_grad():
            wanted = model.generate(ids, max_new_tokens=tokens, do_sample=False)
            logits = model(ids).logits
        found, told, _ = self.infer("--generate", tokens, *arguments)
        self.assertEqual(found["tokens"].dtype, torch.int64)
        self.assertEqual(found["tokens"].tolist(), wanted.tolist())
        self.assert_near(found["logits"], logits, 1e-4)
        self.assertEqual(told["generated"], wanted.shape[1] - 9)
        return wanted

    def test_equals_transformers(self):
        self.compare()
        self.compare(tokens=1, rows=1)
        self.compare(num_key_value_heads=2, rope_parameters=LLAMA3, tie_word_embeddings=True, tokens=80)

    def test_equals_transformers_from_disk(self):
        for arguments, _ in itertools.islice(Maps.MAPS.values(), 3):
            self.compare(num_key_value_heads=2, arguments=arguments)

    def test_ends_as_transformers_does(self):
        free = self.compare(tokens=20, pad_token_id=5)
        ends = free[0, 13].item()
        stopped = self.compare(tokens=20, eos_token_id=ends, pad_token_id=5)
        self.assertIn(ends, stopped[0, 9:].tolist())
        alone = self.compare(tokens=20, rows=1)
        short = self.compare(tokens=20, rows=1, eos_token_id=[319, alone[0, 12].item()], pad_token_id=5)
        self.assertLess(short.shape[1], 29)


    def test_a_cancel_ends_it(self):
        self.llama()
        self.ids(1, 9)
        process = subprocess.Popen([CLI, "infer", "llama", "--config", self.folder / "config.json", "--weights", self.folder / "model.safetensors", "--input",
                                    self.folder / "in.safetensors", "--out", self.folder / "out.safetensors", "--generate", "60000"],
                                   stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        try:
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=2)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 130, process.stderr.read())
        finally:
            process.kill()
            process.stderr.close()
        self.assertFalse((self.folder / "out.safetensors").exists())


class Int8(Infer):
    def test_error_is_told_and_bounded(self):
        for dtype, most in [(torch.float32, 0.05), (torch.bfloat16, 0.08)]:
            model = self.llama(num_key_value_heads=2, dtype=dtype)
            self.ids(2, 30)
            exact = self.infer()[0]["logits"]
            found, told, said = self.infer("--int8", "--generate", 3)
            difference = (found["logits"] - exact).abs()
            self.assertAlmostEqual(told["int8"]["max_error"], difference.max().item(), delta=1e-6)
            self.assertAlmostEqual(told["int8"]["mean_error"], difference.mean().item(), delta=1e-6)
            self.assertGreater(difference.max().item(), 0)
            self.assertLess(difference.mean().item(), most * exact.abs().mean().item())
            self.assertIn("8-bit weights", said)
            linear = sum(p.numel() for n, p in model.named_parameters() if "proj" in n or "lm_head" in n)
            rows = sum(p.shape[0] for n, p in model.named_parameters() if "proj" in n or "lm_head" in n)
            self.assertEqual(told["int8"]["saved_bytes"], linear * (dtype.itemsize - 1) - rows * dtype.itemsize)

    def test_equals_weights_rounded_in_python(self):
        model = self.llama(tie_word_embeddings=True, attention_bias=True)
        ids = self.ids(2, 30)
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if "proj.weight" in name:
                    scale = weight.abs().amax(1, keepdim=True) / 127
                    weight.copy_((weight / scale).round().clamp(-127, 127) * scale)
            wanted = model(ids).logits
        self.assert_near(self.infer("--int8")[0]["logits"], wanted, 1e-4)

    def test_of_a_resnet_equals_weights_rounded_in_python(self):
        torch.manual_seed(5)
        model = torchvision.models.resnet18(num_classes=10).eval()
        inputs = torch.randn(4, 3, 64, 64)
        safetensors.torch.save_file(model.state_dict(), self.folder / "w.safetensors")
        safetensors.torch.save_file({"inputs": inputs}, self.folder / "in.safetensors")
        on_disk = "layer4"
        saved = 0
        with torch.no_grad():
            exact = model(inputs)
            for name, weight in model.named_parameters():
                if weight.dim() > 1 and not name.startswith(on_disk):
                    rows = weight.flatten(1)
                    scale = rows.abs().amax(1, keepdim=True) / 127
                    weight.copy_(((rows / scale).round().clamp(-127, 127) * scale).view_as(weight))
                    saved += 3 * weight.numel() - 4 * weight.shape[0]
            wanted = model(inputs)
        (self.folder / "map.json").write_text(json.dumps({"": "cpu", on_disk: "disk"}))
        done = self.run_cli("resnet18", "--classes", 10, "--weights", self.folder / "w.safetensors", "--input", self.folder / "in.safetensors", "--out",
                            self.folder / "out.safetensors", "--int8", "--json", "--device-map", self.folder / "map.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_near(safetensors.torch.load_file(self.folder / "out.safetensors")["logits"], wanted, 1e-4)
        told = json.loads(done.stdout)["int8"]
        self.assertEqual(told["saved_bytes"], saved)
        self.assertAlmostEqual(told["max_error"], (wanted - exact).abs().max().item(), delta=1e-4)
        self.assertGreater(told["mean_error"], 0)


class Shipped(Infer):
    """The networks of resources/models."""
    MODELS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "models"

    def test_7b_is_mapped_as_accelerate_does(self):
        folder = self.MODELS / "llama-2-7b"
        with torch.device("meta"):
            model = transformers.LlamaForCausalLM._from_config(transformers.LlamaConfig.from_pretrained(folder), dtype=torch.float16)
        for policy, memory in [("auto", {0: "10GiB", "cpu": "30GiB"}), ("auto", {0: "8GiB", 1: "8GiB", 2: "8GiB"}), ("sequential", {0: "8GiB", 1: "8GiB"}),
                               ("balanced_low_0", {0: "8GiB", 1: "8GiB", 2: "8GiB"}), ("balanced", {0: "3GB", 1: "4GB", "cpu": "2GB"})]:
            limits = modeling.get_max_memory(dict(memory)) if policy == "sequential" else modeling.get_balanced_memory(
                model, dict(memory), ["LlamaDecoderLayer"], low_zero=policy == "balanced_low_0")
            wanted = modeling.infer_auto_device_map(model, dict(limits), ["LlamaDecoderLayer"])
            options = [text for device, size in memory.items() for text in ("--max-memory", f"{device}={size}")]
            done = subprocess.run([CLI, "device-map", "llama", "--config", folder / "config.json", "--policy", policy, "--no-split", "LlamaDecoderLayer",
                                   "--json", *options],
                                  capture_output=True, text=True, timeout=60, check=True)
            self.assertEqual(json.loads(done.stdout)["device_map"], dict(wanted))

    def test_tiny_llama_counts_on(self):
        folder = self.MODELS / "tiny-llama"
        model = transformers.LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32)
        prompt = safetensors.torch.load_file(folder / "prompt.safetensors")["input_ids"]
        wanted = model.generate(prompt, max_new_tokens=10, do_sample=False)
        done = self.run_cli("llama", "--config", folder / "config.json", "--weights", folder / "model.safetensors", "--input", folder / "prompt.safetensors",
                            "--out", self.folder / "out.safetensors", "--device-map", folder / "device_map.json", "--generate", 10)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = safetensors.torch.load_file(self.folder / "out.safetensors")["tokens"]
        self.assertEqual(found.tolist(), wanted.tolist())
        self.assertEqual(found[1].tolist(), list(range(10, 38, 2)))


class Refusals(Infer):
    def refused(self, *arguments, code=2):
        done = self.run_cli("llama", "--config", self.folder / "config.json", "--weights", self.folder / "model.safetensors", "--input", self.folder / "in.safetensors",
                            "--out", self.folder / "out.safetensors", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertFalse((self.folder / "out.safetensors").exists())
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        return done.stderr

    def setUp(self):
        super().setUp()
        self.llama()
        self.ids(1, 4)

    def change_config(self, **keys):
        config = json.loads((self.folder / "config.json").read_text())
        (self.folder / "config.json").write_text(json.dumps(config | keys))

    def test_tokens(self):
        for ids, part in [(torch.tensor([[0, 320]]), "320"), (torch.tensor([[-1]]), "-1"), (torch.tensor([1, 2]), "shape"), (torch.ones(1, 2), "whole numbers"),
                          (torch.zeros(1, 0, dtype=torch.int64), "at least one")]:
            safetensors.torch.save_file({"input_ids": ids}, self.folder / "in.safetensors")
            self.assertIn(part, self.refused())
        safetensors.torch.save_file({"ids": torch.ones(1, 2)}, self.folder / "in.safetensors")
        self.assertIn("input_ids", self.refused())

    def test_weights(self):
        self.change_config(num_hidden_layers=5)
        self.assertIn("18 tensors are missing", self.refused())
        self.change_config(num_hidden_layers=2, intermediate_size=180)
        self.assertIn("[176, 64] where the configuration asks for [180, 64]", self.refused())
        whole = (self.folder / "model.safetensors").read_bytes()
        (self.folder / "model.safetensors").write_bytes(whole[:-100])
        self.assertIn("model.safetensors", self.refused())
        (self.folder / "model.safetensors").unlink()
        self.assertIn("model.safetensors", self.refused())

    def test_maps(self):
        for places, part in [({"model": 0}, "lm_head"), ({"": "cpu", "model.layer.0": 0}, "model.layer.0")]:
            (self.folder / "map.json").write_text(json.dumps(places))
            self.assertIn(part, self.refused("--device-map", self.folder / "map.json"))
        self.assertIn("--generate", self.refused("--generate", "-1"))

    def test_no_room(self):
        (self.folder / "in.safetensors").unlink()
        self.ids(1, 2)
        self.assertIn("is free", self.refused("--generate", 1 << 40, code=1).replace("are free", "is free"))


if __name__ == "__main__":
    logging.disable()
    transformers.logging.disable_progress_bar()
    CLI = sys.argv.pop(1)
    unittest.main(verbosity=2, warnings="ignore")
