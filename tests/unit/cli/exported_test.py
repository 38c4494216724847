#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""model.file: exported networks are trained as the networks of LaneLab are, and what cannot run is refused by its name."""
import json
import struct
import unittest

from cli_world import EXPORTED, VERSIONS, CliTest

# Parameters of several stages are added up in another order than in one stage.
ROUNDED = ["gpt2", "t5"]
# Of each kind one; EveryAbility has all networks in all modes.
NETWORKS = ["resnet18", "vit", "lstm"] + ROUNDED


# Of a loss, which PyTorch and LaneLab may sum up in another order.
TOLERANCE = 1e-6


def write_rows(path, inputs, targets, shape):
    """A safetensors file of inputs [N, shape] and class ids [N]."""
    numbers = [number for row in inputs for number in row]
    data = struct.pack(f"<{len(numbers)}f", *numbers), struct.pack(f"<{len(targets)}q", *targets)
    header = json.dumps({"inputs": {"dtype": "F32", "shape": [len(inputs), *shape], "data_offsets": [0, len(data[0])]},
                         "targets": {"dtype": "I64", "shape": [len(targets)], "data_offsets": [len(data[0]), len(data[0]) + len(data[1])]}}).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + data[0] + data[1])


class Exported(CliTest):
    def blocks(self, name):
        return json.loads(self.done("summary", EXPORTED / f"{name}.pt2", "--json").stdout)["blocks"]

    def written(self, name, variants, **changes):
        experiment = {
            "name": name, "model": {"file": str(EXPORTED / f"{name}.pt2")},
            "data": {"batch": 4, "steps": 2}, "training": {"loss": "mse", "lr": 0.01},
            "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}], "variants": variants, "repeats": 1, "warmup": 0,
        }
        for key, value in changes.items():
            experiment[key] = {**experiment[key], **value} if isinstance(value, dict) else value
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(experiment))
        return path

    def pipeline(self, name, schedule="1f1b", **more):
        blocks = self.blocks(name)
        return {"name": schedule, "strategy": "pipeline", "schedule": schedule, "split_size": 2, "cuts": [blocks[len(blocks) // 2]], **more}

    def verdicts(self, path):
        report = json.loads(self.done("check", path, "--json").stdout)
        return {variant["name"]: variant for variant in report["variants"]}

    def test_rules_are_listed_of_imported_and_built_in_networks(self):
        for network, norms, products in ((EXPORTED / "resnet18.pt2", 20, 19), ("resnet18", 20, 19), (EXPORTED / "vit.pt2", 0, 0), ("toy", 0, 0)):
            with self.subTest(network=network):
                rules = json.loads(self.done("summary", network, "--rules", "--json").stdout)["rules"]
                counted = {name: sum(rule["rule"] == name for rule in rules) for name in ("fused_norm", "convolution_product")}
                self.assertEqual(counted, {"fused_norm": norms, "convolution_product": products})
                text = self.done("summary", network, "--rules").stdout
                self.assertIn(f"fused_norm: {norms} place", text)

    def test_a_rule_that_is_switched_off_changes_rounding_alone(self):
        losses = {}
        for off in ([], ["fused_norm"], ["convolution_product"], ["fused_norm", "convolution_product"]):
            path = self.written("resnet18", [{"name": "one", "strategy": "single"}], training={"rules_off": off})
            out = self.folder / "-".join(["out", *off])
            self.done("run", path, "--out", out)
            losses[tuple(off)] = json.loads((out / "run.json").read_text())["variants"][0]["repeats"][0]["losses"]
        first = losses[()]
        for off, found in losses.items():
            for a, b in zip(first, found):
                self.assertLess(abs(a - b), 1e-4 * abs(a), off)
        self.assertGreater(len({tuple(found) for found in losses.values()}), 1)
        path = self.written("resnet18", [{"name": "one", "strategy": "single"}], training={"rules_off": ["fused_norms"]})
        self.assertIn("fused_norm", self.refused("run", path, "--out", self.folder / "no"))

    def test_two_lanes_train_each_network_as_one_does(self):
        for name in NETWORKS:
            with self.subTest(name):
                variants = [{"name": "single", "strategy": "single"}, self.pipeline(name)]
                verdicts = self.verdicts(self.written(name, variants))
                for variant in verdicts.values():
                    self.assertTrue(variant["equal"], variant)
                self.assertTrue(verdicts["single"]["tolerance"] == 0)
                self.assertTrue(verdicts["1f1b"]["tolerance"] == 0 or name in ROUNDED, verdicts["1f1b"])

    def test_every_way_of_training_gives_the_same_numbers(self):
        blocks = self.blocks("resnet18")
        cases = {
            "two stages a lane": ([{"name": "interleaved", "strategy": "pipeline", "schedule": "interleaved-1f1b", "split_size": 2,
                                    "cuts": [blocks[2], blocks[4], blocks[6]]}], {}),
            "replicas": ([{"name": "data-parallel", "strategy": "data-parallel"}, {"name": "ddp", "strategy": "ddp"}], {}),
            "synchronised batch norm": ([self.pipeline("resnet18")], {"training": {"batch_norm": "synchronised"}}),
            "contiguous": ([self.pipeline("resnet18", "zb-h1", recompute=[0])], {"training": {"layout": "contiguous", "optimizer": "adam", "batch_norm": "deferred"}}),
        }
        for what, (variants, changes) in cases.items():
            with self.subTest(what):
                for variant in self.verdicts(self.written("resnet18", variants, **changes)).values():
                    self.assertTrue(variant["equal"] and variant["tolerance"] == 0, variant)

    def test_dropout_repeats_bit_for_bit_wherever_a_network_is_cut(self):
        blocks = self.blocks("vit")
        variants = [{"name": f"cut {i}", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": [blocks[i]]} for i in (1, len(blocks) - 1)]
        self.done("run", self.written("vit", variants, repeats=2), "--out", "run")
        run = json.loads((self.folder / "run" / "run.json").read_text())
        losses = {tuple(repeat["losses"]) for variant in run["variants"] for repeat in variant["repeats"]}
        self.assertEqual(len(losses), 1, losses)

    def test_what_cannot_run_is_refused_before_training(self):
        mixtral = self.written("mixtral", [{"name": "single", "strategy": "single"}])
        self.assertIn("grouped_mm_fallback", self.refused("run", mixtral, "--out", "run"))
        self.assertIn("model.file", self.refused("check", mixtral))

    def test_the_file_is_looked_for_beside_the_experiment(self):
        path = self.written("resnet18", [{"name": "single", "strategy": "single"}])
        text = path.read_text().replace(str(EXPORTED / "resnet18.pt2"), "net.pt2")
        path.write_text(text)
        self.assertIn("net.pt2", self.refused("run", path, "--dry-run"))
        (self.folder / "net.pt2").write_bytes((EXPORTED / "resnet18.pt2").read_bytes())
        self.done("run", path, "--dry-run")

    def test_archives_of_earlier_versions_train_as_eager_pytorch_of_that_version_does(self):
        for version in ("2.9", "2.10"):
            with self.subTest(version):
                archive = VERSIONS / f"torch-{version}.pt2"
                eager = json.loads((VERSIONS / f"torch-{version}.json").read_text())
                self.assertTrue(eager["torch"].startswith(version + "."), eager["torch"])
                self.assertEqual(json.loads(self.done("summary", archive, "--json").stdout)["blocks"], ["stem.0", "stem.1", "pool", "head"])
                write_rows(self.folder / "rows.safetensors", eager["inputs"], eager["targets"], (3, 4, 4))
                path = self.written("resnet18", [{"name": "single", "strategy": "single"}], model={"file": str(archive)},
                                    data={"source": "file", "path": "rows.safetensors", "steps": len(eager["losses"]), "batch": len(eager["targets"])},
                                    training={"loss": "cross_entropy", "lr": eager["lr"], "optimizer": "sgd"})
                self.done("run", path, "--out", version)
                (variant,) = json.loads((self.folder / version / "run.json").read_text())["variants"]
                losses = variant["repeats"][0]["losses"]
                self.assertEqual(len(losses), len(eager["losses"]))
                for ours, theirs in zip(losses, eager["losses"]):
                    self.assertAlmostEqual(ours, theirs, delta=TOLERANCE * theirs)
                two_lanes = self.written("resnet18", [{"name": "pipeline", "strategy": "pipeline", "split_size": 2, "cuts": ["head"]}], model={"file": str(archive)})
                self.assertTrue(self.verdicts(two_lanes)["pipeline"]["equal"])


if __name__ == "__main__":
    unittest.main()
