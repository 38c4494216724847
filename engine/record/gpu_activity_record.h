// SPDX-License-Identifier: GPL-3.0-only
// What the recording of GPU activity said of itself: in run.json, and as a sentence.
#pragma once

#include <string>

#include "base/json_fields.h"
#include "engine/record/run_record.h"
#include "profiler/trace/gpu_activity.h"

namespace lanelab {

Json gpuActivityToJson(const GpuActivity& activity);
GpuActivity readGpuActivity(FieldErrors& errors, const Json& value, const std::string& path);

/// Of all variants together: "GPU activity: 12,345 kernels, 0 dropped, 0 without time, clocks agree within 0.8 us."
/// Further parts only where there is something to say; empty where no GPU was recorded.
std::string gpuActivitySentence(const RunRecord& record);

}  // namespace lanelab
