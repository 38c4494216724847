// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/trace_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/parse_number.h"
#include "profiler/trace/number_text.h"

namespace lanelab {
namespace {

/// The longer units first, since "ms" ends in "s".
constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
    {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr double kLongestTime = 9e18;  // nanoseconds of an int64

std::optional<Nanoseconds> timeIn(std::string_view text) {
  double unit = 1e3;
  for (const auto& [name, length] : kUnits) {
    if (!text.ends_with(name)) continue;
    unit = length;
    text.remove_suffix(name.size());
    break;
  }
  const std::optional<double> number = parseNumber<double>(text);
  if (!number || !(*number >= 0) || *number * unit > kLongestTime) return std::nullopt;
  return std::llround(*number * unit);
}

}  // namespace

Option addRangeOption(const Command& command, std::string& range, const std::string& description) {
  return command.option("--range FROM..TO", range,
                        description +
                            ": times since the beginning of the trace, in microseconds or with a unit, such "
                            "as 1.5ms..20ms, ..1s or 250ms..");
}

Result<TimeRange> rangeIn(const Trace& trace, const std::string& range) {
  const std::size_t dots = range.find("..");
  const TimeRange whole = trace.range();
  const std::string_view text = range;
  const auto from = dots == std::string::npos ? std::nullopt
                    : dots == 0               ? Nanoseconds{0}
                                              : timeIn(text.substr(0, dots));
  const auto to = dots == std::string::npos  ? std::nullopt
                  : dots + 2 == range.size() ? std::max(whole.length(), from.value_or(0) + 1)
                                             : timeIn(text.substr(dots + 2));
  if (!from || !to)
    return Error::badInput(
        "--range {} is not a range. Write FROM..TO, times since the beginning of the trace, such as 1.5ms..20ms.",
        range);
  if (*to <= *from)
    return Error::badInput("--range {} is empty: it ends where it begins, or before. Write the earlier time first.",
                           range);
  if (*from >= whole.length())
    return Error::badInput("--range {} begins after the trace, which is {} long. Choose an earlier time.", range,
                           plainDuration(whole.length()));
  return TimeRange{whole.start + *from, whole.start + std::min(*to, whole.length())};
}

}  // namespace lanelab
