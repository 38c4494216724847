#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Exports a network of PyTorch (2.9 or later) as a .pt2 file for LaneLab, and verifies that the file trains as the network does."""
import argparse
import contextlib
import functools
import importlib
import json
import logging
import math
import os
import sys
import traceback

logging.disable(logging.ERROR)
logging.captureWarnings(True)
try:
    import torch
except ImportError as missing:
    sys.exit(f"lanelab_export: PyTorch cannot be imported by {sys.executable}: {missing}. Install it: {sys.executable} -m pip install torch")
LARGEST_BATCH, OUTPUTS = 4096, ("logits", "out", "last_hidden_state")  # of several outputs, the one to train
MOST_GRADIENTS, MOST_COMPARED = 20_000, 256  # parameters and samples of the step whose numbers the file has
MOVED_BITS = 64  # of the last place: batch norms of few values magnify rounding as much
LARGEST_DIFFERENCE = 1e-5  # rounding: transformers chooses another kernel of attention while it is exported, 8e-7 in 24 layers of Llama
Refused = type("Refused", (Exception,), {"__doc__": "What the user can change: exit code 2."})
log = functools.partial(print, file=sys.stderr, flush=True)

def of_libraries(file):
    return file.startswith(("<", of_libraries.__code__.co_filename, sys.prefix, sys.base_prefix, *torch.__path__))

def reason(error):
    """The first lines of the error, and the line of the user's code that caused it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not of_libraries(frame.filename)]
    text = " ".join(str(error).split("\n\n")[0].split())[:240].rstrip(". ")
    return f"{type(error).__name__}: {text}" + (f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else "")

def named(path, module):
    return f"{path} ({type(module).__name__})" if path else type(module).__name__

def place_of(error, net):
    """Path and class of the innermost module of the network in which the error came up, and whether a library has this class."""
    # While it is exported, PyTorch puts other objects in the place of modules; they share their dictionaries.
    modules, place = {id(module._parameters): (path, module) for path, module in net.named_modules()}, None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        one = frame.f_locals.get("self")
        place = modules.get(id(one._parameters), place) if isinstance(one, torch.nn.Module) else place
    return (named(*place), of_libraries(getattr(sys.modules.get(type(place[1]).__module__), "__file__", None) or "<")) if place else ("", False)

@contextlib.contextmanager
def refusing(what, advice, net=None):
    """With a network, the error names the module in which it came up."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, Refused):
            raise
        place, of_library = place_of(error, net) if net is not None else ("", False)
        hint = advice if isinstance(advice, str) else advice(place, of_library)
        raise Refused(f"{what}: " + (f"in {place}: " if place else "") + f"{reason(error)}. {hint}") from error

def factory_of(name):
    module, _, path = name.rpartition(":")
    folder, file = os.path.split(os.path.abspath(module := module or path))
    sys.path.insert(0, folder if file.endswith(".py") else os.getcwd())
    with refusing(f"{module} cannot be imported", f"Check the name, or install what is missing for {sys.executable}."):
        factory = getattr(importlib.import_module(file[:-3] if file.endswith(".py") else module), path, None)
    if not callable(factory):
        raise Refused(f'{module} has no function or class "{path}". Check the name, or write MODULE:FACTORY, such as net.py:make.')
    return factory

def network(options):
    factory, settings = factory_of(options.factory), {}
    config_class = getattr(factory, "config_class", None)  # of transformers
    if options.config:
        with refusing(f"--config: {options.config} does not configure {options.factory}", "Name a class of transformers and its config.json."):
            settings = config_class.from_json_file(options.config).to_dict()
    for key, _, value in (text.partition("=") for text in options.set):
        settings[key] = value
        with contextlib.suppress(ValueError):
            settings[key] = json.loads(value)
    torch.manual_seed(options.seed)
    with refusing(f"{options.factory} does not build a network", "Give its arguments with --set KEY=VALUE, or write a factory in a file of your own."):
        net = factory(config_class.from_dict(settings)) if config_class else factory(**settings)
        if not isinstance(net, torch.nn.Module):
            raise TypeError(f"it returned {type(net).__name__}, not torch.nn.Module")
        if hasattr(getattr(net, "config", None), "use_cache"):
            net.config.use_cache = False
        return trained(unwrapped(net.to("cpu")))

def unwrapped(net):
    """The network without what torch.compile(), DataParallel and DistributedDataParallel put around it or around modules of it."""
    from torch._dynamo import OptimizedModule
    attributes = {OptimizedModule: "_orig_mod", torch.nn.DataParallel: "module", torch.nn.parallel.DistributedDataParallel: "module"}
    def inner(module):
        attribute = next((attribute for kind, attribute in attributes.items() if isinstance(module, kind)), None)
        return inner(getattr(module, attribute)) if attribute else module
    net = inner(net)
    for path, module in list(net.named_modules()):
        if isinstance(module, torch.jit.ScriptModule):
            raise Refused(f"{named(path, module)} was made by torch.jit, which torch.export cannot read. Return the module before torch.jit.script() or torch.jit.trace().")
        module._compiled_call_impl = None  # of module.compile()
        module._modules.update({name: inner(child) for name, child in module._modules.items()})
    return net

def trained(net):
    """Modules that the factory left in eval mode stay so, unless it left all in eval mode: then train() is called, which may leave some."""
    if not any(module.training for module in net.modules()):
        net.train()
        print("The network came in eval mode and was switched to train mode.")
    kept = {}  # paths of whole modules in eval mode
    for path, module in net.named_modules():
        if not any(part.training for part in module.modules()) and not any(path.startswith(f"{above}.") for above in kept):
            kept[path] = named(path, module)
    if kept:
        print(f"In eval mode, and left so: {', '.join(list(kept.values())[:8])}" + (f" and {len(kept) - 8} more" if len(kept) > 8 else ""))
    for path, module in net.named_modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm) and module.momentum is None and module.training and module.running_mean is not None:
            raise Refused(f"{named(path, module)} has momentum=None, a cumulative average, which cannot be exported. Set a momentum.")
    return net

def example_of(text):
    shape, kind, rows = (text.split(":") + ["", ""])[:3]
    dtype, numbers = getattr(torch, kind or "float32", None), shape.split("x") + [rows or "1"]
    if not isinstance(dtype, torch.dtype) or not all(number.isdecimal() for number in numbers) or dtype.is_floating_point == bool(rows):
        raise Refused(f'--input: "{text}" is not a shape. Write such as 3x224x224, or 128:int64:50257 for 128 tokens below 50257.')
    *sizes, rows = map(int, numbers)
    def example(batch):
        return torch.randn(batch, *sizes).to(dtype) if dtype.is_floating_point else torch.randint(rows, (batch, *sizes), dtype=dtype)
    example.ids = rows
    return example

def one_tensor(output):
    several = [output.get(name) if hasattr(output, "get") else getattr(output, name, None) for name in OUTPUTS]
    tensor = next((value for value in [output, *several] if isinstance(value, torch.Tensor)), None)
    if tensor is None or not tensor.requires_grad:
        raise Refused(f"The network returns {type(output).__name__}, and no tensor of it depends on parameters. Write a factory whose network returns one.")
    return tensor

@contextlib.contextmanager
def restoring(tensors):
    """Such as running means, which a forward changes."""
    before = [tensor.detach().clone() for tensor in tensors]
    yield
    with torch.no_grad():
        for tensor, values in zip(tensors, before):
            tensor.copy_(values)

def with_one_output(net, x):
    """Runs the network once. If it returns several values, its forward is replaced on the instance: names of parameters stay as they are."""
    refused = f"The network does not accept an input of {list(x.shape)}"
    with refusing(refused, "Change --input, or write a factory whose network accepts one tensor.", net), restoring(list(net.buffers())):
        one_tensor(output := net(x.clone()))
    if not isinstance(output, torch.Tensor):
        net.forward = functools.partial(lambda whole, x: one_tensor(whole(x)), net.forward)

def verify(net, again, x):
    """Compares loss and gradients, those of tied parameters summed. A difference is relative to the largest number of its tensor."""
    losses = []
    for one in (net, again):
        torch.manual_seed(0)  # both draw the same random numbers (dropout)
        losses.append(one(x.clone()).square().mean())
        losses[-1].backward()
    difference = lambda a, b: ((a - b).abs().max() / a.abs().max().clamp(1e-30)).nan_to_num(torch.inf).item()
    total = lambda tied: sum(p.grad for p in tied if p.grad is not None) + torch.zeros(1)
    differences = {"the loss": difference(*losses)}
    parameters, found = (dict(one.named_parameters(remove_duplicate=False)) for one in (net, again))
    for name, parameter in parameters.items():
        tied = {id(found[other]): found[other] for other, p in parameters.items() if p is parameter and other in found}
        differences[f"the gradient of {name}"] = difference(total([parameter]), total(tied.values()))
    worst = max(differences, key=differences.get)
    if differences[worst] > LARGEST_DIFFERENCE:
        raise Refused(f"The exported graph trains differently: {worst} by {differences[worst]:.3g}, relative. Its Python must not choose by call or by value.")
    print(f"Verified with {len(x)} samples: loss and gradients as of the network; largest relative difference {differences[worst]:.3g}")

def loss_and_gradients(net, x, parameters):
    """Of a gradient its norm and its sum, as numbers of 64 bits."""
    with restoring(list(net.buffers())):
        loss = net(x.clone()).square().mean()
        loss.backward()
    gradients = {name: (p.grad.double().norm().item(), p.grad.double().sum().item(), p.numel()) for name, p in parameters.items() if p.grad is not None}
    net.zero_grad()
    return loss.item(), gradients

def moved_step(net, x, parameters):
    """The same with weights that differ in their last bits: what rounding moves."""
    with restoring(list(parameters.values())):
        with torch.no_grad():
            for p in parameters.values():
                p.mul_(1 + MOVED_BITS * torch.finfo(p.dtype).eps * torch.randint(-1, 2, p.shape))
        return loss_and_gradients(net, x, parameters)

def eager_step(net, example, batch):
    """Numbers of one step of the network itself, with which `lanelab-cli check` compares the imported one: engine/exported/archive/eager_step.h."""
    step = {"version": 1, "torch": torch.__version__}
    parameters = {name: p for name, p in net.named_parameters() if p.requires_grad}
    if len(parameters) > MOST_GRADIENTS or batch > MOST_COMPARED:
        return step | {"left_out": "too large"}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as lanes have
    torch.manual_seed(0)
    x, state = example(batch), torch.get_rng_state()
    loss, gradients = loss_and_gradients(net, x, parameters)
    torch.set_num_threads(threads)
    if not torch.equal(state, torch.get_rng_state()):
        return step | {"left_out": "random"}
    moved = [moved_step(net, x, parameters) for _ in range(2)]
    numbers = {name: (norm, total, max(max(abs(other[name][0] - norm), abs(other[name][1] - total) / max(size, 1) ** 0.5) for _, other in moved))
               for name, (norm, total, size) in gradients.items()}
    loss = (loss, max(abs(other - loss) for other, _ in moved))
    if not all(math.isfinite(number) for each in numbers.values() for number in (*each, *loss)):
        return step | {"left_out": "not finite"}
    ids = {} if x.is_floating_point() else {"ids": example.ids}
    return step | ids | {"batch": batch, "seed": 0, "input_sum": x.double().abs().sum().item(), "loss": loss, "gradients": numbers}

def export_advice(place, of_library):
    return f"Use another module in place of {place}, or other arguments of it." if of_library else "Write a network without branches on tensor values."

def export(options):
    example, partial = example_of(options.input), options.partial or f"{options.out}.{os.getpid()}.pt2"
    log(f"Building {options.factory}")
    net, x = network(options), example(options.batch)
    with_one_output(net, x)
    log(f"Exporting with an input of {list(x.shape)}")
    with refusing("PyTorch cannot export the network", export_advice, net), contextlib.redirect_stderr(open(os.devnull, "w")):
        try:
            program, dynamic = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim("batch", min=1, max=LARGEST_BATCH)},)), 1
        except Exception as error:
            log(f"PyTorch refuses a dynamic batch size: {reason(error)}. Exporting with a fixed one of {options.batch}")
            program, dynamic = torch.export.export(net, (x,)), 0
    numbers = json.dumps(eager_step(net, example, options.batch))
    try:
        with open(partial, "wb") as file:
            torch.export.save(program, file, extra_files={"lanelab_eager.json": numbers})
        log("Verifying loss and gradients of the saved file")
        verify(net, torch.export.load(partial).module(), example(options.batch + dynamic))  # not the batch size of the export
    except BaseException:
        os.path.exists(partial) and os.remove(partial)
        raise
    os.replace(partial, options.partial or options.out)
    counts = f"{sum(p.numel() for p in net.parameters()):,} parameters, {sum(node.op == 'call_function' for node in program.graph.nodes):,} nodes"
    print(f"Wrote {options.out}: {counts}, batch size " + (f"1 to {LARGEST_BATCH}" if dynamic else f"{options.batch} only"))

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="lanelab_export", description=__doc__)
    parser.add_argument("factory", metavar="MODULE:FACTORY", help="importable module or .py file, and its function or class that returns the network")
    parser.add_argument("--input", required=True, metavar="SHAPE[:DTYPE[:ROWS]]", help="a sample: 3x224x224, or 128:int64:50257 for 128 tokens below 50257")
    parser.add_argument("--out", required=True, metavar="FILE.pt2", help="file to write")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="argument of the factory, JSON or text; repeatable")
    parser.add_argument("--config", metavar="FILE", help="config.json for a class of transformers; --set changes its values")
    parser.add_argument("--batch", type=int, default=2, metavar="N", help="batch size of the example, fixed if PyTorch refuses a dynamic one (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the initial weights (default: 0)")
    parser.add_argument("--partial", metavar="FILE", help="write and verify this file instead; the caller renames it to --out")
    try:
        export(parser.parse_args())
    except Exception as error:
        log("lanelab_export:", error if isinstance(error, Refused) else reason(error) + ".")
        sys.exit(2 if isinstance(error, Refused) else 1)
