// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/machine_load.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace lanelab {
namespace {

// Linux counts in hundredths of a second, of which this has enough.
constexpr std::chrono::milliseconds kWatched{330};

}  // namespace

double processorSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::optional<CpuSeconds> parseCpuSeconds(const std::string& stat, double ticks_a_second) {
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is a part of user and nice.
  constexpr std::size_t kIdle = 3, kWaiting = 4, kFields = 8;
  std::istringstream line(stat.substr(0, stat.find('\n')));
  std::string name;
  if (!(line >> name) || name != "cpu" || ticks_a_second <= 0) return std::nullopt;
  std::vector<double> ticks;
  for (double value = 0; ticks.size() < kFields && line >> value;) ticks.push_back(value);
  if (ticks.size() <= kWaiting) return std::nullopt;
  CpuSeconds seconds;
  for (std::size_t i = 0; i < ticks.size(); ++i)
    (i == kIdle || i == kWaiting ? seconds.idle : seconds.busy) += ticks[i] / ticks_a_second;
  return seconds;
}

std::optional<CpuSeconds> cpuSecondsNow() {
  std::ifstream file("/proc/stat");
  std::ostringstream text;
  text << file.rdbuf();
  std::optional<CpuSeconds> now = parseCpuSeconds(text.str(), static_cast<double>(::sysconf(_SC_CLK_TCK)));
  if (now) now->own = processorSeconds();
  return now;
}

std::optional<MachineLoad> loadBetween(const CpuSeconds& before, const CpuSeconds& after, int cores) {
  const double busy = after.busy - before.busy, all = busy + after.idle - before.idle;
  if (all <= 0 || cores < 1) return std::nullopt;
  const double others = std::max(0.0, busy - (after.own - before.own));
  return MachineLoad{std::min(1.0, others / all) * cores, cores};
}

std::optional<MachineLoad> measuredLoad() {
  const std::optional<CpuSeconds> before = cpuSecondsNow();
  if (!before) return std::nullopt;
  std::this_thread::sleep_for(kWatched);
  const std::optional<CpuSeconds> after = cpuSecondsNow();
  if (!after) return std::nullopt;
  return loadBetween(*before, *after, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace lanelab
