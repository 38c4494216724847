// SPDX-License-Identifier: GPL-3.0-only
// Debug annotations of Perfetto's track events as text: scalars plainly, dictionaries and arrays as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "profiler/io/source/sought_event.h"

namespace lanelab {

/// Looks up an interned text by its number in a field of perfetto::interned; "" if it is not known. The view holds
/// until the next packet.
using InternedLookup = std::function<std::string_view(std::uint32_t field, std::uint64_t id)>;

/// Those of a TrackEvent. Takes time in proportion to its bytes; what is nested deeper than 32 levels is left out.
EventArguments annotationTexts(std::string_view event, const InternedLookup& interned);

}  // namespace lanelab
