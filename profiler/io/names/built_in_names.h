// SPDX-License-Identifier: GPL-3.0-only
// The names that frameworks give to what a rank does.
//
//   PyTorch 2.11 to 2.15    torch/distributed/pipelining/schedules.py: "PP:2F0", "PP:0RECV_B1", "Forward 0"; torchtitan
//                           (torchtitan/distributed/pipeline_parallel.py, August 2026) runs the same schedules
//   Megatron-LM             the timers of megatron/core/pipeline_parallel/{schedules,p2p_communication}.py and
//                           megatron/core/optimizer (d98e8a6, August 2026), as tools write them into timelines; its
//                           NVTX ranges (nvtx_decorator of megatron/core/utils.py: module and function); its functions,
//                           as torch.profiler names them with stacks
//   StragglerAnalysis       ByteDance-Seed/StragglerAnalysis, analyzer/metatypes.py, which has Megatron-LM's timers
//   DeepSpeed               functions and timers of deepspeed/runtime/pipe/engine.py and deepspeed/utils/timer.py
//                           (edaa722, August 2026). Its own NVTX ranges name no backward pass of most stages.
#pragma once

#include "profiler/io/names/name_rules.h"

namespace lanelab {

/// Any thread.
const NameRules& builtInRules();

}  // namespace lanelab
