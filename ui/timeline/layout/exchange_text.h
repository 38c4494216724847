// SPDX-License-Identifier: GPL-3.0-only
// What replicas of a model do with each other, in words.
#pragma once

#include <QString>

#include "profiler/trace/trace.h"

namespace lanelab {

/// A sentence on what the span means for training, by its name; empty for a name that the engine does not give.
QString exchangeText(const std::string& name);

}  // namespace lanelab
