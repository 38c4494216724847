// SPDX-License-Identifier: GPL-3.0-only
// The plan of a variant as other frameworks take it: arguments, a subclass, a layout string or a device map. Each text
// names the version of the framework that it was checked against. Pure; any thread.
//
// Formats: pytorch/torchtitan torchtitan/config/configs.py; deepspeedai/DeepSpeed deepspeed/runtime/pipe/module.py;
// NVIDIA/Megatron-LM megatron/core/transformer/pipeline_parallel_layer_layout.py; huggingface/accelerate device maps.
#pragma once

#include "base/result.h"
#include "engine/experiment/resolution.h"
#include "engine/frameworks/written_files.h"

namespace lanelab {

/// The variant has a plan. Errors (BadInput) say what the framework cannot express; what it leaves out, such as the
/// order, is a note.
Result<WrittenFiles> torchtitanPlan(const ResolvedVariant& variant);
Result<WrittenFiles> deepspeedPlan(const ResolvedVariant& variant);
Result<WrittenFiles> megatronPlan(const ResolvedVariant& variant);
Result<WrittenFiles> acceleratePlan(const ResolvedVariant& variant);

}  // namespace lanelab
