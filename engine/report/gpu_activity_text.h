// SPDX-License-Identifier: GPL-3.0-only
// What the recording of GPU activity reported of itself, in a sentence.
#pragma once

#include <string>

#include "engine/record/run_record.h"

namespace lanelab {

/// Of all variants together: "GPU activity: 12,345 kernels, 0 dropped, 0 without time, clocks agree within 0.8 us."
/// Further parts only where there is something to report; empty where no GPU was recorded.
std::string gpuActivitySentence(const RunRecord& record);

}  // namespace lanelab
