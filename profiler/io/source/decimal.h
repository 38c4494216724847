// SPDX-License-Identifier: GPL-3.0-only
// Decimal text to whole numbers, exactly; a double would lose nanoseconds at 16 digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanelab {

/// `text` (a JSON number, also with exponent, also in quotes) times 10^scale, rounded to the nearest whole number,
/// halves away from zero. Nothing when it is no number or its magnitude exceeds 2^62, so that sums and differences of
/// two results never overflow.
std::optional<std::int64_t> scaledDecimal(std::string_view text, int scale);

}  // namespace lanelab
