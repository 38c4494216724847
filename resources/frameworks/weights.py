"""The initial weights, as weights.json describes them: drawn from a seed as the network's constructor draws them, or read from a file beside this one."""
import json
import pathlib
import zipfile

import torch

HERE = pathlib.Path(__file__).resolve().parent
TABLE = json.loads((HERE / "weights.json").read_text())
PIECE = 1 << 24  # elements; a power of two, so that PyTorch draws the same numbers as at once


def drawn(seed, wanted):
    """All draws in their order, since each moves the generator; those of `wanted` are returned."""
    if not wanted:
        return {}
    generator = torch.Generator().manual_seed(seed)
    made = {}
    for draw in TABLE["draws"]:
        tensor = torch.empty(draw["elements"], dtype=getattr(torch, draw["type"]))
        if draw["rule"] == "constant":
            tensor.fill_(draw["mean"])
        elif draw["rule"] == "normal":
            tensor.normal_(draw["mean"], draw["deviation"], generator=generator)
        elif draw["rule"] == "uniform":
            tensor.uniform_(draw["low"], draw["high"], generator=generator)
        else:
            torch.nn.init.trunc_normal_(tensor, draw["mean"], draw["deviation"], draw["low"], draw["high"], generator=generator)
        if draw["record"] in wanted:
            made[draw["record"]] = tensor
    return made


def of_archive(records):
    """Raw bytes of network.pt2: no pickle of it is read."""
    if not records:
        return {}
    with zipfile.ZipFile(HERE / "network.pt2") as archive:
        return {record: torch.frombuffer(bytearray(archive.read(record)), dtype=torch.uint8) for record in records}


def of_file(path):
    """A .safetensors file, or one of torch.save()."""
    if path.suffix != ".safetensors":
        return torch.load(path, map_location="cpu", weights_only=True)
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        types = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64, "I32": torch.int32,
                 "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}
        tensors = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            begin, end = entry["data_offsets"]
            file.seek(8 + size + begin)
            data = bytearray(file.read(end - begin))
            tensors[name] = (torch.frombuffer(data, dtype=types[entry["dtype"]]) if data else torch.empty(0, dtype=types[entry["dtype"]])).reshape(entry["shape"])
        return tensors


def load_into(module, seed):
    """Fills the parameters and buffers of a stage."""
    held = dict(module.named_parameters()) | dict(module.named_buffers())
    entries = {name: TABLE["tensors"][name] for name in held}
    draws = {draw["record"] for draw in TABLE["draws"]}
    records = {entry["record"] for entry in entries.values()}
    made = drawn(seed, records & draws)
    stored = of_archive(records - draws)
    given = of_file(HERE / TABLE["file"]) if TABLE["file"] else {}
    with torch.no_grad():
        for name, tensor in held.items():
            entry = entries[name]
            if name in given:
                tensor.copy_(given[name])
            elif entry["record"] in made:
                tensor.copy_(made[entry["record"]].reshape(tensor.shape))
            else:
                values = stored[entry["record"]].view(getattr(torch, entry["type"]))
                tensor.copy_(values.as_strided(entry["sizes"], entry["strides"], entry["offset"]))
