// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/import_remarks.h"

#include "base/text.h"
#include "base/utf8.h"

namespace lanelab {

namespace {

std::string durationOf(Nanoseconds time) { return formatSeconds(static_cast<double>(time) * kNanosecond); }

std::string quoted(std::string_view name) {
  constexpr std::size_t kMost = 60;
  return "\"" + cutInMiddle(std::string(name), kMost) + "\"";
}

}  // namespace

std::string noTimeRemark(std::int64_t without, std::int64_t uncounted, const GpuWorkCounts& work) {
  const std::int64_t all = work.kernels + work.others + uncounted;
  return groupedDigits(without) + " of " + groupedDigits(all) + (work.others > 0 ? " kernels and copies" : " kernels") +
         " have no time (0: the profiler did not collect it) and are left out. Gaps may be too long where they ran.";
}

std::string coveringRemark(const CoveringWork& cut, std::string_view name) {
  const bool one = cut.count == 1;
  return groupedDigits(cut.count) + (one ? " kernel or copy lasts" : " kernels or copies last") +
         " over the whole of later work of the same stream, which no stream can do: " + (one ? "" : "the longest is ") +
         quoted(name) + " with " + durationOf(cut.longest) + ". " + (one ? "It was" : "They were") +
         " cut where the next work of the stream begins, by " + durationOf(cut.removed) + (one ? "." : " in all.");
}

std::string beforeLaunchRemark(const JoinedLaunches& launches, std::string_view name) {
  const std::int64_t all = launches.before + launches.left_out;
  std::string text = groupedDigits(all) + (all == 1 ? " kernel or copy begins" : " kernels or copies begin") +
                     " before the call that launched " + (all == 1 ? "it" : "them") + ", " + quoted(name) + " by " +
                     durationOf(launches.before_most) + ": the clocks of GPU and host differ. ";
  if (launches.left_out > 0)
    text += (launches.left_out == all ? (all == 1 ? "It is" : "They are") : groupedDigits(launches.left_out) + " are") +
            std::string(" left out. ");
  if (launches.before > 0)
    text += "Whether " + std::string(all == 1 ? "it was" : "these were") + " launched late is unknown.";
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace lanelab
