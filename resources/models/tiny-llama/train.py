#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Makes the tiny Llama beside this file: 48 tokens, of which it learns to go on counting in steps of 1 to 5, modulo 48.

Usage: train.py FOLDER (with .venv/bin/python; half a minute on one core)
"""
import pathlib
import sys

import safetensors.torch
import torch
import transformers

NUMBERS, LENGTH, STEPS = 48, 24, 1200


def counting(starts, steps):
    return (starts + steps * torch.arange(LENGTH)) % NUMBERS


def trained():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = transformers.LlamaConfig(vocab_size=NUMBERS, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                                      num_key_value_heads=2, max_position_embeddings=64, eos_token_id=None, bos_token_id=None, dtype=torch.float32)
    model = transformers.LlamaForCausalLM(config).float()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=STEPS)
    for _ in range(STEPS):
        ids = counting(torch.randint(0, NUMBERS, (128, 1)), torch.randint(1, 6, (128, 1)))
        logits = model(input_ids=ids).logits[:, 1:-1]  # the step is known from the second token on
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, NUMBERS), ids[:, 2:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model.eval()


def share_right(model):
    ids = counting(torch.arange(NUMBERS).repeat_interleave(5)[:, None], torch.arange(1, 6).repeat(NUMBERS)[:, None])
    with torch.no_grad():
        return (model(input_ids=ids).logits[:, 1:-1].argmax(-1) == ids[:, 2:]).float().mean().item()


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    network = trained()
    print(f"{100 * share_right(network):.1f} % of the next numbers are right")
    network.half().save_pretrained(folder)
    safetensors.torch.save_file({"input_ids": torch.tensor([[3, 4, 5, 6], [10, 12, 14, 16], [0, 5, 10, 15]])}, folder / "prompt.safetensors")
