// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/load_recorder.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include "profiler/trace/core_time.h"

namespace lanelab {
namespace {

constexpr double kPercent = 100;

/// False when the recording ends before that.
bool waitFor(std::chrono::milliseconds period, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any end;
  std::unique_lock lock(mutex);
  end.wait_for(lock, stop, period, [] { return false; });
  return !stop.stop_requested();
}

/// Each value counts from the reading before it, since a counter keeps its value until the next.
void recordLoad(const std::stop_token& stop, TraceBuilder& trace, const ReadCpuSeconds& read,
                std::chrono::milliseconds period) {
  std::optional<CpuSeconds> before = read();
  if (!before) return;
  std::optional<CounterIndex> counter;
  for (Nanoseconds since = monotonicNow(); waitFor(period, stop);) {
    const Nanoseconds now = monotonicNow();
    const std::optional<CpuSeconds> after = read();
    if (!after) return;
    const std::optional<MachineLoad> load = loadBetween(*before, *after, 1);
    if (!load) continue;
    if (!counter) counter = trace.addCounter(-1, std::string(kOtherProgramsCounter), "%");
    trace.appendValue(*counter, since, kPercent * load->busy_cores);
    before = after;
    since = now;
  }
}

}  // namespace

LoadRecorder::LoadRecorder(std::shared_ptr<TraceBuilder> trace, ReadCpuSeconds read, std::chrono::milliseconds period)
    : m_thread([trace = std::move(trace), read = std::move(read), period](const std::stop_token& stop) {
        recordLoad(stop, *trace, read, period);
      }) {}

}  // namespace lanelab
