// SPDX-License-Identifier: GPL-3.0-only
#include "base/partial_file.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "base/file_name.h"

namespace lanelab {
namespace {

struct Registry {
  std::mutex mutex;
  std::multiset<std::string> paths;
};

/// Never destroyed: threads that still write may outlive static objects.
Registry& registry() {
  static Registry* const all = new Registry;
  return *all;
}

}  // namespace

std::string pathBeside(const std::string& target) {
  const std::filesystem::path whole(target);
  static std::atomic<unsigned> counter{0};
  const std::string name = "." + shortFileName(whole.filename().string()) + "." + std::to_string(::getpid()) + "-" +
                           std::to_string(counter++) + ".tmp";
  return (whole.parent_path() / name).string();
}

PartialFile::PartialFile(std::string path) : m_path(std::move(path)) {
  const std::lock_guard lock(registry().mutex);
  registry().paths.insert(m_path);
}

PartialFile::~PartialFile() {
  const std::lock_guard lock(registry().mutex);
  registry().paths.erase(registry().paths.find(m_path));
}

void removePartialFiles() {
  const std::lock_guard lock(registry().mutex);
  for (const std::string& path : registry().paths) std::remove(path.c_str());
}

}  // namespace lanelab
