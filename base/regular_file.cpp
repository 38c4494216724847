// SPDX-License-Identifier: GPL-3.0-only
#include "base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lanelab {
namespace {

const char* kindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::string notRegular(mode_t mode) { return std::string(kindOf(mode)) + ", not a regular file"; }

std::string reasonOf(int error) {
  std::string text = std::strerror(error);
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z')
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

}  // namespace

OpenedFile openRegularFile(const std::string& path) {
  OpenedFile opened;
  // Before it is opened: that would let the writer of a pipe continue, and may start a device.
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    opened.reason = notRegular(facts.st_mode);
    return opened;
  }
  // Something else may have that name by now. Without O_NONBLOCK the opening of a FIFO waits for a writer; on regular
  // files it has no effect.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  const bool looked = descriptor >= 0 && ::fstat(descriptor, &facts) == 0;
  const bool regular = looked && S_ISREG(facts.st_mode);
  if (regular) opened.file.reset(::fdopen(descriptor, "rb"));
  if (looked && !regular) {
    opened.reason = notRegular(facts.st_mode);
  } else if (!opened.file) {
    opened.reason = reasonOf(errno);
  }
  if (!opened.file && descriptor >= 0) ::close(descriptor);
  return opened;
}

std::string whyNotRegularFile(const std::string& path) { return openRegularFile(path).reason; }

}  // namespace lanelab
