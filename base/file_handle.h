// SPDX-License-Identifier: GPL-3.0-only
// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace lanelab {

class FileHandle {
 public:
  explicit FileHandle(int fd = -1) : m_fd(fd) {}
  FileHandle(FileHandle&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  ~FileHandle() {
    if (m_fd >= 0) ::close(m_fd);
  }
  int get() const { return m_fd; }
  /// Hands the descriptor over to one who closes it, such as fdopen().
  int release() { return std::exchange(m_fd, -1); }
  bool ok() const { return m_fd >= 0; }

 private:
  int m_fd;
};

}  // namespace lanelab
