// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/event_file.h"

#include <filesystem>

#include "profiler/io/source/import_limits.h"
#include "profiler/io/written/text_file.h"

namespace lanelab {
namespace {

constexpr std::int64_t kEventsBetweenLooks = 1024;

}  // namespace

Status writeEventFile(const std::string& path, int level, std::int64_t events, const WorkControl& control,
                      const WriteEvents& write) {
  TextFile file(path, level);
  ProgressCount progress(events + 1, control.report);
  progress.begin("Writing " + std::filesystem::path(path).filename().string());
  std::int64_t written = 0;
  const auto flush = [&] {
    file.flushIfLarge();
    if (++written % kEventsBetweenLooks != 0) return;
    if (control.stop.stop_requested()) throw StoppedError();
    progress.add(kEventsBetweenLooks);
  };
  try {
    write(file.text(), flush);
    if (control.stop.stop_requested()) throw StoppedError();
  } catch (const StoppedError&) {
    return Error::cancelled("Cancelled: {} was not written.", path);
  }
  const Status done = file.finish();
  if (done.ok()) progress.finish();
  return done;
}

}  // namespace lanelab
