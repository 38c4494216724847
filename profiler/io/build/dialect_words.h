// SPDX-License-Identifier: GPL-3.0-only
// Words of our own trace files for what the Chrome format has no field for.
#pragma once

#include <optional>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

std::string_view toString(Origin origin);               ///< "measured", "replayed", "predicted"
std::string_view toString(Track::Kind kind);            ///< "compute", "detail", "transfer", "host", "stream", "step"
std::optional<Origin> originOf(std::string_view word);  ///< nothing when unknown
std::optional<Track::Kind> trackKindOf(std::string_view word);  ///< nothing when unknown

}  // namespace lanelab
