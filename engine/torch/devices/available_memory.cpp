// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace lanelab {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The number in a one-number file; kUnlimited for "max", absent files and sizes that mean no limit.
std::int64_t readNumber(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? value : kUnlimited;
}

std::int64_t systemAvailable() {
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    std::int64_t kib = 0;
    if (words >> name >> kib && name == "MemAvailable:") return kib * 1024;
  }
  return kUnlimited;
}

std::int64_t left(const std::string& limit_file, const std::string& used_file) {
  const std::int64_t limit = readNumber(limit_file);
  const std::int64_t used = readNumber(used_file);
  return limit == kUnlimited || used == kUnlimited ? kUnlimited : std::max<std::int64_t>(0, limit - used);
}

std::int64_t groupAvailable() {
  const std::string base = "/sys/fs/cgroup";
  std::string path;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("0::", 0) == 0) path = line.substr(3);
  }
  return std::min({left(base + path + "/memory.max", base + path + "/memory.current"),
                   left(base + "/memory.max", base + "/memory.current"),
                   left(base + "/memory/memory.limit_in_bytes", base + "/memory/memory.usage_in_bytes")});
}

}  // namespace

std::int64_t availableMemory() { return std::min(systemAvailable(), groupAvailable()); }

}  // namespace lanelab
