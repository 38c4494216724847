#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Real data and epochs against PyTorch and torchvision: decoded and scaled images, smaller last batches, accuracies.

Usage: oracle_data_test.py PATH_OF_LANELAB_CLI [unittest's options].
"""
import gzip
import json
import os
import pathlib
import sys
import unittest

import numpy
import safetensors.torch
import torch
import torchvision

import oracle_test
from oracle_test import OracleTest, cli, tame

DIGITS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "data" / "digits.csv.gz"


class Data(OracleTest):
    def model(self, classes):
        """Damped, so that rounding does not grow, and written for lanelab-cli to start from."""
        torch.manual_seed(1)
        model = tame(torchvision.models.resnet18(num_classes=classes))
        safetensors.torch.save_file(model.state_dict(), self.folder / "w.safetensors")
        return model

    def run_ours(self, classes, data, variant, lr=0.001):
        experiment = {
            "model": {"arch": "resnet18", "classes": classes, "weights": str(self.folder / "w.safetensors")},
            "data": data,
            "training": {"loss": "cross_entropy", "optimizer": "sgd", "lr": lr},
            "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
            "variants": [{"name": "ours", **variant}],
            "repeats": 1,
            "warmup": 0,
        }
        (self.folder / "experiment.json").write_text(json.dumps(experiment))
        out = self.folder / f"run{len(list(self.folder.iterdir()))}"
        cli("run", self.folder / "experiment.json", "--out", out)
        return json.loads((out / "run.json").read_text())["variants"][0]["repeats"][0]

    def test_epochs_of_digits_have_pytorchs_losses_and_accuracies(self):
        rows = numpy.loadtxt(gzip.open(DIGITS), delimiter=",")
        inputs = torch.tensor((rows[:, :64] - 8) / 8, dtype=torch.float32).view(-1, 1, 8, 8).repeat_interleave(2, 2).repeat_interleave(2, 3).expand(-1, 3, -1, -1)
        targets = torch.tensor(rows[:, 64], dtype=torch.long)
        model = self.model(10)
        ours = self.run_ours(10, {"source": "digits", "shape": [3, 16, 16], "batch": 500, "epochs": 2}, {"strategy": "single", "lanes": [0]})
        optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
        losses = []
        for epoch in ours["epochs"]:
            right, total = 0, 0.0
            for x, y in zip(inputs[:1437].split(500), targets[:1437].split(500)):
                optimizer.zero_grad()
                output = model.train()(x)
                loss = torch.nn.functional.cross_entropy(output, y)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
                right += (output.argmax(1) == y).sum().item()
                total += loss.item() * len(y)
            with torch.no_grad():
                validation = model.eval()(inputs[1437:])
            self.assertAlmostEqual(epoch["loss"], total / 1437, delta=2e-4)
            self.assertAlmostEqual(epoch["accuracy"], right / 1437, delta=3 / 1437)
            self.assertAlmostEqual(epoch["validation_loss"], torch.nn.functional.cross_entropy(validation, targets[1437:]).item(), delta=2e-4)
            self.assertAlmostEqual(epoch["validation_accuracy"], (validation.argmax(1) == targets[1437:]).float().mean().item(), delta=2 / 360)
        self.assertEqual(len(ours["losses"]), 6)
        for our, their in zip(ours["losses"], losses, strict=True):
            self.assertAlmostEqual(our, their, delta=2e-4)

    def images(self):
        """Two classes of smooth pictures of many shapes; [3, 32, 32] as torchvision reads and scales them, and the classes."""
        torch.manual_seed(2)
        sizes = [(40, 60), (33, 32), (64, 32), (20, 50), (100, 90)]
        rows = []
        for number, name in enumerate(["ants", "bees"]):
            (self.folder / "images" / name).mkdir(parents=True)
            for i, size in enumerate(sizes):
                picture = torch.nn.functional.interpolate(torch.rand(1, 3, 6, 6), size, mode="bilinear")[0].mul(255).to(torch.uint8)
                path = self.folder / "images" / name / f"{i}.{'png' if i % 2 else 'jpg'}"
                (torchvision.io.write_png if i % 2 else torchvision.io.write_jpeg)(picture, str(path))
                if i == 4:
                    continue  # every fifth is for validation
                read = torchvision.io.read_image(str(path)).float() / 255
                scale = max(32 / size[0], 32 / size[1])
                scaled = torchvision.transforms.functional.resize(read, [max(32, round(size[0] * scale)), max(32, round(size[1] * scale))], antialias=True)
                cut = torchvision.transforms.functional.center_crop(scaled, [32, 32])
                rows.append((torchvision.transforms.functional.normalize(cut, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]), number))
        return torch.stack([row for row, _ in rows]), torch.tensor([number for _, number in rows])

    def test_a_folder_of_images_is_read_and_scaled_as_torchvision_does(self):
        inputs, targets = self.images()
        model = self.model(2)
        ours = self.run_ours(2, {"source": "folder", "path": str(self.folder / "images"), "shape": [3, 32, 32], "batch": 8, "steps": 1},
                             {"strategy": "pipeline", "schedule": "gpipe", "split_size": 4, "cuts": ["layer2.0"]})
        with torch.no_grad():
            model.train()
            theirs = sum(torch.nn.functional.cross_entropy(model(x), y).item() / 2 for x, y in zip(inputs.split(4), targets.split(4)))
        self.assertAlmostEqual(ours["losses"][0], theirs, delta=1e-4)


if __name__ == "__main__":
    oracle_test.CLI = os.path.abspath(sys.argv.pop(1))
    unittest.main()
