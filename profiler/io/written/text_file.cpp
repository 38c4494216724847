// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/text_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <future>

#include "base/atomic_file.h"

namespace lanelab {

namespace {

constexpr std::size_t kWrittenPiece = 1U << 20U;

int errnoOr(int otherwise) { return errno != 0 ? errno : otherwise; }

}  // namespace

struct TextFile::State {
  explicit State(const std::string& target) : path(target), partial(pathBeside(target)) {}

  std::string path;
  PartialFile partial;
  std::FILE* plain = nullptr;
  gzFile zipped = nullptr;
  int reason = 0;  ///< errno of the first failure
  std::string text;
  std::string going;  ///< what the thread writes
  std::future<int> written;

  void open(int level) {
    errno = 0;
    FileHandle file = partial.create();
    if (!file.ok()) {
      reason = errnoOr(EIO);
    } else if (path.ends_with(".gz")) {
      const char mode[] = {'w', 'b', static_cast<char>('0' + std::clamp(level, 1, 9)), '\0'};
      zipped = gzdopen(file.get(), mode);
      if (zipped == nullptr) reason = errnoOr(ENOMEM);
    } else {
      plain = ::fdopen(file.get(), "wb");
      if (plain == nullptr) reason = errnoOr(EIO);
    }
    if (reason == 0) file.release();  // its writer closes it
  }

  /// 0, or errno.
  int put() {
    errno = 0;
    if (plain != nullptr) return std::fwrite(going.data(), 1, going.size(), plain) == going.size() ? 0 : errnoOr(EIO);
    for (std::size_t done = 0; done < going.size(); done += kWrittenPiece) {
      const auto length = static_cast<unsigned>(std::min(kWrittenPiece, going.size() - done));
      if (gzwrite(zipped, going.data() + done, length) != static_cast<int>(length)) return errnoOr(EIO);
    }
    return 0;
  }

  void await() {
    if (!written.valid()) return;
    const int failed = written.get();
    if (reason == 0) reason = failed;
  }

  void hand() {
    await();
    going.swap(text);
    text.clear();
    if (reason == 0) written = std::async(std::launch::async, [this] { return put(); });
  }

  void close() {
    errno = 0;
    if (plain != nullptr && std::fclose(plain) != 0 && reason == 0) reason = errnoOr(EIO);
    if (zipped != nullptr && gzclose(zipped) != Z_OK && reason == 0) reason = errnoOr(EIO);
    plain = nullptr;
    zipped = nullptr;
  }
};

TextFile::TextFile(const std::string& path, int level) : m_state(std::make_unique<State>(path)) {
  m_state->open(level);
}

TextFile::~TextFile() {
  m_state->await();
  m_state->close();
  std::remove(m_state->partial.path().c_str());
}

std::string& TextFile::text() { return m_state->text; }

void TextFile::flushIfLarge() {
  if (m_state->text.size() >= kWrittenPiece) m_state->hand();
}

Status TextFile::finish() {
  m_state->hand();
  m_state->await();
  m_state->close();
  if (m_state->reason == 0) m_state->reason = m_state->partial.renameTo(m_state->path);
  if (m_state->reason == 0) return {};
  return Error::failed("The trace could not be written to " + m_state->path + ": " + std::strerror(m_state->reason) +
                       "; choose another file or folder.");
}

}  // namespace lanelab
