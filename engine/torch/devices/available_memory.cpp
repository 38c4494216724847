// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

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

/// The sum of these lines of a memory.stat; 0 if there are none.
std::int64_t sumOf(const std::string& path, std::initializer_list<std::string_view> names) {
  std::ifstream file(path);
  std::int64_t sum = 0, bytes = 0;
  for (std::string name; file >> name >> bytes;) {
    if (std::ranges::find(names, name) != names.end()) sum += bytes;
  }
  return sum;
}

/// The files of one version of control groups.
struct GroupFiles {
  std::string limit, used;
  std::initializer_list<std::string_view> page_cache;  ///< lines of memory.stat: the kernel gives it up when asked
};

/// Of one group, whose parents may have less.
std::int64_t leftIn(const std::string& folder, const GroupFiles& files) {
  const std::int64_t limit = readNumber(folder + "/" + files.limit);
  const std::int64_t used = readNumber(folder + "/" + files.used);
  if (limit == kUnlimited || used == kUnlimited) return kUnlimited;
  const std::int64_t held = used - std::min(used, sumOf(folder + "/memory.stat", files.page_cache));
  return std::max<std::int64_t>(0, limit - held);
}

/// Of the group `path` ("/a/b") and all that it lies in, down from `root`.
std::int64_t leftInAll(const std::string& root, std::string path, const GroupFiles& files) {
  std::int64_t left = leftIn(root, files);
  for (; path.size() > 1; path.erase(path.rfind('/'))) left = std::min(left, leftIn(root + path, files));
  return left;
}

}  // namespace

std::int64_t availableInGroups(const std::string& root, const std::string& groups) {
  const GroupFiles second{"memory.max", "memory.current", {"active_file", "inactive_file"}};
  const GroupFiles first{
      "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};
  std::int64_t left = std::min(leftIn(root, second), leftIn(root + "/memory", first));
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const auto name = line.find(':'), path = line.find(":/");
    if (path == std::string::npos) continue;
    const std::string controllers = line.substr(name, path - name + 1);
    if (controllers == "::") left = std::min(left, leftInAll(root, line.substr(path + 1), second));
    if (controllers.find("memory") != std::string::npos)
      left = std::min(left, leftInAll(root + "/memory", line.substr(path + 1), first));
  }
  return left;
}

std::int64_t availableMemory() {
  std::ostringstream groups;
  groups << std::ifstream("/proc/self/cgroup").rdbuf();
  return std::min(systemAvailable(), availableInGroups("/sys/fs/cgroup", groups.str()));
}

}  // namespace lanelab
