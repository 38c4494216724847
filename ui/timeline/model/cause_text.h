// SPDX-License-Identifier: GPL-3.0-only
// The causes of idle time in the window's words.
#pragma once

#include <QString>

#include "profiler/analysis/cause.h"

namespace lanelab {

QString causeText(Cause cause);  ///< "fill", "transfer queued"

}  // namespace lanelab
