// SPDX-License-Identifier: GPL-3.0-only
// Numbers and times in JSON and tables. C locale always.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Appends nanoseconds as microseconds with three decimals, exactly: -1500 -> "-1.500".
void appendMicroseconds(std::string& out, Nanoseconds time);

/// Appends a whole number.
void appendInteger(std::string& out, std::int64_t number);

/// Appends a finite number with the fewest digits that give it back.
void appendNumber(std::string& out, double number);

}  // namespace lanelab
