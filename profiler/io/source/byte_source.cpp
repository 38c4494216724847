// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/source/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <limits>
#include <vector>

#include "base/regular_file.h"

namespace lanelab {

namespace {

constexpr std::size_t kPiece = 1U << 20U;

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : m_text(text) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = m_text.copy(to, room);
    m_text.remove_prefix(count);
    return count;
  }

 private:
  std::string_view m_text;
};

/// Of one file: its bytes, and a quarter as much for putting the events in order.
std::shared_ptr<ProgressCount> progressOf(const std::string& path, const ReportProgress& report) {
  std::error_code unknown;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, unknown));
  auto progress = std::make_shared<ProgressCount>(unknown ? 0 : bytes + bytes / 4 + 1, report);
  progress->begin("Reading " + std::filesystem::path(path).filename().string());
  return progress;
}

class FileSource : public ByteSource {
 public:
  FileSource(OpenedFile opened, std::shared_ptr<ProgressCount> progress)
      : m_file(std::move(opened.file)), m_progress(std::move(progress)) {}
  std::size_t read(char* to, std::size_t room) override {
    std::size_t count = m_first.copy(to, room);
    m_first.erase(0, count);
    count += std::fread(to + count, 1, room - count, m_file.get());
    m_progress->add(static_cast<std::int64_t>(count));
    return count;
  }
  bool damaged() const override { return std::ferror(m_file.get()) != 0; }

  /// The first bytes, which are given again by read(). 0, or errno.
  int peek(std::string& head) {
    m_first.resize(16);
    errno = 0;
    m_first.resize(std::fread(m_first.data(), 1, m_first.size(), m_file.get()));
    head = m_first;
    return std::ferror(m_file.get()) == 0 ? 0 : errno != 0 ? errno : EIO;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file;
  std::shared_ptr<ProgressCount> m_progress;
  std::string m_first;
};

/// Unzips all members one after another.
class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> zipped) : m_zipped(std::move(zipped)), m_input(kPiece) {
    m_state = inflateInit2(&m_stream, MAX_WBITS + 16);
  }
  ~GzipSource() override { inflateEnd(&m_stream); }

  std::size_t read(char* to, std::size_t room) override {
    m_stream.next_out = reinterpret_cast<Bytef*>(to);
    m_stream.avail_out = static_cast<uInt>(std::min(room, kPiece));
    const uInt offered = m_stream.avail_out;
    while (m_state == Z_OK && m_stream.avail_out == offered) {
      if (m_stream.avail_in == 0 && !refill()) break;
      m_state = inflate(&m_stream, Z_NO_FLUSH);
      if (m_state == Z_STREAM_END && anotherMember()) m_state = inflateReset(&m_stream);
    }
    return offered - m_stream.avail_out;
  }
  bool damaged() const override { return m_state != Z_STREAM_END; }

 private:
  bool refill() {
    // What is left (at most one byte of a further member) goes first.
    std::copy_n(m_stream.next_in, m_stream.avail_in, m_input.begin());
    const std::size_t count =
        m_zipped->read(reinterpret_cast<char*>(m_input.data()) + m_stream.avail_in, kPiece - m_stream.avail_in);
    m_stream.next_in = m_input.data();
    m_stream.avail_in += static_cast<uInt>(count);
    return count > 0;
  }
  bool anotherMember() {
    while (m_stream.avail_in < 2)
      if (!refill()) return false;
    return m_stream.next_in[0] == 0x1F && m_stream.next_in[1] == 0x8B;
  }

  std::unique_ptr<ByteSource> m_zipped;
  std::vector<Bytef> m_input;
  z_stream m_stream{};
  int m_state = Z_OK;
};

class FrontSource : public ByteSource {
 public:
  FrontSource(std::string front, ByteSource& rest) : m_front(std::move(front)), m_rest(rest) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = std::string_view(m_front).substr(m_taken).copy(to, room);
    m_taken += count;
    return count > 0 ? count : m_rest.read(to, room);
  }
  bool damaged() const override { return m_rest.damaged(); }
  Ended ended() const override { return m_rest.ended(); }

 private:
  std::string m_front;
  std::size_t m_taken = 0;
  ByteSource& m_rest;
};

/// What the rest gives, until a limit ends it.
class LimitedSource : public ByteSource {
 public:
  LimitedSource(std::unique_ptr<ByteSource> rest, const ImportLimits& limits)
      : m_rest(std::move(rest)), m_limits(limits) {}

  std::size_t read(char* to, std::size_t room) override {
    if (m_limits.stop.stop_requested()) m_ended = Ended::Cancelled;
    if (m_ended != Ended::Itself) return 0;
    const std::size_t count = m_rest->read(to, std::min(room, kPiece));
    m_given += static_cast<std::int64_t>(count);
    if (m_given <= m_limits.unpacked_bytes) return count;
    m_ended = Ended::TooLarge;
    return 0;
  }
  bool damaged() const override { return m_rest->damaged(); }
  Ended ended() const override { return m_ended; }

 private:
  std::unique_ptr<ByteSource> m_rest;
  ImportLimits m_limits;
  std::int64_t m_given = 0;
  std::atomic<Ended> m_ended = Ended::Itself;  ///< read() may be a thread's that reads ahead
};

/// Fetches the next piece from another source while the last one is used.
class AheadSource : public ByteSource {
 public:
  explicit AheadSource(std::unique_ptr<ByteSource> source) : m_source(std::move(source)) { fetch(); }
  ~AheadSource() override {
    if (m_coming.valid()) m_coming.wait();
  }

  std::size_t read(char* to, std::size_t room) override {
    if (m_taken == m_here.size()) {
      if (!m_coming.valid()) return 0;
      m_here = m_coming.get();
      m_taken = 0;
      if (!m_here.empty()) fetch();
    }
    const std::size_t count = std::string_view(m_here).substr(m_taken).copy(to, room);
    m_taken += count;
    return count;
  }
  bool damaged() const override { return m_source->damaged(); }
  Ended ended() const override { return m_source->ended(); }

 private:
  void fetch() {
    m_coming = std::async(std::launch::async, [this] {
      std::string bytes(kPiece * 2, '\0');
      std::size_t size = 0;
      while (size < bytes.size()) {
        const std::size_t count = m_source->read(bytes.data() + size, bytes.size() - size);
        if (count == 0) break;
        size += count;
      }
      bytes.resize(size);
      return bytes;
    });
  }

  std::unique_ptr<ByteSource> m_source;
  std::string m_here;
  std::size_t m_taken = 0;
  std::future<std::string> m_coming;
};

}  // namespace

std::unique_ptr<ByteSource> memorySource(std::string_view text) { return std::make_unique<MemorySource>(text); }

std::unique_ptr<ByteSource> sourceBehind(std::string front, ByteSource& rest) {
  return std::make_unique<FrontSource>(std::move(front), rest);
}

std::string readSome(ByteSource& source, std::size_t most) {
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    bytes.resize(std::min(most, before + kPiece));
    const std::size_t count = source.read(bytes.data() + before, bytes.size() - before);
    bytes.resize(before + count);
    if (count == 0) break;
  }
  return bytes;
}

OpenedSource openSource(const std::string& path, const ImportLimits& limits) {
  OpenedSource opened;
  OpenedFile handle = openRegularFile(path);
  if (!handle.file) {
    const bool other_kind = handle.reason.ends_with("not a regular file");
    opened.error = path + " cannot be read: " + handle.reason +
                   (other_kind ? ". Copy the trace to a file first." : ". Choose a trace file that you may read.");
    return opened;
  }
  opened.progress = progressOf(path, limits.report);
  auto file = std::make_unique<FileSource>(std::move(handle), opened.progress);
  if (const int reason = file->peek(opened.head); reason != 0) {
    opened.error = path + " cannot be read: " + std::strerror(reason) + ". Choose a trace file that you may read.";
    return opened;
  }
  std::unique_ptr<ByteSource> source = std::move(file);
  ImportLimits counted = limits;
  if (opened.head.starts_with("\x1F\x8B")) {
    source = std::make_unique<GzipSource>(std::move(source));
  } else {
    counted.unpacked_bytes = std::numeric_limits<std::int64_t>::max();
  }
  opened.source = std::make_unique<AheadSource>(std::make_unique<LimitedSource>(std::move(source), counted));
  return opened;
}

}  // namespace lanelab
