"""Writes the golden schedules from PyTorch's own loops, so that they hold its order of actions and not ours.

Usage: from_pytorch.py    (PyTorch 2.11; overwrites the CSV files beside it)

The loops run with a stage that only notes what it is told to do. Schedule1F1B._get_pipeline_order, which describes the order, is not used:
in 2.11 it counts the last stage's forwards from 1.
"""
import pathlib
import types

from torch.distributed.pipelining.schedules import Schedule1F1B, ScheduleGPipe

FOLDER = pathlib.Path(__file__).parent


def row(schedule, stage, stages, micro_batches):
    actions = []
    nothing = lambda *_, **__: []
    noting = types.SimpleNamespace(
        stage_index=stage, get_fwd_recv_ops=nothing, get_fwd_send_ops=nothing, get_bwd_recv_ops=nothing, get_bwd_send_ops=nothing,
        perform_reduce_grad=nothing,
        forward_one_chunk=lambda k, *_, **__: actions.append(f"{stage}F{k}"),
        backward_one_chunk=lambda k, *_, **__: actions.append(f"{stage}B{k}"))
    loop = types.SimpleNamespace(
        _stage=noting, _num_stages=stages, _n_microbatches=micro_batches, scale_grads=True, _initialize_stage=nothing,
        _check_inputs=lambda *_: ([()] * micro_batches, [{}] * micro_batches),
        _maybe_compute_loss=nothing, _maybe_get_loss=nothing, _update_losses=nothing)
    schedule._step_microbatches(loop)
    return ",".join(actions)


for name, schedule in (("gpipe", ScheduleGPipe), ("1f1b", Schedule1F1B)):
    for stages in (2, 4):
        for micro_batches in (4, 8):
            rows = [row(schedule, stage, stages, micro_batches) for stage in range(stages)]
            (FOLDER / f"{name}-p{stages}-m{micro_batches}.csv").write_text("\n".join(rows) + "\n")
