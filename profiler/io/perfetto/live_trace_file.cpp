// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/live_trace_file.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "profiler/io/perfetto/trace_appender.h"

namespace lanelab {

namespace {

constexpr std::chrono::milliseconds kPause{500};

void keep(const std::stop_token& stop, const TraceBuilder& builder, const std::string& path) {
  std::optional<TraceAppender> file;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  std::size_t seen = 0;
  while (!stop.stop_requested()) {
    wake.wait_for(lock, stop, kPause, [] { return false; });
    const std::size_t spans = builder.spanCount();
    if (spans == seen) continue;
    seen = spans;
    if (!file) file.emplace(path);
    if (!file->update(*builder.snapshot()).ok()) return;
  }
}

}  // namespace

std::shared_ptr<void> keepTraceFile(std::shared_ptr<const TraceBuilder> builder, const std::string& path) {
  return std::make_shared<std::jthread>([builder = std::move(builder), path](const std::stop_token& stop) {
    try {
      keep(stop, *builder, path);
    } catch (const std::exception&) {
      return;  // no memory for it: the run goes on
    }
  });
}

}  // namespace lanelab
