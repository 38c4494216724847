# SPDX-License-Identifier: GPL-3.0-only
"""The peer of lanelab-bench offload: a Llama whose weights all lie on disk, by Hugging Face accelerate's disk_offload.

Writes the network as Hugging Face does (config.json, model.safetensors) with random weights into FOLDER, and the inputs (input_ids) as
FOLDER/prompt.safetensors and FOLDER/start.safetensors; accelerate's own copy of the weights goes into FOLDER/accelerate. Each line on standard input,
"prompt" or "generate", runs once and is answered with the seconds of it; end of input ends the process.
"""
import argparse
import logging
import os
import pathlib
import sys
import time
import warnings


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--layers", type=int, default=8)
    p.add_argument("--tokens", type=int, default=64)
    p.add_argument("--generate", type=int, default=8)
    p.add_argument("--threads", type=int, default=1)
    return p.parse_args()


def main():
    args = parse()
    os.environ.update(OMP_NUM_THREADS=str(args.threads), HF_HUB_OFFLINE="1")
    warnings.simplefilter("ignore")
    logging.disable()
    import accelerate
    import safetensors.torch
    import torch
    import transformers

    transformers.logging.disable_progress_bar()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=args.layers, num_attention_heads=16, num_key_value_heads=4,
                                      vocab_size=16000, eos_token_id=None, bos_token_id=None, dtype=torch.float32)
    model = transformers.LlamaForCausalLM(config).eval()
    model.save_pretrained(args.folder)
    ids = torch.randint(0, config.vocab_size, (1, args.tokens))
    inputs = {"prompt": ids, "generate": ids[:, :8].contiguous()}
    safetensors.torch.save_file({"input_ids": inputs["prompt"]}, args.folder / "prompt.safetensors")
    safetensors.torch.save_file({"input_ids": inputs["generate"]}, args.folder / "start.safetensors")
    accelerate.disk_offload(model, args.folder / "accelerate", execution_device=torch.device("cpu"))
    with torch.inference_mode():
        for line in sys.stdin:
            kind = line.strip()
            begin = time.perf_counter()
            if kind == "generate":
                model.generate(inputs[kind], max_new_tokens=args.generate, do_sample=False)
            elif kind == "prompt":
                model(inputs[kind])
            print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
