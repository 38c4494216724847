// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/torch/rank_traces.h"

#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/trace_appender.h"
#include "profiler/trace/joined_trace.h"

namespace lanelab {

namespace {

std::string thisMachine() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// The name of the machine in a line, then the trace.
std::string packed(const Trace& trace) { return thisMachine() + "\n" + packTrace(trace); }

TracePart unpacked(int rank, const std::string& bytes, const ClockAlignment& clock) {
  const std::string subject = "What rank " + std::to_string(rank) + " recorded";
  const std::size_t end = bytes.find('\n');
  if (end == std::string::npos) throw std::runtime_error(subject + " came damaged.");
  const ReadImport read = importBytes(std::string_view(bytes).substr(end + 1), subject);
  if (!read.ok()) throw std::runtime_error(read.error().message);
  if (lostEvents((*read)->counts) > 0) throw std::runtime_error(subject + " came damaged.");
  return {(*read)->trace, clock, bytes.substr(0, end)};
}

/// `clocks` are as last read, by rank.
Result<RecordedTogether> joinedByRank(RankChannels& channels, std::vector<ClockReading>& clocks,
                                      std::shared_ptr<const Trace> own) {
  try {
    const std::vector<ClockReading> before = std::exchange(clocks, channels.readClocks());
    RecordedTogether together{own, {}};
    std::vector<TracePart> parts{{own, {}, thisMachine()}};
    channels.gather(clocks.empty() ? packed(*own) : "", [&](int rank, const std::string& bytes) {
      const auto place = static_cast<std::size_t>(rank);
      const ClockAlignment clock(before.at(place), clocks.at(place));
      together.clocks.push_back({rank, clock.offset(), clock.residual()});
      parts.push_back(unpacked(rank, bytes, clock));
    });
    if (parts.size() > 1) together.trace = joinTraces(parts);
    return together;
  } catch (const std::exception& error) {
    return Error::failed(verbatim(error.what()));
  }
}

}  // namespace

Result<JoinTraces> rankTraces(const std::shared_ptr<RankChannels>& channels) {
  try {
    const auto clocks = std::make_shared<std::vector<ClockReading>>(channels->readClocks());
    return JoinTraces([channels, clocks](std::shared_ptr<const Trace> own) {
      return joinedByRank(*channels, *clocks, std::move(own));
    });
  } catch (const std::exception& error) {
    return Error::failed(verbatim(error.what()));
  }
}

}  // namespace lanelab
