// SPDX-License-Identifier: GPL-3.0-only
// Events of a Chrome trace, in whatever dialect, into an ImportBuilder.
#pragma once

#include <cstddef>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/chrome/event_splitter.h"

namespace lanelab {

struct ReadEvents {
  std::size_t count = 0;   ///< with those that were damaged
  bool any_phase = false;  ///< some event had a phase; without any this is no trace, whatever the list holds
};

/// Reads all events of the splitter. Those that say nothing usable are counted in the builder's problems: bad_number,
/// missing_id, damaged_event, unknown_phase, unsupported_phase (legal in the format, but none of spans, instants,
/// counters, flows and names).
ReadEvents importChrome(EventSplitter& splitter, ImportBuilder& builder);

}  // namespace lanelab
