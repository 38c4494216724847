// SPDX-License-Identifier: GPL-3.0-only
// Pieces of JSON text: strings and times. C locale always.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Appends `text` in quotes and escaped; bytes that are no UTF-8 become U+FFFD, so the result is valid whatever the
/// text holds.
void appendJsonString(std::string& out, std::string_view text);

/// Appends nanoseconds as microseconds with three decimals, exactly: -1500 -> "-1.500".
void appendMicroseconds(std::string& out, Nanoseconds time);

/// Appends a whole number.
void appendInteger(std::string& out, std::int64_t number);

/// Appends a finite number with the fewest digits that give it back.
void appendNumber(std::string& out, double number);

}  // namespace lanelab
