// SPDX-License-Identifier: GPL-3.0-only
// GPUs that a file tells by the names of its processes and threads instead of by categories.
//
// JAX and TensorFlow (/device:GPU:0 with threads "Stream #13(Compute)", and others that show the same time again),
// Ascend (a process "Ascend Hardware" with threads "Stream 2"), rpd ("GPU0") and nsys2json ("Device 0", "Stream 7")
// write their work without a category, or with one of their own. Pure; any thread; linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "profiler/trace/span.h"

namespace lanelab {

/// The device of a process with this name: N of "/device:GPU:N", "GPU N", "Device N" and their like, of any
/// accelerator, 0 of "Ascend Hardware"; nothing for other processes.
std::optional<int> deviceOfProcess(std::string_view name);

/// How the threads of such a process show what it does: streams, else the operators of XLA, else all of them.
enum class DeviceThread : std::uint8_t { Stream, Operators, Other, Repeated };
DeviceThread deviceThreadOf(std::string_view name);

/// N of "Stream #N(Compute)" or "Stream N"; nothing for other names.
std::optional<std::int64_t> streamOfThread(std::string_view name);
/// N of "AGENT [N] QUEUE [1]", as rocprofv3 names the tracks of its GPUs; nothing for other names.
std::optional<int> agentOfTrack(std::string_view name);

/// What work of this name is: a copy, a memset, a wait for other work (Other), or a kernel.
Category deviceWorkOf(std::string_view name);

/// Whether spans of this category, which is none that LaneLab knows, say what ran beside the work itself.
bool isBesideWork(std::string_view category);

}  // namespace lanelab
