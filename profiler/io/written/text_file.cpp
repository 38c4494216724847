// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/text_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>

namespace lanelab {

namespace {

constexpr std::size_t kWrittenPiece = 1U << 20U;

int errnoOr(int otherwise) { return errno != 0 ? errno : otherwise; }

}  // namespace

TextFile::TextFile(const std::string& path, int level) : m_path(path), m_partial(PartialFile::beside(path)) {
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

TextFile::~TextFile() {
  await();
  close();
}

/// 0, or errno.
int TextFile::put() {
  errno = 0;
  if (m_plain != nullptr)
    return std::fwrite(m_going.data(), 1, m_going.size(), m_plain) == m_going.size() ? 0 : errnoOr(EIO);
  for (std::size_t done = 0; done < m_going.size(); done += kWrittenPiece) {
    const auto length = static_cast<unsigned>(std::min(kWrittenPiece, m_going.size() - done));
    if (gzwrite(m_zipped, m_going.data() + done, length) != static_cast<int>(length)) return errnoOr(EIO);
  }
  return 0;
}

void TextFile::await() {
  if (!m_written.valid()) return;
  const int failed = m_written.get();
  if (m_reason == 0) m_reason = failed;
}

void TextFile::hand() {
  await();
  m_going.swap(m_text);
  m_text.clear();
  if (m_reason == 0) m_written = std::async(std::launch::async, [this] { return put(); });
}

void TextFile::close() {
  errno = 0;
  if (m_plain != nullptr && std::fclose(m_plain) != 0 && m_reason == 0) m_reason = errnoOr(EIO);
  if (m_zipped != nullptr && gzclose(m_zipped) != Z_OK && m_reason == 0) m_reason = errnoOr(EIO);
  m_plain = nullptr;
  m_zipped = nullptr;
}

void TextFile::flushIfLarge() {
  if (m_text.size() >= kWrittenPiece) hand();
}

Status TextFile::finish() {
  hand();
  await();
  close();
  if (m_reason == 0) m_reason = m_partial.renameTo(m_path);
  if (m_reason == 0) return {};
  return writeError(m_reason, "{} cannot be written: {}.", m_path, reasonNotWritten(m_reason));
}

}  // namespace lanelab
