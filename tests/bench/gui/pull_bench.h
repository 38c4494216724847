// SPDX-License-Identifier: GPL-3.0-only
// The part of the timeline's benchmark in which a span is pulled.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lanelab::bench {

/// In a pipeline of so many spans, with all of a kind changed by each move. Needs a QApplication.
nlohmann::json benchPulls(int spans, bool print);

}  // namespace lanelab::bench
