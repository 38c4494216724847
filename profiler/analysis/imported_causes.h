// SPDX-License-Identifier: GPL-3.0-only
// Idle time of traces that hold no actions of ours: GPUs by their kernels, else threads by their operators.
//
// A gap before a kernel is `host` until its launch call ended, then `transfer` while a copy runs on the kernel's
// stream; all else is `unresolved`, since nothing in such a file tells more. Windows are the spans named
// "ProfilerStep#N" (those of the host, where GPUs have some, too), else a lane's first to last work.
#pragma once

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// A GPU is a device of a process, a thread all its rows. Where nothing is known of the rows, `imported` is null: then
/// a GPU is a process with kernels, and every row a stream or thread of its own.
IdleCauses explainImported(const Trace& trace, const ImportedTrace* imported);

}  // namespace lanelab
