// SPDX-License-Identifier: GPL-3.0-only
#include "base/partial_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include "base/fingerprint.h"
#include "base/text.h"

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

/// Of the system's own random source.
std::uint64_t randomBits() {
  std::random_device source;
  return (std::uint64_t{source()} << 32) | source();
}

}  // namespace

std::string pathBeside(const std::string& target) {
  const std::filesystem::path whole(target);
  const std::string name = "." + shortFileName(whole.filename().string()) + "." + hexDigits(randomBits()) + ".tmp";
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

FileHandle PartialFile::create() const {
  return FileHandle(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

int PartialFile::renameTo(const std::string& target) const {
  if (::rename(m_path.c_str(), target.c_str()) == 0) return 0;
  const int error = errno;
  ::unlink(m_path.c_str());
  return error;
}

void removePartialFiles() {
  const std::lock_guard lock(registry().mutex);
  for (const std::string& path : registry().paths) std::remove(path.c_str());
}

}  // namespace lanelab
