"""Writes each stage of network.py as a .pt2 file of torch.export and a .safetensors file: export_stages.py ROWS FOLDER."""
import ctypes
import json
import pathlib
import sys

import torch
from torch.export import Dim

import network
import plan
import weights

NAMES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64", torch.int32: "I32",
         torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}


def save_tensors(tensors, path):
    """The format of safetensors, for which no package is needed."""
    header, data = {}, []
    end = 0
    for name, tensor in tensors.items():
        tensor = tensor.detach().contiguous()
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [end, end + size]}
        data.append(ctypes.string_at(tensor.data_ptr(), size) if size else b"")
        end += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(data))


def example(shape, dtype, gradient):
    return torch.zeros(shape, dtype=dtype).requires_grad_(gradient)


def dynamic(index):
    """The dimensions that depend on the rows of a micro-batch."""
    few, more = network.CUTS[index](2), network.CUTS[index](3)
    return tuple({d: Dim.DYNAMIC for d, (a, b) in enumerate(zip(x[0], y[0])) if a != b} for x, y in zip(few, more))


def export(module, index, rows):
    try:
        inputs = tuple(example(*value) for value in network.CUTS[index](max(2, rows)))
        return torch.export.export(module, inputs, dynamic_shapes=dynamic(index))
    except Exception:  # a stage that takes one number of rows alone
        return torch.export.export(module, tuple(example(*value) for value in network.CUTS[index](rows)))


def main():
    rows, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    for index, stage in enumerate(network.STAGES):
        module = stage()
        weights.load_into(module, plan.SEED)
        save_tensors(module.state_dict(), folder / f"stage{index}.safetensors")
        torch.export.save(export(module, index, rows), folder / f"stage{index}.pt2")
        print(f"stage {index + 1} of {len(network.STAGES)}", flush=True)


if __name__ == "__main__":
    main()
