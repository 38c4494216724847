// SPDX-License-Identifier: GPL-3.0-only
// What the recording of GPU activity reported of itself, in run.json.
#pragma once

#include <string>

#include "base/json_fields.h"
#include "profiler/trace/gpu_activity.h"

namespace lanelab {

Json gpuActivityToJson(const GpuActivity& activity);
GpuActivity readGpuActivity(FieldErrors& errors, const Json& value, const std::string& path);

}  // namespace lanelab
