// SPDX-License-Identifier: GPL-3.0-only
// A run folder with given labels.
#pragma once

#include <string>

#include "engine/library/run_labels.h"

namespace lanelab::test {

/// Whatever labels the folder has. Errors are those of changeLabels().
inline Status writeLabels(const std::string& folder, const RunLabels& labels) {
  return changeLabels(folder, [&](RunLabels& now) { now = labels; });
}

}  // namespace lanelab::test
