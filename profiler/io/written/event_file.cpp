// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/event_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <future>

#include "base/atomic_file.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {
namespace {

constexpr std::int64_t kEventsBetweenLooks = 1024;
constexpr std::size_t kWrittenPiece = 1U << 20U;

int errnoOr(int otherwise) { return errno != 0 ? errno : otherwise; }

/// A text written to a file as it grows. Without finish() nothing is left behind.
class TextFile {
 public:
  TextFile(const std::string& path, int level) : m_path(path), m_partial(PartialFile::beside(path)) {
    errno = 0;
    FileHandle file = m_partial.create();
    if (!file.ok()) {
      m_reason = errnoOr(EIO);
    } else if (m_path.ends_with(".gz")) {
      const char mode[] = {'w', 'b', static_cast<char>('0' + std::clamp(level, 1, 9)), '\0'};
      m_zipped = gzdopen(file.get(), mode);
      if (m_zipped == nullptr) m_reason = errnoOr(ENOMEM);
    } else {
      m_plain = ::fdopen(file.get(), "wb");
      if (m_plain == nullptr) m_reason = errnoOr(EIO);
    }
    if (m_reason == 0) file.release();  // its writer closes it
  }
  ~TextFile() {
    await();
    close();
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// What is not yet written; append to it.
  std::string& text() { return m_text; }
  /// Call it now and then: hands a large text to a thread that compresses and writes it.
  void flushIfLarge() {
    if (m_text.size() >= kWrittenPiece) hand();
  }
  /// Errors name path and reason.
  Status finish() {
    hand();
    await();
    close();
    if (m_reason == 0) m_reason = m_partial.renameTo(m_path);
    if (m_reason == 0) return {};
    return writeError(m_reason, "{} cannot be written: {}.", m_path, reasonNotWritten(m_reason));
  }

 private:
  /// 0, or errno.
  int put() {
    errno = 0;
    if (m_plain != nullptr)
      return std::fwrite(m_going.data(), 1, m_going.size(), m_plain) == m_going.size() ? 0 : errnoOr(EIO);
    for (std::size_t done = 0; done < m_going.size(); done += kWrittenPiece) {
      const auto length = static_cast<unsigned>(std::min(kWrittenPiece, m_going.size() - done));
      if (gzwrite(m_zipped, m_going.data() + done, length) != static_cast<int>(length)) return errnoOr(EIO);
    }
    return 0;
  }
  void await() {
    if (!m_written.valid()) return;
    const int failed = m_written.get();
    if (m_reason == 0) m_reason = failed;
  }
  void hand() {
    await();
    m_going.swap(m_text);
    m_text.clear();
    if (m_reason == 0) m_written = std::async(std::launch::async, [this] { return put(); });
  }
  void close() {
    errno = 0;
    if (m_plain != nullptr && std::fclose(m_plain) != 0 && m_reason == 0) m_reason = errnoOr(EIO);
    if (m_zipped != nullptr && gzclose(m_zipped) != Z_OK && m_reason == 0) m_reason = errnoOr(EIO);
    m_plain = nullptr;
    m_zipped = nullptr;
  }

  std::string m_path;
  PartialFile m_partial;
  std::FILE* m_plain = nullptr;
  gzFile m_zipped = nullptr;
  int m_reason = 0;  ///< errno of the first failure
  std::string m_text;
  std::string m_going;  ///< what the thread writes
  std::future<int> m_written;
};

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
