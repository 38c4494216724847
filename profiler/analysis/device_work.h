// SPDX-License-Identifier: GPL-3.0-only
// What the recorded work of GPUs tells of the actions that launched it.
#pragma once

#include "profiler/analysis/traced_actions.h"

namespace lanelab {

/// For actions with kernels or copies of their own (spans of category Kernel or Memcpy with their step, stage,
/// micro-batch and phase, on any lane): an action was issued when the launch call of its first kernel ended, not only
/// when its last one was out; and copies that it launched and that began before it did are the transfer of its input,
/// which the receiving lane launches. Changes nothing in traces without such spans.
void refineByDeviceWork(const Trace& trace, TracedActions& traced);

}  // namespace lanelab
