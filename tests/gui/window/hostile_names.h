// SPDX-License-Identifier: GPL-3.0-only
// Names that somebody chose to break what shows them, and a pipe that tells whether a name was obeyed.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace lanelab::test {

/// Whoever opens it for reading would wait for ever. A thread looks for such a reader, remembers it and lets it go on.
class WatchedPipe {
 public:
  explicit WatchedPipe(std::string path) : m_path(std::move(path)), m_made(::mkfifo(m_path.c_str(), 0600) == 0) {
    m_watch = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  }
  const std::string& path() const { return m_path; }
  bool made() const { return m_made; }
  bool wasRead() const { return m_read; }

 private:
  void watch(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      if (const int end = ::open(m_path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
          end >= 0) {  // possible only with a reader
        m_read = true;
        ::close(end);
      }
      wake.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
    }
  }

  std::string m_path;
  bool m_made;
  std::atomic<bool> m_read = false;
  std::jthread m_watch;
};

/// For HTML, SVG, rich text, mnemonics, tr().arg(), the mark of unsaved changes, layouts and terminals.
inline std::vector<std::string> hostileNames(const std::string& file) {
  return {"<img src=" + file + ">",
          "<body background=\"" + file + "\">x</body>",
          "<b>bold</b><script>alert(1)</script>",
          "<img src=x onerror=alert(1)>",
          "&lt;tag&gt; &amp; a & b",
          "</title></svg><a href='javascript:x'>]]>--",
          "esc \x1b[31m bell \x07 delete \x7f",
          "non-character \uFFFE\uFFFF",
          "\u202Eright to left",
          "two\nlines\tand [*] and %1 %2 %3",
          std::string("nul \0 byte", 10),
          std::string(10'000, 'w')};
}

}  // namespace lanelab::test
