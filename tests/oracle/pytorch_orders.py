# SPDX-License-Identifier: GPL-3.0-only
"""The order of compute actions in which torch.distributed.pipelining (2.11 and 2.15) runs its schedules: by rank a list such as ["0F0", "0B0"].

No process group is needed: the schedules' own code runs with stages that only note what they are told to do.
"""
import types

from torch.distributed.pipelining.schedules import (
    Schedule1F1B, ScheduleDualPipeV, ScheduleGPipe, ScheduleInterleaved1F1B, ScheduleInterleavedZeroBubble, ScheduleLoopedBFS, ScheduleZBVZeroBubble)


class _NotingStage:
    """Notes forwards and backwards; what else a version of PyTorch calls, such as sends and their release, does nothing."""

    def __init__(self, stage, actions):
        self.stage_index = stage
        self.forward_one_chunk = lambda k, *_, **__: actions.append(f"{stage}F{k}")
        self.backward_one_chunk = lambda k, *_, **__: actions.append(f"{stage}B{k}")

    def __getattr__(self, name):
        return lambda *_, **__: []


def _single(schedule, lanes, micro_batches):
    """What _step_microbatches runs. Schedule1F1B._get_pipeline_order, which describes it, is not used: on the last rank of 2.11 it leaves out the
    first forward and names a micro-batch that does not exist."""
    rows = []
    for rank in range(lanes):
        actions = []
        nothing = lambda *_, **__: None
        loop = types.SimpleNamespace(
            _stage=_NotingStage(rank, actions), _num_stages=lanes, _n_microbatches=micro_batches, scale_grads=True, _finalize_gradients=True, _initialize_stage=nothing,
            _check_inputs=lambda *_: ([()] * micro_batches, [{}] * micro_batches),
            _maybe_compute_loss=nothing, _maybe_get_loss=nothing, _update_losses=nothing)
        schedule._step_microbatches(loop)
        rows.append(actions)
    return rows


def _multi(schedule, lanes, own, micro_batches, **more):
    """What _PipelineScheduleRuntime runs: the order each rank is given, without its idle slots."""
    def row(rank):
        described = types.SimpleNamespace(
            pp_group_size=lanes, n_local_stages=own, _stages=[None] * own, num_stages=lanes * own, _num_stages=lanes * own,
            _n_microbatches=micro_batches, **more)
        actions = [action for action in schedule._calculate_single_rank_operations(described, rank) if action is not None]
        return [str(part) for action in actions for part in action.sub_actions or (action,)]  # a pair to overlap: one after the other
    return [row(rank) for rank in range(lanes)]


def gpipe(lanes, micro_batches):
    return _single(ScheduleGPipe, lanes, micro_batches)


def one_forward_one_backward(lanes, micro_batches):
    """None where PyTorch refuses: fewer micro-batches than stages."""
    return _single(Schedule1F1B, lanes, micro_batches) if micro_batches >= lanes else None


def interleaved(lanes, own, micro_batches):
    """`own` stages a rank; None where PyTorch refuses: micro-batches that do not divide into rounds."""
    rounds = max(1, micro_batches // lanes)
    if micro_batches % rounds:
        return None
    return _multi(ScheduleInterleaved1F1B, lanes, own, micro_batches, number_of_rounds=rounds, microbatches_per_round=micro_batches // rounds)


def interleaved_zero_bubble(lanes, own, micro_batches):
    """As interleaved()."""
    rounds = max(1, micro_batches // lanes)
    if micro_batches % rounds:
        return None
    return _multi(ScheduleInterleavedZeroBubble, lanes, own, micro_batches, number_of_rounds=rounds, microbatches_per_round=micro_batches // rounds)


def looped_breadth_first(lanes, own, micro_batches):
    return _multi(ScheduleLoopedBFS, lanes, own, micro_batches)


def zero_bubble_v(lanes, micro_batches):
    return _multi(ScheduleZBVZeroBubble, lanes, 2, micro_batches)


def dual_pipe_v(lanes, micro_batches):
    """None where PyTorch refuses: fewer micro-batches than stages."""
    return _multi(ScheduleDualPipeV, lanes, 2, micro_batches) if micro_batches >= 2 * lanes else None
