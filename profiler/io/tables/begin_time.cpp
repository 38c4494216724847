// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/begin_time.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <limits>

#include "profiler/trace/number_text.h"

namespace lanelab {

namespace {

constexpr Nanoseconds kNanosecondsASecond = 1'000'000'000;

/// "2024-04-03 18:51:38.123456 UTC"; "" for what the C library cannot write.
std::string utcText(Nanoseconds unix_time) {
  const std::time_t seconds = unix_time / kNanosecondsASecond;
  std::tm parts{};
  std::array<char, 32> day{};
  if (::gmtime_r(&seconds, &parts) == nullptr ||
      std::strftime(day.data(), day.size(), "%Y-%m-%d %H:%M:%S", &parts) == 0)
    return {};
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06d", static_cast<int>(unix_time % kNanosecondsASecond / 1000));
  return std::string(day.data()) + fraction.data() + " UTC";
}

}  // namespace

std::optional<Nanoseconds> unixTimeOf(const Trace& trace, Nanoseconds time) {
  constexpr Nanoseconds kYear2001 = 1'000'000'000 * kNanosecondsASecond;
  constexpr Nanoseconds kLatest = std::numeric_limits<Nanoseconds>::max();
  if (trace.epoch > 0 && time >= 0)
    return trace.epoch <= kLatest - time ? std::optional(trace.epoch + time) : std::nullopt;
  return time >= kYear2001 ? std::optional(time) : std::nullopt;
}

std::string beginSentence(const Trace& trace, Nanoseconds begin, Nanoseconds axis) {
  const std::optional<Nanoseconds> unix_time = unixTimeOf(trace, begin);
  const std::string date = unix_time ? utcText(*unix_time) : std::string();
  std::string text = "Starts count from the beginning of the trace";
  if (!date.empty()) text += ", " + date;
  if (begin != axis) text += " (" + microsecondsText(begin - axis) + " µs in the file)";
  return text + ".";
}

}  // namespace lanelab
