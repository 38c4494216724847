// SPDX-License-Identifier: GPL-3.0-only
// Ids of processes, threads and arrows as trace files write them: numbers, hexadecimal texts, any text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// A number stays one whether quoted or not, also as "7.0".
ImportedId importedId(std::string_view text);
ImportedId numberId(std::int64_t number);

/// The id as a whole number when it is one that fits: a device, a stream.
std::optional<std::int64_t> numberOf(const ImportedId& id);

/// Decimal or 0x..., exact to 64 bits; a negative one in two's complement. Nothing for any other text.
std::optional<std::uint64_t> wholeId(std::string_view text);

}  // namespace lanelab
